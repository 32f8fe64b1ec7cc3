#include "raw_text.h"

bool is_declaration(View view, size_t position) {
    int next = byte_at(view, position + 1);
    if (byte_at(view, position) != '<') {
        return false;
    }
    return next == '!' || next == '?' || (next == '/' && !is_letter(byte_at(view, position + 2)));
}

/* "comment start state" to "comment end bang state" */
static size_t comment_end(View view, size_t position) {
    if (byte_at(view, position) == '>') {
        return position + 1;
    }
    if (byte_at(view, position) == '-' && byte_at(view, position + 1) == '>') {
        return position + 2;
    }
    while ((position = find_byte(view, position, '-')) < view.length) {
        if (byte_at(view, position + 1) == '-') {
            size_t behind = position + 2;
            if (byte_at(view, behind) == '!') {
                behind++;
            }
            if (byte_at(view, behind) == '>') {
                return behind + 1;
            }
        }
        position++;
    }
    return view.length;
}

size_t declaration_end(View view, size_t position) {
    if (stands_at(view, position, "<!--", 4)) {
        return comment_end(view, position + 4);
    }
    size_t end = find_byte(view, position, '>');
    return end == view.length ? end : end + 1;
}

/* Whether a tag name ends here: white space, "/" or ">". */
static bool name_ends(int byte) {
    return is_space(byte) || byte == '/' || byte == '>';
}

size_t raw_text_end(View view, size_t position, const unsigned char *name, size_t length) {
    while ((position = find_byte(view, position, '<')) < view.length) {
        if (byte_at(view, position + 1) == '/' && stands_at_any_case(view, position + 2, name, length) &&
            name_ends(byte_at(view, position + 2 + length))) {
            return position;
        }
        position++;
    }
    return view.length;
}

static const unsigned char SCRIPT[] = "script";
enum { SCRIPT_LENGTH = sizeof SCRIPT - 1 };

/* Whether `script` and the end of a name are here. */
static bool is_script_name(View view, size_t position) {
    return stands_at_any_case(view, position, SCRIPT, SCRIPT_LENGTH) &&
           name_ends(byte_at(view, position + SCRIPT_LENGTH));
}

/* Outside of escaped text only `<!--` and the end tag matter; inside, `-->` and `<script` too. */
static size_t next_in_script(View view, size_t position, bool escaped) {
    if (!escaped) {
        return find_byte(view, position, '<');
    }
    while (position < view.length && view.data[position] != '<' && view.data[position] != '-') {
        position++;
    }
    return position;
}

size_t script_end(View view, size_t position) {
    bool escaped = false, doubly = false;
    while ((position = next_in_script(view, position, escaped)) < view.length) {
        if (stands_at(view, position, "<!--", 4)) {
            escaped = true;
            position += 2; /* `<!-->` ends what it begins */
        } else if (stands_at(view, position, "-->", 3)) {
            escaped = doubly = false;
            position += 3;
        } else if (byte_at(view, position) == '<' && byte_at(view, position + 1) == '/' &&
                   is_script_name(view, position + 2)) {
            if (!doubly) {
                return position;
            }
            doubly = false;
            position += 2 + SCRIPT_LENGTH;
        } else if (escaped && byte_at(view, position) == '<' && is_script_name(view, position + 1)) {
            doubly = true;
            position += 1 + SCRIPT_LENGTH;
        } else {
            position++;
        }
    }
    return view.length;
}

size_t text_end(View view, Action action, View name, size_t position) {
    unsigned char lower[16];
    if (action == ACTION_SCRIPT) {
        return script_end(view, position);
    }
    if (action == ACTION_PLAINTEXT || name.length > sizeof lower) { /* no raw text element has such a name */
        return view.length;
    }
    for (size_t at = 0; at < name.length; at++) {
        lower[at] = lower_byte(name.data[at]);
    }
    return raw_text_end(view, position, lower, name.length);
}
