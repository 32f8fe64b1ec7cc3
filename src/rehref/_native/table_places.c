/* Making tables of references.

   - A row can be read if its text is certainly what Python would read: ASCII, or UTF-8 in a source that is `utf8`,
     without CR. A fragment can be only if the base is the document's own URI, since it is relative to that; an empty text
     if it is ordinary. All references of a place with a row that cannot be read, or on an element with such a `rel` or `as`,
     are left to Python.
   - In XML, the text of an element outside HTML's vocabularies that carries something odd is markup: HTML, whose
     references are those of the place. It is scanned, and its uses are where they are in the source. If anything in it is
     left to Python, the whole place is.
   - So is the value of a `srcdoc` in quotes in HTML: a document with the base of the page, and UTF-8 as its encoding. One
     that names a base, or is before the last element that may name the base of the page, is left to Python.
   - A reference below an `xml:base` is relative to that, and so is one beside a `codebase` that this is for. Such a base is
     known here if it is plain (`add_base`); else Python finds the targets. Only an `xml:base` that is plain is itself
     read here. Inside a place, what is beside a `codebase` is left to Python.
   - In the syntaxes of Python, that finds the references in a value, in order. A place is left to it if its value is not
     what is said of a row above, or if one of its references is in a custom property, or has a base of its own within that of
     another part.
   - Python is asked what places carry before their references are read, and the names of classes are made after that.
     In between, other threads run, unless Python finds references. For the names of character references it is asked first,
     if a value has any.
   - What a `base` element names is relative to another base, and its problems are of its place: its row is odd, and only
     the first is here.
   - Below a `codebase` that is plain, a relative path and the like is ordinary if it is below the base that browsers use, too;
     it is faulty if it leads elsewhere there. */

#include "tables.h"

#include <stdlib.h>

#include "positions.h"

static PyObject *text_or_none(View text) {
    return text.data == NULL ? new_reference(Py_None) : text_of(text);
}

/* What is read: a source, or a document inside a place of it, whose bytes begin at `start` in that source, or come
   from these `offsets` behind it. */
typedef struct {
    const Scan *scan;
    How *how, *inner; /* and how documents in its places are read */
    size_t start;
    const uint32_t *offsets;
    uint32_t place; /* which it is inside of, */
    uint32_t base;  /* and the number of the base there */
    bool utf8, is_inner;
} Reading;

/* Where byte `at` of what is read is in the source. */
static size_t source_offset(const Reading *reading, size_t at) {
    return reading->start + (reading->offsets == NULL ? at : reading->offsets[at]);
}

/* Makes the names of a class; false with an error. */
static bool make_names(ReferenceTable *self, const Class *class, const BoundPlan *inner_bound) {
    const Scan *scan = self->scan;
    const Record *record = &scan->found.records.items[class->place];
    View name = class->name;
    Scan inner = {.bound = inner_bound, .view = {name.length > 0 ? name.data - 1 : name.data, name.length + 1}};
    Record within = {.element = class->element, .attribute = class->attribute, .ns = class->ns,
                     .flags = class->flags & CLASS_TEXT ? RECORD_TEXT : 0};
    if (class->flags & CLASS_INNER) { /* of which only the name is still known */
        scan = &inner;
        record = &within;
    }
    PyObject *kind = PyTuple_GetItem(self->kinds, class->kind);
    int odd = 0; /* it stays so: `take_place` */
    if (kind == NULL) {
        return false;
    }
    ClassNames *names = &self->names[self->name_count++];
    *names = (ClassNames){.element = element_name(scan, record, &odd),
                          .attribute = attribute_name(scan, record),
                          .kind = new_reference(kind),
                          .rel = text_or_none(class->rel),
                          .as = text_or_none(class->as)};
    return names->element != NULL && names->rel != NULL && names->as != NULL;
}

static bool make_all_names(ReferenceTable *self, const BoundPlan *inner) {
    bool done = true;
    self->names = malloc((self->table.class_count + 1) * sizeof *self->names); /* at most MOST_CLASSES: no overflow */
    if (self->names == NULL) {
        return PyErr_NoMemory() != NULL;
    }
    for (size_t at = 0; done && at < self->table.class_count; at++) {
        done = make_names(self, &self->table.classes[at], inner);
    }
    return done;
}

