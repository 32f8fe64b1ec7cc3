/* The references in the value of a place: what it carries, and its micro-syntax.

   - What a place carries is given as a byte: CARRIES_ODD: Python must read it; CARRIES_NOTHING; CARRIES_ASK: other
     attributes of the element decide, and Python is asked; CARRIES_DECIDES: nothing, but it is one of these attributes
     (one that is odd may be); CARRIES_DOCUMENT: HTML, which is a document of its own; from CARRIES on, a `Carrier`;
     from CARRIES_BELOW on, one whose references are relative to the `codebase` of the element, if it has one.
   - Kinds below LOCAL_KINDS stay as they are written, except for that of the base. The first is that of fragments; a "#x"
     has that kind if the carrier says so.
   - An empty text is not a reference in CSS; in lists there is none.
   - An attribute that holds CSS has references only if it calls a function: `@import` means nothing there.
   - Python finds the references of a refresh, of JSON-LD, and of a text without markup (SYNTAX_JSON, whatever it is). */

#ifndef REHREF_REFERENCES_H
#define REHREF_REFERENCES_H

#include "css.h"
#include "lists.h"
#include "resolve.h"
#include "value.h"

enum { CARRIES_ODD, CARRIES_NOTHING, CARRIES_ASK, CARRIES_DECIDES, CARRIES_DOCUMENT, CARRIES, CARRIES_BELOW = 200 };

typedef enum { SYNTAX_URL, SYNTAX_SPACES, SYNTAX_SRCSET, SYNTAX_CSS, SYNTAX_ORIGIN, SYNTAX_REFRESH, SYNTAX_JSON_LD, SYNTAX_JSON, SYNTAXES } Syntax;

/* Whether Python finds the references in a value. */
static inline bool is_of_python(Syntax syntax) {
    return syntax >= SYNTAX_REFRESH;
}

enum { KIND_FRAGMENT, KIND_METADATA = 2, KIND_BASE, LOCAL_KINDS, MOST_KINDS = 16 };

typedef struct {
    Syntax syntax;
    unsigned kind;
    bool hash_is_fragment, of_codebase;
} Carrier;

/* The carrier in a byte from CARRIES on. */
static inline Carrier carrier_of(unsigned code) {
    unsigned rest = code - CARRIES;
    if (code >= CARRIES_BELOW) {
        rest = code - CARRIES_BELOW;
        return (Carrier){rest % 2 ? SYNTAX_SPACES : SYNTAX_URL, rest / 2, false, true};
    }
    return (Carrier){(Syntax)(rest / 2 % SYNTAXES), rest / 2 / SYNTAXES, rest % 2, false};
}

typedef enum { STEP_END, STEP_FOUND, STEP_ODD } Step;

/* The next reference in a value from `*position` on, which begins at 0; moves the position after it. */
Step next_reference(Syntax syntax, View value, size_t *position, Span *found, CssDeclaration *declaration);

#endif
