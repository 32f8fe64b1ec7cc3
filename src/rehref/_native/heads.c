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

/* How many values a dict has, and how many bytes these take, each with a space before it; false with an error if one is
   neither bytes nor None. */
static bool take_sizes(PyObject *changes, size_t *room, size_t *count) {
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(changes, &position, &name, &value)) {
        if (value != Py_None && !PyBytes_Check(value)) {
            PyErr_SetString(PyExc_TypeError, "a value is bytes, or None");
            return false;
        }
        if (value != Py_None) {
            *room += (size_t)PyBytes_Size(value) + 1;
            *count += 1;
        }
    }
    return true;
}

/* Copies data up to a position behind what has been copied to `to`; where that ends. */
static char *copied_up_to(char *to, View data, size_t *position, size_t end) {
    memcpy(to, data.data + *position, end - *position);
    to += end - *position;
    *position = end;
    return to;
}

/* Writes the data with the fields of a head changed. `left` is how many values there are, and then how many there was no
   field for. Where the data end, or NULL with an error. */
static char *write_changed(char *to, View data, View head, size_t first, PyObject *changes, size_t *left) {
    size_t done = 0;
    HeaderField field;
    while (next_header_field(head, &first, &field)) {
        PyObject *name = lower_name(head, &field);
        PyObject *value = name == NULL ? NULL : PyDict_GetItemWithError(changes, name);
        bool fails = value == NULL && PyErr_Occurred();
        if (value == Py_None) {
            to = copied_up_to(to, data, &done, field.line_start);
            done = field.line_end;
        } else if (value != NULL) {
            to = copied_up_to(to, data, &done, field.start);
            if (data.data[field.start - 1] == ':') {
                *to++ = ' ';
            }
            memcpy(to, PyBytes_AsString(value), (size_t)PyBytes_Size(value));
            to += PyBytes_Size(value);
            done = field.end;
            *left -= 1;
            fails = PyDict_SetItem(changes, name, Py_None) < 0; /* other fields of the name are dropped */
        }
        Py_XDECREF(name);
        if (fails) {
            return NULL;
        }
    }
    return copied_up_to(to, data, &done, data.length);
}

PyObject *head_with(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *changes, *made = NULL;
    Py_ssize_t first, last;
    size_t left = 0, room = 0;
    if (!PyArg_ParseTuple(args, "SnnO!", &object, &first, &last, &PyDict_Type, &changes)) {
        return NULL;
    }
    View data = {(const unsigned char *)PyBytes_AsString(object), (size_t)PyBytes_Size(object)};
    if (first < 0 || last < 0 || (size_t)last > data.length) {
        PyErr_SetString(PyExc_ValueError, "the fields are within the data");
        return NULL;
    }
    if (!take_sizes(changes, &room, &left)) {
        return NULL;
    }
    char *text = malloc(data.length + room + 1);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    char *end = write_changed(text, data, (View){data.data, (size_t)last}, (size_t)first, changes, &left);
    if (end != NULL) {
        made = left > 0 ? new_reference(Py_None) : PyBytes_FromStringAndSize(text, end - text);
    }
    free(text);
    return made;
}

PyObject *base32(PyObject *self, PyObject *data) {
    (void)self;
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(data, &bytes, &length) < 0) {
        return NULL;
    }
    size_t size = ((size_t)length + 4) / 5 * 8, at = 0;
    char *text = malloc(size + 1);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    View view = {(const unsigned char *)bytes, (size_t)length};
    for (size_t bit = 0; bit < view.length * 8; bit += 5) {
        unsigned high = view.data[bit / 8];
        unsigned low = bit / 8 + 1 < view.length ? view.data[bit / 8 + 1] : 0;
        unsigned value = ((high << 8 | low) >> (11 - bit % 8)) & 31;
        text[at++] = (char)(value < 26 ? 'A' + value : '2' + (value - 26));
    }
    memset(text + at, '=', size - at);
    PyObject *made = PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
    free(text);
    return made;
}
