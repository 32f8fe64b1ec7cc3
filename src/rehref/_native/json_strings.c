/* The strings of a JSON text, each with its path: so Python need not look at each of them to know what it is.

   - A path is the names of the members around a string, from outside, and a line feed for each array, which no name can be.
     Strings with the same have the same number; 0 is that of the outermost value.
   - Left to Python is a text in which an object has two members of the same name, a name is escaped, or there are too many
     paths: what it means then is not decided by paths.
   - A string with a backslash is GIVEN_ODD, one with "<", which is written escaped, GIVEN_FIXED (`tables.h`). */

#include <stdlib.h>

#include "json_tokens.h"
#include "tables.h"

typedef struct {
    uint32_t path;   /* of an array, that of its items */
    uint32_t number; /* of an object, so that a name is found to be repeated; 0 for an array */
} Open;

typedef struct {
    View text;
    PyObject *decoded, *is_scalar; /* return None for what has an escape that is not one; for what is not a scalar */
    Table paths; /* rows, by name and the number of the path around, are the paths from 1 on */
    uint32_t *triples;
    size_t count, room; /* of numbers in them */
    uint32_t objects;
    uint32_t path; /* of the next value */
    size_t depth;
    Open open[JSON_DEEPEST + 1]; /* the first one is around the text */
} Strings;

/* Whether Python knows a part of the text as what it should be. */
static JsonStatus checked(const Strings *json, PyObject *function, size_t start, size_t end) {
    PyObject *text = text_of(part_of(json->text, start, end));
    PyObject *answer = text == NULL ? NULL : PyObject_CallFunctionObjArgs(function, text, NULL);
    JsonStatus status = answer == NULL ? JSON_ERROR : answer == Py_None ? JSON_WRONG : JSON_DONE;
    Py_XDECREF(text);
    Py_XDECREF(answer);
    return status;
}

/* The next value is in the path of a name below another one. */
static JsonStatus enter_path(Strings *json, View name, uint32_t around, uint32_t object) {
    uint32_t row = around < UINT16_MAX ? row_number(&json->paths, name, (uint16_t)around, 0, true) : 0;
    if (around >= UINT16_MAX || row == UINT32_MAX) {
        return row == UINT32_MAX ? JSON_ERROR : JSON_WRONG;
    }
    bool is_repeated = object > 0 && json->paths.rows[row].count == object;
    json->paths.rows[row].count = object;
    json->path = row + 1;
    return is_repeated ? JSON_WRONG : JSON_DONE;
}

static JsonStatus on_name(void *to, size_t start, size_t end, bool escaped) {
    Strings *json = to;
    Open object = json->open[json->depth];
    return escaped ? JSON_WRONG : enter_path(json, part_of(json->text, start, end), object.path, object.number);
}

static JsonStatus on_string(void *to, size_t start, size_t end, bool escaped) {
    Strings *json = to;
    uint32_t *triples = json->count + 3 <= json->room ? json->triples
                                                      : grown(json->triples, json->room, &json->room, sizeof *triples);
    if (triples == NULL) {
        return JSON_ERROR;
    }
    View text = part_of(json->text, start, end);
    uint32_t how = (escaped ? GIVEN_ODD : 0) | (find_byte(text, 0, '<') < text.length ? GIVEN_FIXED : 0);
    JsonStatus status = escaped ? checked(json, json->decoded, start, end) : JSON_DONE;
    json->triples = triples;
    triples[json->count++] = (uint32_t)start;
    triples[json->count++] = (uint32_t)end;
    triples[json->count++] = json->path | how;
    return status;
}

static JsonStatus on_scalar(void *to, size_t start, size_t end) {
    return checked(to, ((Strings *)to)->is_scalar, start, end);
}

static JsonStatus on_begin(void *to, bool is_object) {
    Strings *json = to;
    JsonStatus status = is_object ? JSON_DONE : enter_path(json, (View){(const unsigned char *)"\n", 1}, json->path, 0);
    json->open[++json->depth] = (Open){json->path, is_object ? ++json->objects : 0};
    return status;
}

static void on_end(void *to) {
    Strings *json = to;
    json->path = json->open[--json->depth].path; /* of the next item, if it is an array */
}

static PyObject *made(const Strings *json) {
    PyObject *paths = PyList_New(0);
    for (size_t at = 0; paths != NULL && at < json->paths.row_count; at++) {
        const Row *row = &json->paths.rows[at];
        if (!append(paths, Py_BuildValue("(IN)", (unsigned)row->class, text_of(text_of_row(row))))) {
            Py_CLEAR(paths);
        }
    }
    return paths == NULL ? NULL
                         : Py_BuildValue("(y#N)", json->triples == NULL ? "" : (const char *)json->triples,
                                         (Py_ssize_t)(json->count * sizeof *json->triples), paths);
}

PyObject *json_strings(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *text, *result = NULL;
    Strings *json = calloc(1, sizeof *json);
    if (json == NULL) {
        return PyErr_NoMemory();
    }
    if (!PyArg_ParseTuple(args, "UOO", &text, &json->decoded, &json->is_scalar)) {
        free(json);
        return NULL;
    }
    if (take_text(text, &json->text) && json->text.length <= MOST) {
        static const JsonEvents EVENTS = {on_name, on_string, on_scalar, on_begin, on_end};
        JsonStatus status = json_walk(json->text, &EVENTS, json);
        result = status == JSON_DONE    ? made(json)
                 : status == JSON_WRONG ? new_reference(Py_None)
                 : PyErr_Occurred()     ? NULL
                                        : PyErr_NoMemory();
    } else if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear(); /* it has a surrogate */
        result = new_reference(Py_None);
    }
    table_free(&json->paths);
    free(json->triples);
    free(json);
    return result;
}
