/* Lines and columns: 1-based, in characters (`rehref.text.source_text`); and offsets in what a source was given as.

   - Lines end with LF, CR or CR LF.
   - A valid character of UTF-8 is a byte and those that continue it. In other encodings a character is a byte, or Python
     passes bytes instead of the source in which those that continue a character are such bytes.
   - Table 3-7 of the Unicode Standard defines valid UTF-8.
   - A source in UTF-8 may have been given as characters, or in UTF-16, where a character beyond U+FFFF takes four bytes. */

#ifndef REHREF_POSITIONS_H
#define REHREF_POSITIONS_H

#include "view.h"

typedef struct {
    size_t position; /* of the last answer */
    uint32_t line, column;
    bool has_cr; /* whether there is any after where it began */
    size_t read, given; /* the last offset, and what it was in the source as given */
} Cursor;

typedef enum { GIVEN_BYTES, GIVEN_CHARACTERS, GIVEN_UTF16, GIVEN_FORMS } GivenForm;

/* An offset in the source as given. The offsets that are asked for do not fall. */
size_t given_offset(View view, Cursor *cursor, size_t offset, GivenForm form);

/* A cursor on the first character of the source. */
Cursor cursor_at(View view, size_t first);

/* Moves the cursor forward to `position`, which is not before it. */
void cursor_move(View view, Cursor *cursor, size_t position, bool utf8);

/* The column of a `position` before the cursor; 0 if it is on another line. */
uint32_t column_before(View view, const Cursor *cursor, size_t position, bool utf8);

typedef enum { TEXT_ASCII, TEXT_UTF8, TEXT_OTHER } TextForm;

/* Whether all of it is ASCII, or else valid UTF-8. */
TextForm text_form(View view);

#endif
