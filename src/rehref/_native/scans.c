/* Scans as Python sees them: the places of one source, its ordinary links, and the source with references changed.

   - `Scan(data, plan, multibyte)` scans a source, and is true if the scan did not refuse it (`done`). The source may be
     a part of the bytes: from one offset up to another. All positions count from its beginning. A source without markup
     is one place, from `text` on. With a plan for XML the source is that, from `text` on.
   - A place is as in `rehref.markup.places`; what is odd about it is named, for Python to read.
   - If memory is short, that is a MemoryError.
   - While a large source is scanned, its references are read, or it is written anew, other threads run: the bytes cannot
     change, and nobody else has the scan or the table yet, or may change it. */

#include "before_body.h"
#include "positions.h"
#include "scans.h"

static PyObject *raw_value(const Scan *self, const Record *record) {
    bool is_odd = record->flags & RECORD_ODD;
    return PyUnicode_FromStringAndSize((const char *)self->view.data + record->start,
                                       is_odd ? 0 : (Py_ssize_t)(record->end - record->start));
}

/* A place; `odd`: what is odd about it, or 0. */
static PyObject *place(const Scan *self, const TupleType *type, const Record *record, int *odd) {
    *odd = record->flags & RECORD_ODD ? record->flags : 0;
    PyObject *items[] = {
        element_name(self, record, odd),
        namespace_uri(self, record->ns),
        attribute_name(self, record),
        raw_value(self, record),
        PyLong_FromUnsignedLong(record->start),
        PyLong_FromUnsignedLong(record->end),
        PyLong_FromUnsignedLong(record->tag),
        PyLong_FromLong(record->flags & RECORD_IN_TEMPLATE),
    };
    return named_tuple(type, items, sizeof items / sizeof *items);
}

static PyObject *scan_places(Scan *self, PyObject *argument) {
    TupleType type;
    if (!take_tuple_type(argument, &type)) {
        return NULL;
    }
    PyObject *places = PyList_New(0), *odd = PyList_New(0);
    bool done = places != NULL && odd != NULL;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        int how;
        done = append(places, place(self, &type, &self->found.records.items[at], &how)) &&
               (!how || append(odd, Py_BuildValue("(ni)", (Py_ssize_t)at, how)));
    }
    if (!done) {
        Py_XDECREF(places);
        Py_XDECREF(odd);
        return NULL;
    }
    return Py_BuildValue("(NN)", places, odd);
}

static PyObject *scan_place(Scan *self, PyObject *args) {
    Py_ssize_t number;
    PyObject *argument;
    TupleType type;
    if (!PyArg_ParseTuple(args, "nO", &number, &argument) || !take_tuple_type(argument, &type)) {
        return NULL;
    }
    if (number < 0 || (size_t)number >= self->found.records.count) {
        PyErr_SetString(PyExc_IndexError, "there is no place of that number");
        return NULL;
    }
    int how;
    PyObject *found = place(self, &type, &self->found.records.items[number], &how);
    return found == NULL ? NULL : Py_BuildValue("(Ni)", found, how);
}

/* The numbers of the places on the HTML elements with the given number, outside of templates. */
static PyObject *scan_on(Scan *self, PyObject *argument) {
    long element = PyLong_AsLong(argument);
    PyObject *numbers = PyErr_Occurred() ? NULL : PyList_New(0);
    for (size_t at = 0; numbers != NULL && at < self->found.records.count; at++) {
        const Record *record = &self->found.records.items[at];
        bool is_on = record->element == element && record->ns == NS_HTML && !(record->flags & RECORD_IN_TEMPLATE);
        if (is_on && !append(numbers, PyLong_FromSize_t(at))) {
            Py_DECREF(numbers);
            return NULL;
        }
    }
    return numbers;
}

