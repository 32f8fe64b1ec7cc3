/* What a checker needs to know of the places of a page. The twin of `rehref.checking.pages.inventory`, with the same
   rules.

   1. What holds a name is given as a byte: HOLDS_NO_NAME; HOLDS_ID and HOLDS_NAME; HOLDS_ODD: Python must read it;
      HOLDS_PRAGMA: Python must read it if it is "refresh".
   2. Names, and references that are a whole value in HTML, are collected if they are ASCII. Every other place that may
      hold something is left to Python; so is a srcset, even if it is empty.
   3. The target of a reference is given in three cases: it is a folder's path and then the rest of it, or the reference
      itself, or HERE: it is empty, or a fragment that is one of the names. All others have None. */

#include "scans.h"

#include <stdlib.h>

typedef struct {
    PyObject *names;    /* each, and whether it is an id; these are not owned */
    PyObject *doubles;  /* the numbers of the places with an id that an earlier place has */
    PyObject *values;   /* each, and its number */
    PyObject *targets;  /* by the numbers of values */
    PyObject *odd;      /* the numbers of the places that are left to Python */
    PyObject *folders;
    bool at_own_base;
    uint32_t *counts;   /* by the numbers of values */
    uint32_t *placed;   /* pairs: the number of a value, that of a place */
    size_t places;      /* how many pairs */
} Inventory;

/* The value of a place, if it is ASCII without CR, which is a line end. */
static bool ascii_value(const Scan *self, How *how, size_t number, View *text) {
    Value value;
    if (!value_of(self->view, &self->found.records.items[number], self->multibyte, &how->room, &value)) {
        return false;
    }
    *text = (View){value.text, value.length};
    for (size_t at = 0; at < text->length; at++) {
        if (text->data[at] >= 0x80 || text->data[at] == '\r') {
            return false;
        }
    }
    return true;
}

static bool add_odd(Inventory *inventory, size_t number) {
    return append(inventory->odd, PyLong_FromSize_t(number));
}

static bool take_name(const Scan *self, How *how, Inventory *inventory, size_t number, int holds) {
    View text;
    if (holds == HOLDS_ODD || !ascii_value(self, how, number, &text)) {
        return add_odd(inventory, number);
    }
    if (holds == HOLDS_PRAGMA) {
        bool is_refresh = text.length == 7 && stands_at_any_case(text, 0, (const unsigned char *)"refresh", 7);
        return !is_refresh || add_odd(inventory, number);
    }
    if (text.length == 0 || (self->found.records.items[number].flags & RECORD_IN_TEMPLATE)) {
        return true;
    }
    PyObject *name = text_of(text);
    PyObject *known = name == NULL ? NULL : PyDict_GetItemWithError(inventory->names, name);
    bool done = name != NULL && (known != NULL || !PyErr_Occurred());
    if (done && holds == HOLDS_ID && known == Py_True) {
        done = append(inventory->doubles, PyLong_FromSize_t(number));
    } else if (done && (holds == HOLDS_ID || known == NULL)) {
        done = PyDict_SetItem(inventory->names, name, holds == HOLDS_ID ? Py_True : Py_False) == 0;
    }
    Py_XDECREF(name);
    return done;
}

/* The target of a reference that is a value (rule 3); NULL with an error. */
static PyObject *target_of(const Inventory *inventory, PyObject *value, View text) {
    Reference reference = text.length ? classify(text.data, text.length) : (Reference){.form = REFERENCE_ODD};
    if (reference.faulty) {
        return new_reference(Py_None);
    }
    View rest = {text.data + reference.skip, text.length - reference.skip};
    if (reference.form == REFERENCE_PATH && !reference.colon && (Py_ssize_t)reference.ups < PyTuple_Size(inventory->folders)) {
        PyObject *folder = PyTuple_GetItem(inventory->folders, (Py_ssize_t)reference.ups), *end = text_of(rest);
        PyObject *target = end == NULL ? NULL : PyUnicode_Concat(folder, end);
        Py_XDECREF(end);
        return target;
    }
    if (reference.form == REFERENCE_FRAGMENT && inventory->at_own_base) {
        PyObject *name = text_of((View){text.data + 1, text.length - 1});
        bool is_name = name != NULL && (text.length == 1 || PyDict_GetItemWithError(inventory->names, name) != NULL);
        Py_XDECREF(name);
        if (is_name || PyErr_Occurred()) {
            return is_name ? text_of((View){text.data, 0}) : NULL;
        }
    }
    bool glues = PyTuple_Size(inventory->folders) > 0;
    if (text.length == 0 && glues && inventory->at_own_base) {
        return text_of(text);
    }
    bool is_uri = reference.form == REFERENCE_ABSOLUTE || reference.form == REFERENCE_OPAQUE;
    return new_reference(is_uri && glues ? value : Py_None);
}

