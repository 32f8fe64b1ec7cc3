/* The meaning of a raw value, as bytes: its own, or those that it encodes.

   - A value without character references, NUL, and bytes that could be misread one by one is literal.
   - `&amp;`, `&quot;`, `&lt;` and `&gt;` mean one character, and "&" means itself before a name and "=", before a single
     letter or digit without ";", or before something that begins no name (HTML Standard, "named character reference
     state"). Other names are those of a table, in which a name has its ";" if it needs one; without a table they are
     left to Python. A number with its ";" means a character of Unicode, but no control character. Every other character
     reference is left to Python; so is a value with NUL.
   - Bytes from 0x80 on stay: they are whole characters or parts of such. In encodings where a byte below 0x80 may be
     part of a character, a value with one that may be, after such a byte, is left to Python.
   - A decoded value knows the position of each of its bytes in the source.
   - In XML a reference ends in ";"; the predefined entities and all numbers of characters are known. A line end is LF, in
     an attribute a space, as is TAB (XML 1.0 §2.11, §3.3.3). */

#ifndef REHREF_VALUE_H
#define REHREF_VALUE_H

#include "names.h"
#include "records.h"

enum { LONGEST_DECODED = 8192, LONGEST_MEANING = 6 };

/* The names of character references, with their ";" or without, and by their numbers what they mean, as UTF-8. One with
   nothing is left to Python. A meaning is shorter than the reference, so that a text as long as its source is literal. */
typedef struct {
    NameTable names;
    View *texts;
} NamedReferences;

typedef struct {
    const NamedReferences *named; /* NULL: they are not known */
    unsigned char text[LONGEST_DECODED];
    uint32_t offsets[LONGEST_DECODED + 1];
} Room;

typedef struct {
    const unsigned char *text;
    size_t length;
    size_t start;            /* the position of its first byte in the source */
    const uint32_t *offsets; /* how far after that each byte is, and the end; NULL if they are all consecutive */
} Value;

/* What a "&", or it and the text after it, mean; `length`: of that, 0 if Python must read it. */
typedef struct {
    unsigned char bytes[LONGEST_MEANING];
    unsigned count;
    size_t length;
} Meaning;

Meaning xml_reference(View raw, size_t at);

/* The meaning of a raw value in XML, not longer than that: its length, or SIZE_MAX if Python must read it. `text` and `offsets`
   have room for it, and `offsets` for one more: where each byte comes from, and the end. `flags`: of the record. */
size_t xml_decode(View raw, unsigned flags, unsigned char *text, uint32_t *offsets);

/* The same in an attribute in HTML. */
size_t html_decode(View raw, const NamedReferences *named, unsigned char *text, uint32_t *offsets);

/* Whether a value in HTML has names whose meaning is in a table only. */
bool needs_names(View raw);

bool is_ascii(View raw);

/* Whether no byte below 0x80 can be part of a character of more than one, in any encoding. */
bool is_bytewise(View raw);

/* Reads the value of a place, into `room` if it must be decoded; false if that takes more than these rules. */
bool value_of(View view, const Record *record, bool multibyte, Room *room, Value *value);

/* The position of byte `at` of the value, or of its end, in the source. */
static inline size_t value_offset(const Value *value, size_t at) {
    return value->start + (value->offsets == NULL ? at : value->offsets[at]);
}

#endif