/* What Python has found in a value: a `rehref.uri.syntaxes.Occurrence`. */
typedef struct {
    Py_ssize_t start, end; /* in characters */
    View text;
    Py_ssize_t kind;
    PyObject *bases; /* the values that name its base, nearest first; borrowed */
} Occurrence;

/* False if it is not so simple: it is in a custom property, has a kind without a number, or half of a surrogate pair. */
static bool take_occurrence(const How *how, PyObject *tuple, unsigned kind, Occurrence *found) {
    PyObject *text, *form, *own_kind, *fetched, *property;
    if (!is_tuple(tuple) || !PyArg_ParseTuple(tuple, "nnOOO!OOO", &found->start, &found->end, &text, &form, &PyTuple_Type,
                                              &found->bases, &own_kind, &fetched, &property)) {
        return false;
    }
    found->kind = own_kind == Py_None ? (Py_ssize_t)kind : PySequence_Index(how->kind_names, own_kind);
    return found->kind >= 0 && !PyObject_IsTrue(property) && take_text(text, &found->text);
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

/* Adds the references that Python finds in a value. */
static PlaceStatus take_found(ReferenceTable *self, const How *how, const Value *value, Class class, uint32_t base,
                              bool utf8) {
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
            status = PLACE_ODD;
            break;
        }
        size_t start = go_to(text, &reached, found.start), end = go_to(text, &reached, found.end);
        class.kind = (uint8_t)found.kind;
        uint32_t here = base;
        if (PyTuple_Size(found.bases) > 0) {
            here = base > 0 ? 0 : base_of_values(self, how, found.bases);
            if (here == 0) {
                bool is_text = PyErr_Occurred() == NULL || PyErr_ExceptionMatches(PyExc_UnicodeEncodeError);
                status = is_text ? PLACE_ODD : PLACE_ERROR;
                break;
            }
        }
        status = take_reference(self, found.text, value_offset(value, start), value_offset(value, end), false, class, here,
                                true);
    }
    if (status == PLACE_ODD) {
        PyErr_Clear();
    }
    Py_XDECREF(all);
    return status;
}

