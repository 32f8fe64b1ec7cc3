/* The references in CSS text. The twin of `rehref.carriers.css`, with the same rules, as long as no name or reference
   has an escape in it, and there is no `@namespace`, `src()` or `image-set()`: text with these is left to Python. CSS
   Syntax Level 3 §4.3. */

#ifndef REHREF_CSS_H
#define REHREF_CSS_H

#include "lists.h"

typedef enum { CSS_END, CSS_FOUND, CSS_ODD } CssStep;

/* The next reference from `*position` on; moves the position after it. */
CssStep next_in_css(View text, size_t *position, Span *found);

#endif
