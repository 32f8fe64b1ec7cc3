/* The references in CSS text. The twin of `rehref.uri._syntaxes.css`, with the same rules, as long as no name or reference
   has an escape in it, there is no `@namespace`, `src()` or `image-set()`, and no custom property has a relative
   reference: text with these is left to Python. CSS Syntax Level 3 §4.3. */

#ifndef REHREF_CSS_H
#define REHREF_CSS_H

#include "lists.h"

typedef enum { CSS_END, CSS_FOUND, CSS_ODD } CssStep;

/* What is known of a text around the position: the declaration that it has at `position`, up to which it has been read
   for that; that from there on no custom property is declared before `plain`; and that no condition that begins before
   `clear` tests a URL. */
typedef struct {
    size_t position;
    bool is_custom; /* it is the declaration of a custom property */
    size_t plain, clear;
} CssDeclaration;

/* The next reference from `*position` on; moves the position after it. `declaration` is zero at first. */
CssStep next_in_css(View text, size_t *position, Span *found, CssDeclaration *declaration);

#endif
