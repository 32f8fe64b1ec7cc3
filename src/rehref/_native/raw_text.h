/* Where text without markup ends (HTML Standard, "tokenization"). The twin of `rehref.markup._tokenization`, with
   the same rules: comments, bogus comments and the doctype; raw text; scripts. What does not end, ends where the source
   does. */

#ifndef REHREF_ENDS_H
#define REHREF_ENDS_H

#include "plan.h"

/* Whether a comment, bogus comment or doctype begins there ("tag open state", "end tag open state"). */
bool is_declaration(View view, size_t position);

/* Where the comment, bogus comment or doctype that begins there ends. */
size_t declaration_end(View view, size_t position);

/* Where the appropriate end tag of an element with this lower-case name begins. */
size_t raw_text_end(View view, size_t position, const unsigned char *name, size_t length);

/* Where a script's end tag begins ("script data state" and those after it). */
size_t script_end(View view, size_t position);

/* Where the text of an element with this action and name ends. */
size_t text_end(View view, Action action, View name, size_t position);

#endif
