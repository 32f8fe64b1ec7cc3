/* Tags as the HTML Standard's tokenizer reads them ("tag name state" to "self-closing start tag state").

   - "/" separates attributes like white space; "=" may begin a name; a quoted value may contain anything except its
     quote.
   - A tag without its ">" is not a tag: the end of the source cuts it off. */

#ifndef REHREF_TAGS_H
#define REHREF_TAGS_H

#include "view.h"

typedef struct {
    size_t name_start, name_end;
    size_t start, end; /* the raw value, quotes excluded; empty, after name or "=", if there is none */
} Attribute;

typedef enum { TAG_ATTRIBUTE, TAG_END, TAG_SELF_CLOSING, TAG_CUT_OFF } TagPart;

/* Where the name of a tag that begins at `position` ends. */
size_t tag_name_end(View view, size_t position);

/* Moves from the name of a tag, or an attribute, to after its end; false if the source ends in it. */
bool tag_end(View view, size_t *position);

/* `tag_next` where the tag does not end with ">". */
TagPart tag_next_item(View view, size_t *position, Attribute *attribute);

/* Reads the next item of a tag at `*position`, an attribute or the tag's end, and moves after it. */
static inline TagPart tag_next(View view, size_t *position, Attribute *attribute) {
    if (byte_at(view, *position) == '>') { /* as in most end tags */
        ++*position;
        return TAG_END;
    }
    return tag_next_item(view, position, attribute);
}

#endif
