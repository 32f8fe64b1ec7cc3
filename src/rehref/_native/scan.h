/* The scanner: every place in HTML source. The twin of `rehref.parsers.source.scan`, whose rules it follows.

   1. It sees each tag once, and keeps what is wanted of it.
   2. What depends on more than the tag, as that module names it, is refused: the caller reads the source otherwise.
   3. Time is linear, memory is for what is found. Nothing recurses. */

#ifndef REHREF_SCAN_H
#define REHREF_SCAN_H

#include "place_collector.h"

/* Scans a source of at most MOST bytes. `multibyte`: a byte that is ASCII may be the second of a character, which
   matters to CDATA sections only, so those are refused. */
ScanStatus scan(View view, const Plan *plan, bool multibyte, FoundPlaces *found);
void found_free(FoundPlaces *found);

#endif
