/* The links of a table. Those of odd places are made by Python, which gets their numbers.

   1. Links take much more memory than what they are made from, so those of a large source are made in batches. The
      cursor, where the batch before has ended, is passed from one to the next.
   2. The problems of a row whose target is known follow from its `Faults` (`problems_of_known` in
      `rehref.documents.problems`): Python finds them once for all that have the same. If it is not known that they do,
      they follow from its text. */

#include "tables.h"

typedef struct {
    TupleType type;
    PyObject *base, *part, *page, *date, *nothing;
    PyObject *others;   /* target, same_document, problems and base of odd rows, by number */
    PyObject *problems; /* those that are known, by the bytes of `Faults` or by a text */
    PyObject *find;     /* returns the problems of a text */
    bool by_faults;     /* whether they follow from these (rule 2) */
    Counting counting;
} LinkShape;

enum { LINK_FIELDS = 17 };

/* What is known of the target of a row: new references. */
typedef struct {
    PyObject *target, *same_document, *problems, *base;
} Target;

enum { IN_PATH, IN_QUERY, IN_FRAGMENT, COMPONENTS };

/* Of each component: its first character that no URI has, where that is in the reference, and how many there are. */
typedef struct {
    uint32_t first[COMPONENTS], count[COMPONENTS];
    unsigned char byte[COMPONENTS];
    unsigned char climbs; /* the length of the dots in front, if they climb above the root */
} Faults;

/* Finds the faults of a row; false if its problems follow from more: from characters outside ASCII. */
static bool take_faults(const Bases *bases, const Row *row, Faults *faults) {
    View text = text_of_row(row);
    unsigned component = IN_PATH;
    uint32_t characters = 0;
    memset(faults, 0, sizeof *faults);
    faults->climbs = row->form == REFERENCE_PATH && row->prefix == PREFIX_ROOT ? row->skip : 0;
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = text.data[at];
        if (byte == '#') {
            component = IN_FRAGMENT;
        } else if (byte == '?' && component == IN_PATH) {
            component = IN_QUERY;
        } else if (is_of_no_uri(byte) && faults->count[component]++ == 0) {
            faults->first[component] = characters;
            faults->byte[component] = byte;
        } else if (byte >= 0xEF || (byte == 0xC2 && byte_at(text, at + 1) < 0xA0)) {
            return false; /* these may be of no IRI */
        }
        characters += (byte & 0xC0) != 0x80;
    }
    return bases->fine_iris || !(row->flags & ROW_BEYOND);
}

