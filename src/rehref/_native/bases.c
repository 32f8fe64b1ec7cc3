/* The texts that precede targets, which are `rehref.uri.ordinary_references.Prefixes` in Python, and targets made of them. */

#include "scans.h"

#include <stdlib.h>

bool take_text(PyObject *text, View *view) {
    Py_ssize_t length;
    const char *data = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (data == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "expected a str");
        }
        return false;
    }
    *view = (View){(const unsigned char *)data, (size_t)length};
    return true;
}

static bool take_folders(PyObject *folders, Bases *bases) {
    bases->folders = (size_t)PyTuple_Size(folders);
    if (bases->folders > MOST_FOLDERS) {
        bases->folders = MOST_FOLDERS;
    }
    for (size_t at = 0; at < bases->folders; at++) {
        if (!take_text(PyTuple_GetItem(folders, (Py_ssize_t)at), &bases->prefixes[PREFIX_FOLDERS + at])) {
            return false;
        }
    }
    return true;
}

/* A text, unless it is None; false with an error. */
static bool take_prefix(PyObject *text, bool *exists, View *view) {
    *exists = text != Py_None;
    return !*exists || take_text(text, view);
}

bool take_bases(PyObject *tuple, Bases *bases) {
    PyObject *folders, *document, *query, *root, *scheme;
    int canonical, climbs, iris, fine_iris, has_absolute, nowhere;
    memset(bases, 0, sizeof *bases);
    if (!is_tuple(tuple) ||
        !PyArg_ParseTuple(tuple, "O!OOOOpppppp", &PyTuple_Type, &folders, &document, &query, &root, &scheme, &canonical,
                          &climbs, &iris, &fine_iris, &has_absolute, &nowhere)) {
        return false;
    }
    bases->canonical = canonical;
    bases->has_absolute = has_absolute;
    bases->nowhere = nowhere;
    bases->climbs = climbs;
    bases->iris = iris;
    bases->fine_iris = fine_iris;
    return take_folders(folders, bases) &&
           take_prefix(document, &bases->at_own, &bases->prefixes[PREFIX_DOCUMENT]) &&
           take_prefix(root, &bases->has_root, &bases->prefixes[PREFIX_ROOT]) &&
           take_prefix(query, &bases->has_query, &bases->prefixes[PREFIX_QUERY]) &&
           take_prefix(scheme, &bases->has_scheme, &bases->prefixes[PREFIX_SCHEME]);
}

PyObject *made_target(const Bases *bases, unsigned number, size_t skip, View reference, PyObject *text) {
    if (number == NO_PREFIX) {
        return new_reference(text);
    }
    View prefix = bases->prefixes[number];
    size_t rest = reference.length - skip;
    unsigned char room[512], *target = prefix.length + rest <= sizeof room ? room : malloc(prefix.length + rest);
    if (target == NULL) {
        return PyErr_NoMemory();
    }
    copied(copied(target, prefix), part_of(reference, skip, reference.length));
    PyObject *made = text_of((View){target, prefix.length + rest});
    if (target != room) {
        free(target);
    }
    return made;
}

/* The target of a reference of the document that has the base; None if it is not ordinary, or opaque: of a link that is its
   own target, but the algorithm removes dot segments (RFC 3986 §5.2.2). NULL with an error. */
static PyObject *resolved(const Bases *bases, PyObject *reference) {
    View text;
    Resolved found;
    if (!take_text(reference, &text)) {
        bool is_other = PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_UnicodeEncodeError);
        if (is_other) {
            PyErr_Clear(); /* Python decides about it */
        }
        return is_other ? new_reference(Py_None) : NULL;
    }
    resolve(bases, text, &found);
    bool is_left = found.form == REFERENCE_ODD || found.form == REFERENCE_OPAQUE || found.nowhere;
    return is_left ? new_reference(Py_None) : made_target(bases, found.prefix, found.skip, text, reference);
}

PyObject *targets(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *before, *references, *odd = PyList_New(0), *found = PyList_New(0);
    Bases bases;
    bool done = odd != NULL && found != NULL &&
                PyArg_ParseTuple(args, "OO!", &before, &PyTuple_Type, &references) && take_bases(before, &bases);
    bases.base_is_own = true;
    for (Py_ssize_t at = 0; done && at < PyTuple_Size(references); at++) {
        PyObject *target = resolved(&bases, PyTuple_GetItem(references, at));
        done = (target != Py_None || append(odd, PyLong_FromSsize_t(at))) && append(found, target);
    }
    if (!done) {
        Py_XDECREF(odd);
        Py_XDECREF(found);
        return NULL;
    }
    return Py_BuildValue("(NN)", found, odd);
}
