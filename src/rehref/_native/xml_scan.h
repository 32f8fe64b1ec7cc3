/* The scanner of XML: every place in a document without errors. The twin of `rehref.markup._source.xml.reader`, with the
   same rules.

   - It reads what the reference reads without noting an error. Everything else is refused: the caller uses the
     reference. So are an internal subset, and more than `MOST_BINDINGS` prefixes, `MOST_ATTRIBUTES` wanted attributes
     on a tag, or namespaces than fit into a byte; and the name of an element that is longer than `LONGEST_ELEMENT_NAME`: it
     is read again for each of its children.
   - An element has the number of its namespace and local name among those that have places (`XmlElement`); the first is
     `base` in XHTML. After `MOST_ELEMENTS` it is UNKNOWN.
   - Beside each record is its context: the parent of its element, and the `xml:base` that applies to it.
   - It takes linear time, and memory for the result and for open elements. It does not recurse. */

#ifndef REHREF_XML_SCAN_H
#define REHREF_XML_SCAN_H

#include "place_collector.h"
#include "xml_tags.h"

enum { MOST_ATTRIBUTES = 128, MOST_ELEMENTS = 255, LONGEST_ELEMENT_NAME = 1000 };

/* Scans a source of at most MOST bytes, from `start` on. */
ScanStatus scan_xml(View view, const Plan *plan, size_t start, FoundPlaces *found);

#endif
