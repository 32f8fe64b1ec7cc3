/* Scans as Python sees them: the places of one source, its ordinary links, and the source with references changed.

   1. `Scan(data, plan, multibyte)` scans a source, and is truth where that could tell all (`done`).
   2. A place comes as `rehref.parsers.contract` has it; what is odd about it is named, for Python to read.
   3. `links` and `absolute` do what is ordinary, and give the numbers of the places that Python is to do.
   4. Memory that is short is a MemoryError. */

#include "binding.h"
#include "positions.h"
#include "reference.h"
#include "scan.h"

#include <stdlib.h>

typedef struct {
    PyObject_HEAD
    PyObject *source;  /* bytes */
    PyObject *capsule; /* of the plan */
    const BoundPlan *bound;
    View view;
    Found found;
    ScanStatus status;
} Scan;

/* ---- places ---- */

/* The name of an element that is in no table, in lower case; NULL without an error where it is not ASCII. */
static PyObject *unknown_name(View view, size_t start) {
    char name[256];
    size_t end = tag_name_end(view, start), length = end - start;
    if (length > sizeof name) {
        return NULL;
    }
    for (size_t at = 0; at < length; at++) {
        unsigned char byte = lower_byte(view.data[start + at]);
        if (byte == 0 || byte >= 0x80) {
            return NULL;
        }
        name[at] = (char)byte;
    }
    return PyUnicode_FromStringAndSize(name, (Py_ssize_t)length);
}

static PyObject *element_name(const Scan *self, const Record *record, int *odd) {
    if (record->flags & RECORD_COMMENT) {
        return PyUnicode_FromString("#comment");
    }
    if (record->element != UNKNOWN) {
        return new_reference(self->bound->names[0][NS_COUNT * (size_t)record->element + record->ns]);
    }
    PyObject *name = unknown_name(self->view, (size_t)record->tag + 1);
    if (name == NULL && !PyErr_Occurred()) {
        *odd |= ODD_NAME;
        return PyUnicode_FromStringAndSize("", 0);
    }
    return name;
}

static PyObject *attribute_name(const Scan *self, const Record *record) {
    if (record->flags & RECORD_TEXT) {
        return new_reference(Py_None);
    }
    return new_reference(self->bound->names[1][NS_COUNT * (size_t)record->attribute + record->ns]);
}

static PyObject *raw_value(const Scan *self, const Record *record) {
    bool is_odd = record->flags & RECORD_ODD;
    return PyUnicode_FromStringAndSize((const char *)self->view.data + record->start,
                                       is_odd ? 0 : (Py_ssize_t)(record->end - record->start));
}

/* A tuple of new references, which it takes over; NULL, with an error, if any of them is. */
static PyObject *tuple_of(PyObject **items, Py_ssize_t count) {
    PyObject *tuple = PyTuple_New(count);
    bool whole = tuple != NULL;
    for (Py_ssize_t at = 0; at < count; at++) {
        whole = whole && items[at] != NULL;
        if (tuple == NULL) {
            Py_XDECREF(items[at]);
        } else {
            PyTuple_SetItem(tuple, at, items[at]);
        }
    }
    if (!whole) {
        Py_XDECREF(tuple);
        return NULL;
    }
    return tuple;
}

/* A place; `odd` says what is odd about it, 0 for nothing. */
static PyObject *place(const Scan *self, const Record *record, int *odd) {
    *odd = record->flags & RECORD_ODD ? record->flags : 0;
    PyObject *items[] = {
        element_name(self, record, odd),
        new_reference(self->bound->namespaces[record->ns]),
        attribute_name(self, record),
        raw_value(self, record),
        PyLong_FromUnsignedLong(record->start),
        PyLong_FromUnsignedLong(record->end),
        PyLong_FromUnsignedLong(record->tag),
        PyLong_FromLong(record->flags & RECORD_IN_TEMPLATE),
    };
    return tuple_of(items, sizeof items / sizeof *items);
}

/* Adds a new object to a list; gives up the reference. */
static bool append(PyObject *list, PyObject *item) {
    bool done = item != NULL && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return done;
}

