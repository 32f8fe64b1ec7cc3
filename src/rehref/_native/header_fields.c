#include "header_fields.h"

static bool is_white(int byte) {
    return is_blank(byte) || byte == '\r' || byte == '\n';
}

/* Whether a byte can be in a token (RFC 9110 §5.6.2). */
static bool in_token(int byte) {
    return is_letter(byte) || (byte >= '0' && byte <= '9') || (byte > 0 && strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

/* Where the value after a name begins; 0 if there is no ":" (rule 3). */
static size_t behind_colon(View head, size_t position) {
    while (is_blank(byte_at(head, position))) {
        position++;
    }
    return byte_at(head, position) == ':' ? position + 1 : 0;
}

/* Reads the value at a position, to the end of its last folded line (rule 4). */
static void read_value(View head, size_t position, HeaderField *found) {
    size_t end = find_byte(head, position, '\n');
    while (is_blank(byte_at(head, end + 1))) {
        end = find_byte(head, end + 1, '\n');
    }
    found->line_end = end < head.length ? end + 1 : end;
    found->start = position;
    while (found->start < end && is_white(head.data[found->start])) {
        found->start++;
    }
    if (found->start == end) {
        found->start = position; /* for white space alone, nothing, at its beginning */
        end = position;
    }
    while (end > found->start && is_white(head.data[end - 1])) {
        end--;
    }
    found->end = end;
    found->folded = find_byte((View){head.data, end}, found->start, '\n') < end;
}

bool next_header_field(View head, size_t *position, HeaderField *found) {
    while (*position < head.length) {
        size_t end = *position, value;
        while (in_token(byte_at(head, end))) {
            end++;
        }
        value = end > *position ? behind_colon(head, end) : 0;
        if (value > 0) {
            found->line_start = *position;
            found->name_end = end;
            read_value(head, value, found);
            *position = found->line_end;
            return true;
        }
        *position = find_byte(head, end, '\n') + 1; /* not a field: skipped */
    }
    return false;
}
