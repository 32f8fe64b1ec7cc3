#include "value.h"

static bool is_alphanumeric(int byte) {
    return is_letter(byte) || (byte >= '0' && byte <= '9');
}

bool is_ascii(View raw) {
    for (size_t at = 0; at < raw.length; at++) {
        if (raw.data[at] >= 0x80) {
            return false;
        }
    }
    return true;
}

bool is_bytewise(View raw) {
    for (size_t at = 1; at < raw.length; at++) {
        if (raw.data[at - 1] >= 0x80 && raw.data[at] < 0x80 && raw.data[at] >= '0') { /* as the second byte of all of them */
            return false;
        }
    }
    return true;
}

static Meaning code_point(uint32_t code, size_t length) {
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
        return (Meaning){.length = 0};
    }
    if (code < 0x80) {
        return (Meaning){{(unsigned char)code}, 1, length};
    }
    unsigned count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    Meaning meaning = {.count = count, .length = length};
    for (unsigned at = count; at-- > 1; code >>= 6) {
        meaning.bytes[at] = (unsigned char)(0x80 | (code & 0x3F));
    }
    meaning.bytes[0] = (unsigned char)((0xF00 >> count) | code);
    return meaning;
}

/* Reads the digits at `*end`, and goes behind them; what is beyond Unicode stays that. */
static uint32_t read_digits(View raw, size_t *end, bool is_hex) {
    uint32_t code = 0;
    for (int digit; (digit = hex_digit(byte_at(raw, *end))) >= 0 && (is_hex || digit < 10); ++*end) {
        code = code > 0x10FFFF ? code : code * (is_hex ? 16 : 10) + (uint32_t)digit;
    }
    return code;
}

/* `&#64;` or `&#x40;` at `at` ("numeric character reference state"). */
static Meaning number(View raw, size_t at) {
    size_t end = at + 2;
    bool is_hex = (byte_at(raw, end) | 0x20) == 'x';
    end += is_hex;
    uint32_t code = read_digits(raw, &end, is_hex);
    bool is_control = code < ' ' || (code >= 0x7F && code < 0xA0); /* or of windows-1252 */
    return is_control || byte_at(raw, end) != ';' ? (Meaning){.length = 0} : code_point(code, end + 1 - at);
}

/* What the name from `at` + 1 to `end` means: itself if it is in no table. */
static Meaning named_reference(View raw, size_t at, size_t end, const NamedReferences *named) {
    uint16_t number = names_find(&named->names, raw, at + 1, end);
    if (number == UNKNOWN) {
        return (Meaning){{'&'}, 1, 1};
    }
    View text = named->texts[number];
    Meaning meaning = {.count = (unsigned)text.length, .length = text.length == 0 ? 0 : end - at};
    copied(meaning.bytes, text);
    return meaning;
}

/* The meaning of the "&" at `at`, and of the text after it. */
static Meaning ampersand(View raw, size_t at, const NamedReferences *named) {
    static const char *const USUAL[] = {"&amp;", "&quot;", "&lt;", "&gt;"};
    for (size_t which = 0; which < sizeof USUAL / sizeof *USUAL; which++) {
        size_t length = strlen(USUAL[which]);
        if (stands_at(raw, at, USUAL[which], length)) {
            return (Meaning){{(unsigned char)"&\"<>"[which]}, 1, length};
        }
    }
    if (byte_at(raw, at + 1) == '#') {
        return number(raw, at);
    }
    size_t end = at + 1;
    while (is_alphanumeric(byte_at(raw, end))) {
        end++;
    }
    int next = byte_at(raw, end);
    if (end == at + 1 || next == '=' || (end == at + 2 && next != ';')) { /* no name is a single letter */
        return (Meaning){{'&'}, 1, 1};
    }
    return named == NULL ? (Meaning){.length = 0} : named_reference(raw, at, end + (next == ';'), named);
}

bool needs_names(View raw) {
    for (size_t at = find_byte(raw, 0, '&'); at < raw.length; at = find_byte(raw, at + 1, '&')) {
        if (byte_at(raw, at + 1) != '#' && ampersand(raw, at, NULL).length == 0) {
            return true;
        }
    }
    return false;
}

