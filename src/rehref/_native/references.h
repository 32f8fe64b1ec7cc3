/* The references of a place, found and resolved.

   1. What a place carries is given as a byte: CARRIES_ODD: Python must read it; CARRIES_NOTHING; CARRIES_ASK: other
      attributes of the element decide, and Python is asked; from CARRIES on, a `Carrier`.
   2. If any reference of a place is not ordinary, the whole place is left to Python.
   3. Kinds below LOCAL_KINDS stay as they are written. The first is that of fragments; a "#x" has that kind if the
      carrier says so. These are relative to the document's own URI, so they are not ordinary if the base is another.
   4. An empty text is not a reference in CSS; in lists there is none.
   5. An attribute that holds CSS has references only if it calls a function: `@import` means nothing there. */

#ifndef REHREF_REFERENCES_H
#define REHREF_REFERENCES_H

#include "resolve.h"
#include "value.h"

enum { CARRIES_ODD, CARRIES_NOTHING, CARRIES_ASK, CARRIES };

typedef enum { SYNTAX_URL, SYNTAX_SPACES, SYNTAX_SRCSET, SYNTAX_CSS, SYNTAX_ORIGIN, SYNTAXES } Syntax;

enum { KIND_FRAGMENT, LOCAL_KINDS = 3, MOST_KINDS = 16 };

typedef struct {
    Syntax syntax;
    unsigned kind;
    bool hash_is_fragment;
} Carrier;

/* The carrier in a byte from CARRIES on. */
static inline Carrier carrier_of(unsigned code) {
    unsigned rest = code - CARRIES;
    return (Carrier){(Syntax)(rest / 2 % SYNTAXES), rest / 2 / SYNTAXES, rest % 2};
}

/* A reference: its text, and its position in the source; from `rest` on, the text after its prefix. */
typedef struct {
    View text;
    size_t start, rest, end;
    Resolved resolved;
    unsigned kind;
} FoundReference;

typedef struct {
    FoundReference *items;
    size_t count, room;
} References;

typedef enum { REFERENCES_DONE, REFERENCES_ODD, REFERENCES_NO_MEMORY } ReferencesStatus;

/* Puts the references in a value into `found`, in order, replacing its contents. Their texts live as long as the
   value's. */
ReferencesStatus find_references(const Bases *bases, const Value *value, const Carrier *carrier, References *found);

#endif
