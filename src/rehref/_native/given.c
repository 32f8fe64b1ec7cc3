/* The references of a text without markup that Python finds all at once: in plain text, in JSON.

   - Python gives triples of 32-bit numbers, in order: from and to, in bytes of the text in UTF-8, and the number of a
     code; and these, which say what each carries: nothing, or a kind. If a code says that Python must read it, or a
     reference is GIVEN_ODD, the whole text is odd; so is one that is not UTF-8.
   - An empty text is not a reference.
   - Whatever Python passes is checked. */

#include "tables.h"

static PlaceStatus take_triples(ReferenceTable *self, const How *how, const Record *record, PyObject *given, bool utf8) {
    const Scan *scan = self->scan;
    const char *triples, *bytes;
    Py_ssize_t size, count;
    if (!is_tuple(given) || !PyArg_ParseTuple(given, "y#y#", &triples, &size, &bytes, &count)) {
        return PLACE_ERROR;
    }
    View codes = {(const unsigned char *)bytes, (size_t)count};
    uint32_t triple[3];
    size_t begin = record->start, before = begin;
    for (size_t at = 0; (size_t)size - at >= sizeof triple; at += sizeof triple) {
        memcpy(triple, triples + at, sizeof triple);
        int code = byte_at(codes, triple[2] & (GIVEN_FIXED - 1));
        size_t start = begin + triple[0], end = begin + triple[1];
        if (code == CARRIES_NOTHING || (code > CARRIES_ODD && start == end)) {
            continue;
        }
        if (code < CARRIES || (triple[2] & GIVEN_ODD)) {
            return PLACE_ODD;
        }
        Carrier carrier = carrier_of((unsigned)code);
        if (start < before || end < start || end > scan->view.length || carrier.kind >= how->kinds) {
            PyErr_SetString(PyExc_ValueError, "references must be in order, and within the source");
            return PLACE_ERROR;
        }
        before = end;
        Class class = {.element = record->element,
                       .flags = (uint8_t)(CLASS_TEXT | (triple[2] & GIVEN_FIXED ? CLASS_FIXED : 0)),
                       .syntax = SYNTAX_JSON,
                       .kind = (uint8_t)carrier.kind};
        PlaceStatus status = take_reference(self, part_of(scan->view, start, end), start, end, true, class, 0, utf8);
        if (status != PLACE_DONE) {
            return status;
        }
    }
    return PLACE_DONE;
}

PlaceStatus take_given(ReferenceTable *self, const How *how, const Record *record, bool utf8) {
    View text = part_of(self->scan->view, record->start, record->end);
    TextForm form = text_form(text);
    if (!(record->flags & RECORD_WHOLE) || (form != TEXT_ASCII && !(form == TEXT_UTF8 && utf8))) {
        return PLACE_ODD;
    }
    PyObject *decoded = text_of(text);
    PyObject *given = decoded == NULL ? NULL : PyObject_CallFunction(how->find, "iO", SYNTAX_JSON, decoded);
    PlaceStatus status = given == NULL      ? PLACE_ERROR
                         : given == Py_None ? PLACE_ODD
                                            : take_triples(self, how, record, given, utf8);
    Py_XDECREF(decoded);
    Py_XDECREF(given);
    return status;
}
