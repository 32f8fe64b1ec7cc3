#include "positions.h"

static bool begins_line(View view, size_t at) {
    int before = view.data[at - 1];
    return before == '\n' || (before == '\r' && byte_at(view, at) != '\n');
}

static bool is_continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

/* The columns from `from` up to `to`, which are in one line: how many characters begin behind `from`. */
static size_t columns(View view, size_t from, size_t to, bool utf8) {
    size_t count = to - from;
    for (size_t at = from + 1; utf8 && at <= to && at < view.length; at++) {
        count -= is_continuation(view.data[at]);
    }
    return count;
}

/* The same as `cursor_move` where there is no CR, as nearly always: faster, since nobody looks at each byte. */
static void move_by_lines(View view, Cursor *cursor, size_t end, bool utf8) {
    size_t line = cursor->position, next;
    while ((next = find_byte((View){view.data, end}, line, '\n')) < end) {
        line = next + 1;
        cursor->line++;
        cursor->column = 1;
    }
    cursor->column += (uint32_t)columns(view, line, end, utf8);
    cursor->position = end;
}

void cursor_move(View view, Cursor *cursor, size_t position, bool utf8) {
    size_t end = position < view.length ? position : view.length;
    if (find_byte((View){view.data, end}, cursor->position, '\r') == end) {
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
