/* The names of the elements and attributes of a scan's places. */

#include "scans.h"

enum { LONGEST_NAME = 256 };

/* Copies a name that is in no table, in lower case unless `exact`; returns its length, 0 if it is long or not ASCII. */
static size_t unknown_name(View written, bool exact, char *name) {
    size_t length = written.length;
    if (length > LONGEST_NAME) {
        return 0;
    }
    for (size_t at = 0; at < length; at++) {
        unsigned char byte = exact ? written.data[at] : lower_byte(written.data[at]);
        if (byte == 0 || byte >= 0x80) {
            return 0;
        }
        name[at] = (char)byte;
    }
    return length;
}

/* The same for the element that a record is on. */
static size_t written_name(const Scan *self, const Record *record, char *name) {
    size_t start = (size_t)record->tag + 1;
    return record->flags & RECORD_XML ? unknown_name(xml_local_name(self->view, record->tag, record->ns), true, name)
                                      : unknown_name(part_of(self->view, start, tag_name_end(self->view, start)), false, name);
}

bool has_plain_name(const Scan *self, const Record *record) {
    char name[LONGEST_NAME];
    bool is_known = record->element != UNKNOWN && !(record->flags & RECORD_XML);
    return (record->flags & (RECORD_COMMENT | RECORD_WHOLE)) || is_known || written_name(self, record, name) > 0;
}

PyObject *element_name(const Scan *self, const Record *record, int *odd) {
    if (record->flags & (RECORD_COMMENT | RECORD_WHOLE)) {
        return PyUnicode_FromString(record->flags & RECORD_COMMENT ? "#comment" : "");
    }
    if (record->element != UNKNOWN && !(record->flags & RECORD_XML)) {
        return new_reference(self->bound->names[0][NS_COUNT * (size_t)record->element + record->ns]);
    }
    char name[LONGEST_NAME];
    size_t length = written_name(self, record, name);
    *odd |= length == 0 ? ODD_NAME : 0;
    return PyUnicode_FromStringAndSize(name, (Py_ssize_t)length);
}

PyObject *attribute_name(const Scan *self, const Record *record) {
    if (record->flags & RECORD_TEXT) {
        return new_reference(Py_None);
    }
    size_t ns = record->flags & RECORD_XML ? 0 : record->ns;
    return new_reference(self->bound->names[1][NS_COUNT * (size_t)record->attribute + ns]);
}

/* The URI of a namespace: a new reference. */
PyObject *namespace_uri(const Scan *self, uint8_t ns) {
    size_t known = (size_t)PyTuple_Size(self->bound->namespaces);
    return ns < known ? new_reference(PyTuple_GetItem(self->bound->namespaces, ns))
                      : text_of(self->found.xml.namespaces[ns - known]);
}

const Record *named_among(const Scan *self, size_t number, uint16_t attribute) {
    const Record *records = self->found.records.items;
    uint32_t tag = records[number].tag;
    while (number > 0 && records[number - 1].tag == tag) {
        number--;
    }
    for (; number < self->found.records.count && records[number].tag == tag; number++) {
        if (is_named(&records[number], attribute)) {
            return &records[number];
        }
    }
    return NULL;
}
