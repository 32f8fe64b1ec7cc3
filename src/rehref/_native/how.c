/* What a place carries, and its references: the user of the plan defines that, by tables and a Python function.

   - Whatever a call of Python returns is checked before it is used.
   - What other attributes decide is cached by the raw values of those that may, if these are literal; so Python is
     asked only once for each combination. When the cache is full, it is emptied. A value that may be a `data:` URL may
     have references inside: Python is asked about each.
   - In XML the names alone decide, as in a table, but Python is asked when they first occur. What other attributes decide
     may depend on the parent's name, too, and on whether a text is blank, or begins like an HTTP URL. */

#include "scans.h"

#include <limits.h>
#include <stdlib.h>

enum { MOST_DECIDED = 4096, LONGEST_KEY = 1024 };

/* The plan, and the table, for documents inside places. */
static bool take_inner(PyObject *inner, How *how) {
    const char *table;
    Py_ssize_t length;
    PyObject *capsule;
    how->inner = NULL;
    if (inner == Py_None) {
        return true;
    }
    if (!is_tuple(inner) || !PyArg_ParseTuple(inner, "Oy#", &capsule, &table, &length) ||
        (how->inner = bound_plan(capsule)) == NULL) {
        return false;
    }
    how->inner_table = (View){(const unsigned char *)table, (size_t)length};
    return true;
}

/* What is alike in the bases of parts; None: none can be worked out here. */
static bool take_alike(PyObject *alike, How *how) {
    how->has_alike = alike != Py_None;
    how->alike = (Bases){0};
    return !how->has_alike || take_bases(alike, &how->alike);
}

/* The bases of the document: what precedes its references, or a plain base of which the rest is alike. */
static bool take_before(PyObject *before, How *how) {
    View uri;
    if (!PyUnicode_Check(before)) {
        return take_bases(before, &how->bases);
    }
    if (!how->has_alike) {
        PyErr_SetString(PyExc_ValueError, "nothing is alike in the bases");
        return false;
    }
    if (!take_text(before, &uri)) {
        return false;
    }
    set_base(&how->alike, uri, &how->bases);
    return true;
}

bool take_how(const Scan *self, PyObject *tuple, How *how) {
    PyObject *before, *own, *alike;
    Bases *bases = &how->bases;
    const char *table;
    Py_ssize_t table_length;
    int base_is_own;
    PyObject *inner;
    Py_ssize_t size;
    if (!is_tuple(tuple) ||
        !PyArg_ParseTuple(tuple, "OOpy#O!OOpO!OO(Oppppn)O", &before, &own, &base_is_own, &table, &table_length, &PyTuple_Type,
                          &how->kind_names, &how->ask, &how->find, &how->metadata, &PyDict_Type, &how->decided, &how->said,
                          &inner, &alike, &how->are_plain, &how->xml_base, &how->codebase, &how->is_seen, &size,
                          &how->named) ||
        !take_inner(inner, how) || !take_alike(alike, how)) {
        return false;
    }
    how->codes = NULL;
    how->inner_from = 0;
    if (!self->bound->plan.is_xml) { /* what is inside is HTML, too */
        how->inner = self->bound;
        how->inner_table = (View){(const unsigned char *)table, (size_t)table_length};
    }
    how->alike.has_own = own != Py_None;
    if ((how->alike.has_own && !take_text(own, &how->alike.own)) || !take_before(before, how)) {
        return false;
    }
    bases->base_is_own = base_is_own;
    bases->size = (size_t)size;
    bases->has_own = how->alike.has_own;
    bases->own = how->alike.own;
    const Plan *plan = &self->bound->plan;
    how->table = (View){(const unsigned char *)table, (size_t)table_length};
    how->kinds = (size_t)PyTuple_Size(how->kind_names);
    if (!plan->is_xml && how->table.length != NS_COUNT * (plan->element_count + 1) * (plan->attribute_count + 1)) {
        PyErr_SetString(PyExc_ValueError, "the table must have the size of the plan");
        return false;
    }
    return true;
}

