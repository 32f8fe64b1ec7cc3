/* Making tables of references.

   1. A row can be read if its text is certainly what Python would read: ASCII, or UTF-8 in a source that is `utf8`,
      without CR. A fragment can be only if the base is the document's own URI, since it is relative to that; an empty text
      if it is ordinary. All references of a place with a row that cannot be read, or on an element with such a `rel` or `as`,
      are left to Python.
   2. In XML, the text of an element outside HTML's vocabularies that carries something odd is markup: HTML, whose
      references are those of the place. It is scanned, and its uses are where they are in the source. If anything in it is
      left to Python, the whole place is.
   3. A place in XML in another scope than that of the bases is left to Python. */

#include "tables.h"

#include <stdlib.h>

#include "positions.h"

/* Whether a row can be read here (rule 1). */
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

/* What is read: a source, or a document inside a place of it (rule 2), whose bytes begin at `start` in that source, or come
   from these `offsets` behind it. */
typedef struct {
    const Scan *scan;
    How *how, *inner; /* and how documents in its places are read */
    size_t start;
    const uint32_t *offsets;
    uint32_t place; /* which it is inside of */
    bool utf8, is_inner;
} Reading;

/* Where byte `at` of what is read is in the source. */
static uint32_t source_offset(const Reading *reading, size_t at) {
    return (uint32_t)(reading->start + (reading->offsets == NULL ? at : reading->offsets[at]));
}

/* The names of a class, that of a record; NULL with an error. */
static const ClassNames *names_of(ReferenceTable *self, uint16_t number, const Scan *scan, const Record *record) {
    if (number < self->name_count) {
        return &self->names[number];
    }
    ClassNames *names = grown(self->names, self->name_count, &self->name_room, sizeof *names);
    PyObject *kind = PyTuple_GetItem(self->kinds, self->table.classes[number].kind);
    if (names == NULL || kind == NULL) {
        return kind == NULL ? NULL : (const ClassNames *)PyErr_NoMemory();
    }
    ClassNames made = {.attribute = attribute_name(scan, record), .kind = new_reference(kind)};
    made.element = element_name(scan, record, &made.odd);
    made.rel = text_or_none(self->table.classes[number].rel);
    made.as = text_or_none(self->table.classes[number].as);
    self->names = names;
    names[self->name_count++] = made;
    return made.element == NULL || made.rel == NULL || made.as == NULL ? NULL : &names[number];
}

