#include "names.h"

#include <stdlib.h>

enum { IN_KEY = 8 /* the longest name that its key contains */ };

/* Rule 4: the first and the last half of such a name, which overlap; longer names are compared as a whole. */
static inline uint64_t key_of(const unsigned char *name, size_t length) {
    uint32_t first, last;
    uint16_t pair, last_pair;
    if (length >= sizeof first) {
        memcpy(&first, name, sizeof first);
        memcpy(&last, name + length - sizeof last, sizeof last);
        return (uint64_t)first << 32 | last;
    }
    if (length == 1) {
        return name[0];
    }
    memcpy(&pair, name, sizeof pair);
    memcpy(&last_pair, name + length - sizeof last_pair, sizeof last_pair);
    return (uint64_t)pair << 16 | last_pair;
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
    uint64_t key = key_of(name, length);
    size_t at = hash_of(key, length) & table->mask;
    while (table->slots[at].name != NULL) {
        at = (at + 1) & table->mask;
    }
    table->slots[at] = (NameSlot){key, name, (uint16_t)length, number};
    table->longest = length > table->longest ? length : table->longest;
    table->begins[name[0]] = true;
    if (name[0] >= 'a' && name[0] <= 'z') {
        table->begins[name[0] - ('a' - 'A')] = true;
    }
}

uint16_t names_find(const NameTable *table, View name) {
    if (name.length == 0 || name.length > table->longest || !table->begins[name.data[0]]) {
        return UNKNOWN;
    }
    uint64_t key = key_of(name.data, name.length);
    size_t at = hash_of(key, name.length) & table->mask;
    for (const NameSlot *slot; (slot = &table->slots[at])->name != NULL; at = (at + 1) & table->mask) {
        if (slot->length == name.length && ((slot->key ^ key) & ~CASE) == 0 &&
            ((slot->key == key && name.length <= IN_KEY) ||
             stands_at_any_case(name, 0, slot->name, name.length))) {
            return slot->number;
        }
    }
    return UNKNOWN;
}