/* Whether a number is a byte that is not a carrier, or a carrier of an existing kind. */
static inline bool is_code(const How *how, long code) {
    return code >= 0 && code <= UCHAR_MAX && (code < CARRIES || carrier_of((unsigned)code).kind < how->kinds);
}

enum { NOT_ASKED = UCHAR_MAX };

bool make_codes(const Scan *self, How *how) {
    size_t size = self->found.xml.element_count * (self->bound->plan.attribute_count + 1) + 1;
    how->codes = malloc(size);
    if (how->codes == NULL) {
        PyErr_NoMemory();
        return false;
    }
    memset(how->codes, NOT_ASKED, size);
    return true;
}

/* What the name of a place says of it; -1 with an error. */
static int code_of(const Scan *self, How *how, size_t number) {
    const Record *record = &self->found.records.items[number];
    size_t attributes = self->bound->plan.attribute_count;
    if (!(record->flags & RECORD_XML)) {
        return said_of(self, how->table, number);
    }
    if (how->codes == NULL || record->element >= self->found.xml.element_count) {
        return CARRIES_ODD;
    }
    uint8_t *known = &how->codes[record->element * (attributes + 1) +
                                 (record->flags & RECORD_TEXT ? attributes : record->attribute)];
    if (*known == NOT_ASKED) {
        PyObject *answer = PyObject_CallFunction(how->said, "n", (Py_ssize_t)number);
        long code = answer == NULL ? -1 : PyLong_AsLong(answer);
        Py_XDECREF(answer);
        if (PyErr_Occurred()) {
            return -1;
        }
        *known = is_code(how, code) && code != NOT_ASKED ? (uint8_t)code : CARRIES_ODD;
    }
    return *known;
}

/* Of a place in XML, what its parent and its value decide; false if that is not so simple. */
static bool write_xml_key(const Scan *self, size_t number, unsigned char *key, size_t *length) {
    const Record *record = &self->found.records.items[number];
    XmlContext context = self->found.xml.contexts[number];
    View value = part_of(self->view, record->start, record->end);
    View name = context.parent == NO_PLACE ? (View){NULL, 0} : xml_local_name(self->view, context.parent, context.parent_ns);
    size_t at = 0;
    while (is_space(byte_at(value, at))) {
        at++;
    }
    bool is_clear = find_byte(value, at, '&') >= at + 8 || find_byte(value, at, '&') == value.length ||
                    stands_at(value, at, "&lt;", 4); /* the first of eight characters */
    if (name.length > UCHAR_MAX || (record->flags & RECORD_PARTS) || ((record->flags & RECORD_TEXT) && !is_clear)) {
        return false;
    }
    bool is_web = stands_at_any_case(value, at, (const unsigned char *)"http://", 7) ||
                  stands_at_any_case(value, at, (const unsigned char *)"https://", 8);
    key[(*length)++] = at == value.length ? 2 : is_web; /* if it is blank, it carries nothing */
    key[(*length)++] = (unsigned char)name.length;
    if (name.length > 0) {
        memcpy(key + *length, name.data, name.length);
    }
    *length += name.length;
    return true;
}

/* A key for the attributes of an element that decide, made of their raw values; 0 if these are not so simple. */
static size_t write_key(const Scan *self, How *how, size_t number, size_t first, size_t last, unsigned char *key) {
    const Record *record = &self->found.records.items[number];
    uint16_t head[] = {record->ns, record->element, record->attribute, record->flags & RECORD_TEXT};
    size_t length = sizeof head;
    memcpy(key, head, sizeof head);
    if (record->flags & RECORD_XML && !write_xml_key(self, number, key, &length)) {
        return 0;
    }
    for (size_t at = first; at <= last; at++) {
        const Record *other = &self->found.records.items[at];
        size_t size = other->end - other->start;
        int code = code_of(self, how, at);
        if (code < 0) {
            return 0;
        }
        if (code != CARRIES_DECIDES && code != CARRIES_ODD) {
            continue;
        }
        if ((other->flags & RECORD_ODD) || size > LONGEST_KEY || length + size + 8 > LONGEST_KEY) {
            return 0;
        }
        uint32_t before[] = {other->attribute, (uint32_t)size};
        memcpy(key + length, before, sizeof before);
        memcpy(key + length + sizeof before, self->view.data + other->start, size);
        length += sizeof before + size;
    }
    return length;
}

