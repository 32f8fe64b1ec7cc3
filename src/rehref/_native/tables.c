/* Tables of references, made from scans.

   1. `scan.table(how, utf8)` reads the references of all places. The table then has what every reader needs: Python's
      views of it (`rows`, `links`, `link_texts`), and the source with other texts (`tables_writing.c`).
   2. A row can be read if its text is certainly what Python would read: ASCII, or UTF-8 in a source that is `utf8`,
      without CR. A fragment can be only if the base is the document's own URI, since it is relative to that; an empty text
      if it is ordinary. All references of a place with a row that cannot be read, or on an element with such a `rel` or `as`,
      are left to Python.
   3. In the syntaxes of Python, that finds the references in a value, in order. A place is left to it if its value is not
      what rule 2 says of a row, or if one of its references has a base of its own.
   4. Python is asked what places carry before their references are read, and the names of classes are made after that.
      In between, other threads run, unless Python finds references.
   5. What a `base` names is relative to another base, and its problems are of its place: its row is odd, and only the first
      is here. */

#include "tables.h"

#include <stdlib.h>

/* ---- making a table ---- */

/* Whether a row can be read here (rule 2). */
static bool is_readable(const Bases *bases, const Class *class, View text, const Resolved *resolved, bool utf8) {
    if (class->kind == KIND_FRAGMENT && !bases->base_is_own) {
        return false;
    }
    if (resolved->form != REFERENCE_ODD && !resolved->beyond) {
        return true;
    }
    if (text.length == 0 || find_byte(text, 0, '\r') < text.length) {
        return false;
    }
    TextForm encoded = text_form(text);
    return encoded == TEXT_ASCII || (encoded == TEXT_UTF8 && utf8);
}

static PyObject *text_or_none(View text) {
    return text.data == NULL ? new_reference(Py_None) : text_of(text);
}

/* Makes the names of a class; false with an error. */
static bool make_names(ReferenceTable *self, const Class *class) {
    const Record *record = &self->scan->found.records.items[class->place];
    PyObject *kind = PyTuple_GetItem(self->kinds, class->kind);
    int odd = 0; /* it stays so: `take_place` */
    if (kind == NULL) {
        return false;
    }
    ClassNames *names = &self->names[self->name_count++];
    *names = (ClassNames){.element = element_name(self->scan, record, &odd),
                          .attribute = attribute_name(self->scan, record),
                          .kind = new_reference(kind),
                          .rel = text_or_none(class->rel),
                          .as = text_or_none(class->as)};
    return names->element != NULL && names->rel != NULL && names->as != NULL;
}

static bool make_all_names(ReferenceTable *self) {
    bool done = true;
    self->names = malloc((self->table.class_count + 1) * sizeof *self->names); /* at most MOST_CLASSES: no overflow */
    if (self->names == NULL) {
        return PyErr_NoMemory() != NULL;
    }
    for (size_t at = 0; done && at < self->table.class_count; at++) {
        done = make_names(self, &self->table.classes[at]);
    }
    return done;
}

static void read_row(const Bases *bases, const Class *class, Row *row, bool utf8) {
    Resolved resolved = {.form = REFERENCE_ODD};
    if (class->kind != KIND_BASE) { /* rule 5 */
        resolve(bases, text_of_row(row), &resolved);
    }
    bool is_own = resolved.same_document || class->kind == KIND_FRAGMENT;
    row->form = (uint8_t)resolved.form;
    row->prefix = (uint8_t)resolved.prefix;
    row->skip = (uint8_t)resolved.skip; /* `is_there` in `resolve.c` bounds it */
    row->flags = (is_own ? ROW_OF_DOCUMENT : 0) | (resolved.faulty ? ROW_FAULTY : 0) | (resolved.beyond ? ROW_BEYOND : 0) |
                 ROW_READ;
    if (is_readable(bases, class, text_of_row(row), &resolved, utf8)) {
        row->flags |= ROW_READABLE;
    }
}

