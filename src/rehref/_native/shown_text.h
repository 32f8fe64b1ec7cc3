/* The roles of elements in the text that a page shows; see shown_text.c. */

#ifndef REHREF_SHOWN_TEXT_H
#define REHREF_SHOWN_TEXT_H

#include "binding.h"

typedef enum {
    SHOWN_BLOCK = 1,
    SHOWN_SPACED = 2,
    SHOWN_TEMPLATE = 4,
    SHOWN_FOREIGN = 8,
    SHOWN_LEAVES_FOREIGN = 16,
    SHOWN_RAW = 32,
    SHOWN_HIDDEN = 64,  /* with SHOWN_RAW: its text is not shown */
    SHOWN_LITERAL = 128 /* with SHOWN_RAW: without character references */
} Role;

PyObject *shown_text(PyObject *self, PyObject *args);

#endif
