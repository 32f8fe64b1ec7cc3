/* Ordinary foreign content: SVG and MathML whose end tags are of open elements in it. The twin of
   `rehref.markup._source.foreign_content`, with the same rules. Other content is refused. */

#ifndef REHREF_FOREIGN_CONTENT_H
#define REHREF_FOREIGN_CONTENT_H

#include "place_collector.h"

/* Scans the content of a foreign element whose start tag `tag` ends at `position`; returns where HTML goes on. */
size_t scan_foreign(PlaceCollector *places, const Record *tag, size_t name_end, size_t position);

#endif
