/* Scans, as the files of the binding that work on them share them. */

#ifndef REHREF_SCANS_H
#define REHREF_SCANS_H

#include "binding.h"
#include "references.h"
#include "scan.h"

typedef struct {
    PyObject_HEAD
    PyObject *source;  /* bytes */
    PyObject *capsule; /* of the plan */
    const BoundPlan *bound;
    View view;
    FoundPlaces found;
    ScanStatus status;
    bool multibyte;
} Scan;

/* The names of a record's element and attribute (None for a text): new references. `odd` gets ODD_NAME where the element's
   name is for Python to read. */
PyObject *element_name(const Scan *self, const Record *record, int *odd);
PyObject *attribute_name(const Scan *self, const Record *record);

/* How references are found and resolved: the tuple that `rehref.parsers.source.twin` calls `How`. Lives as long as the
   tuple that it was taken from. */
typedef struct {
    Bases bases;
    View table;          /* for each namespace, element and attribute, and its text, what it carries */
    PyObject *kind_names;
    size_t kinds;
    PyObject *ask;       /* gives what a place carries, by its number */
    PyObject *decided;   /* what it gave, by what it depends on */
    References found;    /* of the place that was asked about last, */
    Syntax syntax;       /* and how it is written */
    Room room;
} How;

/* False, with an error, where the tuple is not as it should be. `how_free` is due either way. */
bool take_how(const Scan *self, PyObject *tuple, How *how);
void how_free(How *how);

/* What a table of the plan's size says of a place, by its names; -1 where it says nothing. */
int said_of(const Scan *self, View table, size_t number);

/* What a place carries; -1 with an error. */
int carried_by(const Scan *self, How *how, size_t number);

typedef enum { PLACE_DONE, PLACE_ODD, PLACE_ERROR } PlaceStatus;

/* Puts the references of a place into `how->found`. PLACE_ERROR: with an error. */
PlaceStatus references_in(const Scan *self, How *how, size_t number);

/* Adds a new object to a list; gives up the reference. */
static inline bool append(PyObject *list, PyObject *item) {
    bool done = item != NULL && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return done;
}

/* What holds a name, as `scan_inventory` is told (rule 1 there). */
enum { HOLDS_NO_NAME, HOLDS_ID, HOLDS_NAME, HOLDS_ODD, HOLDS_PRAGMA };

PyObject *scan_inventory(Scan *self, PyObject *args);
static inline PyObject *text_of(View text) {
    return PyUnicode_FromStringAndSize((const char *)text.data, (Py_ssize_t)text.length);
}

PyObject *scan_links(Scan *self, PyObject *args);
PyObject *scan_link_texts(Scan *self, PyObject *args);
PyObject *scan_absolute(Scan *self, PyObject *args);
PyObject *scan_spliced(Scan *self, PyObject *args);
PyObject *scan_uses(Scan *self, PyObject *args);

#endif
