/* The type of tables of references: `scan.table(how, utf8)` makes one (`table_places.c`). It has Python's views of it
   (`table_rows.c`, `links.c`, `links_as_json.c`), and the source with other texts (`tables_writing.c`). */

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
    for (size_t at = 0; at < self->base_count; at++) {
        Py_XDECREF(self->bases[at].values);
    }
    free(self->bases);
    free(self->base_numbers);
    free(self->news);
    free(self->changes);
    table_free(&self->table);
    Py_XDECREF(self->texts);
    Py_XDECREF(self->of_python);
    Py_XDECREF(self->value_numbers);
    Py_XDECREF(self->kinds);
    Py_XDECREF(self->how);
    Py_XDECREF((PyObject *)self->scan);
    release(object);
    Py_DECREF(type);
}

static Py_ssize_t table_length(PyObject *self) {
    return (Py_ssize_t)((ReferenceTable *)self)->table.use_count;
}

static PyMethodDef METHODS[] = {
    {"rows", (PyCFunction)table_rows, METH_VARARGS, "rows(Row, numbers): these rows, or all; None for those without uses"},
    {"take", (PyCFunction)table_take, METH_VARARGS, "take(classes, rows, uses): what Python has read of the odd places"},
    {"uses", (PyCFunction)table_uses, METH_O, "uses(rows): those of these rows (None: all): number of the answer, row, place, which of the place, from, to"},
    {"texts", (PyCFunction)table_texts, METH_VARARGS, "texts(folders, names, whole): the texts that are whole values, and all other places"},
    {"links", (PyCFunction)table_links, METH_VARARGS,
     "links(shape, counting, cursor, most): so many links, and the cursor for the next; None if there are no more"},
    {"row_links", (PyCFunction)table_row_links, METH_VARARGS, "row_links(shape, counting, numbers): the links of rows, without positions"},
    {"json", (PyCFunction)table_json, METH_VARARGS,
     "json(before, base, behind, odd, shape, counting, take): all links as JSON, and how many; `odd` returns the text of links"},
    {"decide", (PyCFunction)table_decide, METH_VARARGS,
     "decide(function, of_class, fragments, metadata, codebases, valid, only_relative): writes new beginnings of rows; the numbers of those that Python must decide "
     "about. `function`: of a beginning, an element, an attribute, a kind, a rel and an as: a new beginning (None: it stays), those of "
     "the rest about which Python must decide, whether about one with a %, and the extension of one; or None: about all. "
     "`of_class`: whether more than the beginning matters to it; `valid`: Python decides about characters of no URI; "
     "`only_relative`: what does not depend on the base stays"},
    {"write", (PyCFunction)table_write, METH_VARARGS,
     "write(numbers, news): the answers of rows and uses (numbered behind rows; None: all of them): a text; None, it stays; False, it "
     "goes with its attribute; True, that of each use counts"},
    {"answers", (PyCFunction)table_answers, METH_O, "answers(numbers): those with these numbers, as they were given"},
    {"fit", (PyCFunction)table_fit, METH_NOARGS,
     "fit(): how many references change, and the places that Python must write: number, and the answers of its references"},
    {"cut", (PyCFunction)table_cut, METH_O, "cut(position): where nothing is replaced, from the position on"},
    {"splices", (PyCFunction)table_splices, METH_NOARGS, "splices(): what is replaced: from, to, by what"},
    {"spliced", (PyCFunction)table_spliced, METH_VARARGS,
     "spliced(start, end): the source from `start` to `end`, changed; no change may be cut there"},
    {NULL, NULL, 0, NULL},
};

static PyObject *table_size(ReferenceTable *self, void *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(self->table.row_count);
}

static PyGetSetDef GETTERS[] = {
    {"size", (getter)table_size, NULL, "the number of rows", NULL},
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
