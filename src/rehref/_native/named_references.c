/* The names of character references, made from the Standard's table in Python. A capsule owns them, and the texts they are in. */

#include <stdlib.h>

#include "scans.h"

static const char CAPSULE[] = "rehref._native.named_references";

typedef struct {
    NamedReferences named;
    PyObject *owner; /* keeps all texts alive */
} BoundNames;

static void names_release(BoundNames *bound) {
    if (bound != NULL) {
        names_free(&bound->named.names);
        free(bound->named.texts);
        Py_XDECREF(bound->owner);
        free(bound);
    }
}

static void capsule_free(PyObject *capsule) {
    names_release(PyCapsule_GetPointer(capsule, CAPSULE));
}

/* Takes the pairs of a name and its meaning; false with an error. What is not shorter than the reference is left to Python. */
static bool take_pairs(NamedReferences *named, PyObject *pairs) {
    for (Py_ssize_t at = 0; at < PyTuple_Size(pairs); at++) {
        PyObject *pair = PyTuple_GetItem(pairs, at), *name, *meaning;
        View from, to;
        if (!is_tuple(pair) || !PyArg_ParseTuple(pair, "OO", &name, &meaning) || !take_text(name, &from) ||
            !take_text(meaning, &to)) {
            return false;
        }
        bool is_control = to.length > 0 && to.data[0] < ' ';
        named->texts[at] = is_control || to.length > LONGEST_MEANING || to.length > from.length ? (View){to.data, 0} : to;
        names_add(&named->names, from.data, from.length, (uint16_t)at);
    }
    return true;
}

PyObject *make_named(PyObject *self, PyObject *pairs) {
    (void)self;
    if (!is_tuple(pairs)) {
        return NULL;
    }
    size_t count = (size_t)PyTuple_Size(pairs);
    BoundNames *bound = calloc(1, sizeof *bound);
    bool done = bound != NULL && names_make(&bound->named.names, count) &&
                (bound->named.texts = calloc(count + 1, sizeof *bound->named.texts)) != NULL;
    if (!done) {
        names_release(bound);
        return PyErr_NoMemory();
    }
    bound->named.names.exact = true;
    bound->owner = new_reference(pairs);
    PyObject *capsule = take_pairs(&bound->named, pairs) ? PyCapsule_New(bound, CAPSULE, capsule_free) : NULL;
    if (capsule == NULL) {
        names_release(bound);
    }
    return capsule;
}

const NamedReferences *named_references(PyObject *capsule) {
    BoundNames *bound = PyCapsule_GetPointer(capsule, CAPSULE);
    return bound == NULL ? NULL : &bound->named;
}
