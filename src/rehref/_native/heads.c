/* The fields of heads, as Python objects. */

#include "header_fields.h"
#include "scans.h"

#include <stdlib.h>

/* The value of a field as text: each character of a line break is a space (rule 4). */
static PyObject *value_text(View head, const HeaderField *field) {
    const char *data = (const char *)head.data + field->start;
    size_t length = field->end - field->start;
    if (!field->folded) {
        return PyUnicode_DecodeLatin1(data, (Py_ssize_t)length, NULL);
    }
    char *unfolded = malloc(length);
    if (unfolded == NULL) {
        return PyErr_NoMemory();
    }
    for (size_t at = 0; at < length; at++) {
        unfolded[at] = data[at] == '\r' || data[at] == '\n' ? ' ' : data[at];
    }
    PyObject *text = PyUnicode_DecodeLatin1(unfolded, (Py_ssize_t)length, NULL);
    free(unfolded);
    return text;
}

static PyObject *field_tuple(const TupleType *type, View head, const HeaderField *field) {
    PyObject *items[] = {
        PyUnicode_DecodeLatin1((const char *)head.data + field->line_start,
                               (Py_ssize_t)(field->name_end - field->line_start), NULL),
        value_text(head, field),
        PyLong_FromSize_t(field->start),
        PyLong_FromSize_t(field->end),
        PyLong_FromSize_t(field->line_start),
        PyLong_FromSize_t(field->line_end),
    };
    return named_tuple(type, items, sizeof items / sizeof *items);
}

PyObject *header_fields(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *data, *type_object, *list;
    Py_ssize_t first, last;
    TupleType type;
    HeaderField field;
    if (!PyArg_ParseTuple(args, "SnnO", &data, &first, &last, &type_object) || !take_tuple_type(type_object, &type)) {
        return NULL;
    }
    Py_ssize_t length = PyBytes_Size(data);
    if (first < 0 || last < 0 || last > length) {
        PyErr_SetString(PyExc_ValueError, "the fields must be within the data");
        return NULL;
    }
    View head = {(const unsigned char *)PyBytes_AsString(data), (size_t)last};
    size_t position = (size_t)first;
    list = PyList_New(0);
    while (list != NULL && next_header_field(head, &position, &field)) {
        if (!append(list, field_tuple(&type, head, &field))) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* The name of a field in lower case. */
static PyObject *lower_name(View head, const HeaderField *field) {
    const char *name = (const char *)head.data + field->line_start;
    size_t length = field->name_end - field->line_start;
    char lower[64];
    if (length > sizeof lower) {
        PyObject *text = PyUnicode_DecodeLatin1(name, (Py_ssize_t)length, NULL);
        PyObject *made = text == NULL ? NULL : PyObject_CallMethod(text, "lower", NULL);
        Py_XDECREF(text);
        return made;
    }
    for (size_t at = 0; at < length; at++) {
        lower[at] = (char)lower_byte((unsigned char)name[at]);
    }
    return PyUnicode_FromStringAndSize(lower, (Py_ssize_t)length);
}

/* Stores the value of a field, unless there is one of its name. False with an error. */
static bool add_value(PyObject *values, View head, const HeaderField *field) {
    PyObject *name = lower_name(head, field), *value = NULL;
    int known = name == NULL ? -1 : PyDict_Contains(values, name);
    bool done = known == 1;
    if (known == 0) {
        value = value_text(head, field);
        done = value != NULL && PyDict_SetItem(values, name, value) == 0;
    }
    Py_XDECREF(value);
    Py_XDECREF(name);
    return done;
}

PyObject *header_values(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *data;
    Py_ssize_t first, last;
    HeaderField field;
    if (!PyArg_ParseTuple(args, "Snn", &data, &first, &last)) {
        return NULL;
    }
    if (first < 0 || last < 0 || last > PyBytes_Size(data)) {
        PyErr_SetString(PyExc_ValueError, "the fields must be within the data");
        return NULL;
    }
    View head = {(const unsigned char *)PyBytes_AsString(data), (size_t)last};
    size_t position = (size_t)first;
    PyObject *values = PyDict_New();
    while (values != NULL && next_header_field(head, &position, &field)) {
        if (!add_value(values, head, &field)) {
            Py_CLEAR(values);
        }
    }
    return values;
}
