/* The syntax of markup in XML (XML 1.0 §2 and §3.1). The twin of `rehref.markup._source.xml.markup`, without what is not
   well-formed: where that begins, nothing is found. */

#ifndef REHREF_XML_TAGS_H
#define REHREF_XML_TAGS_H

#include "tags.h"

/* [5] Name */
static inline bool xml_begins_name(int byte) {
    return is_letter(byte) || byte == '_' || byte == ':' || byte >= 0x80;
}

/* Where the name that has begun before `position` ends. */
size_t xml_name_end(View view, size_t position);

/* [3] S */
static inline size_t xml_skip_white(View view, size_t position) {
    int byte;
    while ((byte = byte_at(view, position)) == ' ' || byte == '\n' || byte == '\t' || byte == '\r') {
        position++;
    }
    return position;
}

/* The local name of the element whose tag begins there, as written; of one in no namespace, the whole name. */
View xml_local_name(View view, size_t tag, uint8_t ns);

/* [41] Attribute, [25] Eq, without the white space before it, which is before `position`; in an instruction it may have a
   "<" in its value. */
TagPart xml_next_attribute(View view, size_t *position, Attribute *attribute);

/* The next item of a start tag: an attribute, or its end ([40] STag, [44] EmptyElemTag); TAG_CUT_OFF for anything else. */
TagPart xml_next_item(View view, size_t *position, Attribute *attribute);

/* Where "x>" and the like ends, of which `before` precede the ">", from `position` on; 0 if it does not. */
size_t xml_closing_end(View view, size_t position, const char *before);

/* Where a document type without an internal subset ends ([28] doctypedecl); 0 for any other. */
size_t xml_doctype_end(View view, size_t start);

#endif