size_t html_decode(View raw, const NamedReferences *named, unsigned char *text, uint32_t *offsets) {
    size_t written = 0, at = 0;
    while (at < raw.length) {
        if (raw.data[at] != '&') {
            text[written] = raw.data[at];
            offsets[written++] = (uint32_t)at++;
            continue;
        }
        Meaning meaning = ampersand(raw, at, named);
        if (meaning.length == 0) {
            return SIZE_MAX;
        }
        for (unsigned byte = 0; byte < meaning.count; byte++) {
            text[written] = meaning.bytes[byte];
            offsets[written++] = (uint32_t)at;
        }
        at += meaning.length;
    }
    offsets[written] = (uint32_t)raw.length;
    return written;
}

/* ---- XML ---- */

/* `&#64;` or `&#x40;` at `at` ([66] CharRef). */
static Meaning xml_number(View raw, size_t at) {
    bool is_hex = byte_at(raw, at + 2) == 'x';
    size_t first = at + 2 + is_hex, end = first;
    uint32_t code = read_digits(raw, &end, is_hex);
    if (end == first || byte_at(raw, end) != ';') {
        return (Meaning){{'&'}, 1, 1};
    }
    return code_point(code, end + 1 - at);
}

Meaning xml_reference(View raw, size_t at) {
    static const char *const PREDEFINED[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t which = 0; which < sizeof PREDEFINED / sizeof *PREDEFINED; which++) {
        size_t length = strlen(PREDEFINED[which]);
        if (stands_at(raw, at, PREDEFINED[which], length)) {
            return (Meaning){{(unsigned char)"&<>\"'"[which]}, 1, length};
        }
    }
    if (byte_at(raw, at + 1) == '#') {
        return xml_number(raw, at);
    }
    size_t end = at + 1;
    while (end < raw.length && strchr("\t\n\r \"#&';<=>", raw.data[end]) == NULL) {
        end++;
    }
    bool is_itself = end == at + 1 || byte_at(raw, end) != ';';
    return (Meaning){{'&'}, 1, is_itself ? 1 : 0};
}

size_t xml_decode(View raw, unsigned flags, unsigned char *text, uint32_t *offsets) {
    bool is_attribute = !(flags & RECORD_TEXT), has_references = is_attribute || (flags & RECORD_MARKUP);
    size_t written = 0, at = 0;
    while (at < raw.length) {
        Meaning meaning = {{raw.data[at]}, 1, 1};
        if (meaning.bytes[0] == '&' && has_references) {
            meaning = xml_reference(raw, at);
        } else if (meaning.bytes[0] == '\r') {
            meaning = (Meaning){{is_attribute ? ' ' : '\n'}, 1, byte_at(raw, at + 1) == '\n' ? 2 : 1};
        } else if (is_attribute && (meaning.bytes[0] == '\n' || meaning.bytes[0] == '\t')) {
            meaning.bytes[0] = ' ';
        }
        if (meaning.length == 0 || raw.data[at] == 0) {
            return SIZE_MAX;
        }
        for (unsigned byte = 0; byte < meaning.count; byte++) {
            offsets[written] = (uint32_t)at;
            text[written++] = meaning.bytes[byte];
        }
        at += meaning.length;
    }
    offsets[written] = (uint32_t)raw.length;
    return written;
}

/* The meaning of a value, if it is short and without markup; else false. */
static bool decoded_value(View raw, unsigned flags, Room *room, Value *value) {
    if (raw.length > LONGEST_DECODED || (flags & RECORD_PARTS)) {
        return false;
    }
    size_t length = flags & RECORD_XML ? xml_decode(raw, flags, room->text, room->offsets)
                                       : html_decode(raw, room->named, room->text, room->offsets);
    *value = (Value){room->text, length, value->start, room->offsets};
    return length != SIZE_MAX;
}

bool value_of(View view, const Record *record, bool multibyte, Room *room, Value *value) {
    View raw = {view.data + record->start, record->end - record->start};
    *value = (Value){raw.data, raw.length, record->start, NULL};
    if (!(record->flags & RECORD_ODD)) {
        return true;
    }
    if (record->flags & RECORD_XML) {
        return decoded_value(raw, record->flags, room, value);
    }
    bool has_references = !(record->flags & RECORD_TEXT) || (record->flags & RECORD_MARKUP);
    bool has_ampersand = find_byte(raw, 0, '&') < raw.length;
    if (find_byte(raw, 0, 0) < raw.length || (multibyte && !is_bytewise(raw))) {
        return false;
    }
    if (!has_references || !has_ampersand) {
        return true;
    }
    return !(record->flags & RECORD_TEXT) && decoded_value(raw, record->flags, room, value);
}
