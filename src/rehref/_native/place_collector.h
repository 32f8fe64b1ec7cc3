/* The state of reading one source: the places found so far, and the functions that add to them. The twin of
   `rehref.markup._source.place_collector`; HTML and foreign content are collected alike. */

#ifndef REHREF_PLACE_COLLECTOR_H
#define REHREF_PLACE_COLLECTOR_H

#include "plan.h"
#include "records.h"
#include "tags.h"

typedef enum { SCAN_DONE, SCAN_REFUSED, SCAN_NO_MEMORY } ScanStatus;

/* An element in XML: its local name, which is in the source, and its namespace. */
typedef struct {
    View name;
    uint8_t ns;
} XmlElement;

/* What is found in XML besides (`xml_scan.h`). */
typedef struct {
    XmlContext *contexts; /* by the numbers of records */
    XmlElement *elements;
    View *namespaces; /* those that the plan does not have */
    size_t context_room, element_count, element_room, namespace_count, namespace_room;
    XmlContext root;  /* of a child of the document element */
    size_t doctype;   /* where its name begins; 0 if there is none */
    bool has_root;
    bool has_entities; /* whether a place has a reference to an entity that is not predefined */
} XmlFound;

typedef struct {
    Records records;
    Stretches templates; /* the content of each outermost template: from, to; of an unclosed one: to the end */
    XmlFound xml;
} FoundPlaces;

typedef struct {
    View view;
    const Plan *plan;
    FoundPlaces *found;
    bool multibyte;
    ScanStatus status;
    uint32_t *seen;   /* for each attribute, after the "<" of the last tag that had it */
    size_t templates; /* how many are open */
} PlaceCollector;

/* Ends the scan; returns the position after the source. */
static inline size_t stop(PlaceCollector *places, ScanStatus status) {
    places->status = status;
    return places->view.length;
}

/* Reads the attributes of a start tag from `position` on, and adds records for those that are wanted; returns where it
   goes on, and how it ended. A tag that is cut off has none. */
size_t take_attributes(PlaceCollector *places, const Record *tag, const uint64_t *wanted, size_t position,
                       TagPart *how);

/* Adds a record of the element with this tag; false if memory is short. */
bool add_place(PlaceCollector *places, const Record *tag, uint16_t attribute, size_t start, size_t end);

/* Adds a record for the text of an element, or a conditional comment. */
bool add_text(PlaceCollector *places, const Record *tag, size_t start, size_t end);
bool add_comment(PlaceCollector *places, size_t start, size_t end);

#endif
