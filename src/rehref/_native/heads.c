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

enum { MOST_CHANGES = 16 };

/* What happens to the fields of a name. */
typedef struct {
    View name;
    PyObject *value; /* the bytes of the new value; NULL: the fields are dropped */
} Change;

typedef struct {
    Change all[MOST_CHANGES];
    size_t count;
    size_t left; /* how many values there are that no field has got yet */
    size_t room; /* how many bytes they take, each with a space before it */
} Changes;

static void free_changes(Changes *changes) {
    for (size_t at = 0; at < changes->count; at++) {
        Py_CLEAR(changes->all[at].value);
    }
}

static bool is_same_name(View one, const unsigned char *other, size_t length) {
    bool same = one.length == length;
    for (size_t at = 0; same && at < length; at++) {
        same = lower_byte(one.data[at]) == lower_byte(other[at]);
    }
    return same;
}

/* The change for a name; NULL if it is not to be changed. */
static Change *change_for(Changes *changes, const unsigned char *name, size_t length) {
    for (size_t at = 0; at < changes->count; at++) {
        if (is_same_name(changes->all[at].name, name, length)) {
            return &changes->all[at];
        }
    }
    return NULL;
}

/* The bytes of a value; NULL with an error if it cannot be the value of a field (RFC 9110 section 5.5). */
static PyObject *value_bytes(PyObject *value) {
    PyObject *bytes = PyUnicode_AsLatin1String(value);
    if (bytes == NULL) {
        return NULL;
    }
    const char *data = PyBytes_AsString(bytes);
    size_t length = (size_t)PyBytes_Size(bytes);
    if (memchr(data, '\r', length) || memchr(data, '\n', length) || memchr(data, '\0', length)) {
        PyErr_SetString(PyExc_ValueError, "a field's value is one line, without NUL");
        Py_CLEAR(bytes);
    }
    return bytes;
}

/* Takes the changes from a dict. False, perhaps with an error, if they are not a few, each of another ASCII name. */
static bool take_changes(PyObject *dict, Changes *changes) {
    PyObject *key, *value;
    Py_ssize_t position = 0, length;
    while (PyDict_Next(dict, &position, &key, &value)) {
        const unsigned char *name = (const unsigned char *)PyUnicode_AsUTF8AndSize(key, &length);
        if (name == NULL || changes->count == MOST_CHANGES || change_for(changes, name, (size_t)length) != NULL) {
            return false;
        }
        for (Py_ssize_t at = 0; at < length; at++) {
            if (name[at] >= 0x80) {
                return false;
            }
        }
        Change change = {{name, (size_t)length}, NULL};
        if (value != Py_None) {
            change.value = value_bytes(value);
            if (change.value == NULL) {
                return false;
            }
            changes->room += (size_t)PyBytes_Size(change.value) + 1;
            changes->left++;
        }
        changes->all[changes->count++] = change;
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

/* Writes the data with the fields of a head changed; returns where they end. */
static char *write_changed(char *to, View data, View head, size_t first, Changes *changes) {
    size_t done = 0;
    HeaderField field;
    while (next_header_field(head, &first, &field)) {
        Change *change = change_for(changes, head.data + field.line_start, field.name_end - field.line_start);
        if (change != NULL && change->value != NULL) {
            size_t length = (size_t)PyBytes_Size(change->value);
            to = copied_up_to(to, data, &done, field.start);
            if (data.data[field.start - 1] == ':') {
                *to++ = ' ';
            }
            memcpy(to, PyBytes_AsString(change->value), length);
            to += length;
            done = field.end;
            Py_CLEAR(change->value); /* other fields of the name are dropped */
            changes->left--;
        } else if (change != NULL) {
            to = copied_up_to(to, data, &done, field.line_start);
            done = field.line_end;
        }
    }
    return copied_up_to(to, data, &done, data.length);
}

PyObject *head_with(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *dict, *made = NULL;
    Py_ssize_t first, last;
    Changes changes = {.count = 0};
    if (!PyArg_ParseTuple(args, "SnnO!", &object, &first, &last, &PyDict_Type, &dict)) {
        return NULL;
    }
    View data = {(const unsigned char *)PyBytes_AsString(object), (size_t)PyBytes_Size(object)};
    if (first < 0 || last < 0 || (size_t)last > data.length) {
        PyErr_SetString(PyExc_ValueError, "the fields are within the data");
        return NULL;
    }
    char *text = NULL;
    if (!take_changes(dict, &changes)) {
        made = PyErr_Occurred() ? NULL : new_reference(Py_None);
    } else if ((text = malloc(data.length + changes.room + 1)) == NULL) {
        PyErr_NoMemory();
    } else {
        char *end = write_changed(text, data, (View){data.data, (size_t)last}, (size_t)first, &changes);
        made = changes.left > 0 ? new_reference(Py_None) : PyBytes_FromStringAndSize(text, end - text);
    }
    free(text);
    free_changes(&changes);
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
