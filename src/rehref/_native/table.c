#include "table.h"

#include <stdlib.h>

#include "names.h"

struct Block {
    Block *before;
    size_t used, room;
    unsigned char data[];
};

enum { BLOCK_SIZE = 1 << 14, FIRST_SLOTS = 64 };

unsigned char *kept_room(Table *table, size_t length) {
    Block *block = table->blocks;
    if (block == NULL || block->room - block->used < length) {
        size_t room = length > BLOCK_SIZE ? length : BLOCK_SIZE;
        block = malloc(sizeof *block + room);
        if (block == NULL) {
            return NULL;
        }
        *block = (Block){.before = table->blocks, .used = 0, .room = room};
        table->blocks = block;
    }
    block->used += length;
    return block->data + block->used - length;
}

/* A copy of the text; NULL if memory is short. */
static const unsigned char *kept(Table *table, View text) {
    unsigned char *data = kept_room(table, text.length);
    if (data != NULL && text.length > 0) {
        memcpy(data, text.data, text.length);
    }
    return data;
}

/* ---- classes ---- */

/* Whether two names are the same, in any case. */
static bool same_name(View one, View other) {
    if (one.length != other.length) {
        return false;
    }
    for (size_t at = 0; at < one.length; at++) {
        if (lower_byte(one.data[at]) != lower_byte(other.data[at])) {
            return false;
        }
    }
    return true;
}

static bool is_class(const Class *class, const Class *other) {
    return class->element == other->element && class->attribute == other->attribute && class->ns == other->ns &&
           class->flags == other->flags && class->syntax == other->syntax && class->kind == other->kind &&
           same_text(class->rel, other->rel) && same_text(class->as, other->as) &&
           (class->element != UNKNOWN || same_name(class->name, other->name));
}

uint16_t class_number(Table *table, Class class) {
    if (table->last_class < table->class_count && is_class(&table->classes[table->last_class], &class)) {
        return (uint16_t)table->last_class;
    }
    for (size_t at = 0; at < table->class_count; at++) {
        if (is_class(&table->classes[at], &class)) {
            table->last_class = at;
            return (uint16_t)at;
        }
    }
    Class *classes = table->class_count == MOST_CLASSES
                         ? NULL
                         : grown(table->classes, table->class_count, &table->class_room, sizeof class);
    if (classes == NULL) {
        return NO_CLASS;
    }
    table->classes = classes;
    classes[table->class_count] = class;
    table->last_class = table->class_count;
    return (uint16_t)table->class_count++;
}

/* ---- rows ---- */

static uint32_t hash_of(View text, uint16_t class, uint32_t base) {
    uint64_t of = (uint64_t)base << 16 | class, word;
    uint64_t hash = UINT64_C(0x9E3779B97F4A7C15) * (of + 1) ^ text.length;
    size_t at = 0;
    for (; text.length - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text.data + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9FB21C651E98DF25);
        hash ^= hash >> 32;
    }
    word = 0;
    if (at < text.length) {
        memcpy(&word, text.data + at, text.length - at);
    }
    hash = (hash ^ word) * UINT64_C(0x9FB21C651E98DF25);
    return (uint32_t)(hash ^ hash >> 32);
}

/* Makes the hash table at most half full, with so many rows. */
static bool make_slots(Table *table, size_t rows) {
    if (rows * 2 <= table->slot_count) {
        return true;
    }
    size_t count = table->slot_count == 0 ? FIRST_SLOTS : table->slot_count * 2;
    while (count < rows * 2) {
        count *= 2;
    }
    uint32_t *slots = calloc(count, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (size_t at = 0; at < table->row_count; at++) {
        const Row *row = &table->rows[at];
        size_t slot = hash_of(text_of_row(row), row->class, row->base) & (count - 1);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (count - 1);
        }
        slots[slot] = (uint32_t)at + 1;
    }
    free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    return true;
}

bool table_reserve(Table *table, size_t count) {
    table->rows = malloc((count + 1) * sizeof *table->rows); /* smaller than the records of as many places: no overflow */
    table->uses = malloc((count + 1) * sizeof *table->uses);
    table->row_room = table->rows == NULL ? 0 : count + 1;
    table->use_room = table->uses == NULL ? 0 : count + 1;
    return table->row_room > 0 && table->use_room > 0 && make_slots(table, count + 1);
}

static bool is_row(const Row *row, View text, uint16_t class, uint32_t base) {
    return row->class == class && row->base == base && row->length == text.length &&
           (text.length == 0 || memcmp(row->text, text.data, text.length) == 0);
}

uint32_t row_number(Table *table, View text, uint16_t class, uint32_t base, bool is_lasting) {
    uint32_t hash = hash_of(text, class, base);
    if (!make_slots(table, table->row_count + 1)) {
        return UINT32_MAX;
    }
    size_t slot = hash & (table->slot_count - 1);
    for (uint32_t number; (number = table->slots[slot]) != 0; slot = (slot + 1) & (table->slot_count - 1)) {
        if (is_row(&table->rows[number - 1], text, class, base)) {
            return number - 1;
        }
    }
    Row *rows = grown(table->rows, table->row_count, &table->row_room, sizeof *rows);
    if (rows == NULL) {
        return UINT32_MAX;
    }
    table->rows = rows;
    const unsigned char *data = is_lasting ? text.data : kept(table, text);
    if (data == NULL && text.length > 0) {
        return UINT32_MAX;
    }
    rows[table->row_count] = (Row){.text = data, .length = (uint32_t)text.length, .base = base, .class = class};
    table->slots[slot] = (uint32_t)table->row_count + 1;
    return (uint32_t)table->row_count++;
}

/* ---- uses and odd places ---- */

bool add_use(Table *table, Use use) {
    Use *uses = grown(table->uses, table->use_count, &table->use_room, sizeof use);
    if (uses == NULL) {
        return false;
    }
    table->uses = uses;
    uses[table->use_count++] = use;
    table->rows[use.row].count++;
    return true;
}

bool places_add(Places *places, uint32_t place) {
    uint32_t *items = grown(places->items, places->count, &places->room, sizeof place);
    if (items == NULL) {
        return false;
    }
    places->items = items;
    items[places->count++] = place;
    return true;
}

void drop_uses(Table *table, size_t first) {
    while (table->use_count > first) {
        table->rows[table->uses[--table->use_count].row].count--;
    }
}

void forget_slots(Table *table) {
    free(table->slots);
    table->slots = NULL;
    table->slot_count = 0;
}

void table_free(Table *table) {
    for (Block *block = table->blocks, *before; block != NULL; block = before) {
        before = block->before;
        free(block);
    }
    free(table->uses);
    free(table->rows);
    free(table->slots);
    free(table->classes);
    free(table->odd.items);
    free(table->unread.items);
    *table = (Table){0};
}
