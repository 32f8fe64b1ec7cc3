/* Named tuples, made without calling Python for each. */

#include "binding.h"

bool take_tuple_type(PyObject *object, TupleType *type) {
    /* a struct sequence is a tuple, too, but one with hidden items */
    bool is_tuple_type = PyType_Check(object) && PyType_IsSubtype((PyTypeObject *)object, &PyTuple_Type);
    PyObject *fields = is_tuple_type ? PyObject_GetAttrString(object, "_fields") : NULL;
    Py_XDECREF(fields);
    if (fields == NULL) {
        if (!is_tuple_type || PyErr_ExceptionMatches(PyExc_AttributeError)) { /* else memory is short */
            PyErr_SetString(PyExc_TypeError, "expected a type of tuples");
        }
        return false;
    }
    type->type = (PyTypeObject *)object;
    type->allocate = (allocfunc)PyType_GetSlot(type->type, Py_tp_alloc);
    type->make = Py_Version >= 0x030E0000 ? (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new) : NULL;
    return true;
}

/* Puts new references into a tuple, which may be NULL. */
static PyObject *filled(PyObject *tuple, PyObject **items, Py_ssize_t count) {
    bool whole = tuple != NULL;
    for (Py_ssize_t at = 0; at < count; at++) {
        whole = whole && items[at] != NULL;
        if (tuple == NULL) {
            Py_XDECREF(items[at]);
        } else {
            PyTuple_SetItem(tuple, at, items[at]);
        }
    }
    if (!whole) {
        Py_XDECREF(tuple);
        return NULL;
    }
    return tuple;
}

PyObject *named_tuple(const TupleType *type, PyObject **items, Py_ssize_t count) {
    PyObject *made;
    if (type->make == NULL) {
        made = filled(type->allocate(type->type, count), items, count);
    } else {
        PyObject *fields = filled(PyTuple_New(count), items, count);
        PyObject *arguments = fields == NULL ? NULL : Py_BuildValue("(N)", fields);
        made = arguments == NULL ? NULL : type->make(type->type, arguments, NULL);
        Py_XDECREF(arguments);
    }
    if (made != NULL) {
        PyObject_GC_UnTrack(made);
    }
    return made;
}
