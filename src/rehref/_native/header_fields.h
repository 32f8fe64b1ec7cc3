/* The fields of a head. The twin of `rehref.text.header_fields`, with the same rules. */

#ifndef REHREF_HEADER_FIELDS_H
#define REHREF_HEADER_FIELDS_H

#include "view.h"

typedef struct {
    size_t line_start, name_end; /* the name */
    size_t start, end;           /* the value, without the white space around it */
    size_t line_end;             /* of its last line, with its end */
    bool folded;                 /* whether the value has several lines */
} HeaderField;

static inline bool is_blank(int byte) {
    return byte == ' ' || byte == '\t';
}

/* The next field from `*position` on, which is at the beginning of a line; moves after it. False: there is none. */
bool next_header_field(View head, size_t *position, HeaderField *found);

#endif
