/* The result of a scan: one record for each place, and one stretch for each template.

   - Arrays grow by doubling; their sizes are checked before they are multiplied.
   - If memory is short, an addition returns false, and only the added item is lost. */

#ifndef REHREF_RECORDS_H
#define REHREF_RECORDS_H

#include "view.h"

enum {
    RECORD_IN_TEMPLATE = 1,
    RECORD_TEXT = 2,    /* an element's text: no character references where it is raw text */
    RECORD_MARKUP = 4,  /* text of an element in foreign content: character references count */
    RECORD_COMMENT = 8, /* the text of a conditional comment */
    RECORD_ODD = 16,    /* the value is not literal: it has "&", CR, NUL or bytes from 0x80 on */
    RECORD_WHOLE = 32,  /* the text is the source, without markup and without an element */
    RECORD_XML = 64,    /* the value is one in XML: */
    RECORD_PARTS = 128, /* of a text with other markup in it, */
    RECORD_INSTRUCTION = 256 /* or of a pseudo-attribute, whose name is not known */
};

typedef struct {
    uint32_t start, end; /* the raw value */
    uint32_t tag;        /* the position of the start tag's "<" */
    uint16_t element;    /* the number of its name, or UNKNOWN */
    uint16_t attribute;
    uint8_t ns;
    uint16_t flags;
} Record;

/* What is known of a record in XML besides: the tag of the parent of its element, and the place of the xml:base that applies to
   it (NO_PLACE: there is none). */
typedef struct {
    uint32_t parent, scope;
    uint8_t parent_ns;
} XmlContext;

#define NO_PLACE UINT32_MAX

/* Whether a value is between quotes. */
static inline bool is_quoted(View view, const Record *record) {
    int before = record->start == 0 ? -1 : byte_at(view, (size_t)record->start - 1);
    return (before == '"' || before == '\'') && byte_at(view, record->end) == before;
}

typedef struct {
    uint32_t start, end;
} Stretch;

typedef struct {
    Record *items;
    size_t count, room;
} Records;

typedef struct {
    Stretch *items;
    size_t count, room;
} Stretches;

/* A new record at the end, to be filled; NULL if memory is short. */
Record *records_add(Records *records);
bool stretches_add(Stretches *stretches, Stretch stretch);

/* Room for `count` more items of `size` bytes in an array; the array, perhaps moved, or NULL if memory is short. */
void *grown(void *items, size_t count, size_t *room, size_t size);

#endif
