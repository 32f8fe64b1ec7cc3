/* JSON texts as the tuples of `rehref.text.json_text`; the twin of its `read` (RFC 8259). A string with a backslash is
   decoded by Python, which also checks its escapes; what is neither string, array nor object, too. */

#include <stdlib.h>

#include "json_tokens.h"
#include "scans.h"

typedef struct {
    PyObject *items; /* the values of an array, or the members of an object: a list that its tuple owns */
    PyObject *name;  /* of the member that is read */
    bool is_object;
} Open;

typedef struct {
    View text;
    size_t counted, characters; /* up to here, these have been counted */
    TupleType string, array, object;
    PyObject *decoded; /* returns the meaning and the form of what is between quotes; None if an escape is not one */
    PyObject *is_scalar; /* returns None for what is not a number, true, false or null */
    PyObject *plain;     /* the form of a string without escapes */
    Open open[JSON_DEEPEST + 1]; /* the first one is around the text */
    size_t depth;
} Json;

/* The number of characters before a position, which is not before the last one that was asked for. */
static Py_ssize_t characters_before(Json *json, size_t position) {
    for (; json->counted < position; json->counted++) {
        json->characters += (json->text.data[json->counted] & 0xC0) != 0x80;
    }
    return (Py_ssize_t)json->characters;
}

/* NULL without an error if an escape is not one. */
static PyObject *make_string(Json *json, size_t start, size_t end, bool escaped) {
    PyObject *first = PyLong_FromSsize_t(characters_before(json, start));
    PyObject *last = PyLong_FromSsize_t(characters_before(json, end));
    PyObject *text = text_of(part_of(json->text, start, end)), *form = NULL;
    if (text != NULL && escaped) {
        PyObject *both = PyObject_CallFunctionObjArgs(json->decoded, text, NULL), *meaning = NULL;
        Py_CLEAR(text);
        if (both != NULL && both != Py_None && is_tuple(both) && PyArg_ParseTuple(both, "UU", &meaning, &form)) {
            text = new_reference(meaning);
            Py_INCREF(form);
        }
        Py_XDECREF(both);
    } else {
        form = new_reference(json->plain);
    }
    PyObject *items[] = {first, last, text, text == NULL ? NULL : form};
    return named_tuple(&json->string, items, 4);
}

/* Takes over a value. */
static JsonStatus add_value(Json *json, PyObject *value) {
    Open *outer = &json->open[json->depth];
    PyObject *item = value;
    if (value != NULL && outer->is_object) {
        item = PyTuple_Pack(2, outer->name, value);
        Py_DECREF(value);
        Py_CLEAR(outer->name);
    }
    return append(outer->items, item) ? JSON_DONE : PyErr_Occurred() ? JSON_ERROR : JSON_WRONG;
}

static JsonStatus on_name(void *to, size_t start, size_t end, bool escaped) {
    Json *json = to;
    json->open[json->depth].name = make_string(json, start, end, escaped);
    return json->open[json->depth].name != NULL ? JSON_DONE : PyErr_Occurred() ? JSON_ERROR : JSON_WRONG;
}

static JsonStatus on_string(void *to, size_t start, size_t end, bool escaped) {
    return add_value(to, make_string(to, start, end, escaped));
}

static JsonStatus on_scalar(void *to, size_t start, size_t end) {
    Json *json = to;
    PyObject *text = text_of(part_of(json->text, start, end));
    PyObject *answer = text == NULL ? NULL : PyObject_CallFunctionObjArgs(json->is_scalar, text, NULL);
    if (answer == NULL || answer == Py_None) {
        Py_XDECREF(text);
        Py_XDECREF(answer);
        return answer == NULL ? JSON_ERROR : JSON_WRONG;
    }
    Py_DECREF(answer);
    return add_value(json, text);
}

static JsonStatus on_begin(void *to, bool is_object) {
    Json *json = to;
    PyObject *items = PyList_New(0);
    JsonStatus status = add_value(json, named_tuple(is_object ? &json->object : &json->array, &items, 1));
    if (status == JSON_DONE) {
        json->open[++json->depth] = (Open){items, NULL, is_object};
    }
    return status;
}

static void on_end(void *to) {
    ((Json *)to)->depth--;
}

PyObject *json_value(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *text, *string, *array, *object, *decoded, *is_scalar, *value = NULL;
    Json *json = calloc(1, sizeof *json);
    if (json == NULL) {
        return PyErr_NoMemory();
    }
    if (PyArg_ParseTuple(args, "UOOOOO", &text, &string, &array, &object, &decoded, &is_scalar) &&
        take_tuple_type(string, &json->string) && take_tuple_type(array, &json->array) &&
        take_tuple_type(object, &json->object)) {
        json->decoded = decoded;
        json->is_scalar = is_scalar;
        json->plain = PyUnicode_FromString("");
        json->open[0].items = PyList_New(0);
        if (json->plain != NULL && json->open[0].items != NULL && take_text(text, &json->text)) {
            static const JsonEvents EVENTS = {on_name, on_string, on_scalar, on_begin, on_end};
            JsonStatus status = json_walk(json->text, &EVENTS, json);
            value = status == JSON_WRONG  ? new_reference(Py_None)
                    : status == JSON_DONE ? new_reference(PyList_GetItem(json->open[0].items, 0))
                                          : NULL;
        } else if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Clear(); /* it has a surrogate */
            value = new_reference(Py_False);
        }
    }
    for (size_t at = 0; at <= JSON_DEEPEST; at++) {
        Py_XDECREF(json->open[at].name);
    }
    Py_XDECREF(json->open[0].items);
    Py_XDECREF(json->plain);
    free(json);
    return value;
}
