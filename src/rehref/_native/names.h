/* Names of elements and attributes: from their bytes, in any ASCII case, to a number.

   1. A table is filled once, with lower-case names, and only read afterwards.
   2. A name that is not in it is `UNKNOWN`.
   3. Open addressing; the table is at most a quarter full, so a search ends soon.
   4. The key of a name is a number: of up to eight bytes, no other name of its length has the same. */

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
    uint16_t longest[256]; /* the length of the longest name that begins with this byte, in any case; or 0 */
} NameTable;

/* Makes an empty table for `count` names; false if memory is short. */
bool names_make(NameTable *table, size_t count);
void names_free(NameTable *table);

/* Adds a lower-case name, which must stay where it is in memory; at most as many as the table was made for. */
void names_add(NameTable *table, const unsigned char *name, size_t length, uint16_t number);

/* The number of the name in `view` from `start` to `end`. */
uint16_t names_find(const NameTable *table, View view, size_t start, size_t end);

#endif
