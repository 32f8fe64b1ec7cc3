#include "names.h"

#include <stdlib.h>

enum { IN_KEY = 8 /* the longest name that its key contains */ };

/* The key of a name: its first IN_KEY bytes of the name, and 0 for those after its end. `can_read_all`: there are so many at
   `name`. */
static inline uint64_t key_of(const unsigned char *name, size_t length, bool can_read_all) {
    static const unsigned char kept[2 * IN_KEY] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    uint64_t key = 0, mask;
    size_t in_key = length < IN_KEY ? length : IN_KEY;
    if (can_read_all) {
        memcpy(&key, name, IN_KEY);
    } else {
        memcpy(&key, name, in_key);
    }
    memcpy(&mask, kept + IN_KEY - in_key, IN_KEY);
    return key & mask;
}

#define CASE UINT64_C(0x2020202020202020) /* the bits of a key in which a name in upper case differs */

/* Where the search for a name begins, the same in any case. */
static inline size_t hash_of(uint64_t key, size_t length) {
    return (size_t)(((key | CASE) + length) * UINT64_C(0x9E3779B97F4A7C15) >> 48);
}

bool names_make(NameTable *table, size_t count) {
    size_t size = 16;
    memset(table, 0, sizeof *table);
    if (count >= UNKNOWN) {
        return false;
    }
    while (size < 4 * count) {
        size *= 2;
    }
    table->slots = calloc(size, sizeof *table->slots);
    table->mask = size - 1;
    return table->slots != NULL;
}

void names_free(NameTable *table) {
    free(table->slots);
    table->slots = NULL;
}

void names_add(NameTable *table, const unsigned char *name, size_t length, uint16_t number) {
    if (length == 0 || length > UINT16_MAX) {
        return;
    }
    uint64_t key = key_of(name, length, length >= IN_KEY);
    size_t at = hash_of(key, length) & table->mask;
    while (table->slots[at].name != NULL) {
        at = (at + 1) & table->mask;
    }
    table->slots[at] = (NameSlot){key, name, (uint16_t)length, number};
    uint64_t bit = UINT64_C(1) << (length < LONG ? length : LONG);
    table->lengths[name[0]] |= bit;
    if (name[0] >= 'a' && name[0] <= 'z') {
        table->lengths[name[0] - ('a' - 'A')] |= bit;
    }
}

uint16_t names_search(const NameTable *table, View view, size_t start, size_t length) {
    uint64_t key = key_of(view.data + start, length, view.length - start >= IN_KEY);
    size_t at = hash_of(key, length) & table->mask;
    for (const NameSlot *slot; (slot = &table->slots[at])->name != NULL; at = (at + 1) & table->mask) {
        if (slot->length != length || ((slot->key ^ key) & (table->exact ? UINT64_MAX : ~CASE)) != 0) {
            continue;
        }
        if ((slot->key == key && length <= IN_KEY) ||
            (table->exact ? memcmp(view.data + start, slot->name, length) == 0
                          : stands_at_any_case(view, start, slot->name, length))) {
            return slot->number;
        }
    }
    return UNKNOWN;
}
