/* The references of a source, each with the number of its row.

   - A use is one reference: where it is in the source, its place, and its row. Uses are in document order.
   - A row is a distinct text in a class (what carries it, and its kind), relative to one base. What a reference means
     follows from its row, and so does the answer of a rule that needs no more. Bases have numbers: 0 is that of the
     document (`part_bases.c`).
   - The texts of rows are decoded. One that is in the source as it is, is not copied.
   - An odd row is one whose target or problems Python computes: its text is not ordinary (`resolve.h`).
   - A place that Python must read has no uses. Its number is among the odd places, in document order; or among the
     unread ones, if it is JSON-LD and metadata are not wanted.
   - A row with dot segments means what an ordinary reference means (`rehref.uri.ordinary_references`), which
     is behind its text in memory. */

#ifndef REHREF_TABLE_H
#define REHREF_TABLE_H

#include "references.h"

typedef struct {
    uint32_t start, end; /* in the source */
    uint32_t row, place;
} Use;

/* What carries a reference. Of elements that are in no table, the name counts. */
typedef struct {
    uint32_t place; /* that of its first reference */
    View name;      /* of the element, as written in HTML; NULL if it has a number */
    View rel, as;   /* the values of these attributes of the element; NULL for none, `as` also without `rel` */
    uint16_t element, attribute;
    uint8_t ns, flags;
    uint8_t syntax, kind;
} Class;

enum {
    CLASS_TEXT = 1,
    CLASS_INNER = 2,    /* in a document inside a place */
    CLASS_UNQUOTED = 4, /* there in an attribute without quotes */
    CLASS_FIXED = 8,    /* Python writes new texts of its references */
    CLASS_OF_PYTHON = 16, /* Python has read them: texts, positions and targets are its own */
    CLASS_PART_BASE = 32, /* they name the base of a part of the document */
    CLASS_WHOLE = 64 /* each is a whole value, relative to the document's base, and may leave the document */
};

enum {
    ROW_READ = 1,       /* what follows is known: */
    ROW_READABLE = 2,   /* its places need not be left to Python */
    ROW_OF_DOCUMENT = 4, /* its target is the document itself */
    ROW_FAULTY = 8,     /* its target is known, but Python finds its problems */
    ROW_BEYOND = 16,    /* its target is known, and it has characters outside ASCII */
    ROW_NOWHERE = 32,   /* with ROW_FAULTY: it has no target, since there is no base */
    ROW_DOTTED = 64     /* it has dot segments: behind its text is the reference without them */
};

typedef struct {
    const unsigned char *text;
    uint32_t length;
    uint32_t count; /* of its uses */
    uint32_t base;  /* its number */
    uint16_t class;
    uint8_t flags, form; /* a ReferenceForm */
    uint8_t prefix;
    uint8_t skip; /* the target is the prefix, and then the text, or what it means, from there on */
    uint32_t meaning; /* the length of what it means, if it is dotted */
} Row;

typedef struct Block Block;

/* Numbers of places. */
typedef struct {
    uint32_t *items;
    size_t count, room;
} Places;

typedef struct {
    Use *uses;
    size_t use_count, use_room;
    Row *rows;
    size_t row_count, row_room;
    uint32_t *slots; /* of a hash table: numbers of rows, from 1 on */
    size_t slot_count;
    Class *classes;
    size_t class_count, class_room;
    size_t last_class; /* the one that was found last */
    size_t first_of_python; /* the number of the first row that Python has read; all behind it are such */
    Places odd, unread;
    Block *blocks; /* of copied texts */
} Table;

enum { MOST_CLASSES = 1024, NO_CLASS = UINT16_MAX };

static inline bool is_odd_row(const Row *row) {
    return row->form == REFERENCE_ODD || (row->flags & ROW_FAULTY);
}

/* Whether it may have characters that no URI has. */
static inline bool may_be_respelt(const Row *row) {
    return row->flags & (ROW_FAULTY | ROW_BEYOND);
}

static inline View text_of_row(const Row *row) {
    return (View){row->text, row->length};
}

/* The ordinary reference that a row means. */
static inline View meaning_of_row(const Row *row) {
    return row->flags & ROW_DOTTED ? (View){row->text + row->length, row->meaning} : text_of_row(row);
}

/* Makes room for so many rows and uses, so that it need not grow again and again; false if memory is short. */
bool table_reserve(Table *table, size_t count);

/* The number of a class, which is added if it is new; NO_CLASS if there are too many, or memory is short. */
uint16_t class_number(Table *table, Class class);

/* Memory that lives as long as the table; NULL if memory is short. */
unsigned char *kept_room(Table *table, size_t length);

/* The number of the row with a text in a class, relative to a base; if it is new, it is added, without flags. `is_lasting`: the text
   need not be copied. UINT32_MAX if memory is short. */
uint32_t row_number(Table *table, View text, uint16_t class, uint32_t base, bool is_lasting);

/* These are false if memory is short. */
bool add_use(Table *table, Use use);
bool places_add(Places *places, uint32_t place);

/* Takes away the uses from number `first` on. */
void drop_uses(Table *table, size_t first);

/* Releases what finds rows: none is added any more. */
void forget_slots(Table *table);

void table_free(Table *table);

#endif