static void read_row(const Bases *bases, const Class *class, Row *row, bool utf8) {
    Resolved resolved;
    resolve(bases, text_of_row(row), &resolved);
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

/* Adds a reference, the part of a value that `span` says. */
static PlaceStatus take_reference(ReferenceTable *self, const Reading *reading, size_t place, const Value *value,
                                  Span span, Class class) {
    Table *table = &self->table;
    uint16_t number = class_number(table, class);
    if (number == NO_CLASS) {
        return PLACE_ODD; /* or memory is short, which shows elsewhere */
    }
    const ClassNames *names = names_of(self, number, reading->scan, &reading->scan->found.records.items[place]);
    if (names == NULL || names->odd) {
        return names == NULL ? PLACE_ERROR : PLACE_ODD;
    }
    View text = {value->text + span.start, span.end - span.start};
    uint32_t row = row_number(table, text, number, value->offsets == NULL);
    if (row == UINT32_MAX) {
        PyErr_NoMemory();
        return PLACE_ERROR;
    }
    if (!(table->rows[row].flags & ROW_READ)) {
        read_row(&reading->how->bases, &class, &table->rows[row], reading->utf8);
    }
    if (!(table->rows[row].flags & ROW_READABLE)) {
        return PLACE_ODD;
    }
    Use use = {source_offset(reading, value_offset(value, span.start)), source_offset(reading, value_offset(value, span.end)),
               row, reading->is_inner ? reading->place : (uint32_t)place};
    if (!add_use(table, use)) {
        PyErr_NoMemory();
        return PLACE_ERROR;
    }
    return PLACE_DONE;
}

/* What carries the references of a place, except for their kind. */
static Class class_of(const Reading *reading, const Record *record, Carrier carrier, const Record *rel, const Record *as) {
    View view = reading->scan->view;
    size_t name = (size_t)record->tag + 1;
    bool has_name = record->element == UNKNOWN && !(record->flags & RECORD_WHOLE);
    bool is_text = record->flags & RECORD_TEXT;
    int before = is_text || record->start == 0 ? -1 : byte_at(view, (size_t)record->start - 1);
    bool is_quoted = (before == '"' || before == '\'') && byte_at(view, record->end) == before;
    return (Class){has_name ? part_of(view, name, tag_name_end(view, name)) : (View){NULL, 0},
                   rel == NULL ? (View){NULL, 0} : part_of(view, rel->start, rel->end),
                   as == NULL ? (View){NULL, 0} : part_of(view, as->start, as->end),
                   record->element,
                   record->attribute,
                   record->ns,
                   (uint8_t)((is_text ? CLASS_TEXT : 0) | (reading->is_inner ? CLASS_INNER : 0) |
                             (reading->is_inner && !is_text && !is_quoted ? CLASS_UNQUOTED : 0)),
                   (uint8_t)carrier.syntax,
                   (uint8_t)carrier.kind};
}

static bool is_blank(View text) {
    size_t at = 0;
    while (is_space(byte_at(text, at))) {
        at++;
    }
    return at == text.length;
}

/* Whether the text of an element in XML is markup if it carries something odd (rule 2). */
static bool may_be_markup(const Record *record) {
    const uint16_t text_in_xml = RECORD_XML | RECORD_TEXT;
    return (record->flags & text_in_xml) == text_in_xml && record->ns >= NS_COUNT;
}

static PlaceStatus take_markup(ReferenceTable *self, const Reading *reading, size_t number);

/* Adds the references of a place, as long as all can be read. */
static PlaceStatus take_place(ReferenceTable *self, const Reading *reading, size_t number) {
    const Scan *scan = reading->scan;
    How *how = reading->how;
    const Record *record = &scan->found.records.items[number];
    int code = carried_by(scan, how, number);
    Value value;
    if (code < 0 || code == CARRIES_NOTHING) {
        return code < 0 ? PLACE_ERROR : PLACE_DONE;
    }
    bool is_elsewhere = (record->flags & RECORD_XML) && how->scope != ANY_SCOPE &&
                        scan->found.xml.contexts[number].scope != (uint32_t)how->scope; /* NO_SCOPE is NO_PLACE */
    if (is_elsewhere || (code == CARRIES_ODD && may_be_markup(record))) {
        return is_elsewhere ? PLACE_ODD : take_markup(self, reading, number);
    }
    const Record *rel = named_beside(scan, number, scan->bound->plan.rel);
    const Record *as = rel == NULL ? NULL : named_beside(scan, number, scan->bound->plan.as);
    if (code == CARRIES_ODD || (rel != NULL && (rel->flags & RECORD_ODD)) || (as != NULL && (as->flags & RECORD_ODD)) ||
        !value_of(scan->view, record, scan->multibyte, &how->room, &value)) {
        return PLACE_ODD;
    }
    Carrier carrier = carrier_of((unsigned)code);
    View text = {value.text, value.length};
    if (carrier.syntax == SYNTAX_CSS && !(record->flags & RECORD_TEXT) && find_byte(text, 0, '(') == text.length) {
        return PLACE_DONE; /* rule 4 of references.h */
    }
    if (may_be_markup(record) && is_blank(text)) {
        return PLACE_DONE;
    }
    Class class = class_of(reading, record, carrier, rel, as);
    size_t position = 0;
    Span span;
    Step step;
    while ((step = next_reference(carrier.syntax, text, &position, &span)) == STEP_FOUND) {
        bool is_fragment = carrier.hash_is_fragment && span.start < span.end && text.data[span.start] == '#';
        class.kind = is_fragment ? KIND_FRAGMENT : (uint8_t)carrier.kind;
        PlaceStatus status = take_reference(self, reading, number, &value, span, class);
        if (status != PLACE_DONE) {
            return status;
        }
    }
    return step == STEP_ODD ? PLACE_ODD : PLACE_DONE;
}

/* Adds the references of HTML that is inside a place (rule 2). */
static PlaceStatus take_inner(ReferenceTable *self, const Reading *outer, Reading reading, View view) {
    const BoundPlan *bound = bound_plan(outer->how->inner);
    Scan inner = {.bound = bound, .view = view}; /* which Python does not see */
    PlaceStatus status = PLACE_DONE;
    inner.status = scan(view, &bound->plan, false, &inner.found);
    reading.scan = &inner;
    reading.how = outer->inner;
    if (inner.status != SCAN_DONE) {
        status = inner.status == SCAN_NO_MEMORY ? PLACE_ERROR : PLACE_ODD;
    }
    for (size_t at = 0; status == PLACE_DONE && at < inner.found.records.count; at++) {
        status = take_place(self, &reading, at);
    }
    if (inner.status == SCAN_NO_MEMORY) {
        PyErr_NoMemory();
    }
    found_free(&inner.found);
    return status;
}

static PlaceStatus take_markup(ReferenceTable *self, const Reading *reading, size_t number) {
    const Record *record = &reading->scan->found.records.items[number];
    View raw = part_of(reading->scan->view, record->start, record->end);
    bool has_tags = find_byte(raw, 0, '<') < raw.length;
    Reading inside = {.start = record->start, .place = (uint32_t)number, .utf8 = reading->utf8, .is_inner = true};
    if (!has_tags && find_byte(raw, 0, '&') == raw.length) {
        return PLACE_DONE;
    }
    if (reading->how->inner == NULL || (record->flags & RECORD_PARTS)) {
        return PLACE_ODD;
    }
    if (has_tags && find_byte(raw, 0, '\r') == raw.length && find_byte(raw, 0, 0) == raw.length) {
        return take_inner(self, reading, inside, raw); /* a CDATA section is literal */
    }
    unsigned char *text = kept_room(&self->table, raw.length);
    uint32_t *offsets = malloc((raw.length + 1) * sizeof *offsets); /* raw is shorter than 2^32: no overflow on 64 bits */
    PlaceStatus status = PLACE_ERROR;
    if (text == NULL || offsets == NULL) {
        PyErr_NoMemory();
    } else {
        size_t length = xml_decode(raw, record->flags, text, offsets);
        View view = {text, length};
        inside.offsets = offsets;
        status = length == SIZE_MAX                        ? PLACE_ODD
                 : find_byte(view, 0, '<') == view.length ? PLACE_DONE
                                                           : take_inner(self, reading, inside, view);
    }
    free(offsets);
    return status;
}

static bool take_places(ReferenceTable *self, const Reading *reading) {
    Table *table = &self->table;
    for (size_t at = 0; at < reading->scan->found.records.count; at++) {
        size_t before = table->use_count;
        PlaceStatus status = take_place(self, reading, at);
        if (status == PLACE_ERROR) {
            return false;
        }
        if (status == PLACE_ODD) {
            drop_uses(table, before);
            if (!add_odd_place(table, (uint32_t)at)) {
                PyErr_NoMemory();
                return false;
            }
        }
    }
    return true;
}

PyObject *scan_table(Scan *scan, PyObject *args) {
    PyObject *tuple;
    int utf8;
    How how, inner;
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
        done = table_reserve(&self->table, scan->found.records.count) || PyErr_NoMemory() != NULL;
        inner = how;
        inner.ask = inner.inner = NULL;
        inner.table = how.inner_table;
        done = done && make_codes(scan, &how) &&
               take_places(self, &(Reading){.scan = scan, .how = &how, .inner = &inner, .utf8 = utf8});
        free(how.codes);
        forget_slots(&self->table);
    }
    if (!done) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}
