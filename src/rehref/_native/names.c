#include "names.h"

#include <stdlib.h>

/* FNV-1a of the lower-case bytes */
static uint32_t hash_of(const unsigned char *name, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t at = 0; at < length; at++) {
        hash = (hash ^ lower_byte(name[at])) * 16777619u;
    }
    return hash;
}

bool names_make(NameTable *table, size_t count) {
    size_t size = 16;
    memset(table, 0, sizeof *table);
    if (count >= UNKNOWN) {
        return false;
    }
    while (size < 2 * count) {
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
        if (slot->length == length && stands_at_any_case(view, start, slot->name, length)) {
            return slot->number;
        }
    }
    return UNKNOWN;
}
