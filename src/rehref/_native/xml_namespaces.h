/* The namespaces of prefixes at the position that has been read. The twin of `rehref.markup._source.xml.namespaces`.

   - A namespace has a number: that of the plan, or for another one the next, in the order of their declarations.
   - At most MOST_BINDINGS declarations are in force; more are refused, so that each search is short. */

#ifndef REHREF_XML_NAMESPACES_H
#define REHREF_XML_NAMESPACES_H

#include "place_collector.h"

enum { MOST_BINDINGS = 64 };

typedef struct {
    View prefix;
    uint8_t ns;
} Binding;

typedef struct {
    Binding bindings[MOST_BINDINGS];
    size_t count;
    uint8_t default_ns;
} Namespaces;

/* Declares a namespace (Namespaces in XML §3); `first`: the first binding of the tag. False if the scan ends. */
bool declare_ns(Namespaces *namespaces, PlaceCollector *places, View prefix, View uri, size_t first);

/* The namespace of a prefix; NS_NONE if it has none. */
uint8_t ns_of_prefix(const Namespaces *namespaces, View prefix);

/* The namespace of an element that is written so (§6.1, §6.2). */
uint8_t ns_of_element(const Namespaces *namespaces, View name);

#endif
