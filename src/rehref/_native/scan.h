/* The scanner: every place in HTML source. The twin of `rehref.markup._source.scan`, with the same rules.

   - It reads each tag once, and keeps what is wanted of it.
   - If more than the tag matters, as that module lists, the source is refused: the caller reads it in another way.
   - It takes linear time, and memory only for the result. It does not recurse. */

#ifndef REHREF_SCAN_H
#define REHREF_SCAN_H

#include "place_collector.h"

/* Scans a source of at most MOST bytes. `multibyte`: an ASCII byte may be the second of a character; this matters to
   CDATA sections only, so those are refused. */
ScanStatus scan(View view, const Plan *plan, bool multibyte, FoundPlaces *found);
void found_free(FoundPlaces *found);

#endif