/* The problems of a row whose target is known (rule 2): a new reference. */
static PyObject *row_problems(const ReferenceTable *self, const LinkShape *shape, const Row *row, PyObject *text) {
    Faults faults;
    if (!(row->flags & ROW_FAULTY)) {
        return new_reference(shape->nothing);
    }
    PyObject *key = shape->by_faults && take_faults(&self->bases, row, &faults)
                        ? PyBytes_FromStringAndSize((const char *)&faults, sizeof faults)
                        : new_reference(text);
    PyObject *known = key == NULL ? NULL : PyDict_GetItemWithError(shape->problems, key), *found = NULL;
    if (known != NULL) {
        found = new_reference(known);
    } else if (!PyErr_Occurred()) {
        found = PyObject_CallFunctionObjArgs(shape->find, text, NULL);
        if (found != NULL && PyDict_SetItem(shape->problems, key, found) != 0) {
            Py_CLEAR(found);
        }
    }
    Py_XDECREF(key);
    return found;
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
        found->base = new_reference(shape->base);
        return found->target != NULL && found->problems != NULL;
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

/* A link: the fields of `rehref.documents.link.Link`, in their order. */
static PyObject *make_link(const ReferenceTable *self, const LinkShape *shape, const Use *use, Cursor *cursor) {
    const ClassNames *names = &self->names[self->table.rows[use->row].class];
    PyObject *span = make_span(self->scan->view, use, cursor, shape->counting.form);
    PyObject *reference = text_of(text_of_row(&self->table.rows[use->row]));
    Target found = {NULL, NULL, NULL, NULL};
    bool done = take_target(self, shape, use->row, reference, &found);
    PyObject *items[LINK_FIELDS] = {
        reference,
        found.target,
        found.base,
        new_reference(names->element),
        new_reference(names->attribute),
        new_reference(names->kind),
        PyLong_FromUnsignedLong(cursor->line),
        PyLong_FromUnsignedLong(cursor->column),
        span,
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

/* Where a batch begins, and the next one: the next use, and the next odd place. */
typedef struct {
    Cursor at;
    size_t use, odd;
} Place;

/* Adds the link of the next use. */
static bool add_link(const ReferenceTable *self, const LinkShape *shape, Place *next, PyObject *links) {
    const Use *use = &self->table.uses[next->use++];
    cursor_move(shape->counting.lines, &next->at, use->start, shape->counting.utf8);
    return append(links, make_link(self, shape, use, &next->at));
}

/* Adds the next links, and odd places between them, `most` in all; false with an error. */
static bool add_links(const ReferenceTable *self, const LinkShape *shape, Place *next, Py_ssize_t most, PyObject *links,
                       PyObject *odd) {
    const Table *table = &self->table;
    bool done = true;
    while (done && PyList_Size(links) + PyList_Size(odd) < most) {
        bool has_use = next->use < table->use_count;
        if (next->odd < table->odd.count && !(has_use && table->uses[next->use].place < table->odd.items[next->odd])) {
            done = append(odd, Py_BuildValue("(nI)", PyList_Size(links), table->odd.items[next->odd++]));
        } else if (has_use) {
            done = add_link(self, shape, next, links);
        } else {
            break;
        }
    }
    return done;
}

/* False, with an error, if the tuple is not a place as `table_links` returns it. */
static bool take_place(PyObject *tuple, Place *place) {
    Py_ssize_t position, read, given, use, odd;
    int has_cr;
    if (!is_tuple(tuple) || !PyArg_ParseTuple(tuple, "nIIinnnn", &position, &place->at.line, &place->at.column, &has_cr,
                                              &read, &given, &use, &odd)) {
        return false;
    }
    if (use < 0 || odd < 0) {
        PyErr_SetString(PyExc_ValueError, "the next link must be in the table");
        return false;
    }
    place->at.position = (size_t)position;
    place->at.has_cr = has_cr != 0;
    place->at.read = (size_t)read;
    place->at.given = (size_t)given;
    place->use = (size_t)use;
    place->odd = (size_t)odd;
    return true;
}

PyObject *table_links(ReferenceTable *self, PyObject *args) {
    PyObject *type, *counting, *cursor;
    int by_faults;
    Py_ssize_t most;
    LinkShape shape = {0};
    if (!PyArg_ParseTuple(args, "O(OOOO)O!(O!Op)OOn", &type, &shape.base, &shape.part, &shape.page, &shape.date,
                          &PyDict_Type, &shape.others, &PyDict_Type, &shape.problems, &shape.find, &by_faults, &counting,
                          &cursor, &most) ||
        !take_tuple_type(type, &shape.type) || !take_counting(self, counting, &shape.counting)) {
        return NULL;
    }
    shape.by_faults = by_faults;
    Place next = {{0}, 0, 0};
    if (cursor == Py_None) {
        next.at = cursor_at(shape.counting.lines, shape.counting.begin);
    } else if (!take_place(cursor, &next)) {
        return NULL;
    }
    PyObject *links = PyList_New(0), *odd = PyList_New(0);
    shape.nothing = PyTuple_New(0);
    bool done = links != NULL && odd != NULL && shape.nothing != NULL &&
                add_links(self, &shape, &next, most, links, odd);
    Py_XDECREF(shape.nothing);
    if (!done) {
        Py_XDECREF(links);
        Py_XDECREF(odd);
        return NULL;
    }
    if (next.use >= self->table.use_count && next.odd >= self->table.odd.count) {
        return Py_BuildValue("(NNO)", links, odd, Py_None);
    }
    return Py_BuildValue("(NN(nIIinnnn))", links, odd, (Py_ssize_t)next.at.position, next.at.line, next.at.column,
                         (int)next.at.has_cr, (Py_ssize_t)next.at.read, (Py_ssize_t)next.at.given, (Py_ssize_t)next.use,
                         (Py_ssize_t)next.odd);
}
