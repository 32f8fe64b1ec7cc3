/* Scans, shared by the files of the binding that use them. */

#ifndef REHREF_SCANS_H
#define REHREF_SCANS_H

#include "binding.h"
#include "references.h"
#include "scan.h"
#include "xml_scan.h"

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

/* The names of a record's element and attribute (None for a text): new references. `odd` gets ODD_NAME if Python must
   read the element's name. */
PyObject *element_name(const Scan *self, const Record *record, int *odd);
PyObject *attribute_name(const Scan *self, const Record *record);
/* The URI of a namespace: a new reference. */
PyObject *namespace_uri(const Scan *self, uint8_t ns);

static inline bool is_named(const Record *record, uint16_t attribute) {
    return record->attribute == attribute && !(record->flags & (RECORD_TEXT | RECORD_COMMENT | RECORD_INSTRUCTION));
}

/* The place of this attribute (by its number) on the element that a place is on; NULL if there is none. */
const Record *named_among(const Scan *self, size_t number, uint16_t attribute);
static inline const Record *named_beside(const Scan *self, size_t number, uint16_t attribute) {
    const Record *here = &self->found.records.items[number];
    bool is_first = number == 0 || here[-1].tag != here->tag;
    bool is_last = number + 1 == self->found.records.count || here[1].tag != here->tag;
    return is_first && is_last && !is_named(here, attribute) ? NULL : named_among(self, number, attribute);
}

/* Whether the name of the element that a record is on can be read here: if not, it is ODD_NAME. */
bool has_plain_name(const Scan *self, const Record *record);

enum { WORTH_UNLOCKING = 1 << 14 /* bytes: for less, giving the lock back and waiting for it takes longer than the work */ };

/* Gives the interpreter's lock back for work on so many bytes that nobody can change; `lock` takes it again. Until then no
   Python object may be used. */
static inline PyThreadState *unlock(size_t size) {
    return size < WORTH_UNLOCKING ? NULL : PyEval_SaveThread();
}

static inline void lock(PyThreadState *state) {
    if (state != NULL) {
        PyEval_RestoreThread(state);
    }
}

/* How references are found and resolved: the tuple that `rehref.markup.twin_exchange` calls `How`. It lives as long as
   the tuple that it was taken from. */
typedef struct {
    Bases bases, alike;  /* those of the document; and what is alike in those of its parts (`set_base`), if */
    bool has_alike;      /* any can be worked out here; */
    int are_plain;       /* and those that an xml:base names can be */
    int is_seen;         /* whether the base of the document is plain, and that of browsers: they use it instead of a codebase */
    int xml_base, codebase; /* whether these attributes name the base of a part: what Python calls `BasesOfParts` */
    View table;          /* what it carries, for each namespace, element and attribute, and its text */
    PyObject *kind_names;
    size_t kinds;
    PyObject *ask;       /* returns what a place carries, by its number; NULL: Python must read such places */
    PyObject *find;      /* returns the references in a value, by the number of its micro-syntax */
    int metadata;        /* whether metadata that only Python can find are wanted */
    PyObject *decided;   /* its results, by what they depend on */
    PyObject *said;      /* in XML, returns what the table says, by the number of a place; */
    uint8_t *codes;      /* its results, by element and attribute; not owned by anyone until `make_codes` */
    const BoundPlan *inner; /* the plan for HTML inside a place; NULL: Python must read it; */
    View inner_table;    /* and its table */
    size_t inner_from;   /* the places before it, if they are documents, may have another base than the source */
    Room *room;          /* for a value that must be decoded */
    PyObject *named;     /* returns the names of character references */
} How;

/* The text of a str, which lives as long as that; false, with an error, for anything else. */
bool take_text(PyObject *text, View *view);

/* The bases of `Prefixes`, which live as long as the tuple; false, with an error, if it is invalid. */
bool take_bases(PyObject *tuple, Bases *bases);

/* The target of a reference, from what `resolve` found. `text`: the reference as a Python object. NULL with an error. */
PyObject *made_target(const Bases *bases, unsigned number, size_t skip, View reference, PyObject *text);

/* False, with an error, if the tuple is invalid. */
bool take_how(const Scan *self, PyObject *tuple, How *how);

/* Room for what is said of places in XML, which the caller frees; false with an error. */
bool make_codes(const Scan *self, How *how);

/* The names of character references in a capsule that `make_named` returned, as long as that lives; NULL with an error. */
const NamedReferences *named_references(PyObject *capsule);

/* What a table of the plan's size says of a place, by its names; -1 if it says nothing. */
int said_of(const Scan *self, View table, size_t number);

/* What a place carries; -1 with an error. */
int carried_by(const Scan *self, How *how, size_t number);

typedef enum { PLACE_DONE, PLACE_ODD, PLACE_ERROR } PlaceStatus;

/* Adds a new object to a list, and releases the reference. */
static inline bool append(PyObject *list, PyObject *item) {
    bool done = item != NULL && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return done;
}

/* What an attribute holds, as passed to `scan_names`. */
enum { HOLDS_NOTHING, HOLDS_ID, HOLDS_ANCHOR, HOLDS_MAP, HOLDS_PRAGMA };

/* names(table, utf8, read): each name and whether it is an id, the numbers of repeated ids, the names of maps, and whether
   a `meta` may refresh. `utf8`: whether the source is in UTF-8. `read`: returns a value that cannot be read here, by the
   number of the place. */
PyObject *scan_names(Scan *self, PyObject *args);

static inline PyObject *text_of(View text) {
    return PyUnicode_FromStringAndSize((const char *)text.data, (Py_ssize_t)text.length);
}

/* The type of tables, of the same module; borrowed. */
static inline PyTypeObject *table_type(Scan *self) {
    const ModuleState *state = PyType_GetModuleState(Py_TYPE((PyObject *)self));
    return state == NULL ? NULL : (PyTypeObject *)state->table_type;
}

PyObject *scan_table(Scan *self, PyObject *args);

#endif
