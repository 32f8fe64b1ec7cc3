/* The head of a record that is all of some bytes, as a Python object. The twin of `rehref.containers.warc.record_heads`,
   with the same rules. */

#include "binding.h"
#include "header_fields.h"

#include <stdlib.h>

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

/* The fields that are read, in the order of their names. */
enum {
    LENGTH,
    KIND,
    ID,
    URI,
    DATE,
    MEDIA_TYPE,
    PAYLOAD_TYPE,
    SEGMENT,
    BLOCK_DIGEST,
    PAYLOAD_DIGEST,
    VALUES
};

/* The number of the name that a field has; `VALUES` if it has none of them. */
static int number_of_name(const View *names, View head, const HeaderField *field) {
    int number = 0;
    while (number < VALUES && (names[number].length != field->name_end - field->line_start ||
                               !stands_at_any_case(head, field->line_start, names[number].data, names[number].length))) {
        number++;
    }
    return number;
}

/* Reads the first field of each name; `end` stays 0 for a name that no field has. */
static void read_values(View head, size_t position, const View *names, HeaderField *values) {
    HeaderField field;
    while (next_header_field(head, &position, &field)) {
        int number = number_of_name(names, head, &field);
        if (number < VALUES && values[number].end == 0) {
            values[number] = field;
        }
    }
}

static PyObject *latin1(View text) {
    return PyUnicode_DecodeLatin1((const char *)text.data, (Py_ssize_t)text.length, NULL);
}

/* As text in lower case. */
static PyObject *lower_text(View value) {
    char lower[32];
    bool ascii = value.length <= sizeof lower;
    for (size_t at = 0; ascii && at < value.length; at++) {
        ascii = value.data[at] < 0x80;
        lower[at] = (char)lower_byte(value.data[at]);
    }
    if (ascii) {
        return PyUnicode_FromStringAndSize(lower, (Py_ssize_t)value.length);
    }
    PyObject *text = latin1(value), *made = text == NULL ? NULL : PyObject_CallMethod(text, "lower", NULL);
    Py_XDECREF(text);
    return made;
}

static bool is_around_id(int byte) {
    return byte == '<' || byte == '>' || is_blank(byte);
}

/* An id in angle brackets, whether it has them or not; of none, the empty text. */
static PyObject *id_text(View value) {
    size_t start = 0, end = value.length;
    while (start < end && is_around_id(value.data[start])) {
        start++;
    }
    while (end > start && is_around_id(value.data[end - 1])) {
        end--;
    }
    View bare = {value.data + start, end - start};
    if (start > 0 && value.data[start - 1] == '<' && byte_at(value, end) == '>' && bare.length > 0) {
        return latin1((View){bare.data - 1, bare.length + 2});
    }
    PyObject *text = latin1(bare);
    PyObject *made = text == NULL || bare.length == 0 ? text : PyUnicode_FromFormat("<%U>", text);
    if (made != text) {
        Py_DECREF(text);
    }
    return made;
}

/* UTF-8 if it is that, without the angle brackets around it (rule 3). */
static PyObject *uri_text(View value) {
    bool in_brackets = value.length > 1 && value.data[0] == '<' && value.data[value.length - 1] == '>';
    View bare = in_brackets ? (View){value.data + 1, value.length - 2} : value;
    PyObject *text = PyUnicode_DecodeUTF8((const char *)bare.data, (Py_ssize_t)bare.length, NULL);
    if (text == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        PyErr_Clear();
        text = latin1(bare);
    }
    if (text == NULL || !in_brackets) {
        return text;
    }
    PyObject *made = PyObject_CallMethod(text, "strip", NULL);
    Py_DECREF(text);
    return made;
}

/* The value of a field, made by `make`; NULL without an error if there is no such field. */
static PyObject *made_text(View head, const HeaderField *field, PyObject *(*make)(View)) {
    View value = {head.data + field->start, field->end - field->start};
    if (!field->folded) {
        return make(value);
    }
    unsigned char *unfolded = malloc(value.length);
    if (unfolded == NULL) {
        return PyErr_NoMemory();
    }
    for (size_t at = 0; at < value.length; at++) {
        unfolded[at] = value.data[at] == '\r' || value.data[at] == '\n' ? ' ' : value.data[at];
    }
    PyObject *text = make((View){unfolded, value.length});
    free(unfolded);
    return text;
}

static PyObject *text_or_empty(View head, const HeaderField *field, PyObject *(*make)(View)) {
    return field->end == 0 ? PyUnicode_FromStringAndSize("", 0) : made_text(head, field, make);
}

static PyObject *text_or_none(View head, const HeaderField *field) {
    return field->end == 0 ? new_reference(Py_None) : made_text(head, field, latin1);
}

/* Takes the names, in lower case, from a tuple of bytes. False with an error. */
static bool take_names(PyObject *tuple, View *names) {
    if (PyTuple_Size(tuple) != VALUES) {
        PyErr_SetString(PyExc_ValueError, "one name for each value");
        return false;
    }
    for (int at = 0; at < VALUES; at++) {
        char *name;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, at), &name, &length) < 0) {
            return false;
        }
        names[at] = (View){(const unsigned char *)name, (size_t)length};
    }
    return true;
}

PyObject *record_head(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *name_tuple, *type_object;
    Py_ssize_t most;
    TupleType type;
    View names[VALUES];
    HeaderField values[VALUES] = {0};
    if (!PyArg_ParseTuple(args, "SO!nO", &object, &PyTuple_Type, &name_tuple, &most, &type_object) ||
        !take_names(name_tuple, names) || !take_tuple_type(type_object, &type)) {
        return NULL;
    }
    if (most < 0) {
        PyErr_SetString(PyExc_ValueError, "the size of a head is a number of bytes");
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
    read_values(head, first, names, values);
    if (values[LENGTH].end == 0 || !is_length(head, &values[LENGTH], block.length)) {
        return new_reference(Py_None);
    }
    size_t http = stands_at(block, 0, "HTTP/", 5) ? behind_empty_line(block, (size_t)most) : 0;
    PyObject *items[] = {
        PyBytes_FromStringAndSize((const char *)data.data, (Py_ssize_t)size),
        text_or_empty(head, &values[KIND], lower_text),
        PyLong_FromSize_t(block.length),
        text_or_empty(head, &values[ID], id_text),
        text_or_empty(head, &values[URI], uri_text),
        text_or_empty(head, &values[DATE], latin1),
        text_or_none(head, &values[MEDIA_TYPE]),
        text_or_none(head, &values[PAYLOAD_TYPE]),
        PyBool_FromLong(values[SEGMENT].end != 0),
        PyLong_FromSize_t(http),
        text_or_none(head, &values[BLOCK_DIGEST]),
        text_or_none(head, &values[PAYLOAD_DIGEST]),
    };
    return named_tuple(&type, items, sizeof items / sizeof *items);
}
