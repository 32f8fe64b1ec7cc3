/* Names of elements and attributes: from their bytes, in any ASCII case, to a number.

   - A table is filled once, with lower-case names, and only read afterwards. In an exact one, case matters.
   - A name that is not in it is `UNKNOWN`.
   - Open addressing; the table is at most a quarter full, so a search ends soon.
   - The key of a name is a number: of up to eight bytes, no other name of its length has the same.
   - Most names of a page are in no table. Their first byte and their length show that nearly always. */

#ifndef REHREF_NAMES_H
#define REHREF_NAMES_H

#include "view.h"

#define UNKNOWN UINT16_MAX

typedef struct {
    uint64_t key;
    const unsigned char *name; /* not owned */
    uint16_t length;
    uint16_t number;
} NameSlot;

typedef struct {
    NameSlot *slots;
    size_t mask;
    bool exact;
    uint64_t lengths[256]; /* for each first byte, in any case, a bit for each length of a name */
} NameTable;

enum { LONG = 63 /* the bit of all lengths from this on */ };

/* Makes an empty table for `count` names; false if memory is short. */
bool names_make(NameTable *table, size_t count);
void names_free(NameTable *table);

/* Adds a lower-case name, or to an exact table any, which must stay where it is in memory; at most as many as the table was made for. */
void names_add(NameTable *table, const unsigned char *name, size_t length, uint16_t number);

/* The number of the name in `view` from `start` on, of at least one byte. */
uint16_t names_search(const NameTable *table, View view, size_t start, size_t length);

/* The number of the name in `view` from `start` to `end`. */
static inline uint16_t names_find(const NameTable *table, View view, size_t start, size_t end) {
    if (start >= end || end > view.length) {
        return UNKNOWN;
    }
    size_t length = end - start;
    if (!(table->lengths[view.data[start]] >> (length < LONG ? length : LONG) & 1)) {
        return UNKNOWN;
    }
    return names_search(table, view, start, length);
}

#endif
