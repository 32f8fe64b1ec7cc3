/* The shared part of the binding. Only the binding knows Python, and only its limited API. */

#ifndef REHREF_BINDING_H
#define REHREF_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "plan.h"


typedef struct {
    Plan plan;
    uint64_t *sets;      /* the rows of bits of all elements */
    size_t words;        /* in each of them */
    PyObject *owner;     /* keeps all names alive */
    PyObject **names[2]; /* of elements, of attributes: NS_COUNT for each number; not owned */
    PyObject *namespaces; /* a tuple; not owned */
} BoundPlan;

/* The plan in a capsule that `make_plan` returned; NULL with an error for anything else. */
const BoundPlan *bound_plan(PyObject *capsule);

/* A capsule that owns the plan; NULL with an error. */
PyObject *plan_capsule(BoundPlan *bound);
void plan_free(BoundPlan *bound);

PyObject *make_plan(PyObject *self, PyObject *args);
PyObject *make_xml_plan(PyObject *self, PyObject *args);
PyObject *make_named(PyObject *self, PyObject *pairs);

PyObject *json_value(PyObject *self, PyObject *args);
PyObject *json_strings(PyObject *self, PyObject *args);
PyObject *targets(PyObject *self, PyObject *args);
PyObject *word_runs(PyObject *self, PyObject *args);

/* The state of the module: borrowed by its scans. */
typedef struct {
    PyObject *table_type;
} ModuleState;

/* The types of scans and tables; new references, or NULL with an error. */
PyObject *make_scan_type(PyObject *module);
PyObject *make_table_type(PyObject *module);

static inline PyObject *new_reference(PyObject *object) {
    Py_INCREF(object);
    return object;
}

/* `PyArg_ParseTuple` of an object that may not be a tuple: then a TypeError. */
static inline bool is_tuple(PyObject *object) {
    if (object != NULL && PyTuple_Check(object)) {
        return true;
    }
    PyErr_SetString(PyExc_TypeError, "expected a tuple");
    return false;
}

/* A type of named tuples. */
typedef struct {
    PyTypeObject *type;
    allocfunc allocate;
    newfunc make; /* set if a tuple has fields that only Python fills (its hash, from 3.14 on); else NULL */
} TupleType;

/* False, with an error, if the object is not a type of tuples. */
bool take_tuple_type(PyObject *object, TupleType *type);

/* A tuple of that type from new references, which it takes over; NULL, with an error, if any of them is NULL. The
   garbage collector no longer tracks it: only for objects that cannot be in a reference cycle. */
PyObject *named_tuple(const TupleType *type, PyObject **items, Py_ssize_t count);

enum { ODD_NAME = 512 }; /* besides the flags of records: the element's name is not ASCII */

#endif
