#include "positions.h"

static bool begins_line(View view, size_t at) {
    int before = view.data[at - 1];
    return before == '\n' || (before == '\r' && byte_at(view, at) != '\n');
}

static bool is_continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

enum { BLOCK = 32 };

static inline bool is_ascii_block(const unsigned char *data) {
    uint64_t words[BLOCK / sizeof(uint64_t)];
    memcpy(words, data, sizeof words);
    return !((words[0] | words[1] | words[2] | words[3]) & EACH(0x80));
}

/* Where the ASCII from `start` up to `end` ends: a block at a time, the last of which overlaps the one before; what is
   shorter, eight bytes at a time. */
static size_t behind_ascii(View view, size_t start, size_t end) {
    size_t at = start;
    while (end - at >= BLOCK && is_ascii_block(view.data + at)) {
        at += BLOCK;
    }
    if (at > start && end - at < BLOCK && is_ascii_block(view.data + end - BLOCK)) {
        return end;
    }
    for (uint64_t word; end - at >= sizeof word; at += sizeof word) {
        memcpy(&word, view.data + at, sizeof word);
        if (word & EACH(0x80)) {
            break;
        }
    }
    while (at < end && view.data[at] < 0x80) {
        at++;
    }
    return at;
}

/* How many bytes that continue a character there are from `from` up to `to`: eight bytes at a time. */
static size_t continuations(View view, size_t from, size_t to) {
    size_t count = 0;
    from = behind_ascii(view, from, to);
    for (uint64_t word; to - from >= sizeof word; from += sizeof word) {
        memcpy(&word, view.data + from, sizeof word);
        word = (word >> 7) & ~(word >> 6) & EACH(1); /* each byte is 0 or 1 now */
        count += (size_t)((word * EACH(1)) >> 56);   /* their sum */
    }
    while (from < to) {
        count += is_continuation(view.data[from++]);
    }
    return count;
}

/* The columns from `from` up to `to`, which are in one line: how many characters begin after `from`. */
static size_t columns(View view, size_t from, size_t to, bool utf8) {
    if (!utf8 || from == to) {
        return to - from;
    }
    return to - from - continuations(view, from + 1, to < view.length ? to + 1 : to);
}

/* The same as `cursor_move` if there is no CR, as nearly always: faster, since it need not examine each byte. */
static void move_by_lines(View view, Cursor *cursor, size_t end, bool utf8) {
    View before = {view.data, end};
    size_t line = cursor->position;
    for (size_t at; (at = find_byte(before, line, '\n')) < end;) {
        line = at + 1;
        cursor->line++;
        cursor->column = 1;
    }
    cursor->column += (uint32_t)columns(view, line, end, utf8);
    cursor->position = end;
}

Cursor cursor_at(View view, size_t first) {
    return (Cursor){first, 1, 1, find_byte(view, first, '\r') < view.length, 0, 0};
}

void cursor_move(View view, Cursor *cursor, size_t position, bool utf8) {
    size_t end = position < view.length ? position : view.length;
    if (end <= cursor->position) { /* it never goes back: differences of offsets are unsigned */
        return;
    }
    if (!cursor->has_cr) {
        move_by_lines(view, cursor, end, utf8);
        return;
    }
    for (size_t at = cursor->position + 1; at <= end; at++) {
        if (begins_line(view, at)) {
            cursor->line++;
            cursor->column = 1;
        } else if (!utf8 || at == view.length || !is_continuation(view.data[at])) {
            cursor->column++;
        }
    }
    cursor->position = end;
}

uint32_t column_before(View view, const Cursor *cursor, size_t position, bool utf8) {
    size_t end = cursor->position;
    View between = {view.data, end};
    if (position > end || find_byte(between, position, '\n') < end || find_byte(between, position, '\r') < end) {
        return 0;
    }
    return cursor->column - (uint32_t)columns(view, position, end, utf8);
}

size_t given_offset(View view, Cursor *cursor, size_t offset, GivenForm form) {
    if (form == GIVEN_BYTES) {
        return offset;
    }
    if (offset < cursor->read) {
        cursor->read = cursor->given = 0;
    }
    size_t characters = offset - cursor->read - continuations(view, cursor->read, offset);
    if (form == GIVEN_UTF16) {
        for (size_t at = cursor->read; at < offset; at++) {
            characters += view.data[at] >= 0xF0; /* it takes as much as two */
        }
        characters *= 2;
    }
    cursor->read = offset;
    return cursor->given += characters;
}

/* The length in bytes of the character that begins at `at` and is not ASCII; 0 if it is not valid. */
static size_t character_length(View view, size_t at) {
    unsigned char lead = view.data[at];
    size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || length > view.length - at) {
        return 0;
    }
    unsigned char second = view.data[at + 1];
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F)) {
        return 0;
    }
    for (size_t behind = 1; behind < length; behind++) {
        if (!is_continuation(view.data[at + behind])) {
            return 0;
        }
    }
    return length;
}

TextForm text_form(View view) {
    size_t at = behind_ascii(view, 0, view.length);
    if (at == view.length) {
        return TEXT_ASCII;
    }
    while (at < view.length) {
        size_t length = view.data[at] < 0x80 ? behind_ascii(view, at, view.length) - at : character_length(view, at);
        if (length == 0) {
            return TEXT_OTHER;
        }
        at += length;
    }
    return TEXT_UTF8;
}