static PyObject *scan_places(Scan *self, PyObject *ignored) {
    (void)ignored;
    PyObject *places = PyList_New(0), *odd = PyList_New(0);
    bool done = places != NULL && odd != NULL;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        int how;
        done = append(places, place(self, &self->found.records.items[at], &how)) &&
               (!how || append(odd, Py_BuildValue("(ni)", (Py_ssize_t)at, how)));
    }
    if (!done) {
        Py_XDECREF(places);
        Py_XDECREF(odd);
        return NULL;
    }
    return Py_BuildValue("(NN)", places, odd);
}

static PyObject *scan_place(Scan *self, PyObject *argument) {
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (number < 0 || (size_t)number >= self->found.records.count) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_IndexError, "there is no place of that number");
        }
        return NULL;
    }
    int how;
    PyObject *found = place(self, &self->found.records.items[number], &how);
    return found == NULL ? NULL : Py_BuildValue("(Ni)", found, how);
}

/* The numbers of the places on the HTML elements with the given number, outside of templates. */
static PyObject *scan_on(Scan *self, PyObject *argument) {
    long element = PyLong_AsLong(argument);
    PyObject *numbers = PyErr_Occurred() ? NULL : PyList_New(0);
    for (size_t at = 0; numbers != NULL && at < self->found.records.count; at++) {
        const Record *record = &self->found.records.items[at];
        if (record->element == element && record->ns == NS_HTML && !(record->flags & RECORD_IN_TEMPLATE) &&
            !append(numbers, PyLong_FromSize_t(at))) {
            Py_DECREF(numbers);
            return NULL;
        }
    }
    return numbers;
}

static PyObject *scan_templates(Scan *self, PyObject *ignored) {
    (void)ignored;
    PyObject *templates = PyList_New(0);
    for (size_t at = 0; templates != NULL && at < self->found.templates.count; at++) {
        Stretch stretch = self->found.templates.items[at];
        if (!append(templates, Py_BuildValue("(II)", stretch.start, stretch.end))) {
            Py_DECREF(templates);
            return NULL;
        }
    }
    return templates;
}

/* ---- what is ordinary ---- */

enum { KIND_ODD, KIND_NONE, KIND_FIRST };

/* What resolves ordinary references, as `rehref.documents.ordinary` gives it: all ASCII, owned by a tuple of Python. */
typedef struct {
    PyObject *folders;                    /* of the base, above it, and so on: a tuple */
    PyObject *document, *query, *root;    /* what goes before a fragment (or None), a query, a rooted path */
    const char *own;                      /* the document's own URI, or NULL */
    Py_ssize_t own_length;
    const char *kinds;                    /* for each namespace, element and attribute */
    Py_ssize_t kinds_length;
    PyObject *kind_names;
} Ordinary;

static bool take_ordinary(PyObject *how, Ordinary *ordinary) {
    return is_tuple(how) &&
           PyArg_ParseTuple(how, "O!OUUz#y#O!", &PyTuple_Type, &ordinary->folders, &ordinary->document,
                            &ordinary->query, &ordinary->root, &ordinary->own, &ordinary->own_length, &ordinary->kinds,
                            &ordinary->kinds_length, &PyTuple_Type, &ordinary->kind_names);
}

static int kind_of(const Scan *self, const Ordinary *ordinary, const Record *record) {
    if (record->flags & RECORD_TEXT) {
        return KIND_ODD;
    }
    const Plan *plan = &self->bound->plan;
    size_t element = record->element < plan->element_count ? record->element : plan->element_count;
    size_t row = record->ns * (plan->element_count + 1) + element;
    size_t at = row * plan->attribute_count + record->attribute;
    return at < (size_t)ordinary->kinds_length ? (unsigned char)ordinary->kinds[at] : KIND_ODD;
}

/* A value decoded: its own bytes where it stands for itself, else `room` filled with as much as it takes. */
typedef struct {
    const unsigned char *text;
    size_t length;
} Value;

enum { LONGEST_DECODED = 2048 };

/* Decodes `&amp;`, and "&" where a name and "=" follow, which stand for "&" (HTML Standard, "named character reference
   state"); false for what takes more than that. */
