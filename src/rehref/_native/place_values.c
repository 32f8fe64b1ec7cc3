/* The values of the places that are one reference each, and where they lead. The twin of `rehref.documents.table.values`,
   with the same rules. The places of all other references are only numbered, unless they certainly have none; so is a
   srcset, even if it is empty. */

#include "scans.h"

#include <stdlib.h>

typedef struct {
    PyObject *texts;    /* each, and its number; these are not owned */
    PyObject *targets;  /* by the numbers of values */
    PyObject *others;   /* the numbers of the other places */
    PyObject *folders, *names;
    uint32_t *counts;   /* by the numbers of values */
    uint32_t *placed;   /* pairs: the number of a value, that of a place */
    size_t places;      /* how many pairs */
} Values;

/* The target of a reference, or None; NULL with an error. */
static PyObject *target_of(const Values *values, PyObject *text) {
    bool glues = PyTuple_Size(values->folders) > 0, at_own_base = values->names != Py_None;
    View view;
    if (!take_text(text, &view)) {
        PyErr_Clear(); /* it has half of a surrogate pair */
        return new_reference(Py_None);
    }
    if (view.length == 0) {
        return new_reference(glues && at_own_base ? text : Py_None);
    }
    Reference reference = classify(view.data, view.length);
    if (reference.faulty || reference.beyond) {
        return new_reference(Py_None);
    }
    if (reference.form == REFERENCE_PATH && !reference.colon && (Py_ssize_t)reference.ups < PyTuple_Size(values->folders)) {
        PyObject *rest = text_of(part_of(view, reference.skip, view.length));
        PyObject *folder = PyTuple_GetItem(values->folders, (Py_ssize_t)reference.ups);
        PyObject *target = rest == NULL ? NULL : PyUnicode_Concat(folder, rest);
        Py_XDECREF(rest);
        return target;
    }
    if (reference.form == REFERENCE_FRAGMENT && at_own_base) {
        PyObject *name = text_of(part_of(view, 1, view.length));
        bool is_name = name != NULL && (view.length == 1 || PyDict_GetItemWithError(values->names, name) != NULL);
        Py_XDECREF(name);
        return PyErr_Occurred() ? NULL : is_name ? text_of((View){view.data, 0}) : new_reference(Py_None);
    }
    bool is_uri = reference.form == REFERENCE_ABSOLUTE || reference.form == REFERENCE_OPAQUE;
    return new_reference(is_uri && glues ? text : Py_None);
}

/* The number of a value; -1 with an error. */
static Py_ssize_t number_of(Values *values, PyObject *text) {
    PyObject *known = PyDict_GetItemWithError(values->texts, text);
    if (known != NULL || PyErr_Occurred()) {
        return known == NULL ? -1 : PyLong_AsSsize_t(known);
    }
    Py_ssize_t number = PyDict_Size(values->texts);
    PyObject *new = PyLong_FromSsize_t(number);
    bool done = new != NULL && PyDict_SetItem(values->texts, text, new) == 0 &&
                append(values->targets, target_of(values, text));
    Py_XDECREF(new);
    return done ? number : -1;
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

static bool take_value(const Scan *self, How *how, Values *values, size_t number, bool utf8, PyObject *read) {
    PyObject *text = value_text(self, &how->room, number, utf8, read);
    Py_ssize_t value = text == NULL ? -1 : number_of(values, text);
    Py_XDECREF(text);
    if (value < 0) {
        return false;
    }
    values->counts[value]++;
    values->placed[2 * values->places] = (uint32_t)value;
    values->placed[2 * values->places + 1] = (uint32_t)number;
    values->places++;
    return true;
}

static bool take_places(const Scan *self, How *how, Values *values, bool utf8, PyObject *read) {
    bool done = true;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        int code = carried_by(self, how, at);
        if (code < 0 || code == CARRIES_NOTHING) {
            done = code == CARRIES_NOTHING;
            continue;
        }
        Carrier carrier = code < CARRIES ? (Carrier){SYNTAX_URL, KIND_FRAGMENT, false, false} : carrier_of((unsigned)code);
        bool is_url = carrier.syntax == SYNTAX_URL;
        if (is_url && carrier.kind >= LOCAL_KINDS && !carrier.hash_is_fragment && !carrier.of_codebase) {
            done = take_value(self, how, values, at, utf8, read);
        } else if (is_url || !holds_nothing(self, how, at, carrier.syntax)) {
            done = append(values->others, PyLong_FromSize_t(at));
        }
    }
    return done;
}

PyObject *scan_values(Scan *self, PyObject *args) {
    PyObject *tuple, *read;
    int utf8;
    Values values = {0};
    if (!PyArg_ParseTuple(args, "OpOO!O", &tuple, &utf8, &read, &PyTuple_Type, &values.folders, &values.names)) {
        return NULL;
    }
    How how;
    size_t most = self->found.records.count + 1;
    PyObject *found = Py_BuildValue("({}[][])"), *counts = NULL, *placed = NULL;
    values.counts = calloc(most, sizeof *values.counts); /* fewer than records, which are larger: no overflow */
    values.placed = calloc(most, 2 * sizeof *values.placed);
    bool done = found != NULL && values.counts != NULL && values.placed != NULL;
    if (!done) {
        PyErr_NoMemory();
    } else {
        values.texts = PyTuple_GetItem(found, 0);
        values.targets = PyTuple_GetItem(found, 1);
        values.others = PyTuple_GetItem(found, 2);
        done = take_how(self, tuple, &how) && take_places(self, &how, &values, utf8, read);
    }
    if (done) {
        size_t length = 2 * sizeof *values.placed * values.places;
        size_t counted = sizeof *values.counts * (size_t)PyDict_Size(values.texts);
        counts = PyBytes_FromStringAndSize((const char *)values.counts, (Py_ssize_t)counted);
        placed = PyBytes_FromStringAndSize((const char *)values.placed, (Py_ssize_t)length);
    }
    free(values.counts);
    free(values.placed);
    return Py_BuildValue("(NNN)", found, counts, placed); /* NULL if any of them is NULL */
}
