#include "names.h"

#include <stdlib.h>

/* A hash of the length, the first two bytes and the last, in any case: names of HTML differ in these. */
static size_t hash_of(const unsigned char *name, size_t length) {
    unsigned second = length > 1 ? name[1] | 0x20u : 0;
    return (name[0] | 0x20u) * 7 + second * 31 + (name[length - 1] | 0x20u) * 131 + length * 521;
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
    size_t at = hash_of(name, length) & table->mask;
    while (table->slots[at].name != NULL) {
        at = (at + 1) & table->mask;
    }
    table->slots[at] = (NameSlot){name, (uint16_t)length, number};
    table->longest = length > table->longest ? length : table->longest;
    table->begins[name[0]] = true;
    if (name[0] >= 'a' && name[0] <= 'z') {
        table->begins[name[0] - ('a' - 'A')] = true;
    }
}

uint16_t names_find(const NameTable *table, View view, size_t start, size_t end) {
    size_t length = end - start;
    if (start >= end || end > view.length || length > table->longest || !table->begins[view.data[start]]) {
        return UNKNOWN;
    }
    size_t at = hash_of(view.data + start, length) & table->mask;
    for (; table->slots[at].name != NULL; at = (at + 1) & table->mask) {
        const NameSlot *slot = &table->slots[at];
        if (slot->length == length && (memcmp(slot->name, view.data + start, length) == 0 ||
                                       stands_at_any_case(view, start, slot->name, length))) {
            return slot->number;
        }
    }
    return UNKNOWN;
}
