/* What fragments and maps can name in a page, and whether it may refresh. The twin of `rehref.markup._page.names_in_page`, with
   the same rules. The table of names says by a byte what an attribute holds (`HOLDS_NOTHING` and those after it). A value
   that cannot be read here is asked of Python, one by one: there are few. */

#include "positions.h"
#include "scans.h"

/* Whether a value is certainly what Python would read: without CR, which is a line end, in ASCII, or in UTF-8 if that is
   how the source is read. */
static bool is_literal(View text, bool utf8) {
    if (find_byte(text, 0, '\r') < text.length) {
        return false;
    }
    TextForm form = text_form(text);
    return form == TEXT_ASCII || (form == TEXT_UTF8 && utf8);
}

/* The value of a place; NULL with an error. */
static PyObject *value_text(const Scan *self, Room *room, size_t number, bool utf8, PyObject *read) {
    Value value;
    if (value_of(self->view, &self->found.records.items[number], self->multibyte, room, &value) &&
        is_literal((View){value.text, value.length}, utf8)) {
        return text_of((View){value.text, value.length});
    }
    PyObject *text = PyObject_CallFunction(read, "n", (Py_ssize_t)number);
    if (text != NULL && !PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "expected the value of a place");
        Py_CLEAR(text);
    }
    return text;
}

typedef struct {
    PyObject *named;   /* each name, and whether it is an id */
    PyObject *doubles; /* the numbers of the places with an id that an earlier place has */
    PyObject *maps;
    bool may_refresh;
} Names;

/* Adds an id, or the name of an anchor. */
static bool take_name(Names *names, PyObject *text, bool is_id, size_t number) {
    PyObject *known = PyDict_GetItemWithError(names->named, text);
    if (known == NULL && PyErr_Occurred()) {
        return false;
    }
    if (is_id && known == Py_True) {
        return append(names->doubles, PyLong_FromSize_t(number));
    }
    return (!is_id && known != NULL) || PyDict_SetItem(names->named, text, is_id ? Py_True : Py_False) == 0;
}

static bool is_refresh(PyObject *text) {
    View view;
    return take_text(text, &view) && view.length == 7 &&
           stands_at_any_case(view, 0, (const unsigned char *)"refresh", 7);
}

static bool take_place(Names *names, PyObject *text, int holds, size_t number, bool in_template) {
    if (holds == HOLDS_PRAGMA) {
        names->may_refresh = names->may_refresh || is_refresh(text);
        PyErr_Clear(); /* of half a surrogate pair */
        return true;
    }
    if (in_template || PyUnicode_GetLength(text) == 0) {
        return true;
    }
    return holds == HOLDS_MAP ? PySet_Add(names->maps, text) == 0 : take_name(names, text, holds == HOLDS_ID, number);
}

PyObject *scan_names(Scan *self, PyObject *args) {
    const char *table;
    Py_ssize_t length;
    int utf8;
    PyObject *read;
    Room room;
    if (!PyArg_ParseTuple(args, "y#pO", &table, &length, &utf8, &read)) {
        return NULL;
    }
    room.named = NULL;
    Names names = {PyDict_New(), PyList_New(0), PySet_New(NULL), false};
    bool done = names.named != NULL && names.doubles != NULL && names.maps != NULL;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        const Record *record = &self->found.records.items[at];
        int holds = said_of(self, (View){(const unsigned char *)table, (size_t)length}, at);
        if (holds > HOLDS_NOTHING) {
            PyObject *text = value_text(self, &room, at, utf8, read);
            done = text != NULL && take_place(&names, text, holds, at, record->flags & RECORD_IN_TEMPLATE);
            Py_XDECREF(text);
        }
    }
    if (!done) {
        Py_XDECREF(names.named);
        Py_XDECREF(names.doubles);
        Py_XDECREF(names.maps);
        return NULL;
    }
    return Py_BuildValue("(NNNN)", names.named, names.doubles, names.maps, PyBool_FromLong(names.may_refresh));
}
