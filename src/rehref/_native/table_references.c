/* Adding references to a table: each is a use of a row, which is resolved when it is first met. `table_places.c` says what a row
   must be for this. */

#include "tables.h"

/* Whether a row can be read here. */
static bool is_readable(const Bases *bases, const Class *class, View text, const Resolved *resolved, bool utf8) {
    if (class->kind == KIND_FRAGMENT && !bases->base_is_own) {
        return false;
    }
    if (resolved->form != REFERENCE_ODD && !resolved->beyond) {
        return true;
    }
    if (text.length == 0 || find_byte(text, 0, '\r') < text.length) {
        return false;
    }
    TextForm encoded = text_form(text);
    return encoded == TEXT_ASCII || (encoded == TEXT_UTF8 && utf8);
}

/* Whether a class is that of a `base` element. */
static bool is_of_base(const Class *class) {
    return class->kind == KIND_BASE && !(class->flags & CLASS_PART_BASE);
}

/* Resolves a text below a base that browsers do not know. */
static void resolve_unseen(const ReferenceTable *self, const Bases *bases, View text, Resolved *found) {
    Resolved seen;
    resolve(bases, text, found);
    resolve(&self->seen, text, &seen);
    bool is_relative = found->form == REFERENCE_PATH || found->form == REFERENCE_ROOTED || found->form == REFERENCE_QUERY;
    if (!is_relative || seen.form != found->form || found->faulty || seen.faulty || found->beyond) {
        *found = (Resolved){.form = REFERENCE_ODD, .beyond = found->beyond};
    } else {
        found->faulty = found->skip != seen.skip ||
                        !same_text(bases->prefixes[found->prefix], self->seen.prefixes[seen.prefix]);
    }
}

/* Resolves a row with dot segments, if it is one of `rehref.uri.ordinary_references`; else it stays odd. */
static void resolve_dotted(ReferenceTable *self, const Bases *bases, Row *row, Resolved *resolved) {
    enum { LONGEST_DOTTED = 1024 };
    unsigned char room[LONGEST_DOTTED + 2];
    Resolved found;
    View text = text_of_row(row), meaning = {room, text.length > LONGEST_DOTTED ? 0 : without_dots(text, room)};
    if (meaning.length == 0) {
        return;
    }
    resolve(bases, meaning, &found);
    bool is_known = found.form == REFERENCE_PATH && !found.faulty && !found.beyond && !found.nowhere;
    unsigned char *kept = is_known ? kept_room(&self->table, text.length + meaning.length) : NULL;
    if (kept != NULL) { /* else Python reads it */
        copied(copied(kept, text), meaning);
        row->text = kept;
        row->meaning = (uint32_t)meaning.length;
        *resolved = found;
    }
}

void read_row(ReferenceTable *self, Row *row, bool utf8) {
    const Class *class = &self->table.classes[row->class];
    const PartBase *base = &self->bases[row->base];
    const Bases *bases = &base->prefixes;
    Resolved resolved = {.form = REFERENCE_ODD};
    if (base->is_unseen) {
        resolve_unseen(self, bases, text_of_row(row), &resolved);
    } else if (!is_of_base(class)) {
        resolve(bases, text_of_row(row), &resolved);
        if (resolved.form == REFERENCE_ODD) {
            resolve_dotted(self, bases, row, &resolved);
        }
    }
    if (resolved.nowhere && class->kind < LOCAL_KINDS) {
        resolved = (Resolved){.form = REFERENCE_ODD}; /* Python knows what such a kind leads to */
    }
    bool is_own = resolved.same_document || class->kind == KIND_FRAGMENT;
    row->form = (uint8_t)resolved.form;
    row->prefix = (uint8_t)resolved.prefix;
    row->skip = (uint8_t)resolved.skip; /* `is_there` in `resolve.c` bounds it */
    row->flags = (is_own ? ROW_OF_DOCUMENT : 0) | (resolved.faulty ? ROW_FAULTY : 0) | (resolved.beyond ? ROW_BEYOND : 0) |
                 (resolved.nowhere ? ROW_NOWHERE : 0) | (row->meaning > 0 ? ROW_DOTTED : 0) |
                 ROW_READ;
    if (is_readable(bases, class, text_of_row(row), &resolved, utf8)) {
        row->flags |= ROW_READABLE;
    }
}

PlaceStatus take_reference(ReferenceTable *self, View text, size_t start, size_t end, bool is_lasting, Class class,
                           uint32_t base, bool utf8) {
    Table *table = &self->table;
    uint16_t number = class_number(table, class);
    if (number == NO_CLASS || (is_of_base(&class) && table->classes[number].place != class.place)) {
        return PLACE_ODD; /* or memory is short, which shows elsewhere */
    }
    uint32_t row = row_number(table, text, number, base, is_lasting);
    if (row == UINT32_MAX) {
        return PLACE_ERROR;
    }
    if (!(table->rows[row].flags & ROW_READ)) {
        read_row(self, &table->rows[row], utf8);
    }
    if (!(table->rows[row].flags & ROW_READABLE)) {
        return PLACE_ODD;
    }
    return add_use(table, (Use){(uint32_t)start, (uint32_t)end, row, class.place}) ? PLACE_DONE : PLACE_ERROR;
}
