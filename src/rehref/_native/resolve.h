/* Ordinary references resolved against an ordinary base (RFC 3986 §5.2.2).

   1. A target is a prefix, and then the reference without what the prefix stands for.
   2. A fragment is resolved only where the base is the document's own URI, and an empty reference only where nothing in
      the document has a say in that; a reference that begins with a host, only where the base has a scheme for it.
   3. A reference leads to the document itself if the target begins with the document's own URI, and ends there or goes
      on with a fragment. */

#ifndef REHREF_RESOLVE_H
#define REHREF_RESOLVE_H

#include "reference.h"

/* The prefixes, by number: these four, the folder of the base, the one above it, and so on. */
enum {
    PREFIX_DOCUMENT,
    PREFIX_QUERY,
    PREFIX_ROOT,
    PREFIX_SCHEME,
    PREFIX_FOLDERS,
    MOST_FOLDERS = 16,
    NO_PREFIX = PREFIX_FOLDERS + MOST_FOLDERS
};

typedef struct {
    View prefixes[NO_PREFIX];
    size_t folders;   /* how many there are */
    bool at_own;      /* whether PREFIX_DOCUMENT is there, */
    bool has_scheme;  /* and PREFIX_SCHEME (rule 2) */
    bool base_is_own; /* whether the base is nothing but the document's own */
    bool has_own;
    View own;
} Bases;

typedef struct {
    ReferenceForm form; /* REFERENCE_ODD where it is not ordinary here */
    unsigned prefix;    /* NO_PREFIX where the reference is its own target */
    size_t skip;
    bool same_document;
} Resolved;

Resolved resolve(const Bases *bases, const unsigned char *text, size_t length);

#endif
