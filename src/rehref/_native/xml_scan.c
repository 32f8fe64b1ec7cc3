#include "xml_scan.h"

#include "value.h"
#include "xml_namespaces.h"

#include <stdlib.h>

/* An attribute that may be wanted. `prefix`: empty for a plain one. `number`: the first with its local name. */
typedef struct {
    Attribute attribute;
    View prefix;
    uint16_t number;
} Pending;

typedef struct {
    uint32_t tag, name_length;
    uint32_t scope; /* the xml:base in force in it */
    uint16_t bindings; /* those outside of it */
    uint8_t ns, default_ns; /* its own; the default outside of it */
} Open;

/* The content so far of the innermost element, if its text is wanted and it has no child: where it begins, or 0; how much
   text is before `last`, where its last other markup ends; and whether all of it is one CDATA section. */
typedef struct {
    size_t start, last, text;
    bool has_markup, is_cdata;
} Content;

typedef struct {
    PlaceCollector places;
    Open *open;
    size_t open_count, open_room;
    Namespaces namespaces;
    Pending pending[MOST_ATTRIBUTES];
    size_t pending_count;
    Content content;
    bool has_doctype;
    uint8_t hints[64]; /* of elements: where the search for a name begins */
} XmlScanning;

static size_t refuse(XmlScanning *scanning) {
    return stop(&scanning->places, SCAN_REFUSED);
}

static uint16_t element_number(XmlScanning *scanning, uint8_t ns, View name) {
    XmlFound *found = &scanning->places.found->xml;
    size_t length = name.length, hash = (length * 7 + (length > 0 ? name.data[length - 1] : 0) + ns) % 64;
    for (size_t step = 0; step < found->element_count; step++) {
        size_t at = (scanning->hints[hash] + step) % found->element_count;
        if (found->elements[at].ns == ns && same_text(found->elements[at].name, name)) {
            scanning->hints[hash] = (uint8_t)at;
            return (uint16_t)at;
        }
    }
    XmlElement *elements = found->element_count == MOST_ELEMENTS
                               ? NULL
                               : grown(found->elements, found->element_count, &found->element_room, sizeof *elements);
    if (elements == NULL) {
        return UNKNOWN; /* or memory is short, which shows elsewhere */
    }
    found->elements = elements;
    elements[found->element_count] = (XmlElement){name, ns};
    return (uint16_t)found->element_count++;
}

/* ---- places ---- */

/* Whether a reference in a value is to an entity that is not predefined. */
static bool has_entity(View value) {
    for (size_t at = 0; (at = find_byte(value, at, '&')) < value.length; at++) {
        Meaning meaning = xml_reference(value, at);
        if (meaning.length == 0 && byte_at(value, at + 1) != '#') {
            return true;
        }
    }
    return false;
}

static bool add_with_context(XmlScanning *scanning, const Record *tag, uint16_t attribute, View value, XmlContext context) {
    PlaceCollector *places = &scanning->places;
    XmlFound *found = &places->found->xml;
    size_t start = (size_t)(value.data - places->view.data), count = places->found->records.count;
    XmlContext *contexts = grown(found->contexts, count, &found->context_room, sizeof context);
    found->contexts = contexts == NULL ? found->contexts : contexts;
    if (contexts == NULL || !add_place(places, tag, attribute, start, start + value.length)) {
        stop(places, SCAN_NO_MEMORY);
        return false;
    }
    contexts[count] = context;
    Record *record = &places->found->records.items[count];
    bool is_space = !(tag->flags & RECORD_TEXT) && /* it means a space there (§3.3.3) */
                    (find_byte(value, 0, '\n') < value.length || find_byte(value, 0, '\t') < value.length);
    bool has_references = !(tag->flags & RECORD_TEXT) || (tag->flags & RECORD_MARKUP);
    record->flags |= is_space ? RECORD_ODD : 0;
    found->has_entities = found->has_entities || (has_references && (record->flags & RECORD_ODD) && has_entity(value));
    return true;
}

/* The context of places on the tag that has been read: of a child of the innermost element. */
static XmlContext context_here(const XmlScanning *scanning, uint32_t scope) {
    if (scanning->open_count == 0) {
        return (XmlContext){NO_PLACE, scope, NS_NONE};
    }
    const Open *parent = &scanning->open[scanning->open_count - 1];
    return (XmlContext){parent->tag, scope, parent->ns};
}

