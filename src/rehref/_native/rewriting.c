/* Make references absolute, and write sources with changes. Ordinary references are changed here; of every other place
   Python gets the number. */

#include "scans.h"
#include "splice.h"

#include <stdlib.h>

/* Which changes need no escapes; for fragments, whether they change at all. */
typedef struct {
    int fragments; /* "#x" is made absolute, too */
    int metadata;  /* places of metadata are left to Python: they may change */
    int unquoted;  /* a prefix can be written into unquoted values */
    int css;       /* a prefix can be written in CSS */
} Choices;

enum { KIND_METADATA = LOCAL_KINDS - 1 };

typedef struct {
    size_t references; /* that are ordinary */
    Change *changes;
    size_t count, room;
    PyObject *odd;     /* the numbers of all other places */
} Absolute;

/* Whether a prefix can be put into a place unescaped. */
static bool takes_prefixes(const Scan *self, const Record *record, Syntax syntax, const Choices *choices) {
    if (syntax == SYNTAX_CSS && !choices->css) {
        return false;
    }
    if (record->flags & RECORD_TEXT) {
        return true;
    }
    if (record->start == record->end) {
        return false;
    }
    int before = byte_at(self->view, (size_t)record->start - 1);
    bool is_quoted = (before == '"' || before == '\'') && byte_at(self->view, record->end) == before;
    return is_quoted || choices->unquoted;
}

static bool stays(const FoundReference *found, const Choices *choices) {
    bool is_document = found->resolved.form == REFERENCE_FRAGMENT || found->resolved.form == REFERENCE_EMPTY;
    return found->kind < LOCAL_KINDS || found->resolved.prefix == NO_PREFIX || (is_document && !choices->fragments);
}

static bool add_change(Absolute *absolute, Change change) {
    Change *changes = grown(absolute->changes, absolute->count, &absolute->room, sizeof *changes);
    if (changes == NULL) {
        PyErr_NoMemory();
        return false;
    }
    absolute->changes = changes;
    absolute->changes[absolute->count++] = change;
    return true;
}

/* The changes in one place; all of them or, if Python must make them, none. */
static bool make_absolute(Scan *self, How *how, const Choices *choices, size_t number, Absolute *absolute) {
    const Record *record = &self->found.records.items[number];
    size_t before = absolute->count;
    PlaceStatus status = references_in(self, how, number);
    if (status == PLACE_ERROR) {
        return false;
    }
    bool is_odd = status == PLACE_ODD;
    for (size_t at = 0; !is_odd && at < how->found.count; at++) {
        const FoundReference *found = &how->found.items[at];
        if ((found->kind == KIND_METADATA && choices->metadata) ||
            (found->resolved.form == REFERENCE_EMPTY && choices->fragments)) {
            is_odd = true;
        } else if (!stays(found, choices)) {
            Change change = {(uint32_t)found->start, (uint32_t)found->rest, found->resolved.prefix};
            bool is_escaped = found->rest - found->start != found->resolved.skip; /* as much of it stays as can */
            is_odd = is_escaped || !takes_prefixes(self, record, how->syntax, choices);
            if (!is_odd && !add_change(absolute, change)) {
                return false;
            }
        }
    }
    if (is_odd) {
        absolute->count = before;
        return append(absolute->odd, PyLong_FromSize_t(number));
    }
    absolute->references += how->found.count;
    return true;
}

PyObject *scan_absolute(Scan *self, PyObject *args) {
    PyObject *tuple, *result = NULL;
    Choices choices;
    How how;
    Absolute absolute = {0};
    if (!PyArg_ParseTuple(args, "Opppp", &tuple, &choices.fragments, &choices.metadata, &choices.unquoted, &choices.css)) {
        return NULL;
    }
    absolute.odd = PyList_New(0);
    bool done = take_how(self, tuple, &how) && absolute.odd != NULL;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        done = make_absolute(self, &how, &choices, at, &absolute);
    }
    if (done) {
        result = Py_BuildValue("(ny#O)", (Py_ssize_t)absolute.references,
                               absolute.count ? (const char *)absolute.changes : "",
                               (Py_ssize_t)(absolute.count * sizeof *absolute.changes), absolute.odd);
    }
    how_free(&how);
    free(absolute.changes);
    Py_XDECREF(absolute.odd);
    return result;
}

/* ---- splices ---- */

