/* The references in lists. The twin of `rehref.uri._syntaxes.lists` and `rehref.uri._syntaxes.srcset`, with the same rules. */

#ifndef REHREF_LISTS_H
#define REHREF_LISTS_H

#include "view.h"

typedef struct {
    size_t start, end;
} Span;

/* The value without the white space around it; for white space alone, nothing, at its beginning. */
Span trimmed(View value);

/* The next reference from `*position` on, in a list separated by white space; moves after it. False: there is none. */
bool next_word(View value, size_t *position, Span *found);

/* The same for a `srcset` (HTML Standard, "parse a srcset attribute"). */
bool next_candidate(View value, size_t *position, Span *found);

#endif
