#include "tags.h"

/* What a byte ends. */
enum { ENDS_TAG_NAME = 1, ENDS_ATTRIBUTE_NAME = 2, ENDS_UNQUOTED = 4, ENDS_ALL = 7 };

static const unsigned char ENDS[256] = {
    [' '] = ENDS_ALL,
    ['\t'] = ENDS_ALL,
    ['\n'] = ENDS_ALL,
    ['\f'] = ENDS_ALL,
    ['\r'] = ENDS_ALL,
    ['>'] = ENDS_ALL,
    ['/'] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME,
    ['='] = ENDS_ATTRIBUTE_NAME,
};

/* Where the next byte is that ends this, or the end of the source, from `position` on. */
static inline size_t find_end(View view, size_t position, unsigned char what) {
    while (position < view.length && !(ENDS[view.data[position]] & what)) {
        position++;
    }
    return position;
}

size_t tag_name_end(View view, size_t position) {
    return find_end(view, position, ENDS_TAG_NAME);
}

static inline size_t skip_space(View view, size_t position) {
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
    attribute->end = find_end(view, position, ENDS_UNQUOTED);
    return attribute->end;
}

TagPart tag_next_item(View view, size_t *position, Attribute *attribute) {
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
    attribute->name_end = find_end(view, at + 1, ENDS_ATTRIBUTE_NAME); /* its first byte may be "=" */
    attribute->start = attribute->end = attribute->name_end;
    size_t behind = skip_space(view, attribute->name_end);
    if (byte_at(view, behind) == '=') {
        at = read_value(view, skip_space(view, behind + 1), attribute);
    } else {
        at = attribute->name_end;
    }
    *position = at;
    return at >= view.length ? TAG_CUT_OFF : TAG_ATTRIBUTE;
}

bool tag_end(View view, size_t *position) {
    Attribute attribute;
    TagPart part;
    while ((part = tag_next(view, position, &attribute)) == TAG_ATTRIBUTE) {
    }
    return part != TAG_CUT_OFF;
}