/* The bytes of `object`; NULL data with an error for anything else. */
static View bytes_view(PyObject *object) {
    char *data = NULL;
    Py_ssize_t length = 0;
    if (object == NULL || PyBytes_AsStringAndSize(object, &data, &length) < 0) {
        return (View){NULL, 0};
    }
    return (View){(const unsigned char *)data, (size_t)length};
}

static bool take_prefixes(PyObject *tuple, View *prefixes, size_t *count) {
    *count = (size_t)PyTuple_Size(tuple);
    if (*count > NO_PREFIX) {
        PyErr_SetString(PyExc_ValueError, "there are not so many prefixes");
        return false;
    }
    for (size_t at = 0; at < *count; at++) {
        prefixes[at] = bytes_view(PyTuple_GetItem(tuple, (Py_ssize_t)at));
        if (prefixes[at].data == NULL) {
            return false;
        }
    }
    return true;
}

/* Whether it is a tuple of two numbers and more. Reading other objects as numbers might run Python. */
static bool is_splice(PyObject *tuple) {
    if (!is_tuple(tuple)) {
        return false;
    }
    if (PyTuple_Size(tuple) != 3 || !PyLong_CheckExact(PyTuple_GetItem(tuple, 0)) ||
        !PyLong_CheckExact(PyTuple_GetItem(tuple, 1))) {
        PyErr_SetString(PyExc_TypeError, "a splice must be (from, to, bytes)");
        return false;
    }
    return true;
}

/* The splices in a list of (from, to, bytes), in memory that the caller frees; the list keeps owning their bytes. */
static Splice *take_splices(PyObject *list, size_t *count) {
    *count = (size_t)PyList_Size(list);
    Splice *splices = *count <= SIZE_MAX / sizeof *splices - 1 ? malloc((*count + 1) * sizeof *splices) : NULL;
    if (splices == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t at = 0; at < *count; at++) {
        PyObject *tuple = PyList_GetItem(list, (Py_ssize_t)at), *new;
        Py_ssize_t start, end;
        if (!is_splice(tuple) || !PyArg_ParseTuple(tuple, "nnS", &start, &end, &new)) {
            free(splices);
            return NULL;
        }
        /* a number below 0 is now far beyond the source, and detected there */
        splices[at] = (Splice){(size_t)start, (size_t)end, bytes_view(new)};
    }
    return splices;
}

static PyObject *spliced(View source, const Edits *edits) {
    size_t length;
    PyObject *result;
    switch (spliced_length(source, edits, &length)) {
    case SPLICE_DONE:
        result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length);
        if (result != NULL) {
            write_spliced(source, edits, (unsigned char *)PyBytes_AsString(result));
        }
        return result;
    case SPLICE_TOO_LONG:
        return PyErr_NoMemory();
    default:
        PyErr_SetString(PyExc_ValueError, "replacements must be in order, and within the source");
        return NULL;
    }
}

PyObject *scan_spliced(Scan *self, PyObject *args) {
    PyObject *changes, *prefixes, *list, *result = NULL;
    View views[NO_PREFIX];
    Py_ssize_t start = 0, end = (Py_ssize_t)self->view.length;
    Edits edits = {.prefixes = views};
    /* a tuple and bytes cannot change meanwhile; no Python runs while the list is read and written */
    if (!PyArg_ParseTuple(args, "SO!O!|nn", &changes, &PyTuple_Type, &prefixes, &PyList_Type, &list, &start, &end) ||
        !take_prefixes(prefixes, views, &edits.prefix_count)) {
        return NULL;
    }
    View packed = bytes_view(changes);
    Splice *splices = take_splices(list, &edits.splice_count);
    Change *copied = malloc(packed.length + 1);
    if (packed.length % sizeof *copied != 0) {
        PyErr_SetString(PyExc_ValueError, "these are not changes");
    } else if (copied == NULL) {
        PyErr_NoMemory();
    } else if (splices != NULL) {
        memcpy(copied, packed.data, packed.length); /* they need to be aligned */
        edits.changes = copied;
        edits.change_count = packed.length / sizeof *copied;
        edits.splices = splices;
        edits.start = (size_t)start; /* a number below 0 is now far beyond the source */
        edits.end = (size_t)end;
        result = spliced(self->view, &edits);
    }
    free(copied);
    free(splices);
    return result;
}