static bool decode(const Scan *self, const Record *record, unsigned char *room, Value *value) {
    const unsigned char *raw = self->view.data + record->start;
    size_t length = record->end - record->start, written = 0;
    if (!(record->flags & RECORD_ODD)) {
        *value = (Value){raw, length};
        return true;
    }
    if (length > LONGEST_DECODED) {
        return false;
    }
    for (size_t at = 0; at < length; at++) {
        if (raw[at] == '&') {
            size_t name = at + 1;
            while (name < length && (is_letter(raw[name]) || (raw[name] >= '0' && raw[name] <= '9'))) {
                name++;
            }
            bool amp = name - at == 4 && name < length && raw[name] == ';' && memcmp(raw + at, "&amp", 4) == 0;
            if (!amp && (name == at + 1 || name >= length || raw[name] != '=')) {
                return false;
            }
            room[written++] = '&';
            at = amp ? name : at;
        } else if (raw[at] >= 0x80 || raw[at] == '\r' || raw[at] == 0) {
            return false;
        } else {
            room[written++] = raw[at];
        }
    }
    *value = (Value){room, written};
    return true;
}

typedef struct {
    PyObject *prefix; /* what stands before the rest, borrowed; NULL where the reference is its own target */
    size_t skip;      /* how much of the reference the prefix stands for */
    size_t ups;       /* of a path: the number of the folder that is the prefix */
    bool same_document;
    bool odd;
    ReferenceForm form;
} Resolved;

static bool starts_with_own(const Ordinary *ordinary, const char *prefix, size_t prefix_length, Value rest,
                            bool *same) {
    /* compares own with prefix + rest */
    size_t own = (size_t)ordinary->own_length;
    size_t first = own < prefix_length ? own : prefix_length;
    if (memcmp(ordinary->own, prefix, first) != 0) {
        return false;
    }
    size_t more = own - first;
    if (more > rest.length || (more > 0 && memcmp(ordinary->own + first, rest.text, more) != 0)) {
        return false;
    }
    if (own < prefix_length) {
        *same = prefix[own] == '#';
    } else {
        *same = more == rest.length || rest.text[more] == '#';
    }
    return true;
}

static Resolved resolve(const Ordinary *ordinary, Value value) {
    Resolved resolved = {.odd = true};
    Reference reference = classify(value.text, value.length);
    resolved.form = reference.form;
    switch (reference.form) {
    case REFERENCE_ODD:
        return resolved;
    case REFERENCE_ABSOLUTE:
        break;
    case REFERENCE_FRAGMENT:
        if (ordinary->document == Py_None) {
            return resolved;
        }
        resolved.prefix = ordinary->document;
        break;
    case REFERENCE_QUERY:
        resolved.prefix = ordinary->query;
        break;
    case REFERENCE_ROOTED:
        resolved.prefix = ordinary->root;
        break;
    case REFERENCE_PATH:
        if (reference.ups >= (size_t)PyTuple_Size(ordinary->folders)) {
            return resolved;
        }
        resolved.prefix = PyTuple_GetItem(ordinary->folders, (Py_ssize_t)reference.ups);
        resolved.skip = reference.skip;
        resolved.ups = reference.ups;
        break;
    }
    resolved.odd = false;
    if (ordinary->own != NULL) {
        Py_ssize_t length = 0;
        const char *prefix = resolved.prefix == NULL ? "" : PyUnicode_AsUTF8AndSize(resolved.prefix, &length);
        Value rest = {value.text + resolved.skip, value.length - resolved.skip};
        bool same = false;
        if (prefix == NULL) {
            PyErr_Clear();
            resolved.odd = true;
        } else if (starts_with_own(ordinary, prefix, (size_t)length, rest, &same)) {
            resolved.same_document = same;
        }
    }
    return resolved;
}

/* ---- links ---- */

static PyObject *target_of(const Resolved *resolved, Value value, PyObject *reference) {
    if (resolved->prefix == NULL) {
        return new_reference(reference);
    }
    PyObject *rest = PyUnicode_FromStringAndSize((const char *)value.text + resolved->skip,
                                                 (Py_ssize_t)(value.length - resolved->skip));
    PyObject *target = rest == NULL ? NULL : PyUnicode_Concat(resolved->prefix, rest);
    Py_XDECREF(rest);
    return target;
}

typedef struct {
    PyObject *type;
    allocfunc allocate;
    newfunc make; /* where a tuple has fields that only Python fills (its hash, from 3.14 on); else NULL */
    PyObject *base, *part, *nothing;
    bool utf8;
} LinkShape;

enum { LINK_FIELDS = 13 };