/* Adds a reference, which is in the source from `start` to `end`. `is_lasting`: its text need not be copied. */
static PlaceStatus take_reference(ReferenceTable *self, const How *how, View text, size_t start, size_t end,
                                  bool is_lasting, Class class, bool utf8) {
    Table *table = &self->table;
    uint16_t number = class_number(table, self->scan->view, class);
    if (number == NO_CLASS || (class.kind == KIND_BASE && table->classes[number].place != class.place)) {
        return PLACE_ODD; /* or memory is short, which shows elsewhere */
    }
    uint32_t row = row_number(table, text, number, is_lasting);
    if (row == UINT32_MAX) {
        return PLACE_ERROR;
    }
    if (!(table->rows[row].flags & ROW_READ)) {
        read_row(&how->bases, &class, &table->rows[row], utf8);
    }
    if (!(table->rows[row].flags & ROW_READABLE)) {
        return PLACE_ODD;
    }
    return add_use(table, (Use){(uint32_t)start, (uint32_t)end, row, class.place}) ? PLACE_DONE : PLACE_ERROR;
}

/* What Python has found in a value: a `rehref.carriers.kinds.Occurrence`. */
typedef struct {
    Py_ssize_t start, end; /* in characters */
    View text;
    Py_ssize_t kind;
} Occurrence;

/* False if it is not so simple: it has a base of its own, a kind without a number, or half of a surrogate pair. */
static bool take_occurrence(const How *how, PyObject *tuple, unsigned kind, Occurrence *found) {
    PyObject *text, *form, *bases, *own_kind, *fetched;
    if (!is_tuple(tuple) || !PyArg_ParseTuple(tuple, "nnOOO!OO", &found->start, &found->end, &text, &form, &PyTuple_Type,
                                              &bases, &own_kind, &fetched)) {
        return false;
    }
    found->kind = own_kind == Py_None ? (Py_ssize_t)kind : PySequence_Index(how->kind_names, own_kind);
    return found->kind >= 0 && PyTuple_Size(bases) == 0 && take_text(text, &found->text);
}

typedef struct {
    size_t at;        /* in a text, */
    Py_ssize_t count; /* after so many characters */
} Reached;

/* Goes on to a character, or to the end; where that is. */
static size_t go_to(View text, Reached *reached, Py_ssize_t character) {
    while (reached->count < character && reached->at < text.length) {
        reached->at++;
        reached->count += (byte_at(text, reached->at) & 0xC0) != 0x80;
    }
    return reached->at;
}

/* Adds the references that Python finds in a value (rule 3). */
static PlaceStatus take_found(ReferenceTable *self, const How *how, const Value *value, Class class, bool utf8) {
    View text = {value->text, value->length};
    TextForm form = text_form(text);
    if (form == TEXT_OTHER || (form == TEXT_UTF8 && !utf8) || find_byte(text, 0, '\r') < text.length) {
        return PLACE_ODD;
    }
    PyObject *decoded = text_of(text);
    PyObject *all = decoded == NULL ? NULL : PyObject_CallFunction(how->find, "iO", class.syntax, decoded);
    Py_XDECREF(decoded);
    Py_ssize_t size = all == NULL ? -1 : PyList_Size(all);
    PlaceStatus status = size < 0 ? PLACE_ERROR : PLACE_DONE;
    unsigned kind = class.kind;
    Reached reached = {0, 0};
    for (Py_ssize_t at = 0; status == PLACE_DONE && at < size; at++) {
        Occurrence found;
        if (!take_occurrence(how, PyList_GetItem(all, at), kind, &found) || found.start < reached.count ||
            found.end < found.start) {
            PyErr_Clear();
            status = PLACE_ODD;
            break;
        }
        size_t start = go_to(text, &reached, found.start), end = go_to(text, &reached, found.end);
        class.kind = (uint8_t)found.kind;
        status = take_reference(self, how, found.text, value_offset(value, start), value_offset(value, end), false, class,
                                true);
    }
    Py_XDECREF(all);
    return status;
}

