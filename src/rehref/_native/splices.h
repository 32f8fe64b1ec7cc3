/* Stretches of a source and what takes their place: in order, not overlapping; and the source with them replaced.

   1. A splice puts one of a few prefixes before what stays of a reference; or, without one, stands for what the caller
      has in its own list. */

#ifndef REHREF_SPLICES_H
#define REHREF_SPLICES_H

#include "records.h"

typedef struct {
    uint32_t start, end;
    uint32_t prefix;
} Splice;

typedef struct {
    Splice *items;
    size_t count, room;
} Splices;

bool splices_add(Splices *splices, Splice splice);

#endif
