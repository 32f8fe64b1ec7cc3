/* The bases of parts of a document, which attributes name: `xml:base`, and `codebase`. In Python they are those of
   `rehref.documents.formats.xml_scopes`, and `below_codebase` in `rehref.documents.formats.html`.

   1. Each attribute names a base of its own, which gets a number when something is relative to it, and is relative to the
      one around it.
   2. An `xml:base` is known here if it is plain, in documents that browsers do not show. Any other base has no prefixes: what
      is relative to it is odd, since browsers do not know such bases.
   3. A base around another is before it, and nearly always known already: nothing recurses. */

#include "tables.h"

#include <stdlib.h>

bool make_bases(ReferenceTable *self, const Bases *of_document) {
    self->bases = malloc(sizeof *self->bases);
    self->base_places = malloc(sizeof *self->base_places);
    self->base_room = self->place_room = 1;
    if (self->bases == NULL || self->base_places == NULL) {
        return PyErr_NoMemory() != NULL;
    }
    self->bases[0] = *of_document;
    self->base_places[0] = NO_PLACE;
    self->base_count = 1;
    return true;
}

enum { LONGEST_EMBEDDED = 2000 };

static bool is_plain(View uri) {
    Reference whole = classify(uri.data, uri.length);
    return stands_at(uri, 0, "http", 4) && whole.form == REFERENCE_ABSOLUTE && !whole.beyond && !whole.faulty &&
           is_canonical(whole.form, uri);
}

/* Sets the base that a value names below an outer one, if it is an ordinary reference to a canonical URI, not too long (`plain_base`
   in `rehref.base`). False if memory is short. */
static bool set_plain_base(ReferenceTable *self, const How *how, const Bases *outer, View value, Bases *base) {
    bool is_whole = stands_at(value, 0, "http", 4) && classify(value.data, value.length).form == REFERENCE_ABSOLUTE;
    Resolved found;
    resolve(is_whole ? &how->alike : outer, value, &found);
    bool has_path = found.form == REFERENCE_ROOTED || found.form == REFERENCE_PATH || found.form == REFERENCE_NETWORK ||
                    found.form == REFERENCE_ABSOLUTE;
    if (!has_path || found.faulty || found.beyond || value.length + (is_whole ? 0 : outer->size) > LONGEST_EMBEDDED) {
        return true;
    }
    View before = found.prefix == NO_PREFIX ? (View){value.data, 0} : outer->prefixes[found.prefix];
    View rest = part_of(value, found.skip, value.length);
    unsigned char *data = kept_room(&self->table, before.length + rest.length);
    if (data == NULL) {
        return false;
    }
    copied(copied(data, before), rest);
    View uri = {data, before.length + rest.length};
    if (is_plain(uri)) {
        set_base(&how->alike, part_of(uri, 0, find_byte(uri, 0, '#')), base);
    }
    return true;
}

/* Adds the base that the attribute in a place names (rule 2); false if memory is short. */
static bool add_base(ReferenceTable *self, How *how, size_t place, uint32_t outer) {
    const Scan *scan = self->scan;
    Bases *bases = grown(self->bases, self->base_count, &self->base_room, sizeof *bases);
    uint32_t *places = bases == NULL ? NULL : grown(self->base_places, self->base_count, &self->place_room, sizeof *places);
    const Record *record = &scan->found.records.items[place];
    bool may_be_plain = how->has_alike && scan->bound->plan.is_xml && is_named(record, scan->bound->plan.xml_base);
    Bases base = {0};
    Value value;
    self->bases = bases == NULL ? self->bases : bases;
    if (places == NULL) {
        return false;
    }
    self->base_places = places;
    if (may_be_plain && value_of(scan->view, record, scan->multibyte, &how->room, &value) &&
        !set_plain_base(self, how, &bases[outer], (View){value.text, value.length}, &base)) {
        return false;
    }
    places[self->base_count] = (uint32_t)place;
    self->base_numbers[place] = (uint32_t)self->base_count;
    bases[self->base_count++] = base;
    return true;
}

uint32_t base_named(ReferenceTable *self, How *how, size_t place) {
    const Scan *scan = self->scan;
    if (self->base_numbers == NULL) {
        self->base_numbers = calloc(scan->found.records.count + 1, sizeof *self->base_numbers);
    }
    while (self->base_numbers != NULL && self->base_numbers[place] == 0) {
        size_t unknown = place;
        uint32_t outer = 0;
        while (how->xml_base && scan->found.records.items[unknown].flags & RECORD_XML) {
            uint32_t around = scan->found.xml.contexts[unknown].scope;
            outer = around == NO_PLACE ? 0 : self->base_numbers[around];
            if (around == NO_PLACE || outer > 0) {
                break;
            }
            unknown = around;
        }
        if (!add_base(self, how, unknown, outer)) {
            return 0;
        }
    }
    return self->base_numbers == NULL ? 0 : self->base_numbers[place];
}
