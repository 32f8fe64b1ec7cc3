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

/* Where the first line ends that is empty and after another one, up to `most`; 0 if there is none. */
static size_t behind_empty_line(View data, size_t most) {
    View head = {data.data, data.length < most ? data.length : most};
    for (size_t at = find_byte(head, 0, '\n'); at < head.length; at = find_byte(head, at + 1, '\n')) {
        size_t next = at + 1 + (byte_at(head, at + 1) == '\r');
        if (byte_at(head, next) == '\n') {
            return next + 1;
        }
    }
    return 0;
}

static size_t behind_digits(View data, size_t position, size_t most) {
    size_t end = position;
    while (end < position + most && byte_at(data, end) >= '0' && byte_at(data, end) <= '9') {
        end++;
    }
    return end;
}

/* Where the line ends that a WARC record begins with; 0 if the data begin otherwise. */
static size_t behind_version(View data) {
    size_t dot = behind_digits(data, 5, 2);
    size_t end = behind_digits(data, dot + 1, 2);
    if (!stands_at(data, 0, "WARC/", 5) || dot == 5 || byte_at(data, dot) != '.' || end == dot + 1) {
        return 0;
    }
    while (is_blank(byte_at(data, end))) {
        end++;
    }
    end += byte_at(data, end) == '\r';
    return byte_at(data, end) == '\n' ? end + 1 : 0;
}

/* Whether another record seems to begin in a head. */
static bool has_version(View head) {
    for (size_t at = find_byte(head, 0, '\n'); at < head.length; at = find_byte(head, at + 1, '\n')) {
        if (stands_at(head, at + 1, "WARC/", 5) && behind_digits(head, at + 6, 1) > at + 6) {
            return true;
        }
    }
    return false;
}

/* Whether a field says that there are `length` bytes. */
static bool is_length(View head, const HeaderField *field, size_t length) {
    uint64_t number = 0;
    if (field->end == field->start || behind_digits(head, field->start, 18) != field->end) {
        return false;
    }
    for (size_t at = field->start; at < field->end; at++) {
        number = number * 10 + (uint64_t)(head.data[at] - '0');
    }
    return number == length;
}

enum { MOST_VALUES = 16 };

/* The number of the name that a field has; `count` if it has none of them, -1 with an error. */
static Py_ssize_t number_of_name(PyObject *names, Py_ssize_t count, View head, const HeaderField *field) {
    for (Py_ssize_t at = 0; at < count; at++) {
        char *name;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(names, at), &name, &length) < 0) {
            return -1;
        }
        if ((size_t)length == field->name_end - field->line_start &&
            stands_at_any_case(head, field->line_start, (const unsigned char *)name, (size_t)length)) {
            return at;
        }
    }
    return count;
}

/* Puts the values of the first fields of these names into a tuple that has None for each. False with an error, or if the
   first of them is not that number. */
static bool take_values(View head, size_t position, PyObject *names, PyObject *values, size_t length) {
    Py_ssize_t count = PyTuple_Size(names);
    HeaderField field;
    bool known[MOST_VALUES] = {false};
    while (next_header_field(head, &position, &field)) {
        Py_ssize_t number = number_of_name(names, count, head, &field);
        if (number < 0 || (number == 0 && !known[0] && !is_length(head, &field, length))) {
            return false;
        }
        if (number < count && !known[number]) {
            PyObject *value = value_text(head, &field);
            known[number] = true;
            if (value == NULL || PyTuple_SetItem(values, number, value) < 0) {
                return false;
            }
        }
    }
    return known[0];
}

PyObject *record_values(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *names;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(args, "SO!n", &object, &PyTuple_Type, &names, &most)) {
        return NULL;
    }
    Py_ssize_t count = PyTuple_Size(names);
    if (count < 1 || count > MOST_VALUES || most < 0) {
        PyErr_SetString(PyExc_ValueError, "the names are few, and the size of a head is a number of bytes");
        return NULL;
    }
    View data = {(const unsigned char *)PyBytes_AsString(object), (size_t)PyBytes_Size(object)};
    size_t first = behind_version(data), size = behind_empty_line(data, (size_t)most);
    if (first == 0 || size == 0 || data.length - size < 4 || !stands_at(data, data.length - 4, "\r\n\r\n", 4) ||
        has_version((View){data.data, size})) {
        return new_reference(Py_None);
    }
    View block = {data.data + size, data.length - size - 4};
    View head = {data.data, size - (data.data[size - 2] == '\r' ? 2 : 1)};
    PyObject *values = PyTuple_New(count);
    for (Py_ssize_t at = 0; values != NULL && at < count; at++) {
        PyTuple_SetItem(values, at, new_reference(Py_None));
    }
    if (values == NULL || !take_values(head, first, names, values, block.length)) {
        Py_XDECREF(values);
        return PyErr_Occurred() ? NULL : new_reference(Py_None);
    }
    size_t http = stands_at(block, 0, "HTTP/", 5) ? behind_empty_line(block, (size_t)most) : 0;
    return Py_BuildValue("(nnN)", (Py_ssize_t)size, (Py_ssize_t)http, values);
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