/* An ordinary link: the fields of `rehref.documents.link.Link`, in their order. */
static PyObject *make_link(const Scan *self, const LinkShape *shape, const Record *record, PyObject *kind,
                           const Resolved *resolved, Value value, const Cursor *cursor) {
    int ignored = 0;
    PyObject *span = Py_BuildValue("(II)", record->start, record->end);
    PyObject *reference = PyUnicode_FromStringAndSize((const char *)value.text, (Py_ssize_t)value.length);
    PyObject *items[LINK_FIELDS] = {
        reference,
        reference == NULL ? NULL : target_of(resolved, value, reference),
        new_reference(shape->base),
        element_name(self, record, &ignored),
        attribute_name(self, record),
        new_reference(kind),
        PyLong_FromUnsignedLong(cursor->line),
        PyLong_FromUnsignedLong(cursor->column),
        span,
        PyBool_FromLong(resolved->same_document),
        new_reference(shape->nothing),
        new_reference(shape->part),
        new_reference(Py_None),
    };
    if (shape->make != NULL) {
        PyObject *fields = tuple_of(items, LINK_FIELDS);
        PyObject *arguments = fields == NULL ? NULL : Py_BuildValue("(N)", fields);
        PyObject *made = arguments == NULL ? NULL : shape->make((PyTypeObject *)shape->type, arguments, NULL);
        Py_XDECREF(arguments);
        return made;
    }
    PyObject *link = shape->allocate((PyTypeObject *)shape->type, LINK_FIELDS);
    bool whole = link != NULL;
    for (Py_ssize_t at = 0; at < LINK_FIELDS; at++) {
        whole = whole && items[at] != NULL;
        if (link == NULL) {
            Py_XDECREF(items[at]);
        } else {
            PyTuple_SetItem(link, at, items[at]);
        }
    }
    if (!whole) {
        Py_XDECREF(link);
        return NULL;
    }
    /* A link is made of texts and numbers, and a base made of such: it is in no circle, and there are many. */
    PyObject_GC_UnTrack(span);
    PyObject_GC_UnTrack(link);
    return link;
}

/* Adds what comes of one place to the links: a link, nothing, or None, whose number goes to the odd ones. */
static bool add_link(Scan *self, const Ordinary *ordinary, const LinkShape *shape, size_t number, Cursor *cursor,
                     PyObject *links, PyObject *odd) {
    unsigned char room[LONGEST_DECODED];
    const Record *record = &self->found.records.items[number];
    int kind = kind_of(self, ordinary, record);
    Value value;
    if (kind == KIND_NONE) {
        return true;
    }
    if (kind != KIND_ODD && decode(self, record, room, &value)) {
        Resolved resolved = resolve(ordinary, value);
        PyObject *name = PyTuple_GetItem(ordinary->kind_names, kind - KIND_FIRST);
        if (name == NULL) {
            return false;
        }
        if (!resolved.odd) {
            cursor_move(self->view, cursor, record->start, shape->utf8);
            return append(links, make_link(self, shape, record, name, &resolved, value, cursor));
        }
    }
    return append(odd, Py_BuildValue("(nn)", PyList_Size(links), (Py_ssize_t)number));
}

static PyObject *scan_links(Scan *self, PyObject *args) {
    PyObject *how, *type, *base, *part;
    int utf8;
    Py_ssize_t begin;
    Ordinary ordinary;
    if (!PyArg_ParseTuple(args, "OOOOpn", &how, &type, &base, &part, &utf8, &begin) ||
        !take_ordinary(how, &ordinary)) {
        return NULL;
    }
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "a link is a tuple");
        return NULL;
    }
    LinkShape shape = {
        .type = type,
        .allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc),
        .make = Py_Version >= 0x030E0000 ? (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new) : NULL,
        .base = base,
        .part = part,
        .nothing = PyTuple_New(0),
        .utf8 = utf8,
    };
    Cursor cursor = {(size_t)begin, 1, 1};
    PyObject *links = PyList_New(0), *odd = PyList_New(0);
    bool done = links != NULL && odd != NULL && shape.nothing != NULL && shape.allocate != NULL;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        done = add_link(self, &ordinary, &shape, at, &cursor, links, odd);
    }
    Py_XDECREF(shape.nothing);
    if (!done) {
        Py_XDECREF(links);
        Py_XDECREF(odd);
        return NULL;
    }
    return Py_BuildValue("(NN)", links, odd);
}