/* Keeps of the attributes that may be wanted those that are; false if the scan ends. */
static bool resolve_pending(XmlScanning *scanning, const Record *tag) {
    const Plan *plan = scanning->places.plan;
    size_t kept = 0;
    for (size_t at = 0; at < scanning->pending_count; at++) {
        Pending pending = scanning->pending[at];
        if (pending.prefix.length > 0) {
            uint8_t ns = ns_of_prefix(&scanning->namespaces, pending.prefix);
            if (ns == NS_NONE) { /* its name may be that of a wanted one, prefix and all */
                refuse(scanning);
                return false;
            }
            while (plan->xml_attributes[pending.number].ns != ns && plan->xml_attributes[pending.number].has_more) {
                pending.number++;
            }
            if (plan->xml_attributes[pending.number].ns != ns) {
                continue;
            }
        }
        if (scanning->places.seen[pending.number] == tag->tag + 1) { /* it occurs twice */
            refuse(scanning);
            return false;
        }
        scanning->places.seen[pending.number] = tag->tag + 1;
        scanning->pending[kept++] = pending;
    }
    scanning->pending_count = kept;
    return true;
}

/* Adds the places of the wanted attributes of an element; moves `scope` to the xml:base in force in it. */
static bool add_attributes(XmlScanning *scanning, const Record *tag, uint32_t *scope) {
    uint32_t first = (uint32_t)scanning->places.found->records.count, outer = *scope;
    uint16_t base = scanning->places.plan->xml_base;
    if (!resolve_pending(scanning, tag)) {
        return false;
    }
    for (size_t at = 0; at < scanning->pending_count; at++) {
        *scope = scanning->pending[at].number == base ? first + (uint32_t)at : *scope;
    }
    for (size_t at = 0; at < scanning->pending_count; at++) {
        const Pending *pending = &scanning->pending[at];
        View value = part_of(scanning->places.view, pending->attribute.start, pending->attribute.end);
        XmlContext context = context_here(scanning, pending->number == base ? outer : *scope);
        if (!add_with_context(scanning, tag, pending->number, value, context)) {
            return false;
        }
    }
    return true;
}

/* Adds the place of the text of the innermost element, whose content ends there, unless it is empty. */
static bool add_content(XmlScanning *scanning, size_t end) {
    Content content = scanning->content;
    const Open *open = &scanning->open[scanning->open_count - 1];
    View view = scanning->places.view;
    scanning->content.start = 0;
    if (content.start == 0 || content.text + (end - content.last) == 0) {
        return true;
    }
    Record tag = {.tag = open->tag, .ns = open->ns, .flags = RECORD_XML | RECORD_TEXT};
    tag.element = element_number(scanning, open->ns, xml_local_name(view, open->tag, open->ns));
    View text = part_of(view, content.start, end);
    if (content.is_cdata && content.last == end) {
        text = part_of(view, content.start + 9, end - 3);
    } else {
        tag.flags |= RECORD_MARKUP | (content.has_markup ? RECORD_PARTS | RECORD_ODD : 0);
    }
    if (!content.has_markup && xml_closing_end(text, 0, "]]") > 0) { /* which must not be there (§2.4) */
        refuse(scanning);
        return false;
    }
    scanning->open_count--; /* so that the context is that of a child */
    bool done = add_with_context(scanning, &tag, UNKNOWN, text, context_here(scanning, open->scope));
    scanning->open_count++;
    return done;
}

/* ---- tags ---- */

/* Notes an attribute that declares a namespace, or may be wanted; false if the scan ends. */
static bool take_attribute(XmlScanning *scanning, const Attribute *attribute, size_t first_binding) {
    const Plan *plan = scanning->places.plan;
    View view = scanning->places.view, name = part_of(view, attribute->name_start, attribute->name_end);
    size_t colon = find_byte(name, 0, ':');
    bool has_colon = colon < name.length;
    if (stands_at(name, 0, "xmlns", 5) && (name.length == 5 || colon == 5)) {
        View prefix = has_colon ? part_of(name, 6, name.length) : part_of(name, 0, 0);
        View value = part_of(view, attribute->start, attribute->end);
        if (has_colon && prefix.length == 0) {
            refuse(scanning);
            return false;
        }
        return declare_ns(&scanning->namespaces, &scanning->places, prefix, value, first_binding);
    }
    uint16_t number = has_colon ? names_find(&plan->prefixed_names, name, colon + 1, name.length)
                                : names_find(&plan->attribute_names, name, 0, name.length);
    if (number == UNKNOWN) {
        return true;
    }
    if (scanning->pending_count == MOST_ATTRIBUTES || colon == 0) {
        refuse(scanning);
        return false;
    }
    scanning->pending[scanning->pending_count++] = (Pending){*attribute, part_of(name, 0, has_colon ? colon : 0), number};
    return true;
}

