#include "tags.h"

size_t tag_name_end(View view, size_t position) {
    while (position < view.length) {
        int byte = view.data[position];
        if (is_space(byte) || byte == '/' || byte == '>') {
            break;
        }
        position++;
    }
    return position;
}

/* Where an attribute's name ends; its first byte may be "=". */
static size_t attribute_name_end(View view, size_t position) {
    position++;
    while (position < view.length) {
        int byte = view.data[position];
        if (byte == '=' || byte == '>' || byte == '/' || is_space(byte)) {
            break;
        }
        position++;
    }
    return position;
}

static size_t skip_space(View view, size_t position) {
    while (is_space(byte_at(view, position))) {
        position++;
    }
    return position;
}

/* "before attribute value state" and those after it; after the value, or the length if the source ends in it */
static size_t read_value(View view, size_t position, Attribute *attribute) {
    int first = byte_at(view, position);
    if (first == '"' || first == '\'') {
        attribute->start = position + 1;
        attribute->end = find_byte(view, position + 1, first);
        return attribute->end == view.length ? view.length : attribute->end + 1;
    }
    attribute->start = position;
    while (position < view.length && view.data[position] != '>' && !is_space(view.data[position])) {
        position++;
    }
    attribute->end = position;
    return position;
}

TagPart tag_next(View view, size_t *position, Attribute *attribute) {
    size_t at = *position;
    int byte = byte_at(view, at);
    while (is_space(byte) || byte == '/') {
        byte = byte_at(view, ++at);
    }
    if (byte == '>') {
        bool closes = at > *position && view.data[at - 1] == '/';
        *position = at + 1;
        return closes ? TAG_SELF_CLOSING : TAG_END;
    }
    if (byte == -1) {
        *position = view.length;
        return TAG_CUT_OFF;
    }
    attribute->name_start = at;
    attribute->name_end = attribute->start = attribute->end = attribute_name_end(view, at);
    size_t behind = skip_space(view, attribute->name_end);
    if (byte_at(view, behind) == '=') {
        at = read_value(view, skip_space(view, behind + 1), attribute);
    } else {
        at = attribute->name_end;
    }
    *position = at;
    return at >= view.length ? TAG_CUT_OFF : TAG_ATTRIBUTE;
}
