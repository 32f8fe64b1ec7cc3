/* The links of a source. Ordinary ones are made here; of every other place Python gets the number.

   Links take much more memory than what they are made from, so those of a large source are made in batches: from one
   place on, at most so many places. The cursor, where the batch before has ended, is passed from one to the next. */

#include "positions.h"
#include "scans.h"

#include <stdlib.h>

typedef struct {
    TupleType type;
    PyObject *base, *part, *page, *date, *nothing;
    bool utf8;
    char *target; /* room for one */
    size_t room;
} LinkShape;

enum { LINK_FIELDS = 17 };

/* The target of a reference: a prefix, and the rest. */
static PyObject *target_of(LinkShape *shape, const Bases *bases, const FoundReference *found, PyObject *reference) {
    if (found->resolved.prefix == NO_PREFIX) {
        return reference == NULL ? NULL : new_reference(reference);
    }
    View prefix = bases->prefixes[found->resolved.prefix];
    size_t skip = found->resolved.skip, rest = found->text.length - skip;
    if (prefix.length > shape->room || rest > shape->room - prefix.length) {
        size_t room = prefix.length + rest; /* both are lengths of objects in memory */
        char *target = realloc(shape->target, room);
        if (target == NULL) {
            return PyErr_NoMemory();
        }
        shape->target = target;
        shape->room = room;
    }
    if (prefix.length > 0) {
        memcpy(shape->target, prefix.data, prefix.length);
    }
    if (rest > 0) {
        memcpy(shape->target + prefix.length, found->text.data + skip, rest);
    }
    return text_of((View){(const unsigned char *)shape->target, prefix.length + rest});
}

/* An ordinary link: the fields of `rehref.documents.link.Link`, in their order. */
static PyObject *make_link(const Scan *self, LinkShape *shape, const How *how, const Record *record, PyObject *element,
                           const Record *rel, const FoundReference *found, const Cursor *cursor) {
    PyObject *span = Py_BuildValue("(nn)", (Py_ssize_t)found->start, (Py_ssize_t)found->end);
    PyObject *reference = text_of(found->text);
    PyObject *kind = PyTuple_GetItem(how->kind_names, (Py_ssize_t)found->kind);
    PyObject *items[LINK_FIELDS] = {
        reference,
        target_of(shape, &how->bases, found, reference),
        new_reference(shape->base),
        new_reference(element),
        attribute_name(self, record),
        kind == NULL ? NULL : new_reference(kind),
        PyLong_FromUnsignedLong(cursor->line),
        PyLong_FromUnsignedLong(cursor->column),
        span,
        PyBool_FromLong(found->resolved.same_document),
        new_reference(shape->nothing),
        new_reference(shape->part),
        new_reference(Py_None),
        new_reference(shape->page),
        new_reference(shape->date),
        rel == NULL ? new_reference(Py_None) : text_of(part_of(self->view, rel->start, rel->end)),
        new_reference(Py_None),
    };
    if (span != NULL) {
        PyObject_GC_UnTrack(span);
    }
    /* A link contains texts, numbers, and a base made of such: it is never in a reference cycle, and there are many. */
    return named_tuple(&shape->type, items, LINK_FIELDS);
}

static bool append_odd(PyObject *links, PyObject *odd, size_t number) {
    return append(odd, Py_BuildValue("(nn)", PyList_Size(links), (Py_ssize_t)number));
}

/* Adds the links of one place; or their index and the place's number to the odd ones. */
static bool add_links(Scan *self, How *how, LinkShape *shape, size_t number, Cursor *cursor, PyObject *links,
                      PyObject *odd) {
    const Record *record = &self->found.records.items[number];
    PlaceStatus status = references_in(self, how, number);
    if (status != PLACE_DONE || how->found.count == 0) {
        return status == PLACE_DONE || (status == PLACE_ODD && append_odd(links, odd, number));
    }
    int how_odd = 0;
    const Record *rel = rel_beside(self, number);
    PyObject *element = element_name(self, record, &how_odd);
    bool done = element != NULL;
    if (done && ((how_odd & ODD_NAME) || (rel != NULL && (rel->flags & RECORD_ODD)))) {
        done = append_odd(links, odd, number);
    } else {
        for (size_t at = 0; done && at < how->found.count; at++) {
            const FoundReference *found = &how->found.items[at];
            cursor_move(self->view, cursor, found->start, shape->utf8);
            done = append(links, make_link(self, shape, how, record, element, rel, found, cursor));
        }
    }
    Py_XDECREF(element);
    return done;
}

enum { NOT_KNOWN = -1 /* whether there is a CR */ };

PyObject *scan_links(Scan *self, PyObject *args) {
    PyObject *tuple, *type;
    int utf8, has_cr;
    Py_ssize_t begin, first, most;
    unsigned line, column;
    LinkShape shape = {0};
    if (!PyArg_ParseTuple(args, "OOOOOOp(nIIi)nn", &tuple, &type, &shape.base, &shape.part, &shape.page, &shape.date,
                          &utf8, &begin, &line, &column, &has_cr, &first, &most)) {
        return NULL;
    }
    How how;
    shape.utf8 = utf8;
    if (!take_tuple_type(type, &shape.type)) {
        return NULL;
    }
    if (begin < 0 || (size_t)begin > self->view.length) {
        PyErr_SetString(PyExc_ValueError, "the first character must be in the source");
        return NULL;
    }
    size_t count = self->found.records.count;
    if (first < 0 || most < 0 || (size_t)first > count) {
        PyErr_SetString(PyExc_ValueError, "there are not so many places");
        return NULL;
    }
    size_t end = count - (size_t)first < (size_t)most ? count : (size_t)(first + most);
    shape.nothing = PyTuple_New(0);
    Cursor cursor = has_cr == NOT_KNOWN ? cursor_at(self->view, (size_t)begin)
                                        : (Cursor){(size_t)begin, line, column, has_cr != 0};
    PyObject *links = PyList_New(0), *odd = PyList_New(0);
    bool done = links != NULL && odd != NULL && shape.nothing != NULL;
    done = take_how(self, tuple, &how) && done;
    for (size_t at = (size_t)first; done && at < end; at++) {
        done = add_links(self, &how, &shape, at, &cursor, links, odd);
    }
    how_free(&how);
    free(shape.target);
    Py_XDECREF(shape.nothing);
    if (!done) {
        Py_XDECREF(links);
        Py_XDECREF(odd);
        return NULL;
    }
    return Py_BuildValue("(NN(nIIi))", links, odd, (Py_ssize_t)cursor.position, cursor.line, cursor.column,
                         (int)cursor.has_cr);
}
