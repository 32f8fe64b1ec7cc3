/* The links of a table. Those of odd places are made by Python, which gets their numbers.

   - Links take much more memory than what they are made from, so those of a large source are made in batches. The
     cursor, where the batch before has ended, is passed from one to the next.
   - The problems of a row whose target is known follow from its `Faults` (`problems_of_known` in
     `rehref.documents._problems`): Python finds them once for all that have the same. If it is not known that they do,
     they follow from its text. */

#include "tables.h"

enum { LINK_FIELDS = 17 };

/* What is known of the target of a row: new references. */
typedef struct {
    PyObject *target, *same_document, *problems, *base;
} Target;

enum { IN_PATH, IN_QUERY, IN_FRAGMENT, COMPONENTS };

/* Of each component: its first character that no URI has, where that is in the reference, and how many there are; the same of
   "%" without digits. */
typedef struct {
    uint32_t first[COMPONENTS], count[COMPONENTS];
    uint32_t first_stray[COMPONENTS], strays[COMPONENTS];
    uint32_t base; /* its number, */
    unsigned char climbs; /* and the length of the dots in front, if they climb above its root */
    unsigned char byte[COMPONENTS];
} Faults;

/* Finds the faults of a row; false if its problems follow from more: from characters outside ASCII. */
static bool take_faults(const Bases *bases, const Row *row, Faults *faults) {
    View text = text_of_row(row);
    unsigned component = IN_PATH;
    uint32_t characters = 0;
    memset(faults, 0, sizeof *faults);
    faults->climbs = row->form == REFERENCE_PATH && row->prefix == PREFIX_ROOT ? row->skip : 0;
    faults->base = faults->climbs ? row->base : 0;
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = text.data[at];
        if (byte == '#') {
            component = IN_FRAGMENT;
        } else if (byte == '?' && component == IN_PATH) {
            component = IN_QUERY;
        } else if (is_of_no_uri(byte) && faults->count[component]++ == 0) {
            faults->first[component] = characters;
            faults->byte[component] = byte;
        } else if (is_stray(text, at) && faults->strays[component]++ == 0) {
            faults->first_stray[component] = characters;
        } else if (byte >= 0xEF || (byte == 0xC2 && byte_at(text, at + 1) < 0xA0)) {
            return false; /* these may be of no IRI */
        }
        characters += (byte & 0xC0) != 0x80;
    }
    return bases->fine_iris || !(row->flags & ROW_BEYOND);
}

/* The problems with a key, which Python finds once, for one or two (not NULL) arguments: a new reference. */
static PyObject *known_problems(const LinkShape *shape, PyObject *key, PyObject *find, PyObject *one, PyObject *other) {
    PyObject *known = PyDict_GetItemWithError(shape->problems, key), *found = NULL;
    if (known != NULL) {
        return new_reference(known);
    }
    if (!PyErr_Occurred()) {
        found = PyObject_CallFunctionObjArgs(find, one, other, NULL);
    }
    if (found != NULL && PyDict_SetItem(shape->problems, key, found) != 0) {
        Py_CLEAR(found);
    }
    return found;
}

/* The problems of a row for which browsers go elsewhere: a new reference. */
static PyObject *unseen_problems(const ReferenceTable *self, const LinkShape *shape, const Row *row, PyObject *text) {
    Resolved seen;
    resolve(&self->seen, text_of_row(row), &seen);
    PyObject *target = made_target(&self->seen, seen.prefix, seen.skip, text_of_row(row), text);
    PyObject *found = target == NULL ? NULL : known_problems(shape, target, shape->differ, target, NULL);
    Py_XDECREF(target);
    return found;
}

/* The problems of a row whose target is known: a new reference. */
static PyObject *row_problems(const ReferenceTable *self, const LinkShape *shape, const Row *row, PyObject *text) {
    Faults faults;
    if (!(row->flags & ROW_FAULTY)) {
        return new_reference(shape->nothing);
    }
    if (self->bases[row->base].is_unseen) {
        return unseen_problems(self, shape, row, text);
    }
    PyObject *name = base_name(self, row);
    PyObject *key = name == NULL                   ? NULL
                    : row->flags & ROW_NOWHERE     ? new_reference(Py_None)
                    : shape->by_faults && take_faults(bases_of(self, row), row, &faults)
                        ? PyBytes_FromStringAndSize((const char *)&faults, sizeof faults)
                        : PyTuple_Pack(2, text, name);
    PyObject *found = key == NULL ? NULL : known_problems(shape, key, shape->find, text, name);
    Py_XDECREF(key);
    Py_XDECREF(name);
    return found;
}

/* Element, line and column of the tag that names the base of a row; None unless it is also that of the last link: a new
   reference. */