/* Adds the references of a place that carries `code`, as long as all can be read. */
static PlaceStatus take_place(ReferenceTable *self, How *how, size_t number, unsigned code, bool utf8) {
    const Scan *scan = self->scan;
    const Record *record = &scan->found.records.items[number];
    Value value;
    if (code == CARRIES_NOTHING) {
        return PLACE_DONE;
    }
    const Record *rel = named_beside(scan, number, scan->bound->plan.rel);
    const Record *as = rel == NULL ? NULL : named_beside(scan, number, scan->bound->plan.as);
    if (code == CARRIES_ODD || (rel != NULL && (rel->flags & RECORD_ODD)) || (as != NULL && (as->flags & RECORD_ODD)) ||
        !has_plain_name(scan, record)) {
        return PLACE_ODD;
    }
    Carrier carrier = carrier_of(code);
    if (carrier.kind == KIND_BASE && (record->flags & RECORD_IN_TEMPLATE)) {
        return PLACE_ODD;
    }
    Class class = {record->tag,
                   (uint32_t)number,
                   rel == NULL ? (View){NULL, 0} : part_of(scan->view, rel->start, rel->end),
                   as == NULL ? (View){NULL, 0} : part_of(scan->view, as->start, as->end),
                   record->element,
                   record->attribute,
                   record->ns,
                   record->flags & RECORD_TEXT,
                   (uint8_t)carrier.syntax,
                   (uint8_t)carrier.kind};
    if (is_of_python(carrier.syntax) && carrier.kind == KIND_METADATA && !how->metadata) {
        return places_add(&self->table.unread, class.place) ? PLACE_DONE : PLACE_ERROR;
    }
    if (!value_of(scan->view, record, scan->multibyte, &how->room, &value)) {
        return PLACE_ODD;
    }
    if (is_of_python(carrier.syntax)) {
        return take_found(self, how, &value, class, utf8);
    }
    View text = {value.text, value.length};
    if (carrier.syntax == SYNTAX_CSS && !(record->flags & RECORD_TEXT) && find_byte(text, 0, '(') == text.length) {
        return PLACE_DONE; /* rule 4 of references.h */
    }
    size_t position = 0;
    Span span;
    Step step;
    while ((step = next_reference(carrier.syntax, text, &position, &span)) == STEP_FOUND) {
        bool is_fragment = carrier.hash_is_fragment && span.start < span.end && text.data[span.start] == '#';
        class.kind = is_fragment ? KIND_FRAGMENT : (uint8_t)carrier.kind;
        PlaceStatus status = take_reference(self, how, part_of(text, span.start, span.end), value_offset(&value, span.start),
                                            value_offset(&value, span.end), value.offsets == NULL, class, utf8);
        if (status != PLACE_DONE) {
            return status;
        }
    }
    return step == STEP_ODD ? PLACE_ODD : PLACE_DONE;
}

/* Adds the references of all places; false with an error of Python, or if memory is short. */
static bool take_places(ReferenceTable *self, How *how, const uint8_t *codes, bool utf8) {
    Table *table = &self->table;
    for (size_t at = 0; at < self->scan->found.records.count; at++) {
        size_t before = table->use_count;
        PlaceStatus status = take_place(self, how, at, codes[at], utf8);
        if (status == PLACE_ODD) {
            drop_uses(table, before);
        }
        if (status == PLACE_ERROR || (status == PLACE_ODD && !places_add(&table->odd, (uint32_t)at))) {
            return false;
        }
    }
    return true;
}

/* What each place carries, and whether Python reads any of them; NULL with an error. The caller frees it. */
static uint8_t *all_carried(const Scan *scan, How *how, bool *finds) {
    size_t count = scan->found.records.count;
    uint8_t *codes = malloc(count + 1);
    if (codes == NULL) {
        PyErr_NoMemory();
    }
    for (size_t at = 0; codes != NULL && at < count; at++) {
        int code = carried_by(scan, how, at);
        codes[at] = (uint8_t)code;
        *finds = *finds || (code >= CARRIES && is_of_python(carrier_of((unsigned)code).syntax));
        if (code < 0) {
            free(codes);
            return NULL;
        }
    }
    return codes;
}

/* Reads the references (rule 4); false with an error. */
static bool fill(ReferenceTable *self, How *how, bool utf8) {
    bool finds = false;
    uint8_t *codes = all_carried(self->scan, how, &finds);
    if (codes == NULL) {
        return false;
    }
    PyThreadState *state = unlock(finds ? 0 : self->scan->view.length);
    bool done = table_reserve(&self->table, self->scan->found.records.count) && take_places(self, how, codes, utf8);
    forget_slots(&self->table);
    free(codes);
    lock(state);
    if (!done && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return done && make_all_names(self);
}

PyObject *scan_table(Scan *scan, PyObject *args) {
    PyObject *tuple;
    int utf8;
    How how;
    if (!PyArg_ParseTuple(args, "Op", &tuple, &utf8)) {
        return NULL;
    }
    PyTypeObject *type = table_type(scan);
    ReferenceTable *self = type == NULL ? NULL : (ReferenceTable *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self == NULL) {
        return NULL;
    }
    Py_INCREF((PyObject *)scan);
    self->scan = scan;
    bool done = take_how(scan, tuple, &how);
    if (done) {
        self->how = new_reference(tuple);
        self->kinds = new_reference(how.kind_names);
        self->bases = how.bases;
        done = fill(self, &how, utf8);
    }
    if (!done) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

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