/* Whether the body may have begun before a position. */
static PyObject *scan_may_be_in_body(Scan *self, PyObject *argument) {
    size_t position = PyLong_AsSize_t(argument);
    if (PyErr_Occurred()) {
        return NULL;
    }
    View before = {self->view.data, position < self->view.length ? position : self->view.length};
    return PyBool_FromLong(may_be_in_body(before, &self->bound->plan));
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

/* ---- XML ---- */

/* The namespace of an element, where its name begins and ends, and the place of the xml:base that applies to it, or -1; or of
   no element. */
static PyObject *context(const Scan *self, XmlContext found) {
    Py_ssize_t scope = found.scope == NO_PLACE ? -1 : (Py_ssize_t)found.scope, start = 0, end = 0;
    if (found.parent != NO_PLACE) {
        View name = xml_local_name(self->view, found.parent, found.parent_ns);
        start = name.data - self->view.data;
        end = start + (Py_ssize_t)name.length;
    }
    return Py_BuildValue("(Nnnn)", namespace_uri(self, found.parent_ns), start, end, scope);
}

static PyObject *scan_context(Scan *self, PyObject *argument) {
    size_t number = PyLong_AsSize_t(argument);
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (number >= self->found.records.count || !self->bound->plan.is_xml) {
        PyErr_SetString(PyExc_IndexError, "there is no place of that number in XML");
        return NULL;
    }
    return context(self, self->found.xml.contexts[number]);
}

/* The numbers of the places of an attribute, by its number. */
static PyObject *scan_named(Scan *self, PyObject *argument) {
    long attribute = PyLong_AsLong(argument);
    PyObject *numbers = PyErr_Occurred() ? NULL : PyList_New(0);
    for (size_t at = 0; numbers != NULL && at < self->found.records.count; at++) {
        const Record *record = &self->found.records.items[at];
        bool is_one = !(record->flags & (RECORD_TEXT | RECORD_INSTRUCTION)) && record->attribute == attribute;
        if (is_one && !append(numbers, PyLong_FromSize_t(at))) {
            Py_DECREF(numbers);
            return NULL;
        }
    }
    return numbers;
}

static PyObject *scan_root(Scan *self, void *ignored) {
    (void)ignored;
    return context(self, self->found.xml.root);
}

static PyObject *scan_doctype(Scan *self, void *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(self->found.xml.doctype);
}

static PyObject *scan_has_entities(Scan *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(self->found.xml.has_entities);
}

/* ---- the type ---- */

/* The only place of a source without markup. */
static ScanStatus whole(View view, size_t start, FoundPlaces *found) {
    Record *record = view.length <= MOST ? records_add(&found->records) : NULL;
    if (record == NULL) {
        return view.length <= MOST ? SCAN_NO_MEMORY : SCAN_REFUSED;
    }
    *record = (Record){.start = (uint32_t)start,
                       .end = (uint32_t)view.length,
                       .tag = (uint32_t)start,
                       .element = UNKNOWN,
                       .flags = RECORD_TEXT | RECORD_ODD | RECORD_WHOLE};
    return SCAN_DONE;
}

static PyObject *scan_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *source, *capsule;
    int multibyte;
    if (keywords != NULL && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "a scan takes no keyword arguments");
        return NULL;
    }
    Py_ssize_t start = 0, end = -1, text = -1; /* -1: to the end of the bytes; there is markup */
    if (!PyArg_ParseTuple(args, "SOp|nnn", &source, &capsule, &multibyte, &start, &end, &text)) {
        return NULL;
    }
    Py_ssize_t length = PyBytes_Size(source);
    end = end == -1 ? length : end;
    if (start < 0 || end < start || end > length || text > end - start) {
        PyErr_SetString(PyExc_ValueError, "the source must be a part of the bytes");
        return NULL;
    }
    const BoundPlan *bound = bound_plan(capsule);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Scan *self = bound == NULL ? NULL : (Scan *)allocate(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->source = new_reference(source);
    self->capsule = new_reference(capsule);
    self->bound = bound;
    self->view = (View){(const unsigned char *)PyBytes_AsString(source) + start, (size_t)(end - start)};
    self->multibyte = multibyte;
    bool is_xml = bound->plan.is_xml;
    PyThreadState *state = unlock(self->view.length); /* other threads run meanwhile */
    self->status = is_xml     ? scan_xml(self->view, &bound->plan, text < 0 ? 0 : (size_t)text, &self->found)
                   : text < 0 ? scan(self->view, &bound->plan, multibyte, &self->found)
                              : whole(self->view, (size_t)text, &self->found);
    lock(state);
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

static PyObject *scan_utf8(Scan *self, void *ignored) {
    (void)ignored;
    TextForm form = text_form(self->view);
    return form == TEXT_OTHER ? new_reference(Py_None) : PyBool_FromLong(form == TEXT_UTF8);
}

static Py_ssize_t scan_length(PyObject *self) {
    return (Py_ssize_t)((Scan *)self)->found.records.count;
}

static PyMethodDef METHODS[] = {
    {"places", (PyCFunction)scan_places, METH_O, "places(Place): all places; (number, what is odd) of the odd ones"},
    {"place", (PyCFunction)scan_place, METH_VARARGS, "place(number, Place): a place, and what is odd about it"},
    {"on", (PyCFunction)scan_on, METH_O, "on(element): the numbers of places on an HTML element, by its number"},
    {"may_be_in_body", (PyCFunction)scan_may_be_in_body, METH_O,
     "may_be_in_body(position): whether the body may have begun before it; if not, it certainly has not"},
    {"templates", (PyCFunction)scan_templates, METH_NOARGS, "templates(): where the content of each begins and ends"},
    {"context", (PyCFunction)scan_context, METH_O,
     "context(number): of a place in XML, its parent's namespace, from where to where its name is, and the place of its xml:base"},
    {"named", (PyCFunction)scan_named, METH_O, "named(attribute): the numbers of the places of an attribute, by its number"},
    {"names", (PyCFunction)scan_names, METH_VARARGS, "names(table, utf8, read): what fragments and maps can name"},
    {"table", (PyCFunction)scan_table, METH_VARARGS,
     "table(how, utf8): the references; `utf8`: whether the source is in UTF-8, as far as it is valid"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef GETTERS[] = {
    {"done", (getter)scan_done, NULL, "whether the scan did not refuse the source", NULL},
    {"utf8", (getter)scan_utf8, NULL, "whether the source has characters beyond ASCII; None if it is not UTF-8", NULL},
    {"root", (getter)scan_root, NULL, "the same as `context` for a child of the document element", NULL},
    {"doctype", (getter)scan_doctype, NULL, "where the document type begins, after its <; 0 if there is none", NULL},
    {"has_entities", (getter)scan_has_entities, NULL, "whether a place has a reference to an entity that is not predefined", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot SLOTS[] = {
    {Py_tp_doc, "Scan(data, plan, multibyte, start=0, end=len(data), text=-1): the places of a source, which is a part of the data"},
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