static PyObject *tag_of_base(const ReferenceTable *self, const LinkShape *shape, const Row *row) {
    const PartBase *base = &self->bases[row->base];
    uint32_t column = 0;
    if (base->is_unseen && shape->at != NULL && shape->counting.lines.data == self->scan->view.data) {
        size_t tag = self->scan->found.records.items[base->place].tag;
        column = column_before(shape->counting.lines, shape->at, tag, shape->counting.utf8);
    }
    return column == 0 ? new_reference(Py_None)
                       : Py_BuildValue("(OII)", self->names[row->class].element, shape->at->line, column);
}

PyObject *base_of_part(const ReferenceTable *self, const LinkShape *shape, const Row *row) {
    PyObject *number = PyLong_FromUnsignedLong(row->base), *made = NULL;
    PyObject *known = number == NULL ? NULL : PyDict_GetItemWithError(shape->bases, number);
    if (known == NULL && !PyErr_Occurred()) {
        const Bases *bases = bases_of(self, row);
        View uri = bases->has_root ? bases->prefixes[PREFIX_DOCUMENT] : (View){NULL, 0};
        made = PyObject_CallFunction(shape->base_in, "Ns#N", base_name(self, row), (const char *)uri.data,
                                     (Py_ssize_t)uri.length, tag_of_base(self, shape, row));
        known = made != NULL && PyDict_SetItem(shape->bases, number, made) == 0 ? made : NULL;
    }
    Py_XDECREF(number);
    Py_XDECREF(made); /* the dict owns it */
    return known;
}

static bool take_target(const ReferenceTable *self, const LinkShape *shape, size_t number, PyObject *text,
                        Target *found) {
    const Row *row = &self->table.rows[number];
    if (text == NULL) {
        return false;
    }
    if (row->form != REFERENCE_ODD) {
        found->target = row_target(self, row, text);
        found->same_document = PyBool_FromLong(row->flags & ROW_OF_DOCUMENT);
        found->problems = row_problems(self, shape, row, text);
        found->base = base_of_row(self, shape, row);
        Py_XINCREF(found->base);
        return found->target != NULL && found->problems != NULL && found->base != NULL;
    }
    PyObject *key = PyLong_FromSize_t(number), *known = key == NULL ? NULL : PyDict_GetItemWithError(shape->others, key);
    Py_XDECREF(key);
    if (known == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_KeyError, "the target of an odd row");
    }
    if (known == NULL || !is_tuple(known) ||
        !PyArg_ParseTuple(known, "OOOO", &found->target, &found->same_document, &found->problems, &found->base)) {
        *found = (Target){NULL, NULL, NULL, NULL};
        return false;
    }
    Py_INCREF(found->target);
    Py_INCREF(found->same_document);
    Py_INCREF(found->problems);
    Py_INCREF(found->base);
    return true;
}

static PyObject *make_span(View source, const Use *use, Cursor *cursor, GivenForm form) {
    PyObject *start = PyLong_FromSize_t(given_offset(source, cursor, use->start, form));
    PyObject *end = PyLong_FromSize_t(given_offset(source, cursor, use->end, form));
    PyObject *span = start == NULL || end == NULL ? NULL : PyTuple_New(2);
    if (span == NULL) {
        Py_XDECREF(start);
        Py_XDECREF(end);
        return NULL;
    }
    PyTuple_SetItem(span, 0, start);
    PyTuple_SetItem(span, 1, end);
    PyObject_GC_UnTrack(span);
    return span;
}

/* Line, column and span of a reference that Python has read: new references; false with an error. */
static bool take_where(const LinkShape *shape, const Use *use, PyObject **where) {
    PyObject *found = PyObject_CallFunction(shape->where, "III", use->place, use->start, use->end);
    bool done = is_tuple(found) && PyArg_ParseTuple(found, "OOO", &where[0], &where[1], &where[2]);
    for (int at = 0; done && at < 3; at++) {
        Py_INCREF(where[at]);
    }
    Py_XDECREF(found);
    return done;
}

/* The link of a row: the fields of `rehref.documents.link.Link`, in their order. `where`: line, column and span (new
   references, which it takes over). */
static PyObject *link_of_row(const ReferenceTable *self, const LinkShape *shape, size_t number, PyObject **where) {
    const ClassNames *names = &self->names[self->table.rows[number].class];
    PyObject *reference = row_text(self, number);
    Target found = {NULL, NULL, NULL, NULL};
    bool done = take_target(self, shape, number, reference, &found);
    PyObject *items[LINK_FIELDS] = {
        reference,
        found.target,
        found.base,
        new_reference(names->element),
        new_reference(names->attribute),
        new_reference(names->kind),
        where[0],
        where[1],
        where[2],
        found.same_document,
        found.problems,
        new_reference(shape->part),
        new_reference(Py_None),
        new_reference(shape->page),
        new_reference(shape->date),
        new_reference(names->rel),
        new_reference(Py_None),
    };
    /* A link contains texts, numbers, and a base made of such: it is never in a reference cycle, and there are many. */
    PyObject *link = named_tuple(&shape->type, items, LINK_FIELDS);
    (void)done; /* else an item is NULL, and so is the link */
    return link;
}

