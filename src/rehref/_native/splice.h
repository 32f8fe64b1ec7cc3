/* A source with some of its bytes replaced.

   1. A `Change` replaces the text from `start` to `end` by the prefix of that number; a `Splice` by bytes of its own.
   2. Changes are in order, and so are splices; none overlaps another. Violations are detected before anything is
      written.
   3. All sizes are added up with a check.
   4. The edits of a part of the source give that part, so that a large one need not be made as a whole. */

#ifndef REHREF_SPLICE_H
#define REHREF_SPLICE_H

#include "view.h"

typedef struct {
    uint32_t start, end, prefix;
} Change;

typedef struct {
    size_t start, end;
    View new;
} Splice;

typedef struct {
    const Change *changes;
    size_t change_count;
    const View *prefixes;
    size_t prefix_count;
    const Splice *splices;
    size_t splice_count;
    size_t start, end; /* of the part of the source that they are all in (rule 4) */
} Edits;

typedef enum { SPLICE_DONE, SPLICE_NOT_IN_ORDER, SPLICE_TOO_LONG } SpliceStatus;

/* How long the part of the source is with these edits. */
SpliceStatus spliced_length(View source, const Edits *edits, size_t *length);

/* Writes it to `out`, which has room for that length. */
void write_spliced(View source, const Edits *edits, unsigned char *out);

#endif
