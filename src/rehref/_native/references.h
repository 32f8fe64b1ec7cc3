/* The references of a place, found and resolved.

   1. What a place carries is said in a byte: CARRIES_ODD: Python is to read it; CARRIES_NOTHING; CARRIES_ASK: other
      attributes of the element decide, and Python is asked; from CARRIES on, a `Carrier`.
   2. Where any reference of a place is not ordinary, the whole place is for Python.
   3. Kinds below LOCAL_KINDS stay as they are written. The first is that of fragments, which "#x" is where the carrier says
      so: they are relative to the document's own URI, so they are not ordinary where the base is another.
   4. An empty text is no reference in CSS; in no list there is one.
   5. An attribute that holds CSS has references only if it calls a function: `@import` means nothing there. */

#ifndef REHREF_REFERENCES_H
#define REHREF_REFERENCES_H

#include "resolve.h"
#include "value.h"

enum { CARRIES_ODD, CARRIES_NOTHING, CARRIES_ASK, CARRIES };

typedef enum { SYNTAX_URL, SYNTAX_SPACES, SYNTAX_SRCSET, SYNTAX_CSS, SYNTAXES } Syntax;

enum { KIND_FRAGMENT, LOCAL_KINDS = 3, MOST_KINDS = 16 };

typedef struct {
    Syntax syntax;
    unsigned kind;
    bool hash_is_fragment;
} Carrier;

/* The carrier that a byte from CARRIES on says. */
static inline Carrier carrier_of(unsigned code) {
    unsigned rest = code - CARRIES;
    return (Carrier){(Syntax)(rest / 2 % SYNTAXES), rest / 2 / SYNTAXES, rest % 2};
}

/* A reference: its text, and where it stands in the source; from `rest` on, what follows its prefix. */
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

/* Puts the references in a value into `found`, in order, instead of what is there. Their texts live as long as the
   value's. */
ReferencesStatus find_references(const Bases *bases, const Value *value, Carrier carrier, References *found);

#endif