/* Whether a value may be a `data:` URL: a character reference may be one of the letters. */
static bool may_be_data(const Scan *self, const Record *record) {
    static const char SCHEME[] = "data:";
    size_t at = record->start, length = 0;
    while (at < record->end && is_space(byte_at(self->view, at))) {
        at++;
    }
    View value = part_of(self->view, at, record->end);
    while (length < value.length && SCHEME[length] != '\0' && lower_byte(value.data[length]) == SCHEME[length]) {
        length++;
    }
    return SCHEME[length] == '\0' || byte_at(value, length) == '&';
}

static PyObject *key_of(const Scan *self, How *how, size_t number) {
    const Record *records = self->found.records.items;
    size_t first = number, last = number;
    unsigned char key[LONGEST_KEY];
    while (first > 0 && records[first - 1].tag == records[number].tag) {
        first--;
    }
    while (last + 1 < self->found.records.count && records[last + 1].tag == records[number].tag) {
        last++;
    }
    const uint16_t text_in_xml = RECORD_XML | RECORD_TEXT;
    bool is_simple = (records[number].flags & text_in_xml) == text_in_xml || !may_be_data(self, &records[number]);
    size_t length = is_simple ? write_key(self, how, number, first, last, key) : 0;
    return PyErr_Occurred() ? NULL : PyBytes_FromStringAndSize((const char *)key, (Py_ssize_t)length);
}

/* Asks Python what a place carries; -1 with an error. */
static int ask(const Scan *self, How *how, size_t number) {
    PyObject *key = key_of(self, how, number);
    if (key == NULL) {
        return -1;
    }
    bool is_simple = PyBytes_Size(key) > 0;
    PyObject *known = is_simple ? PyDict_GetItemWithError(how->decided, key) : NULL;
    PyObject *answer = known != NULL ? new_reference(known) : NULL;
    if (answer == NULL && !PyErr_Occurred()) {
        answer = PyObject_CallFunction(how->ask, "n", (Py_ssize_t)number);
    }
    long code = answer == NULL ? -1 : PyLong_AsLong(answer);
    bool fits = !PyErr_Occurred() && is_code(how, code) && code != CARRIES_ASK;
    if (!fits && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "there is no such carrier");
    }
    if (fits && is_simple && known == NULL) {
        if (PyDict_Size(how->decided) >= MOST_DECIDED) {
            PyDict_Clear(how->decided);
        }
        fits = PyDict_SetItem(how->decided, key, answer) == 0;
    }
    Py_DECREF(key);
    Py_XDECREF(answer);
    return fits ? (int)code : -1;
}

int said_of(const Scan *self, View table, size_t number) {
    const Record *record = &self->found.records.items[number];
    const Plan *plan = &self->bound->plan;
    size_t element = record->element < plan->element_count ? record->element : plan->element_count;
    size_t attribute = record->flags & RECORD_TEXT ? plan->attribute_count : record->attribute;
    size_t row = record->ns * (plan->element_count + 1) + element;
    return byte_at(table, row * (plan->attribute_count + 1) + attribute);
}

int carried_by(const Scan *self, How *how, size_t number) {
    if (self->found.records.items[number].flags & (RECORD_COMMENT | RECORD_INSTRUCTION)) {
        return CARRIES_ODD;
    }
    int code = code_of(self, how, number);
    if (code == CARRIES_ASK) {
        return how->ask == NULL ? CARRIES_ODD : ask(self, how, number);
    }
    if (code < 0) {
        return -1;
    }
    if (code == CARRIES_DECIDES) {
        return CARRIES_NOTHING;
    }
    return is_code(how, code) ? code : CARRIES_ODD;
}
