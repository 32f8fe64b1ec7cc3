/* What a raw value means, as bytes: its own, or those it stands for.

   1. A value without character references, NUL, and bytes that a reader of bytes might misread, stands for itself.
   2. `&amp;` stands for "&", and so does "&" where a name and "=" follow, or what begins no name (HTML Standard, "named
      character reference state"); `&quot;` for a quotation mark, and a number for a printable character of ASCII. Every
      other character reference is for Python to read; so is a value with NUL.
   3. Bytes from 0x80 on stay: they are whole characters or parts of such, and no reference that has one is ordinary.
      In encodings where a byte below 0x80 may be part of a character, a value with such bytes is for Python.
   4. A decoded value knows where each of its bytes stands in the source. */

#ifndef REHREF_VALUE_H
#define REHREF_VALUE_H

#include "records.h"

enum { LONGEST_DECODED = 2048 };

typedef struct {
    unsigned char text[LONGEST_DECODED];
    uint32_t offsets[LONGEST_DECODED + 1];
} Room;

typedef struct {
    const unsigned char *text;
    size_t length;
    size_t start;            /* where its first byte stands in the source */
    const uint32_t *offsets; /* how far behind that each byte stands, and the end; NULL where all stand in a row */
} Value;

/* Reads the value of a place, into `room` where it has to be decoded; false where that takes more than these rules. */
bool value_of(View view, const Record *record, bool multibyte, Room *room, Value *value);

/* Where byte `at` of the value, or its end, stands in the source. */
static inline size_t value_offset(const Value *value, size_t at) {
    return value->start + (value->offsets == NULL ? at : value->offsets[at]);
}

#endif
