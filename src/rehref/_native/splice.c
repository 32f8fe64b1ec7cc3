#include "splice.h"

/* How far the edits have been read. */
typedef struct {
    size_t change, splice;
} At;

/* The next edit, the first of changes and splices in the source; false if there is none, or no such prefix. */
static bool next(const Edits *edits, At *at, Splice *found) {
    bool has_change = at->change < edits->change_count, has_splice = at->splice < edits->splice_count;
    if (has_change) {
        Change change = edits->changes[at->change];
        if (!has_splice || change.start <= edits->splices[at->splice].start) {
            bool known = change.prefix < edits->prefix_count;
            *found = (Splice){change.start, change.end, known ? edits->prefixes[change.prefix] : (View){NULL, 0}};
            at->change++;
            return true;
        }
    }
    if (has_splice) {
        *found = edits->splices[at->splice++];
    }
    return has_splice;
}

SpliceStatus spliced_length(View source, const Edits *edits, size_t *length) {
    At at = {0, 0};
    Splice splice;
    size_t last = edits->start;
    if (edits->start > edits->end || edits->end > source.length) {
        return SPLICE_NOT_IN_ORDER;
    }
    *length = edits->end - edits->start;
    while (next(edits, &at, &splice)) {
        if (splice.new.data == NULL || splice.start < last || splice.end < splice.start || splice.end > edits->end) {
            return SPLICE_NOT_IN_ORDER;
        }
        *length -= splice.end - splice.start;
        if (splice.new.length > PTRDIFF_MAX - *length) {
            return SPLICE_TOO_LONG;
        }
        *length += splice.new.length;
        last = splice.end;
    }
    return SPLICE_DONE;
}

static unsigned char *copy(unsigned char *out, const unsigned char *data, size_t length) {
    if (length > 0) {
        memcpy(out, data, length);
    }
    return out + length;
}

void write_spliced(View source, const Edits *edits, unsigned char *out) {
    At at = {0, 0};
    Splice splice;
    size_t last = edits->start;
    while (next(edits, &at, &splice)) {
        out = copy(out, source.data + last, splice.start - last);
        out = copy(out, splice.new.data, splice.new.length);
        last = splice.end;
    }
    copy(out, source.data + last, edits->end - last);
}