static bool is_text_wanted(const Plan *plan, uint8_t ns, View local) {
    uint16_t number = names_find(&plan->text_names, local, 0, local.length);
    while (number != UNKNOWN && plan->xml_texts[number].ns != ns) {
        number = plan->xml_texts[number].has_more ? number + 1 : UNKNOWN;
    }
    return number != UNKNOWN;
}

/* Begins an element, whose tag ends before `position`; returns where it goes on. */
static size_t enter(XmlScanning *scanning, Open open, View name, bool is_empty, size_t position) {
    XmlFound *found = &scanning->places.found->xml;
    View view = scanning->places.view, local = xml_local_name(view, open.tag, open.ns);
    if (scanning->open_count == 0 && found->has_root) {
        return refuse(scanning);
    }
    if (scanning->open_count == 0) {
        found->has_root = true;
        found->root = (XmlContext){open.tag, NO_PLACE, open.ns};
    }
    scanning->content.start = 0;
    if (scanning->pending_count > 0) {
        Record tag = {.tag = open.tag, .ns = open.ns, .flags = RECORD_XML};
        tag.element = element_number(scanning, open.ns, local);
        if (!add_attributes(scanning, &tag, &open.scope)) {
            return view.length;
        }
    }
    if (is_empty) {
        scanning->namespaces.count = open.bindings;
        scanning->namespaces.default_ns = open.default_ns;
        return position;
    }
    Open *opened = grown(scanning->open, scanning->open_count, &scanning->open_room, sizeof open);
    if (opened == NULL) {
        return stop(&scanning->places, SCAN_NO_MEMORY);
    }
    open.name_length = (uint32_t)name.length;
    scanning->open = opened;
    opened[scanning->open_count++] = open;
    if (is_text_wanted(scanning->places.plan, open.ns, local)) {
        scanning->content = (Content){.start = position, .last = position};
    }
    return position;
}

static size_t start_tag(XmlScanning *scanning, size_t tag) {
    View view = scanning->places.view;
    if (!xml_begins_name(byte_at(view, tag + 1))) {
        return refuse(scanning);
    }
    size_t position = xml_name_end(view, tag + 2);
    View name = part_of(view, tag + 1, position);
    if (name.length > LONGEST_ELEMENT_NAME) {
        return refuse(scanning);
    }
    Open open = {.tag = (uint32_t)tag,
                 .scope = scanning->open_count == 0 ? NO_PLACE : scanning->open[scanning->open_count - 1].scope,
                 .bindings = (uint16_t)scanning->namespaces.count,
                 .default_ns = scanning->namespaces.default_ns};
    Attribute attribute;
    TagPart part;
    scanning->pending_count = 0;
    while ((part = xml_next_item(view, &position, &attribute)) == TAG_ATTRIBUTE) {
        if (!take_attribute(scanning, &attribute, open.bindings)) {
            return view.length;
        }
    }
    if (part == TAG_CUT_OFF) {
        return refuse(scanning);
    }
    open.ns = ns_of_element(&scanning->namespaces, name);
    return enter(scanning, open, name, part == TAG_SELF_CLOSING, position);
}

/* [42] ETag */
static size_t end_tag(XmlScanning *scanning, size_t tag) {
    View view = scanning->places.view;
    if (scanning->open_count == 0) {
        return refuse(scanning);
    }
    const Open *open = &scanning->open[scanning->open_count - 1];
    size_t end = tag + 2 + open->name_length;
    bool is_its_own = stands_at(view, tag + 2, (const char *)view.data + open->tag + 1, open->name_length);
    end = xml_skip_white(view, end);
    if (!is_its_own || byte_at(view, end) != '>') {
        return refuse(scanning);
    }
    if (!add_content(scanning, tag)) {
        return view.length;
    }
    scanning->namespaces.count = open->bindings;
    scanning->namespaces.default_ns = open->default_ns;
    scanning->open_count--;
    return end + 1;
}

