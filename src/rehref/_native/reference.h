/* Ordinary references: those that are resolved by putting something before them (RFC 3986 §5.2.2).

   1. A relative path without dot segments, but for `./` or some `../` at its beginning, is below the base's folder, or
      one above it; a rooted path is below its host; a query and a fragment are appended.
   2. An absolute `http` or `https` URI, with a name for its host and without port or dot segments, is its own target.
   3. It has only characters that every grammar and every browser reads alike, and nothing is odd about it. Whatever else
      may be fine, is not ordinary, and is for `rehref.documents.resolving` to say. */

#ifndef REHREF_REFERENCE_H
#define REHREF_REFERENCE_H

#include "view.h"

typedef enum { REFERENCE_ODD, REFERENCE_ABSOLUTE, REFERENCE_FRAGMENT, REFERENCE_QUERY, REFERENCE_ROOTED, REFERENCE_PATH }
    ReferenceForm;

typedef struct {
    ReferenceForm form;
    size_t ups;  /* of REFERENCE_PATH: how many `../` it begins with; what follows them is below that folder */
    size_t skip; /* the length of these, or of `./` */
} Reference;

Reference classify(const unsigned char *text, size_t length);

#endif
