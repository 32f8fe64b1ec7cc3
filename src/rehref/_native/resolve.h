/* Ordinary references resolved against an ordinary base (RFC 3986 §5.2.2).

   - A target is a prefix, and then the reference without the part that the prefix replaces.
   - A fragment is resolved only if the base is the document's own URI, and an empty reference only if nothing in the
     document can change that; a query, and a reference that begins with a host, only if the base has a prefix for it.
     If targets must be canonical, there is a path after a host, and no "'".
   - A reference leads to the document itself if the target is the document's own URI, perhaps with a fragment.
   - What climbs out of the folders ends at the root, if the base says so. It is faulty then, as is a reference with
     characters that are a problem: Python finds the problems.
   - Without a base, an ordinary path, or query, has no target, and the same problem as any other. */

#ifndef REHREF_RESOLVE_H
#define REHREF_RESOLVE_H

#include "reference.h"

/* The prefixes, by number: these four, the folder of the base, the one above it, and so on. PREFIX_ROOT is the uppermost
   of these folders. */
enum {
    PREFIX_DOCUMENT,
    PREFIX_QUERY,
    PREFIX_ROOT,
    PREFIX_SCHEME,
    PREFIX_FOLDERS,
    MOST_FOLDERS = 16,
    LEVELS = 9, /* that Python gives: `prefixes_of` */
    NO_PREFIX = PREFIX_FOLDERS + MOST_FOLDERS
};

typedef struct {
    View prefixes[NO_PREFIX];
    size_t folders;   /* how many there are */
    bool at_own;      /* whether PREFIX_DOCUMENT exists, */
    bool has_root;    /* PREFIX_ROOT; else nothing relative is ordinary, */
    bool has_query;   /* PREFIX_QUERY, */
    bool has_scheme;  /* and PREFIX_SCHEME */
    bool has_absolute; /* whether a reference may be its own target */
    bool canonical;   /* whether targets must be */
    bool climbs;      /* whether what climbs out of the folders ends at PREFIX_ROOT */
    bool iris, fine_iris; /* whether characters outside ASCII stay, and those of IRIs are not a problem */
    bool base_is_own; /* whether the base is simply the document's own URI */
    bool nowhere;     /* whether there is no base: an ordinary path, or query, leads nowhere */
    bool has_own;
    View own;
    size_t size; /* the length of the base */
} Bases;

typedef struct {
    ReferenceForm form; /* REFERENCE_ODD if it is not ordinary here */
    unsigned prefix;    /* NO_PREFIX if the reference is its own target */
    size_t skip;
    bool same_document;
    bool faulty; /* whether it may have problems, */
    bool nowhere; /* or no target */
    bool beyond; /* whether there are characters outside ASCII */
} Resolved;

void resolve(const Bases *bases, View text, Resolved *resolved);

/* Whether the target of an ordinary reference is canonical, if its base is. */
bool is_canonical(ReferenceForm form, View text);

/* Sets what precedes ordinary references to a canonical base, which is a `http` or `https` URI without a fragment: the twin of
   `prefixes_of` in `rehref.uri.ordinary_references`. `alike`: what is said there of any such base of the document. */
void set_base(const Bases *alike, View uri, Bases *bases);

#endif
