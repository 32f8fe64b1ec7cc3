/* JSON texts as the tuples of `rehref.carriers.json_text`; the twin of its `read` (RFC 8259).

   1. Reading does not recurse: what is open is on a stack.
   2. A string with a backslash is decoded by Python, which also checks its escapes; what is neither string, array
      nor object, too. */

#include <stdlib.h>

#include "scans.h"

enum { DEEPEST = 1000 };

typedef struct {
    PyObject *items; /* the values of an array, or the members of an object: a list that its tuple owns */
    PyObject *name;  /* of the member that is read */
    bool is_object;
} Open;

typedef struct {
    View text;
    size_t at;
    size_t counted, characters; /* up to here, these have been counted */
    TupleType string, array, object;
    PyObject *decoded; /* returns the meaning and the form of what is between quotes; None if an escape is not one */
    PyObject *is_scalar; /* returns None for what is not a number, true, false or null */
    PyObject *plain;     /* the form of a string without escapes */
    Open open[DEEPEST + 1]; /* the first one is around the text */
    size_t depth;
} Json;

typedef enum { JSON_DONE, JSON_WRONG, JSON_ERROR } JsonStatus;

/* §2 */
static int behind_white(Json *json) {
    int byte;
    while ((byte = byte_at(json->text, json->at)) == ' ' || byte == '\n' || byte == '\r' || byte == '\t') {
        json->at++;
    }
    return byte;
}

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

/* §7 */
static JsonStatus read_string(Json *json, PyObject **string) {
    size_t start = json->at + 1, at = start;
    bool escaped = false;
    for (int byte; (byte = byte_at(json->text, at)) != '"'; at++) {
        if (byte < ' ') { /* or the end */
            return JSON_WRONG;
        }
        escaped = escaped || byte == '\\';
        at += byte == '\\'; /* what follows cannot end the string */
    }
    json->at = at + 1;
    *string = make_string(json, start, at, escaped);
    return *string != NULL ? JSON_DONE : PyErr_Occurred() ? JSON_ERROR : JSON_WRONG;
}

/* §3: Python knows the syntax of what is not in quotes or brackets. */
static JsonStatus read_scalar(Json *json, PyObject **scalar) {
    size_t end = json->at;
    for (int byte; (byte = byte_at(json->text, end)) > ' ' && strchr(",:\"[]{}", byte) == NULL;) {
        end++;
    }
    PyObject *text = text_of(part_of(json->text, json->at, end));
    PyObject *answer = text == NULL ? NULL : PyObject_CallFunctionObjArgs(json->is_scalar, text, NULL);
    if (answer == NULL || answer == Py_None) {
        Py_XDECREF(text);
        Py_XDECREF(answer);
        return answer == NULL ? JSON_ERROR : JSON_WRONG;
    }
    Py_DECREF(answer);
    json->at = end;
    *scalar = text;
    return JSON_DONE;
}

/* Takes over a value. */
static bool add_value(Json *json, PyObject *value) {
    Open *outer = &json->open[json->depth];
    if (!outer->is_object) {
        return append(outer->items, value);
    }
    PyObject *member = PyTuple_Pack(2, outer->name, value);
    Py_DECREF(value);
    Py_CLEAR(outer->name);
    return append(outer->items, member);
}

/* §4, §5: reads the name of a member and its colon. */
static JsonStatus read_name(Json *json) {
    if (behind_white(json) != '"') {
        return JSON_WRONG;
    }
    JsonStatus status = read_string(json, &json->open[json->depth].name);
    if (status == JSON_DONE && behind_white(json) != ':') {
        return JSON_WRONG;
    }
    json->at++;
    return status;
}

/* §4, §5: begins an array or an object. */
static JsonStatus begin(Json *json, bool is_object) {
    if (json->depth >= DEEPEST) {
        return JSON_WRONG;
    }
    PyObject *items = PyList_New(0);
    PyObject *value = named_tuple(is_object ? &json->object : &json->array, &items, 1);
    if (value == NULL || !add_value(json, value)) {
        return JSON_ERROR;
    }
    json->at++;
    json->open[++json->depth] = (Open){items, NULL, is_object};
    if (behind_white(json) == (is_object ? '}' : ']')) {
        return JSON_DONE; /* `end_values` ends it */
    }
    return is_object ? read_name(json) : JSON_DONE;
}

/* Goes on behind a value, up to the next one: ends what ends, and reads a comma. `*more`: whether there is one. */
static JsonStatus end_values(Json *json, bool *more) {
    while (json->depth > 0) {
        const Open *inmost = &json->open[json->depth];
        int byte = behind_white(json);
        json->at++;
        if (byte == ',') {
            *more = true;
            return inmost->is_object ? read_name(json) : JSON_DONE;
        }
        if (byte != (inmost->is_object ? '}' : ']')) {
            return JSON_WRONG;
        }
        json->depth--;
    }
    *more = false;
    return behind_white(json) == -1 ? JSON_DONE : JSON_WRONG;
}

static JsonStatus read_value(Json *json, bool *ended) {
    int byte = behind_white(json);
    PyObject *value;
    if (byte == '{' || byte == '[') {
        JsonStatus status = begin(json, byte == '{');
        /* an empty one, whose name has not been read */
        *ended = status == JSON_DONE && byte_at(json->text, json->at) == (byte == '{' ? '}' : ']') &&
                 json->open[json->depth].name == NULL;
        return status;
    }
    JsonStatus status = byte == '"' ? read_string(json, &value) : read_scalar(json, &value);
    *ended = true;
    return status == JSON_DONE && !add_value(json, value) ? JSON_ERROR : status;
}

static JsonStatus read_all(Json *json) {
    bool more = true, ended;
    while (more) {
        JsonStatus status = read_value(json, &ended);
        if (status == JSON_DONE && ended) {
            status = end_values(json, &more);
        }
        if (status != JSON_DONE) {
            return status;
        }
    }
    return JSON_DONE;
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
            JsonStatus status = read_all(json);
            value = status == JSON_WRONG  ? new_reference(Py_None)
                    : status == JSON_DONE ? new_reference(PyList_GetItem(json->open[0].items, 0))
                                          : NULL;
        } else if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Clear(); /* it has a surrogate */
            value = new_reference(Py_False);
        }
    }
    for (size_t at = 0; at <= DEEPEST; at++) {
        Py_XDECREF(json->open[at].name);
    }
    Py_XDECREF(json->open[0].items);
    Py_XDECREF(json->plain);
    free(json);
    return value;
}