PyObject *make_link(const ReferenceTable *self, const LinkShape *shape, const Use *use, Cursor *cursor) {
    PyObject *where[3] = {NULL, NULL, NULL};
    if (self->table.classes[self->table.rows[use->row].class].flags & CLASS_OF_PYTHON) {
        if (!take_where(shape, use, where)) {
            return NULL;
        }
    } else {
        cursor_move(shape->counting.lines, cursor, use->start, shape->counting.utf8);
        where[0] = PyLong_FromUnsignedLong(cursor->line);
        where[1] = PyLong_FromUnsignedLong(cursor->column);
        where[2] = make_span(self->scan->view, use, cursor, shape->counting.form);
    }
    return link_of_row(self, shape, use->row, where);
}

/* row_links(shape, counting, numbers): the links of rows, without positions. */
PyObject *table_row_links(ReferenceTable *self, PyObject *args) {
    PyObject *tuple, *counting, *numbers;
    LinkShape shape;
    if (!PyArg_ParseTuple(args, "OOO!", &tuple, &counting, &PyList_Type, &numbers) ||
        !take_shape(self, tuple, counting, &shape)) {
        return NULL;
    }
    PyObject *links = PyList_New(0);
    for (Py_ssize_t at = 0; links != NULL && at < PyList_Size(numbers); at++) {
        size_t number = PyLong_AsSize_t(PyList_GetItem(numbers, at));
        PyObject *where[3] = {new_reference(Py_None), new_reference(Py_None), new_reference(Py_None)};
        if (!is_row(self, number) || !append(links, link_of_row(self, &shape, number, where))) {
            Py_CLEAR(links);
        }
    }
    return links;
}

bool take_shape(const ReferenceTable *self, PyObject *tuple, PyObject *counting, LinkShape *shape) {
    PyObject *type;
    int by_faults;
    *shape = (LinkShape){0};
    if (!is_tuple(tuple) ||
        !PyArg_ParseTuple(tuple, "O(OOOO)(O!O)O!(O!OOp)OO!", &type, &shape->base, &shape->part, &shape->page,
                          &shape->date, &PyDict_Type, &shape->bases, &shape->base_in, &PyDict_Type, &shape->others, &PyDict_Type, &shape->problems, &shape->find, &shape->differ, &by_faults,
                          &shape->where, &PyTuple_Type, &shape->nothing) ||
        !take_tuple_type(type, &shape->type) || !take_counting(self, counting, &shape->counting)) {
        return false;
    }
    shape->by_faults = by_faults;
    return true;
}

/* Where a batch begins, and the next one: the next use. */
static bool take_next(PyObject *tuple, Cursor *at, size_t *use) {
    Py_ssize_t position, read, given, next;
    int has_cr;
    if (!is_tuple(tuple) ||
        !PyArg_ParseTuple(tuple, "nIIinnn", &position, &at->line, &at->column, &has_cr, &read, &given, &next)) {
        return false;
    }
    if (next < 0) {
        PyErr_SetString(PyExc_ValueError, "the next link must be in the table");
        return false;
    }
    *at = (Cursor){(size_t)position, at->line, at->column, has_cr != 0, (size_t)read, (size_t)given};
    *use = (size_t)next;
    return true;
}

PyObject *table_links(ReferenceTable *self, PyObject *args) {
    PyObject *tuple, *counting, *cursor;
    Py_ssize_t most;
    LinkShape shape;
    if (!PyArg_ParseTuple(args, "OOOn", &tuple, &counting, &cursor, &most) || !take_shape(self, tuple, counting, &shape)) {
        return NULL;
    }
    size_t use = 0;
    Cursor at = cursor_at(shape.counting.lines, shape.counting.begin);
    shape.at = &at;
    if (cursor != Py_None && !take_next(cursor, &at, &use)) {
        return NULL;
    }
    PyObject *links = PyList_New(0);
    while (links != NULL && PyList_Size(links) < most && use < self->table.use_count) {
        if (!append(links, make_link(self, &shape, &self->table.uses[use++], &at))) {
            Py_CLEAR(links);
        }
    }
    if (links == NULL) {
        return NULL;
    }
    if (use >= self->table.use_count) {
        return Py_BuildValue("(NO)", links, Py_None);
    }
    return Py_BuildValue("(N(nIIinnn))", links, (Py_ssize_t)at.position, at.line, at.column, (int)at.has_cr,
                         (Py_ssize_t)at.read, (Py_ssize_t)at.given, (Py_ssize_t)use);
}
