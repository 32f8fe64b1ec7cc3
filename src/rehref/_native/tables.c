/* Tables of references, made from scans.

   1. `scan.table(how, utf8)` reads the references of all places. The table then has what every reader needs: Python's
      views of it (`rows`, `links`, `link_texts`), and the source with other texts (`tables_writing.c`).
   2. `table_places.c` makes it. */

#include "tables.h"

#include <stdlib.h>

static void table_dealloc(PyObject *object) {
    ReferenceTable *self = (ReferenceTable *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    for (size_t at = 0; at < self->name_count; at++) {
        Py_XDECREF(self->names[at].element);
        Py_XDECREF(self->names[at].attribute);
        Py_XDECREF(self->names[at].kind);
        Py_XDECREF(self->names[at].rel);
        Py_XDECREF(self->names[at].as);
    }
    free(self->names);
    free(self->news);
    free(self->changes);
    table_free(&self->table);
    Py_XDECREF(self->texts);
    Py_XDECREF(self->kinds);
    Py_XDECREF(self->how);
    Py_XDECREF((PyObject *)self->scan);
    release(object);
    Py_DECREF(type);
}

/* ---- views ---- */

bool take_counting(const ReferenceTable *self, PyObject *tuple, Counting *counting) {
    Py_ssize_t begin, length;
    const char *lines;
    int utf8, form;
    if (!is_tuple(tuple) || !PyArg_ParseTuple(tuple, "nz#pi", &begin, &lines, &length, &utf8, &form)) {
        return false;
    }
    View source = self->scan->view;
    counting->lines = lines == NULL ? source : (View){(const unsigned char *)lines, (size_t)length};
    if (begin < 0 || (size_t)begin > source.length || counting->lines.length != source.length || form < 0 ||
        form >= GIVEN_FORMS) {
        PyErr_SetString(PyExc_ValueError, "the first character must be in the source, and all others");
        return false;
    }
    counting->utf8 = utf8;
    counting->form = (GivenForm)form;
    counting->begin = (size_t)begin;
    return true;
}

PyObject *row_target(const ReferenceTable *self, const Row *row, PyObject *text) {
    return made_target(&self->bases, row->prefix, row->skip, text_of_row(row), text);
}

/* A row for Python: the fields of `rehref.parsers.source.reference_table.Row`. None if it has no uses. */
static PyObject *row_as(const ReferenceTable *self, const TupleType *type, size_t number) {
    const Row *row = &self->table.rows[number];
    const ClassNames *names = &self->names[row->class];
    if (row->count == 0) {
        return new_reference(Py_None);
    }
    PyObject *text = text_of(text_of_row(row));
    bool is_odd = is_odd_row(row);
    PyObject *items[] = {
        text,
        text == NULL || is_odd ? new_reference(Py_None) : row_target(self, row, text),
        PyBool_FromLong(row->flags & ROW_OF_DOCUMENT),
        new_reference(names->element),
        new_reference(names->attribute),
        new_reference(names->kind),
        new_reference(names->rel),
        PyLong_FromSize_t(number),
        PyLong_FromUnsignedLong(row->count),
        PyLong_FromUnsignedLong(self->table.classes[row->class].place),
    };
    return named_tuple(type, items, sizeof items / sizeof *items);
}

/* rows(Row, numbers): these rows, or all of them if it is None; None for those without uses. */
static PyObject *table_rows(ReferenceTable *self, PyObject *args) {
    PyObject *argument, *numbers;
    TupleType type;
    if (!PyArg_ParseTuple(args, "OO", &argument, &numbers) || !take_tuple_type(argument, &type)) {
        return NULL;
    }
    Py_ssize_t count = numbers == Py_None ? (Py_ssize_t)self->table.row_count : PyList_Size(numbers);
    PyObject *rows = count < 0 ? NULL : PyList_New(0);
    for (Py_ssize_t at = 0; rows != NULL && at < count; at++) {
        size_t number = numbers == Py_None ? (size_t)at : PyLong_AsSize_t(PyList_GetItem(numbers, at));
        if (!PyErr_Occurred() && number >= self->table.row_count) {
            PyErr_SetString(PyExc_IndexError, "there is no such row");
        }
        if (PyErr_Occurred() || !append(rows, row_as(self, &type, number))) {
            Py_DECREF(rows);
            return NULL;
        }
    }
    return rows;
}

/* The numbers of the rows that have uses, and whose target Python computes. */
static PyObject *table_odd_rows(ReferenceTable *self, void *ignored) {
    (void)ignored;
    PyObject *numbers = PyList_New(0);
    for (size_t at = 0; numbers != NULL && at < self->table.row_count; at++) {
        const Row *row = &self->table.rows[at];
        if (row->form == REFERENCE_ODD && row->count > 0 && !append(numbers, PyLong_FromSize_t(at))) {
            Py_DECREF(numbers);
            return NULL;
        }
    }
    return numbers;
}

static PyObject *numbers_of(const Places *places) {
    PyObject *numbers = PyList_New(0);
    for (size_t at = 0; numbers != NULL && at < places->count; at++) {
        if (!append(numbers, PyLong_FromUnsignedLong(places->items[at]))) {
            Py_DECREF(numbers);
            return NULL;
        }
    }
    return numbers;
}

static PyObject *table_odd_places(ReferenceTable *self, void *ignored) {
    (void)ignored;
    return numbers_of(&self->table.odd);
}

static PyObject *table_unread_places(ReferenceTable *self, void *ignored) {
    (void)ignored;
    return numbers_of(&self->table.unread);
}

static Py_ssize_t table_length(PyObject *self) {
    return (Py_ssize_t)((ReferenceTable *)self)->table.use_count;
}

static PyMethodDef METHODS[] = {
    {"rows", (PyCFunction)table_rows, METH_VARARGS, "rows(Row, numbers): these rows, or all; None for those without uses"},
    {"links", (PyCFunction)table_links, METH_VARARGS,
     "links(Link, shared, others, (known, find, by_faults), counting, cursor, most): so many links, (index, place) of odd "
     "places among them, and the cursor for the next; None if there are no more. `others`: target, same_document and problems "
     "of odd rows, by number. `find`: the problems of another text; `known`: what it returned, by faults, if these decide it. "
     "`counting`: (begin, lines, utf8, form), as `Counting` in `reference_table.py`; `cursor`: None for the first links"},
    {"link_texts", (PyCFunction)table_link_texts, METH_VARARGS,
     "link_texts(before, base, behind, odd, counting, take): all links as JSON, and how many; `odd` gives "
     "those of a place, by its number, and `take` gets the text piece by piece, except for the last one"},
    {"decide", (PyCFunction)table_decide, METH_VARARGS,
     "decide(function, of_class, fragments, metadata, valid): writes new beginnings of rows; the numbers of those that Python must decide "
     "about. `function`: of a beginning, an element, an attribute, a kind, a rel and an as: a new beginning (None: it stays), those of "
     "the rest about which Python must decide, whether about one with a %, and the extension of one; or None: about all. "
     "`of_class`: whether more than the beginning matters to it; `valid`: Python decides about characters of no URI"},
    {"write", (PyCFunction)table_write, METH_VARARGS,
     "write(numbers, news, by_use): the outcomes of these rows, or uses: a text; None, it stays; False, Python must read its "
     "places"},
    {"fit", (PyCFunction)table_fit, METH_NOARGS,
     "fit(): how many references change, and for each place that does not take a new text as it is: its number, and the "
     "first and the last of its uses, which the table has no more"},
    {"cut", (PyCFunction)table_cut, METH_O, "cut(position): where nothing is replaced, from the position on"},
    {"splices", (PyCFunction)table_splices, METH_NOARGS, "splices(): what is replaced: from, to, by what"},
    {"spliced", (PyCFunction)table_spliced, METH_VARARGS,
     "spliced(start, end): the source from `start` to `end`, changed; no change may be cut there"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef GETTERS[] = {
    {"odd_rows", (getter)table_odd_rows, NULL, "the numbers of rows whose target Python computes", NULL},
    {"odd_places", (getter)table_odd_places, NULL, "the numbers of places that Python reads", NULL},
    {"unread_places", (getter)table_unread_places, NULL, "the numbers of places with metadata that are not wanted", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot SLOTS[] = {
    {Py_tp_doc, "The references of a source (made by `Scan.table`); its length is the number of them"},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, METHODS},
    {Py_tp_getset, GETTERS},
    {Py_sq_length, table_length},
    {0, NULL},
};

static PyType_Spec SPEC = {
    .name = "rehref._native._twin.Table",
    .basicsize = sizeof(ReferenceTable),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = SLOTS,
};

PyObject *make_table_type(PyObject *module) {
    return PyType_FromModuleAndSpec(module, &SPEC, NULL);
}
