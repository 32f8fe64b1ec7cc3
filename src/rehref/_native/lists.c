#include "lists.h"

Span trimmed(View value) {
    Span span = {0, value.length};
    while (span.start < span.end && is_space(value.data[span.start])) {
        span.start++;
    }
    if (span.start == span.end) {
        return (Span){0, 0};
    }
    while (span.end > span.start && is_space(value.data[span.end - 1])) {
        span.end--;
    }
    return span;
}

static size_t skip_spaces(View value, size_t at) {
    while (is_space(byte_at(value, at))) {
        at++;
    }
    return at;
}

/* After white space. */
static size_t skip_word(View value, size_t at) {
    while (at < value.length && !is_space(value.data[at])) {
        at++;
    }
    return at;
}

bool next_word(View value, size_t *position, Span *found) {
    found->start = skip_spaces(value, *position);
    found->end = *position = skip_word(value, found->start);
    return found->end > found->start;
}

/* After the descriptors of a candidate, and the comma that ends them; parentheses hide commas, and do not nest. */
static size_t skip_descriptors(View value, size_t at) {
    for (int byte; (byte = byte_at(value, at)) >= 0; at++) {
        if (byte == ',') {
            return at + 1;
        }
        if (byte == '(') {
            at = find_byte(value, at, ')');
        }
    }
    return value.length;
}

bool next_candidate(View value, size_t *position, Span *found) {
    size_t at = *position;
    while (is_space(byte_at(value, at)) || byte_at(value, at) == ',') {
        at++;
    }
    size_t end = skip_word(value, at);
    *found = (Span){at, end};
    while (found->end > at && value.data[found->end - 1] == ',') {
        found->end--;
    }
    *position = found->end < end ? end : skip_descriptors(value, end);
    return end > at;
}
