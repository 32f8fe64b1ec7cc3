#include "xml_tags.h"

#include "plan.h"

static const bool ENDS_NAME[256] = {['\t'] = true, ['\n'] = true, ['\r'] = true, [' '] = true,
                                    ['"'] = true,  ['&'] = true,  ['\''] = true, ['/'] = true,
                                    ['<'] = true,  ['='] = true,  ['>'] = true};

size_t xml_name_end(View view, size_t position) {
    while (position < view.length && !ENDS_NAME[view.data[position]]) {
        position++;
    }
    return position;
}

TagPart xml_next_attribute(View view, size_t *position, Attribute *attribute) {
    size_t at = *position;
    if (!xml_begins_name(byte_at(view, at))) {
        return TAG_CUT_OFF;
    }
    attribute->name_start = at;
    attribute->name_end = xml_name_end(view, at + 1);
    at = xml_skip_white(view, attribute->name_end);
    if (byte_at(view, at) != '=') {
        return TAG_CUT_OFF;
    }
    at = xml_skip_white(view, at + 1);
    int quote = byte_at(view, at);
    if (quote != '"' && quote != '\'') {
        return TAG_CUT_OFF;
    }
    attribute->start = at + 1;
    attribute->end = find_byte(view, at + 1, quote);
    *position = attribute->end + 1;
    return attribute->end < view.length ? TAG_ATTRIBUTE : TAG_CUT_OFF;
}

TagPart xml_next_item(View view, size_t *position, Attribute *attribute) {
    size_t at = xml_skip_white(view, *position);
    bool is_empty = byte_at(view, at) == '/';
    if (byte_at(view, at + is_empty) == '>') {
        *position = at + is_empty + 1;
        return is_empty ? TAG_SELF_CLOSING : TAG_END;
    }
    if (at == *position) {
        return TAG_CUT_OFF;
    }
    *position = at;
    TagPart part = xml_next_attribute(view, position, attribute);
    bool has_markup = part == TAG_ATTRIBUTE && find_byte(part_of(view, 0, attribute->end), attribute->start, '<') < attribute->end;
    return has_markup ? TAG_CUT_OFF : part;
}

size_t xml_closing_end(View view, size_t position, const char *before) {
    for (size_t length = strlen(before), at = position; (at = find_byte(view, at, '>')) < view.length; at++) {
        if (at >= position + length && stands_at(view, at - length, before, length)) {
            return at + 1;
        }
    }
    return 0;
}

View xml_local_name(View view, size_t tag, uint8_t ns) {
    View name = part_of(view, tag + 1, xml_name_end(view, tag + 1));
    size_t colon = find_byte(name, 0, ':');
    bool has_prefix = ns != NS_NONE && colon < name.length;
    return has_prefix ? part_of(name, colon + 1, name.length) : name;
}

size_t xml_doctype_end(View view, size_t start) {
    static const unsigned char DOCTYPE[] = "<!doctype";
    size_t at = start + 9;
    if (!stands_at_any_case(view, start, DOCTYPE, 9) || (xml_skip_white(view, at) == at && byte_at(view, at) != '>')) {
        return 0;
    }
    for (int literals = 0; at < view.length && view.data[at] != '>'; at++) {
        int byte = view.data[at];
        if (byte == '"' || byte == '\'') {
            at = find_byte(view, at + 1, byte);
            literals++;
        }
        if (byte == '<' || byte == '[' || literals > 2) {
            return 0;
        }
    }
    return at < view.length ? at + 1 : 0;
}