/* ---- absolute references ---- */

/* Whether a value stands in quotes, and has a byte: what is put before it needs none of its own. */
static bool is_quoted(const Scan *self, const Record *record) {
    if (record->start == 0 || record->start == record->end) {
        return false;
    }
    int before = self->view.data[record->start - 1];
    return (before == '"' || before == '\'') && byte_at(self->view, record->end) == before;
}

/* The number of a prefix among all: document, query, root, folders. */
static Py_ssize_t prefix_number(const Ordinary *ordinary, const Resolved *resolved) {
    if (resolved->form == REFERENCE_FRAGMENT) {
        return 0;
    }
    if (resolved->form == REFERENCE_PATH) {
        return (Py_ssize_t)(3 + resolved->ups);
    }
    return resolved->prefix == ordinary->query ? 1 : 2;
}

typedef struct {
    size_t references; /* that are ordinary */
    PyObject *splices; /* (from, to, prefix) for those that change */
    PyObject *odd;     /* the numbers of all other places */
} Absolute;

/* What comes of one place. */
static bool make_absolute(Scan *self, const Ordinary *ordinary, PyObject *prefixes, bool fragments, size_t number,
                          Absolute *found) {
    unsigned char room[LONGEST_DECODED];
    const Record *record = &self->found.records.items[number];
    int kind = kind_of(self, ordinary, record);
    Resolved resolved = {.odd = true};
    Value value;
    if (kind == KIND_NONE) {
        return true;
    }
    if (kind != KIND_ODD && decode(self, record, room, &value)) {
        resolved = resolve(ordinary, value);
    }
    bool stays = !resolved.odd && (resolved.prefix == NULL || (resolved.form == REFERENCE_FRAGMENT && !fragments));
    if (resolved.odd || (!stays && !is_quoted(self, record))) {
        return append(found->odd, PyLong_FromSize_t(number));
    }
    found->references++;
    if (stays) {
        return true;
    }
    PyObject *prefix = PyTuple_GetItem(prefixes, prefix_number(ordinary, &resolved));
    return prefix != NULL && append(found->splices, Py_BuildValue("(InO)", record->start,
                                                                  (Py_ssize_t)(record->start + resolved.skip), prefix));
}

static PyObject *scan_absolute(Scan *self, PyObject *args) {
    PyObject *how, *prefixes;
    int fragments;
    Ordinary ordinary;
    if (!PyArg_ParseTuple(args, "OpO!", &how, &fragments, &PyTuple_Type, &prefixes) || !take_ordinary(how, &ordinary)) {
        return NULL;
    }
    Absolute found = {0, PyList_New(0), PyList_New(0)};
    bool done = found.splices != NULL && found.odd != NULL;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        done = make_absolute(self, &ordinary, prefixes, fragments, at, &found);
    }
    if (!done) {
        Py_XDECREF(found.splices);
        Py_XDECREF(found.odd);
        return NULL;
    }
    return Py_BuildValue("(nNN)", (Py_ssize_t)found.references, found.splices, found.odd);
}

/* ---- splices ---- */

/* How long the source is once these splices are made; -1 with an error where one of them is not in order. */
static Py_ssize_t spliced_length(const Scan *self, PyObject *splices) {
    Py_ssize_t length = (Py_ssize_t)self->view.length, last = 0;
    for (Py_ssize_t at = 0; at < PyList_Size(splices); at++) {
        Py_ssize_t start, end;
        PyObject *new;
        PyObject *splice = PyList_GetItem(splices, at);
        if (!is_tuple(splice) || !PyArg_ParseTuple(splice, "nnS", &start, &end, &new)) {
            return -1;
        }
        /* they are read again: another object might answer otherwise then */
        if (!PyLong_CheckExact(PyTuple_GetItem(splice, 0)) || !PyLong_CheckExact(PyTuple_GetItem(splice, 1))) {
            PyErr_SetString(PyExc_TypeError, "a splice is from, to, and bytes");
            return -1;
        }
        if (start < last || end < start || (size_t)end > self->view.length) {
            PyErr_SetString(PyExc_ValueError, "splices are in order, and within the source");
            return -1;
        }
        Py_ssize_t more = PyBytes_Size(new);
        length -= end - start;
        if (more > PY_SSIZE_T_MAX - length) {
            PyErr_NoMemory();
            return -1;
        }
        length += more;
        last = end;
    }
    return length;
}

