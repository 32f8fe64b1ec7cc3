#include "value.h"

static bool is_alphanumeric(int byte) {
    return is_letter(byte) || (byte >= '0' && byte <= '9');
}

static bool is_ascii(View raw) {
    for (size_t at = 0; at < raw.length; at++) {
        if (raw.data[at] >= 0x80) {
            return false;
        }
    }
    return true;
}

/* A byte, and how many bytes mean it; 0 if Python must read it. */
typedef struct {
    unsigned char byte;
    size_t length;
} Meaning;

/* `&#64;` or `&#x40;` at `at` ("numeric character reference state"). */
static Meaning number(View raw, size_t at) {
    size_t end = at + 2;
    bool is_hex = (byte_at(raw, end) | 0x20) == 'x';
    int value = 0, digit;
    end += is_hex;
    while ((digit = hex_digit(byte_at(raw, end))) >= 0 && (is_hex || digit < 10) && value < 0x80) {
        value = value * (is_hex ? 16 : 10) + digit;
        end++;
    }
    bool is_printable = value >= ' ' && value < 0x7F && byte_at(raw, end) == ';';
    return (Meaning){(unsigned char)value, is_printable ? end + 1 - at : 0};
}

/* The meaning of the "&" at `at`, and of the text after it (rule 2). */
static Meaning ampersand(View raw, size_t at) {
    if (stands_at(raw, at, "&amp;", 5)) {
        return (Meaning){'&', 5};
    }
    if (stands_at(raw, at, "&quot;", 6)) {
        return (Meaning){'"', 6};
    }
    if (byte_at(raw, at + 1) == '#') {
        return number(raw, at);
    }
    size_t end = at + 1;
    while (is_alphanumeric(byte_at(raw, end))) {
        end++;
    }
    int next = byte_at(raw, end);
    bool is_itself = end == at + 1 || next == '=' || (end == at + 2 && next != ';'); /* no name is a single letter */
    return (Meaning){'&', is_itself ? 1 : 0};
}

/* Rule 2. */
static bool decode(View raw, Room *room, Value *value) {
    size_t written = 0, at = 0;
    if (raw.length > LONGEST_DECODED) {
        return false;
    }
    while (at < raw.length) {
        Meaning meaning = raw.data[at] == '&' ? ampersand(raw, at) : (Meaning){raw.data[at], 1};
        if (meaning.length == 0) {
            return false;
        }
        room->text[written] = meaning.byte;
        room->offsets[written++] = (uint32_t)at;
        at += meaning.length;
    }
    room->offsets[written] = (uint32_t)raw.length;
    *value = (Value){room->text, written, value->start, room->offsets};
    return true;
}

bool value_of(View view, const Record *record, bool multibyte, Room *room, Value *value) {
    View raw = {view.data + record->start, record->end - record->start};
    *value = (Value){raw.data, raw.length, record->start, NULL};
    if (!(record->flags & RECORD_ODD)) {
        return true;
    }
    bool has_references = !(record->flags & RECORD_TEXT) || (record->flags & RECORD_MARKUP);
    bool has_ampersand = find_byte(raw, 0, '&') < raw.length;
    if (find_byte(raw, 0, 0) < raw.length || (multibyte && !is_ascii(raw))) {
        return false;
    }
    if (!has_references || !has_ampersand) {
        return true;
    }
    return !(record->flags & RECORD_TEXT) && decode(raw, room, value);
}