/* What carries the references of a place, except for their kind. */
static Class class_of(const Reading *reading, size_t number, Carrier carrier, const Record *rel, const Record *as) {
    View view = reading->scan->view;
    const Record *record = &reading->scan->found.records.items[number];
    size_t name = (size_t)record->tag + 1;
    bool has_name = record->element == UNKNOWN && !(record->flags & RECORD_WHOLE);
    bool is_text = record->flags & RECORD_TEXT;
    bool is_whole = carrier.syntax == SYNTAX_URL && carrier.kind >= LOCAL_KINDS && !carrier.hash_is_fragment &&
                    !carrier.of_codebase;
    return (Class){reading->is_inner ? reading->place : (uint32_t)number,
                   has_name ? part_of(view, name, tag_name_end(view, name)) : (View){NULL, 0},
                   rel == NULL ? (View){NULL, 0} : part_of(view, rel->start, rel->end),
                   as == NULL ? (View){NULL, 0} : part_of(view, as->start, as->end),
                   record->element,
                   record->attribute,
                   record->ns,
                   (uint8_t)((is_text ? CLASS_TEXT : 0) | (reading->is_inner ? CLASS_INNER : 0) |
                             (is_whole && !reading->is_inner ? CLASS_WHOLE : 0) |
                             (reading->is_inner && !is_text && !is_quoted(view, record) ? CLASS_UNQUOTED : 0)),
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

/* Whether the text of an element in XML is markup if it carries something odd. */
static bool may_be_markup(const Record *record) {
    const uint16_t text_in_xml = RECORD_XML | RECORD_TEXT;
    return (record->flags & text_in_xml) == text_in_xml && record->ns >= NS_COUNT;
}

/* Finds the number of the base of a place. False if memory is short. */
static bool find_base(ReferenceTable *self, const Reading *reading, size_t number, Carrier carrier, uint32_t *base) {
    const Scan *scan = reading->scan;
    How *how = reading->how;
    *base = reading->base;
    if (reading->is_inner) {
        return true;
    }
    if (how->xml_base && scan->found.records.items[number].flags & RECORD_XML) {
        uint32_t scope = scan->found.xml.contexts[number].scope;
        *base = scope == NO_PLACE ? 0 : base_named(self, how, scope);
        if (*base == 0 && scope != NO_PLACE) {
            return false;
        }
    }
    const Record *codebase = carrier.of_codebase && how->codebase ? named_beside(scan, number, scan->bound->plan.codebase) : NULL;
    if (codebase != NULL) {
        *base = base_named(self, how, (size_t)(codebase - scan->found.records.items));
    }
    return codebase == NULL || *base > 0;
}

/* Whether a place names the base of a part of the document, or would if such counted. */
static bool names_part_base(const Scan *scan, const Record *record) {
    const Plan *plan = &scan->bound->plan;
    return is_named(record, plan->codebase) || (plan->is_xml && is_named(record, plan->xml_base));
}

static PlaceStatus take_markup(ReferenceTable *self, const Reading *reading, size_t number, uint32_t base);
static PlaceStatus take_document(ReferenceTable *self, const Reading *reading, size_t number, uint32_t base);

/* Adds the references of a place that carries `code`, as long as all can be read. */
static PlaceStatus take_place(ReferenceTable *self, const Reading *reading, size_t number, unsigned code) {
    const Scan *scan = reading->scan;
    How *how = reading->how;
    const Record *record = &scan->found.records.items[number];
    Value value;
    if (code == CARRIES_NOTHING) {
        return PLACE_DONE;
    }
    Carrier carrier = code < CARRIES ? (Carrier){SYNTAX_URL, KIND_FRAGMENT, false, false} : carrier_of(code);
    uint32_t base;
    if (code == CARRIES_ODD && !may_be_markup(record)) {
        return PLACE_ODD;
    }
    if (!find_base(self, reading, number, carrier, &base)) {
        return PLACE_ERROR;
    }
    if (code == CARRIES_ODD) {
        return take_markup(self, reading, number, base);
    }
    if (code == CARRIES_DOCUMENT) {
        return take_document(self, reading, number, base);
    }
    const Record *rel = named_beside(scan, number, scan->bound->plan.rel);
    const Record *as = rel == NULL ? NULL : named_beside(scan, number, scan->bound->plan.as);
    if ((rel != NULL && (rel->flags & RECORD_ODD)) || (as != NULL && (as->flags & RECORD_ODD)) ||
        !has_plain_name(scan, record)) {
        return PLACE_ODD;
    }
    bool is_part_base = carrier.kind == KIND_BASE && names_part_base(scan, record);
    if (carrier.kind == KIND_BASE && !is_part_base && ((record->flags & RECORD_IN_TEMPLATE) || reading->is_inner)) {
        return PLACE_ODD;
    }
    if (is_part_base && (record->flags & RECORD_XML) && is_named(record, scan->bound->plan.xml_base)) {
        uint32_t named = how->xml_base ? base_named(self, how, number) : 0;
        if (named == 0 || !self->bases[named].prefixes.has_root) {
            return PLACE_ODD;
        }
    }
    if (carrier.of_codebase && reading->is_inner && how->codebase && named_beside(scan, number, scan->bound->plan.codebase) != NULL) {
        return PLACE_ODD;
    }
    if (carrier.syntax == SYNTAX_JSON) {
        return take_given(self, how, record, reading->utf8);
    }
    Class class = class_of(reading, number, carrier, rel, as);
    class.flags |= is_part_base ? CLASS_PART_BASE : 0;
    if (is_of_python(carrier.syntax) && carrier.kind == KIND_METADATA && !how->metadata && !reading->is_inner) {
        return places_add(&self->table.unread, class.place) ? PLACE_DONE : PLACE_ERROR;
    }
    if (!value_of(scan->view, record, scan->multibyte, how->room, &value)) {
        return PLACE_ODD;
    }
    if (is_of_python(carrier.syntax)) {
        return reading->is_inner ? PLACE_ODD : take_found(self, how, &value, class, base, reading->utf8);
    }
    View text = {value.text, value.length};
    if (carrier.syntax == SYNTAX_CSS && !(record->flags & RECORD_TEXT) && find_byte(text, 0, '(') == text.length) {
        return PLACE_DONE; /* as references.h says */
    }
    if (may_be_markup(record) && is_blank(text)) {
        return PLACE_DONE;
    }
    size_t position = 0;
    Span span;
    Step step;
    CssDeclaration declaration = {0};
    while ((step = next_reference(carrier.syntax, text, &position, &span, &declaration)) == STEP_FOUND) {
        bool is_fragment = carrier.hash_is_fragment && span.start < span.end && text.data[span.start] == '#';
        class.kind = is_fragment ? KIND_FRAGMENT : (uint8_t)carrier.kind;
        size_t start = source_offset(reading, value_offset(&value, span.start));
        size_t end = source_offset(reading, value_offset(&value, span.end));
        PlaceStatus status = take_reference(self, part_of(text, span.start, span.end), start, end, value.offsets == NULL,
                                            class, base, reading->utf8);
        if (status != PLACE_DONE) {
            return status;
        }
    }
    return step == STEP_ODD ? PLACE_ODD : PLACE_DONE;
}

/* Adds the references of HTML that is inside a place. */
static PlaceStatus take_inner(ReferenceTable *self, const Reading *outer, Reading reading, View view) {
    const BoundPlan *bound = outer->how->inner;
    Scan inner = {.bound = bound, .view = view}; /* which Python does not see */
    PlaceStatus status = PLACE_DONE;
    inner.status = scan(view, &bound->plan, false, &inner.found);
    reading.scan = &inner;
    reading.how = outer->inner;
    if (inner.status != SCAN_DONE) {
        status = inner.status == SCAN_NO_MEMORY ? PLACE_ERROR : PLACE_ODD;
    }
    for (size_t at = 0; status == PLACE_DONE && at < inner.found.records.count; at++) {
        int code = carried_by(&inner, reading.how, at); /* which asks nobody */
        status = code < 0 ? PLACE_ERROR : take_place(self, &reading, at, (unsigned)code);
    }
    found_free(&inner.found);
    return status;
}

/* The same for a value that must be decoded. */
static PlaceStatus take_decoded(ReferenceTable *self, const Reading *outer, Reading inside, const Record *record) {
    View raw = part_of(outer->scan->view, record->start, record->end);
    unsigned char *text = kept_room(&self->table, raw.length);
    bool fits = raw.length < SIZE_MAX / sizeof(uint32_t) - 1;
    uint32_t *offsets = fits ? malloc((raw.length + 1) * sizeof *offsets) : NULL;
    PlaceStatus status = PLACE_ERROR;
    if (text != NULL && offsets != NULL) {
        size_t length = record->flags & RECORD_XML ? xml_decode(raw, record->flags, text, offsets)
                                                   : html_decode(raw, outer->how->room->named, text, offsets);
        View view = {text, length};
        bool is_xml = record->flags & RECORD_XML;
        inside.offsets = offsets;
        status = length == SIZE_MAX                                                ? PLACE_ODD
                 : find_byte(view, 0, '<') == view.length                         ? PLACE_DONE
                 : !is_xml && !outer->how->bases.iris && !is_ascii(view) ? PLACE_ODD /* as in `take_document` */
                                                                          : take_inner(self, outer, inside, view);
    }
    free(offsets);
    return status;
}

static PlaceStatus take_markup(ReferenceTable *self, const Reading *reading, size_t number, uint32_t base) {
    const Record *record = &reading->scan->found.records.items[number];
    View raw = part_of(reading->scan->view, record->start, record->end);
    bool has_tags = find_byte(raw, 0, '<') < raw.length;
    Reading inside = {.start = record->start, .place = (uint32_t)number, .base = base, .utf8 = reading->utf8, .is_inner = true};
    if (!has_tags && find_byte(raw, 0, '&') == raw.length) {
        return PLACE_DONE;
    }
    if (reading->how->inner == NULL || (record->flags & RECORD_PARTS)) {
        return PLACE_ODD;
    }
    if (has_tags && find_byte(raw, 0, '\r') == raw.length && find_byte(raw, 0, 0) == raw.length) {
        return take_inner(self, reading, inside, raw); /* a CDATA section is literal */
    }
    return take_decoded(self, reading, inside, record);
}

/* Adds the references of a `srcdoc`. */
static PlaceStatus take_document(ReferenceTable *self, const Reading *reading, size_t number, uint32_t base) {
    const Scan *scan = reading->scan;
    const Record *record = &scan->found.records.items[number];
    View raw = part_of(scan->view, record->start, record->end);
    Reading inside = {.start = record->start, .place = (uint32_t)number, .base = base, .utf8 = reading->utf8, .is_inner = true};
    bool is_utf8 = (reading->how->bases.iris && !scan->multibyte) || is_ascii(raw); /* else it may have another query */
    if (reading->is_inner || (record->flags & RECORD_XML) || reading->how->inner == NULL ||
        number < reading->how->inner_from || !is_quoted(scan->view, record) || !is_utf8 || find_byte(raw, 0, 0) < raw.length) {
        return PLACE_ODD;
    }
    return find_byte(raw, 0, '&') == raw.length ? take_inner(self, reading, inside, raw)
                                                : take_decoded(self, reading, inside, record);
}

/* Adds the references of all places; false with an error of Python, or if memory is short. */
static bool take_places(ReferenceTable *self, const Reading *reading, const uint8_t *codes) {
    Table *table = &self->table;
    for (size_t at = 0; at < self->scan->found.records.count; at++) {
        size_t before = table->use_count;
        PlaceStatus status = take_place(self, reading, at, codes[at]);
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
        Carrier carrier = carrier_of(code < CARRIES ? CARRIES : (unsigned)code);
        *finds = *finds || (code >= CARRIES && is_of_python(carrier.syntax));
        bool is_base = code >= CARRIES && carrier.kind == KIND_BASE && !names_part_base(scan, &scan->found.records.items[at]);
        how->inner_from = is_base ? at + 1 : how->inner_from; /* one that names a base is left to Python */
        if (code < 0) {
            free(codes);
            return NULL;
        }
    }
    return codes;
}

/* Asks for the names of character references, if a value has any: a capsule, or None; NULL with an error. */
static PyObject *take_named(const Scan *scan, How *how) {
    for (size_t at = 0; at < scan->found.records.count; at++) {
        const Record *record = &scan->found.records.items[at];
        bool may_need = (record->flags & (RECORD_ODD | RECORD_TEXT | RECORD_XML)) == RECORD_ODD;
        if (may_need && needs_names(part_of(scan->view, record->start, record->end))) {
            PyObject *capsule = PyObject_CallFunction(how->named, NULL);
            how->room->named = capsule == NULL ? NULL : named_references(capsule);
            if (how->room->named == NULL) {
                Py_CLEAR(capsule);
            }
            return capsule;
        }
    }
    return new_reference(Py_None);
}

/* Reads the references; false with an error. */
static bool fill(ReferenceTable *self, How *how, bool utf8) {
    bool finds = false;
    How inner = *how;
    inner.ask = NULL;
    inner.inner = NULL;
    inner.table = how->inner_table;
    Reading reading = {.scan = self->scan, .how = how, .inner = &inner, .utf8 = utf8};
    uint8_t *codes = make_codes(self->scan, how) ? all_carried(self->scan, how, &finds) : NULL;
    PyObject *named = codes == NULL ? NULL : take_named(self->scan, how); /* which keeps them alive */
    free(how->codes);
    if (named == NULL) {
        free(codes);
        return false;
    }
    PyThreadState *state = unlock(finds ? 0 : self->scan->view.length);
    bool done = table_reserve(&self->table, self->scan->found.records.count) && take_places(self, &reading, codes);
    forget_slots(&self->table);
    free(self->base_numbers);
    self->base_numbers = NULL;
    free(codes);
    lock(state);
    Py_DECREF(named);
    if (!done && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return done && make_all_names(self, how->inner);
}

PyObject *scan_table(Scan *scan, PyObject *args) {
    PyObject *tuple;
    int utf8;
    How how;
    Room room;
    if (!PyArg_ParseTuple(args, "Op", &tuple, &utf8)) {
        return NULL;
    }
    how.room = &room;
    room.named = NULL;
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
        self->seen = how.bases;
        self->seen.canonical = true;
        done = make_bases(self, &how.bases) && fill(self, &how, utf8);
    }
    if (!done) {
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}
