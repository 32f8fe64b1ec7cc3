#include "place_collector.h"

static bool is_odd_byte(unsigned char byte) {
    return byte == '&' || byte >= 0x80 || byte == '\r' || byte == 0;
}

/* Whether one of eight bytes is not ASCII, or is `byte`. */
static inline bool has_byte(uint64_t bytes, unsigned char byte) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t differences = bytes ^ (ones * byte);
    return (((differences - ones) | bytes) & (ones << 7)) != 0; /* only a difference of 0 borrows from its highest bit */
}

static bool is_odd(View view, size_t start, size_t end) {
    for (uint64_t bytes; end - start >= sizeof bytes; start += sizeof bytes) {
        memcpy(&bytes, view.data + start, sizeof bytes);
        if (has_byte(bytes, '&') || has_byte(bytes, '\r') || has_byte(bytes, 0)) {
            return true;
        }
    }
    while (start < end && !is_odd_byte(view.data[start])) {
        start++;
    }
    return start < end;
}

bool add_place(PlaceCollector *places, const Record *tag, uint16_t attribute, size_t start, size_t end) {
    Record *record = records_add(&places->found->records);
    if (record == NULL) {
        places->status = SCAN_NO_MEMORY;
        return false;
    }
    record->start = (uint32_t)start;
    record->end = (uint32_t)end;
    record->tag = tag->tag;
    record->element = tag->element;
    record->attribute = attribute;
    record->ns = tag->ns;
    record->flags = tag->flags;
    if (places->templates) {
        record->flags |= RECORD_IN_TEMPLATE;
    }
    if (is_odd(places->view, start, end)) {
        record->flags |= RECORD_ODD;
    }
    return true;
}

size_t take_attributes(PlaceCollector *places, const Record *tag, const uint64_t *wanted, size_t position,
                       TagPart *how) {
    const Plan *plan = places->plan;
    View view = places->view;
    size_t before = places->found->records.count;
    Attribute attribute;
    while ((*how = tag_next(view, &position, &attribute)) == TAG_ATTRIBUTE) {
        uint16_t number = names_find(&plan->attribute_names, view, attribute.name_start, attribute.name_end);
        if (number == UNKNOWN || !is_in(wanted, number) || places->seen[number] == tag->tag + 1) {
            continue;
        }
        places->seen[number] = tag->tag + 1;
        if (!add_place(places, tag, number, attribute.start, attribute.end)) {
            return view.length;
        }
    }
    if (*how == TAG_CUT_OFF) {
        places->found->records.count = before;
        return view.length;
    }
    return position;
}

bool add_text(PlaceCollector *places, const Record *tag, size_t start, size_t end) {
    return add_place(places, tag, UNKNOWN, start, end);
}

/* A comment whose text begins with `[if`, and that ends, if comments are wanted. */
bool add_comment(PlaceCollector *places, size_t start, size_t end) {
    static const unsigned char IF[] = "<!--[if";
    View view = places->view;
    if (!places->plan->comments || !stands_at_any_case(view, start, IF, sizeof IF - 1)) {
        return true;
    }
    size_t inside = start + 4, stop_at;
    if (end >= inside + 4 && stands_at(view, end - 4, "--!>", 4)) {
        stop_at = end - 4;
    } else if (end >= inside + 3 && stands_at(view, end - 3, "-->", 3)) {
        stop_at = end - 3;
    } else {
        return true;
    }
    Record record = {.tag = (uint32_t)start, .element = UNKNOWN, .ns = NS_HTML, .flags = RECORD_TEXT | RECORD_COMMENT};
    return add_text(places, &record, inside, stop_at);
}
