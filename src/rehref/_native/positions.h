/* Lines and columns: 1-based, in characters (`rehref.text.source_text`).

   1. Lines end with LF, CR or CR LF.
   2. A valid character of UTF-8 is a byte and those that continue it; in other encodings, a character is a byte.
   3. Table 3-7 of the Unicode Standard defines valid UTF-8. */

#ifndef REHREF_POSITIONS_H
#define REHREF_POSITIONS_H

#include "view.h"

typedef struct {
    size_t position; /* of the last answer */
    uint32_t line, column;
    bool has_cr; /* whether there is any after where it began */
} Cursor;

/* A cursor on the first character of the source. */
Cursor cursor_at(View view, size_t first);

/* Moves the cursor forward to `position`, which is not before it. */
void cursor_move(View view, Cursor *cursor, size_t position, bool utf8);

typedef enum { TEXT_ASCII, TEXT_UTF8, TEXT_OTHER } TextForm;

/* Whether all of it is ASCII, or else valid UTF-8. */
TextForm text_form(View view);

#endif
