/* What a scan looks for. It is filled from the tables in Python; nothing here contains a name.

   - An element is known by its number; one that is in no table is `UNKNOWN`: on it, the attributes that are wanted
     anywhere are wanted.
   - A set of attributes is a row of bits, one for each attribute's number. */

#ifndef REHREF_PLAN_H
#define REHREF_PLAN_H

#include "names.h"

/* What a start tag of an element does in HTML, besides having attributes. */
typedef enum {
    ACTION_NONE,
    ACTION_RAW_TEXT,   /* its text has no markup, up to its end tag */
    ACTION_SCRIPT,     /* the same, with escaped states */
    ACTION_PLAINTEXT,  /* everything after it is text */
    ACTION_FORM,       /* ignored in a form */
    ACTION_BASE,
    ACTION_TABLE,
    ACTION_CAPTION,    /* this one and those up to ACTION_CELL are ignored outside of a table */
    ACTION_COLUMNS,
    ACTION_SECTION,
    ACTION_ROW,
    ACTION_CELL,
    ACTION_SELECT,
    ACTION_HIDES_SELECT, /* its start tag may hide a select from its end tag */
    ACTION_TEMPLATE,
    ACTION_HTML,       /* there is one: further tags add the attributes that it does not have yet */
    ACTION_BODY,       /* the same */
    ACTION_HEAD,       /* there is one: further tags are ignored */
    ACTION_NOSCRIPT,   /* raw text, with scripting */
    ACTION_FRAMESET,   /* may take the place of the body */
    ACTION_FRAME,      /* ignored outside of framesets */
    ACTION_FOREIGN     /* begins foreign content */
} Action;

enum {
    ELEMENT_TEXT_WANTED = 1,
    ELEMENT_BEGINS_HEAD = 2, /* its end tag begins the head */
    ELEMENT_BREAKS_OUT = 4, /* its start tag may end foreign content */
    ELEMENT_OF_HEAD = 8,
    ELEMENT_OF_FRAMESET = 16 /* its start tag counts in a frameset */
};

enum { NS_HTML, NS_SVG, NS_MATHML, NS_COUNT, NS_NONE = NS_COUNT, NS_XML, NS_XMLNS, NS_FIXED }; /* in XML there are others after these */

typedef struct {
    uint8_t action; /* an Action */
    uint8_t flags;
    uint8_t integration; /* bit of a namespace: there, it is an integration point */
    uint8_t root;        /* of ACTION_FOREIGN: the namespace */
    const uint64_t *wanted;         /* the attributes, in HTML */
    const uint64_t *wanted_foreign; /* in SVG and MathML, where the element may have another name */
} Element;

/* A name that is wanted in XML: its namespace, and whether the next one has the same local name, in another. */
typedef struct {
    uint8_t ns, has_more;
} XmlName;

typedef struct {
    NameTable element_names, attribute_names;
    NameTable closing_names; /* of the elements whose end tags count: nearly every end tag is of another */
    Element *elements; /* by number; `any` for the unknown */
    size_t element_count;
    Element any;
    size_t attribute_count;
    uint16_t type; /* the number of the attribute that makes a script data, or UNKNOWN where all are read */
    uint16_t rel, as, codebase; /* those of `rel`, `as` and `codebase`, or UNKNOWN where they are not wanted */
    uint16_t tbody, tr; /* the numbers of these elements, which cells and rows open */
    bool scripting, comments;
    /* in XML, where an element has no row: */
    bool is_xml;
    NameTable prefixed_names; /* of attributes in a namespace: the number of the first with a local name */
    NameTable text_names;     /* the same of elements whose text is wanted */
    NameTable namespace_names, instruction_names;
    XmlName *xml_attributes, *xml_texts; /* by number */
    size_t namespace_count;
    uint16_t xml_base;
} Plan;

static inline const Element *plan_element(const Plan *plan, uint16_t number) {
    return number < plan->element_count ? &plan->elements[number] : &plan->any;
}

static inline bool is_table_part(uint8_t action) {
    return action >= ACTION_CAPTION && action <= ACTION_CELL;
}

/* Whether an end tag of an element with this action means something. */
static inline bool counts_at_end(uint8_t action) {
    return action == ACTION_TEMPLATE || action == ACTION_FORM || action == ACTION_SELECT || action == ACTION_TABLE ||
           action == ACTION_NOSCRIPT || action == ACTION_FRAMESET || is_table_part(action);
}

static inline bool is_in(const uint64_t *set, uint16_t number) {
    return (set[number / 64] >> (number % 64)) & 1;
}

#endif