/* ---- other markup ---- */

/* Adds the places of the pseudo-attributes of an instruction, which ends before `end`, if they are wanted. */
static bool instruction(XmlScanning *scanning, size_t start, size_t end) {
    const Plan *plan = scanning->places.plan;
    View inside = part_of(scanning->places.view, 0, end - 2);
    size_t position = xml_name_end(inside, start + 2);
    if (scanning->places.found->xml.has_root ||
        names_find(&plan->instruction_names, inside, start + 2, position) == UNKNOWN) {
        return true;
    }
    Record tag = {.tag = (uint32_t)start, .element = UNKNOWN, .ns = NS_NONE,
                  .flags = RECORD_XML | RECORD_ODD | RECORD_INSTRUCTION};
    Attribute attribute;
    position = xml_skip_white(inside, position);
    while (xml_next_attribute(inside, &position, &attribute) == TAG_ATTRIBUTE) {
        View value = part_of(inside, attribute.start, attribute.end);
        if (!add_with_context(scanning, &tag, 0, value, (XmlContext){NO_PLACE, NO_PLACE, NS_NONE})) {
            return false;
        }
        position = xml_skip_white(inside, position);
    }
    return true;
}

/* A comment, an instruction, a CDATA section, or the document type. */
static size_t markup(XmlScanning *scanning, size_t start) {
    View view = scanning->places.view;
    XmlFound *found = &scanning->places.found->xml;
    bool is_cdata = stands_at(view, start, "<![CDATA[", 9);
    size_t end;
    if (is_cdata) {
        end = xml_closing_end(view, start + 9, "]]");
    } else if (stands_at(view, start, "<!--", 4)) {
        end = xml_closing_end(view, start + 4, "--");
    } else if (byte_at(view, start + 1) == '?') {
        end = xml_closing_end(view, start + 2, "?");
        if (end > 0 && !instruction(scanning, start, end)) {
            return view.length;
        }
    } else {
        end = scanning->has_doctype || found->has_root ? 0 : xml_doctype_end(view, start);
        scanning->has_doctype = true;
        found->doctype = start + 1;
    }
    if (end == 0) {
        return refuse(scanning);
    }
    Content *content = &scanning->content;
    content->text += start - content->last + (is_cdata ? end - start - 12 : 0);
    content->is_cdata = is_cdata && start == content->start;
    content->has_markup = true;
    content->last = end;
    return end;
}

static void run(XmlScanning *scanning, size_t start) {
    View view = scanning->places.view;
    size_t position = find_byte(view, start, '<');
    while (position < view.length) {
        int next = byte_at(view, position + 1);
        if (next == '/') {
            position = end_tag(scanning, position);
        } else if (next == '!' || next == '?') {
            position = markup(scanning, position);
        } else {
            position = start_tag(scanning, position);
        }
        position = find_byte(view, position, '<'); /* [14] CharData */
    }
    if (scanning->places.status == SCAN_DONE && (scanning->open_count > 0 || !scanning->places.found->xml.has_root)) {
        refuse(scanning);
    }
}

ScanStatus scan_xml(View view, const Plan *plan, size_t start, FoundPlaces *found) {
    memset(found, 0, sizeof *found);
    if (view.length > MOST) {
        return SCAN_REFUSED;
    }
    XmlScanning *scanning = calloc(1, sizeof *scanning);
    uint32_t *seen = calloc(plan->attribute_count + 1, sizeof *seen);
    if (scanning == NULL || seen == NULL) {
        free(scanning);
        free(seen);
        return SCAN_NO_MEMORY;
    }
    scanning->places = (PlaceCollector){.view = view, .plan = plan, .found = found, .seen = seen};
    scanning->namespaces.default_ns = NS_NONE;
    element_number(scanning, NS_HTML, (View){(const unsigned char *)"base", 4}); /* the first */
    run(scanning, start);
    ScanStatus status = scanning->places.status;
    free(seen);
    free(scanning->open);
    free(scanning);
    return status;
}
