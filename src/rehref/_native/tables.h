/* Tables as Python sees them, shared by the files of the binding that use them. */

#ifndef REHREF_TABLES_H
#define REHREF_TABLES_H

#include "positions.h"
#include "scans.h"
#include "table.h"

/* The names of a class. */
typedef struct {
    PyObject *element, *attribute, *kind, *rel, *as;
} ClassNames;

/* The answer of a row, or of a use. */
typedef struct {
    View head;     /* the text that replaces the beginning of its text, */
    uint32_t skip; /* which is so long */
    uint8_t fits;  /* in which contexts that is literal: bits, as in `tables_writing.c` */
    uint8_t state;
    bool is_empty; /* whether nothing is left of the reference */
    PyObject *text; /* the whole new text, if Python has given it; not owned */
} New;

/* What is replaced in the source, and the number of the answer whose head replaces it. */
typedef struct {
    uint32_t start, end, number;
} Change;

/* A base, and what names it: the attribute in a place (NO_PLACE: none), or values (a tuple, nearest first; NULL: none). */
typedef struct {
    Bases prefixes;
    uint32_t place;
    PyObject *values;
    bool is_unseen; /* whether browsers do not know it: they use `ReferenceTable.seen` */
} PartBase;

typedef struct {
    PyObject_HEAD
    Scan *scan;      /* owned, as are the objects below */
    PyObject *how;   /* the tuple that the bases were taken from */
    PyObject *kinds; /* the names of kinds, a tuple */
    PartBase *bases; /* by number; that of the document is the first */
    Bases seen; /* that of the document as browsers read it */
    size_t base_count, base_room;
    uint32_t *base_numbers; /* by place, while the table is filled; 0: not known, or none; */
    PyObject *value_numbers; /* and by what values name, a dict; NULL if there are none */
    Table table;
    ClassNames *names; /* by class */
    size_t name_count;
    PyObject *of_python; /* the texts of the rows that Python has read, a list; NULL if there are none */
    New *news;         /* of rows, and behind them of uses, if there are such; NULL before anything is written */
    size_t new_count;
    PyObject *texts;   /* a list of what owns their heads */
    Change *changes; /* made of them */
    size_t change_count;
    size_t writers; /* of the changed source: while there are any, nothing may change */
} ReferenceTable;

/* How positions are counted: what Python calls `Counting`. It lives as long as the tuple that it was taken from. */
typedef struct {
    View lines; /* the source, or what has its lines and characters */
    size_t begin; /* where the first character is */
    bool utf8;
    GivenForm form;
} Counting;

/* False, with an error, if the tuple is invalid. */
bool take_counting(const ReferenceTable *self, PyObject *tuple, Counting *counting);

/* Whether something is a list; else there is an error. */
bool is_list(PyObject *numbers);

/* Whether there is a row with a number, and no error; else there is one. */
bool is_row(const ReferenceTable *self, size_t number);

/* The text of a row as a Python object: a new reference. */
PyObject *row_text(const ReferenceTable *self, size_t number);

/* What links are made of (`links.c`). */
typedef struct {
    TupleType type;
    PyObject *base, *part, *page, *date, *nothing;
    PyObject *bases;    /* of parts of the document, as far as they are known, by number */
    PyObject *base_in;  /* returns the one with such a name; URI, and element, line and column, are known, or None */
    const Cursor *at;   /* where the last link is; NULL: not known */
    PyObject *others;   /* target, same_document, problems and base of odd rows, by number */
    PyObject *problems; /* those that are known, by the bytes of `Faults` or by a text */
    PyObject *find;     /* returns the problems of a text; */
    PyObject *differ;   /* and those of one for which browsers go to a target */
    bool by_faults;     /* whether they follow from these */
    PyObject *where;    /* returns line, column and span of characters of a place */
    Counting counting;
} LinkShape;

bool take_shape(const ReferenceTable *self, PyObject *shape, PyObject *counting, LinkShape *to);
/* The base of a row: borrowed; NULL with an error. */
PyObject *base_of_part(const ReferenceTable *self, const LinkShape *shape, const Row *row);
static inline PyObject *base_of_row(const ReferenceTable *self, const LinkShape *shape, const Row *row) {
    return row->base == 0 ? shape->base : base_of_part(self, shape, row);
}
PyObject *make_link(const ReferenceTable *self, const LinkShape *shape, const Use *use, Cursor *cursor);

/* The target of a row that is not odd, with its text as a Python object; NULL with an error. */
PyObject *row_target(const ReferenceTable *self, const Row *row, PyObject *text);

/* Makes the list of bases, which has that of the document; false with an error (`part_bases.c`). */
bool make_bases(ReferenceTable *self, const Bases *of_document);

/* The number of the base that the attribute in a place names; 0 if memory is short. */
uint32_t base_named(ReferenceTable *self, How *how, size_t place);

/* The number of the base that such values name in the document; 0 with an error. */
uint32_t base_of_values(ReferenceTable *self, const How *how, PyObject *values);

/* What a row is relative to. */
static inline const Bases *bases_of(const ReferenceTable *self, const Row *row) {
    return &self->bases[row->base].prefixes;
}

/* What names the base of a row: the place of an attribute, or values; -1 for the base of the document. A new reference. */
PyObject *base_name(const ReferenceTable *self, const Row *row);

/* Finds out what follows from a row. */
void read_row(ReferenceTable *self, Row *row, bool utf8);

/* Adds a reference, which is in the source from `start` to `end`. `is_lasting`: its text need not be copied. */
PlaceStatus take_reference(ReferenceTable *self, View text, size_t start, size_t end, bool is_lasting, Class class,
                           uint32_t base, bool utf8);

/* Adds the references that Python finds in a text without markup. */
enum { GIVEN_ODD = 1 << 30, /* with that: Python must read the place, if the code is that of a reference */
       GIVEN_FIXED = 1 << 29 /* it must write a new text */ };
PlaceStatus take_given(ReferenceTable *self, const How *how, const Record *record, bool utf8);

PyObject *table_rows(ReferenceTable *self, PyObject *args);
PyObject *table_odd_rows(ReferenceTable *self, void *ignored);
PyObject *table_odd_places(ReferenceTable *self, void *ignored);
PyObject *table_unread_places(ReferenceTable *self, void *ignored);
PyObject *table_decide(ReferenceTable *self, PyObject *args);
PyObject *table_take(ReferenceTable *self, PyObject *args);
PyObject *table_uses(ReferenceTable *self, PyObject *rows);

/* texts(folders, names, whole): the texts that are whole values, their targets, and the places of other references; as bytes,
   how often each text occurs, and of each use of one the number of the text, and of the place. `folders`: the paths of the
   base's folder, of its parent, and so on. `names`: those that fragments lead to; None if they lead elsewhere. `whole`: for
   each row that Python has read, 1 if its text is such a value; None: no row has one. */
PyObject *table_texts(ReferenceTable *self, PyObject *args);
PyObject *table_write(ReferenceTable *self, PyObject *args);
PyObject *table_answers(ReferenceTable *self, PyObject *numbers);
PyObject *table_fit(ReferenceTable *self, PyObject *ignored);
PyObject *table_cut(ReferenceTable *self, PyObject *position);
PyObject *table_splices(ReferenceTable *self, PyObject *ignored);
PyObject *table_spliced(ReferenceTable *self, PyObject *args);
PyObject *table_links(ReferenceTable *self, PyObject *args);
PyObject *table_row_links(ReferenceTable *self, PyObject *args);
PyObject *table_json(ReferenceTable *self, PyObject *args);

#endif