/* The number of a value; -1 with an error. */
static Py_ssize_t number_of(Inventory *inventory, View text) {
    PyObject *value = text_of(text);
    PyObject *known = value == NULL ? NULL : PyDict_GetItemWithError(inventory->values, value);
    Py_ssize_t number = -1;
    if (known != NULL) {
        number = PyLong_AsSsize_t(known);
    } else if (!PyErr_Occurred()) {
        number = PyDict_Size(inventory->values);
        PyObject *new = PyLong_FromSsize_t(number);
        if (new == NULL || PyDict_SetItem(inventory->values, value, new) < 0 ||
            !append(inventory->targets, target_of(inventory, value, text))) {
            number = -1;
        }
        Py_XDECREF(new);
    }
    Py_XDECREF(value);
    return number;
}

/* Whether a list, or CSS, certainly has no references. */
static bool holds_nothing(const Scan *self, How *how, size_t number, Syntax syntax) {
    const Record *record = &self->found.records.items[number];
    Value value;
    Span span;
    size_t position = 0;
    CssDeclaration declaration = {0};
    if (syntax == SYNTAX_SRCSET || !value_of(self->view, record, self->multibyte, &how->room, &value)) {
        return false;
    }
    View text = {value.text, value.length};
    if (syntax == SYNTAX_CSS && !(record->flags & RECORD_TEXT) && find_byte(text, 0, '(') == text.length) {
        return true; /* rule 4 of references.h */
    }
    return next_reference(syntax, text, &position, &span, &declaration) == STEP_END;
}

static bool take_reference(const Scan *self, How *how, Inventory *inventory, size_t number) {
    int code = carried_by(self, how, number);
    if (code < 0 || code == CARRIES_NOTHING) {
        return code == CARRIES_NOTHING;
    }
    Carrier carrier = code < CARRIES ? (Carrier){SYNTAX_URL, KIND_FRAGMENT, false} : carrier_of((unsigned)code);
    View text;
    if (carrier.syntax != SYNTAX_URL) {
        return holds_nothing(self, how, number, carrier.syntax) || add_odd(inventory, number);
    }
    bool is_html = self->found.records.items[number].ns == NS_HTML;
    if (carrier.kind < LOCAL_KINDS || !is_html || !ascii_value(self, how, number, &text)) {
        return add_odd(inventory, number);
    }
    Py_ssize_t value = number_of(inventory, text);
    if (value < 0) {
        return false;
    }
    inventory->counts[value]++;
    inventory->placed[2 * inventory->places] = (uint32_t)value;
    inventory->placed[2 * inventory->places + 1] = (uint32_t)number;
    inventory->places++;
    return true;
}

static bool take_places(const Scan *self, How *how, Inventory *inventory, View names) {
    bool done = true;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        int holds = said_of(self, names, at);
        done = holds <= HOLDS_NO_NAME || take_name(self, how, inventory, at, holds);
    }
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        done = said_of(self, names, at) > HOLDS_NO_NAME || take_reference(self, how, inventory, at);
    }
    return done;
}

/* inventory(how, names, folders, at_own_base): the objects in `Inventory`, and as bytes, `counts` and `placed`. */
PyObject *scan_inventory(Scan *self, PyObject *args) {
    PyObject *tuple;
    const char *table;
    Py_ssize_t table_length;
    int at_own_base;
    Inventory inventory = {0};
    if (!PyArg_ParseTuple(args, "Oy#O!p", &tuple, &table, &table_length, &PyTuple_Type, &inventory.folders,
                          &at_own_base)) {
        return NULL;
    }
    How how;
    size_t most = self->found.records.count + 1;
    PyObject *found = Py_BuildValue("({}[]{}[][])"), *counts = NULL, *placed = NULL;
    inventory.at_own_base = at_own_base;
    inventory.counts = calloc(most, sizeof *inventory.counts); /* fewer than records, which are larger: no overflow */
    inventory.placed = calloc(most, 2 * sizeof *inventory.placed);
    bool done = found != NULL && inventory.counts != NULL && inventory.placed != NULL;
    if (!done) {
        PyErr_NoMemory();
    } else {
        inventory.names = PyTuple_GetItem(found, 0);
        inventory.doubles = PyTuple_GetItem(found, 1);
        inventory.values = PyTuple_GetItem(found, 2);
        inventory.targets = PyTuple_GetItem(found, 3);
        inventory.odd = PyTuple_GetItem(found, 4);
        done = take_how(self, tuple, &how) &&
               take_places(self, &how, &inventory, (View){(const unsigned char *)table, (size_t)table_length});
    }
    if (done) {
        size_t length = 2 * sizeof *inventory.placed * inventory.places;
        size_t counted = sizeof *inventory.counts * (size_t)PyDict_Size(inventory.values);
        counts = PyBytes_FromStringAndSize((const char *)inventory.counts, (Py_ssize_t)counted);
        placed = PyBytes_FromStringAndSize((const char *)inventory.placed, (Py_ssize_t)length);
    }
    free(inventory.counts);
    free(inventory.placed);
    return Py_BuildValue("(NNN)", found, counts, placed); /* NULL if any of them is NULL */
}
