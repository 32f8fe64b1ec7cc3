#include "positions.h"

static bool begins_line(View view, size_t at) {
    int before = view.data[at - 1];
    return before == '\n' || (before == '\r' && byte_at(view, at) != '\n');
}

static bool is_continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

void cursor_move(View view, Cursor *cursor, size_t position, bool utf8) {
    size_t end = position < view.length ? position : view.length;
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