static PyObject *scan_spliced(Scan *self, PyObject *splices) {
    if (!PyList_Check(splices)) {
        PyErr_SetString(PyExc_TypeError, "splices are a list");
        return NULL;
    }
    Py_ssize_t length = spliced_length(self, splices);
    PyObject *result = length < 0 ? NULL : PyBytes_FromStringAndSize(NULL, length);
    if (result == NULL) {
        return NULL;
    }
    char *out = PyBytes_AsString(result);
    Py_ssize_t last = 0;
    for (Py_ssize_t at = 0; at < PyList_Size(splices); at++) {
        PyObject *splice = PyList_GetItem(splices, at), *new = PyTuple_GetItem(splice, 2);
        Py_ssize_t start = PyLong_AsSsize_t(PyTuple_GetItem(splice, 0));
        memcpy(out, self->view.data + last, (size_t)(start - last));
        out += start - last;
        memcpy(out, PyBytes_AsString(new), (size_t)PyBytes_Size(new));
        out += PyBytes_Size(new);
        last = PyLong_AsSsize_t(PyTuple_GetItem(splice, 1));
    }
    memcpy(out, self->view.data + last, self->view.length - (size_t)last);
    return result;
}

/* ---- the type ---- */

static PyObject *scan_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *source, *capsule;
    int multibyte;
    if (keywords != NULL && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "a scan takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "SOp", &source, &capsule, &multibyte)) {
        return NULL;
    }
    const BoundPlan *bound = bound_plan(capsule);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Scan *self = bound == NULL ? NULL : (Scan *)allocate(type, 0);
    if (self == NULL) {
        return NULL;
    }
    char *data;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(source, &data, &length) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    self->source = new_reference(source);
    self->capsule = new_reference(capsule);
    self->bound = bound;
    self->view = (View){(const unsigned char *)data, (size_t)length};
    self->status = scan(self->view, &bound->plan, multibyte, &self->found);
    if (self->status == SCAN_NO_MEMORY) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void scan_free(PyObject *object) {
    Scan *self = (Scan *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    found_free(&self->found);
    Py_XDECREF(self->source);
    Py_XDECREF(self->capsule);
    release(object);
    Py_DECREF(type);
}

static PyObject *scan_done(Scan *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(self->status == SCAN_DONE);
}

static Py_ssize_t scan_length(PyObject *self) {
    return (Py_ssize_t)((Scan *)self)->found.records.count;
}

static PyMethodDef METHODS[] = {
    {"places", (PyCFunction)scan_places, METH_NOARGS, "places(): all places; (number, what is odd) of the odd ones"},
    {"place", (PyCFunction)scan_place, METH_O, "place(number): a place, and what is odd about it"},
    {"on", (PyCFunction)scan_on, METH_O, "on(element): the numbers of places on an HTML element, by its number"},
    {"templates", (PyCFunction)scan_templates, METH_NOARGS, "templates(): from where to where what is in each stands"},
    {"links", (PyCFunction)scan_links, METH_VARARGS,
     "links(ordinary, Link, base, part, utf8, begin): the ordinary links, and (index, place) of the others"},
    {"absolute", (PyCFunction)scan_absolute, METH_VARARGS,
     "absolute(ordinary, fragments, prefixes): how many ordinary references; splices for those that change; other places"},
    {"spliced", (PyCFunction)scan_spliced, METH_O, "spliced(splices): the source with (from, to, bytes) replaced"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef GETTERS[] = {
    {"done", (getter)scan_done, NULL, "whether the scan could tell all", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot SLOTS[] = {
    {Py_tp_doc, "Scan(data, plan, multibyte): the places of a source"},
    {Py_tp_new, scan_new},
    {Py_tp_dealloc, scan_free},
    {Py_tp_methods, METHODS},
    {Py_tp_getset, GETTERS},
    {Py_sq_length, scan_length},
    {0, NULL},
};

static PyType_Spec SPEC = {
    .name = "rehref._native._twin.Scan",
    .basicsize = sizeof(Scan),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = SLOTS,
};

PyObject *make_scan_type(PyObject *module) {
    return PyType_FromModuleAndSpec(module, &SPEC, NULL);
}
