/* Where the head begins, and whether the body has. A part of what `rehref.markup._source.body_watch` knows, and
   `_head_begins` in `scan.py`. */

#ifndef REHREF_BEFORE_BODY_H
#define REHREF_BEFORE_BODY_H

#include "plan.h"

/* Where the head begins, or a character reference before it. */
size_t head_begins(View view, const Plan *plan);

/* Whether the body may have begun in this beginning of a source; a template or a `noscript` may begin it. */
bool may_be_in_body(View view, const Plan *plan);

#endif
