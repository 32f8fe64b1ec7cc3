/* The bases of parts of a document, which attributes name, `xml:base` and `codebase`, or values, `@base` in JSON-LD. In Python
   they are those of `rehref.documents._formats.xml_scopes`, `below_codebase` in `rehref.documents._formats.html`, and
   `rehref.documents._bases.bases_of_values`.

   - Each attribute names a base of its own, which gets a number when something is relative to it, and is relative to the
     one around it.
   - An `xml:base` is known here if it is plain, in documents that browsers do not show; a `codebase` if it is plain, below the
     base of the document, and so is that, which browsers use instead. Any other base has no prefixes: what is relative to it
     is odd.
   - Values that are the same name the same base. It is known here if it is plain.
   - A base around another is before it, and nearly always known already: nothing recurses. */

#include "tables.h"

#include <stdlib.h>

bool make_bases(ReferenceTable *self, const Bases *of_document) {
    self->bases = malloc(sizeof *self->bases);
    if (self->bases == NULL) {
        return PyErr_NoMemory() != NULL;
    }
    self->bases[0] = (PartBase){.prefixes = *of_document, .place = NO_PLACE};
    self->base_count = self->base_room = 1;
    return true;
}

enum { LONGEST_EMBEDDED = 2000 };

static bool is_plain(View uri) {
    Reference whole = classify(uri.data, uri.length);
    return stands_at(uri, 0, "http", 4) && whole.form == REFERENCE_ABSOLUTE && !whole.beyond && !whole.faulty &&
           is_canonical(whole.form, uri);
}

/* Sets the base with a number, which a value names below an outer one, if it is an ordinary reference to a canonical URI, not too long (`plain_base`
   in `rehref.documents.base`). False if memory is short. */
static bool set_plain_base(ReferenceTable *self, const How *how, uint32_t around, View value, uint32_t number) {
    const Bases *outer = &self->bases[around].prefixes;
    bool is_whole = stands_at(value, 0, "http", 4) && classify(value.data, value.length).form == REFERENCE_ABSOLUTE;
    Resolved found;
    if (!how->has_alike) {
        return true;
    }
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
        set_base(&how->alike, part_of(uri, 0, find_byte(uri, 0, '#')), &self->bases[number].prefixes);
    }
    return true;
}

/* Adds a base without prefixes, and returns its number; 0 if memory is short. */
static uint32_t add_base(ReferenceTable *self, PartBase base) {
    PartBase *bases = grown(self->bases, self->base_count, &self->base_room, sizeof *bases);
    if (bases == NULL) {
        return 0;
    }
    self->bases = bases;
    bases[self->base_count] = base;
    return (uint32_t)self->base_count++; /* fewer than there are records, and references */
}

/* Adds the base that the attribute in a place names; false if memory is short. */
static bool add_named(ReferenceTable *self, How *how, size_t place, uint32_t outer) {
    const Scan *scan = self->scan;
    const Record *record = &scan->found.records.items[place];
    bool is_codebase = is_named(record, scan->bound->plan.codebase);
    bool may_be_plain = is_codebase ? how->is_seen && outer == 0 : how->are_plain;
    uint32_t number = add_base(self, (PartBase){.place = (uint32_t)place, .is_unseen = is_codebase});
    Value value;
    self->base_numbers[place] = number;
    return number > 0 && (!may_be_plain || !value_of(scan->view, record, scan->multibyte, how->room, &value) ||
                          set_plain_base(self, how, outer, (View){value.text, value.length}, number));
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
        if (!add_named(self, how, unknown, outer)) {
            return 0;
        }
    }
    return self->base_numbers == NULL ? 0 : self->base_numbers[place];
}

uint32_t base_of_values(ReferenceTable *self, const How *how, PyObject *values) {
    uint32_t number = 0;
    if (self->value_numbers == NULL && (self->value_numbers = PyDict_New()) == NULL) {
        return 0;
    }
    for (Py_ssize_t size = PyTuple_Size(values), at = size - 1; at >= 0; at--) { /* from the outermost inward */
        View text;
        PyObject *name = PyTuple_GetSlice(values, at, size);
        PyObject *known = name == NULL ? NULL : PyDict_GetItemWithError(self->value_numbers, name), *new = NULL;
        uint32_t outer = number;
        if (known != NULL) {
            number = (uint32_t)PyLong_AsUnsignedLong(known);
        } else if (name != NULL && !PyErr_Occurred() && take_text(PyTuple_GetItem(values, at), &text)) {
            number = add_base(self, (PartBase){.place = NO_PLACE, .values = name});
            new = number > 0 && set_plain_base(self, how, outer, text, number) ? PyLong_FromUnsignedLong(number) : NULL;
            Py_XINCREF(number > 0 ? name : NULL); /* it has one */
            if (new == NULL || PyDict_SetItem(self->value_numbers, name, new) < 0) {
                number = 0;
            }
        } else {
            number = 0;
        }
        Py_XDECREF(name);
        Py_XDECREF(new);
        if (number == 0) {
            return PyErr_Occurred() == NULL && PyErr_NoMemory() != NULL; /* 0 */
        }
    }
    return number;
}
