#include "xml_namespaces.h"

static const View XML = {(const unsigned char *)"xml", 3}, XMLNS = {(const unsigned char *)"xmlns", 5};

uint8_t ns_of_prefix(const Namespaces *namespaces, View prefix) {
    if (same_text(prefix, XML) || same_text(prefix, XMLNS)) {
        return prefix.length == XML.length ? NS_XML : NS_XMLNS;
    }
    for (size_t at = namespaces->count; at-- > 0;) {
        if (same_text(namespaces->bindings[at].prefix, prefix)) {
            return namespaces->bindings[at].ns;
        }
    }
    return NS_NONE;
}

/* The number of a namespace; NS_NONE also if it cannot have one, and then the scan ends. */
static uint8_t ns_number(PlaceCollector *places, View uri) {
    const Plan *plan = places->plan;
    XmlFound *found = &places->found->xml;
    if (uri.length == 0) {
        return NS_NONE;
    }
    for (size_t at = 0; at < uri.length; at++) {
        if (uri.data[at] <= ' ' || uri.data[at] >= 0x7F || uri.data[at] == '&') {
            stop(places, SCAN_REFUSED);
            return NS_NONE;
        }
    }
    uint16_t known = names_find(&plan->namespace_names, uri, 0, uri.length);
    if (known != UNKNOWN) {
        return (uint8_t)known;
    }
    for (size_t at = 0; at < found->namespace_count; at++) {
        if (same_text(found->namespaces[at], uri)) {
            return (uint8_t)(plan->namespace_count + at);
        }
    }
    View *uris = grown(found->namespaces, found->namespace_count, &found->namespace_room, sizeof uri);
    if (uris == NULL || plan->namespace_count + found->namespace_count >= UINT8_MAX) {
        stop(places, uris == NULL ? SCAN_NO_MEMORY : SCAN_REFUSED);
        found->namespaces = uris == NULL ? found->namespaces : uris;
        return NS_NONE;
    }
    found->namespaces = uris;
    uris[found->namespace_count] = uri;
    return (uint8_t)(plan->namespace_count + found->namespace_count++);
}

bool declare_ns(Namespaces *namespaces, PlaceCollector *places, View prefix, View uri, size_t first) {
    bool is_reserved = same_text(prefix, XML) || same_text(prefix, XMLNS);
    for (size_t at = first; at < namespaces->count; at++) {
        is_reserved = is_reserved || same_text(namespaces->bindings[at].prefix, prefix); /* it is declared already */
    }
    if (is_reserved || namespaces->count == MOST_BINDINGS) {
        stop(places, SCAN_REFUSED);
        return false;
    }
    uint8_t ns = ns_number(places, uri);
    namespaces->bindings[namespaces->count++] = (Binding){prefix, ns};
    if (prefix.length == 0) {
        namespaces->default_ns = ns;
    }
    return places->status == SCAN_DONE;
}

uint8_t ns_of_element(const Namespaces *namespaces, View name) {
    size_t colon = find_byte(name, 0, ':');
    if (colon == name.length) {
        return namespaces->default_ns;
    }
    return colon == 0 || colon + 1 == name.length ? NS_NONE : ns_of_prefix(namespaces, part_of(name, 0, colon));
}
