/* The references in CSS text. The twin of `rehref.carriers.css`, whose rules it follows, as far as no name or reference
   has an escape in it, and there is no `@namespace`, `src()` or `image-set()`: what does is for Python to read.
   CSS Syntax Level 3 §4.3. */

#ifndef REHREF_CSS_H
#define REHREF_CSS_H

#include "lists.h"

typedef enum { CSS_END, CSS_FOUND, CSS_ODD } CssStep;

/* The next reference from `*position` on; goes behind it. */
CssStep next_in_css(View text, size_t *position, Span *found);

#endif
