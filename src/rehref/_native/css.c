#include "css.h"

#include <limits.h>

enum { LONGEST_NAME = 18 }; /* `-webkit-image-set`, and the character before it */

static bool is_newline(int byte) {
    return byte == '\n' || byte == '\r' || byte == '\f';
}

/* §4.2, ident code point */
static bool is_name(int byte) {
    return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte >= 0x80;
}

/* After the escape whose backslash is at `at` (§4.3.7); `at` itself if a line break follows. */
static size_t skip_escape(View text, size_t at) {
    size_t end = at + 1;
    while (end < at + 7 && hex_digit(byte_at(text, end)) >= 0) {
        end++;
    }
    if (end == at + 1) {
        return is_newline(byte_at(text, end)) ? at : end + (end < text.length);
    }
    if (stands_at(text, end, "\r\n", 2)) {
        return end + 2;
    }
    return end + is_space(byte_at(text, end));
}

/* After the text of a string from `at` on: the position of its quote, a bare line break or the end (§4.3.5). */
static size_t string_end(View text, size_t at, int quote, bool *escapes) {
    for (int byte; (byte = byte_at(text, at)) >= 0 && byte != quote && !is_newline(byte);) {
        if (byte != '\\') {
            at++;
            continue;
        }
        *escapes = true;
        size_t behind = skip_escape(text, at);
        at = behind > at ? behind : at + (stands_at(text, at + 1, "\r\n", 2) ? 3 : 2);
    }
    return at < text.length ? at : text.length;
}

static size_t skip_string(View text, size_t at) {
    bool escapes;
    size_t end = string_end(text, at + 1, text.data[at], &escapes);
    return end + (byte_at(text, end) == text.data[at]);
}

/* §4.3.2 */
static size_t skip_comment(View text, size_t at) {
    for (at += 2; (at = find_byte(text, at, '*')) < text.length; at++) {
        if (byte_at(text, at + 1) == '/') {
            return at + 2;
        }
    }
    return text.length;
}

static size_t skip_blank(View text, size_t at) {
    for (;;) {
        if (is_space(byte_at(text, at))) {
            at++;
        } else if (stands_at(text, at, "/*", 2)) {
            at = skip_comment(text, at);
        } else {
            return at;
        }
    }
}

/* The reference that is the string at `at`, if it is valid and not empty, else CSS_END; moves the position after it. */
static CssStep take_string(View text, size_t at, size_t *position, Span *found) {
    bool escapes = false;
    size_t end = string_end(text, at + 1, text.data[at], &escapes);
    bool closed = byte_at(text, end) == text.data[at];
    *found = (Span){at + 1, end};
    *position = end + closed;
    if (escapes) {
        return CSS_ODD;
    }
    return (closed || end == text.length) && end > at + 1 ? CSS_FOUND : CSS_END;
}

/* The reference after `url(` (§4.3.6), if there is one. */
static CssStep take_url(View text, size_t at, size_t *position, Span *found) {
    while (is_space(byte_at(text, at))) {
        at++;
    }
    if (byte_at(text, at) == '"' || byte_at(text, at) == '\'') {
        return take_string(text, at, position, found);
    }
    size_t end = at;
    for (int byte; (byte = byte_at(text, end)) >= 0; end++) {
        if (byte == '\\') {
            return CSS_ODD;
        }
        if (byte <= ' ' || byte == 0x7F || byte == '"' || byte == '\'' || byte == '(' || byte == ')') {
            break;
        }
    }
    *found = (Span){at, end};
    while (is_space(byte_at(text, end))) {
        end++;
    }
    if (end < text.length && text.data[end] != ')') {
        /* §4.3.14, the remnants of a bad url */
        View remnants = {text.data, find_byte(text, end, ')')};
        *position = remnants.length + (remnants.length < text.length);
        return find_byte(remnants, end, '\\') < remnants.length ? CSS_ODD : CSS_END;
    }
    *position = end + (end < text.length);
    return found->end > found->start ? CSS_FOUND : CSS_END;
}

/* Whether the "(" at `at` calls a function of this lower-case name. */
static bool calls(View text, size_t at, const char *name) {
    size_t length = strlen(name);
    if (at < length || !stands_at_any_case(text, at - length, (const unsigned char *)name, length)) {
        return false;
    }
    int before = at > length ? text.data[at - length - 1] : ' ';
    return !is_name(before) && before != '#' && before != '@';
}

/* Whether there is an at-keyword of this lower-case name at `at`. */
static bool is_keyword(View text, size_t at, const char *name) {
    size_t behind = at + 1 + strlen(name);
    if (!stands_at_any_case(text, at + 1, (const unsigned char *)name, strlen(name)) || is_name(byte_at(text, behind))) {
        return false;
    }
    return byte_at(text, behind) != '\\' || behind + 1 == text.length || is_newline(text.data[behind + 1]);
}

/* Whether a reference does not depend on a base: it has a scheme, or is only a fragment. */
static bool is_its_own(View text, Span found) {
    size_t at = found.start;
    if (byte_at(text, at) == '#') {
        return true;
    }
    if (!is_letter(byte_at(text, at))) {
        return false;
    }
    for (int byte; at < found.end; at++) {
        byte = text.data[at];
        if (!is_letter(byte) && !(byte >= '0' && byte <= '9') && byte != '+' && byte != '-' && byte != '.') {
            return byte == ':';
        }
    }
    return false;
}

static inline bool has_dashes(const unsigned char *block) {
    unsigned char unlike = UCHAR_MAX;
    for (size_t at = 0; at < STRIDE; at++) {
        unlike = least(unlike, (block[at] ^ '-') | (block[at + 1] ^ '-'));
    }
    return unlike == 0;
}

/* Whether the name of a custom property may begin between two positions: with `--`, and not within a name. */
static bool may_declare(View text, size_t at, size_t end) {
    while (at < end) {
        if (at + STRIDE < text.length && !has_dashes(text.data + at)) {
            at += STRIDE;
            continue;
        }
        for (size_t last = at + STRIDE; at < last; at++) {
            if (stands_at(text, at, "--", 2) && (at == 0 || !is_name(text.data[at - 1]))) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the function whose "(" is at `at` is in the declaration of a custom property. */
static bool in_custom_property(View text, size_t at, CssDeclaration *declaration) {
    size_t position = declaration->position, plain = declaration->plain;
    declaration->plain = at;
    if (!declaration->is_custom && !may_declare(text, plain, at)) {
        return false;
    }
    bool begins = position == 0;
    while (position < at) {
        int byte = text.data[position];
        if (begins) {
            position = skip_blank(text, position);
            declaration->is_custom = stands_at(text, position, "--", 2);
            begins = false;
        } else if (byte == '"' || byte == '\'') {
            position = skip_string(text, position);
        } else if (stands_at(text, position, "/*", 2)) {
            position = skip_comment(text, position);
        } else if (byte == '\\') {
            size_t behind = skip_escape(text, position);
            position = behind > position ? behind : position + 1;
        } else if (byte == '(' && calls(text, position, "url")) {
            size_t behind = position + 1;
            Span ignored;
            take_url(text, behind, &behind, &ignored);
            position = behind;
        } else {
            begins = byte == ';' || byte == '{' || byte == '}';
            position++;
        }
    }
    declaration->position = position;
    return declaration->is_custom;
}

/* Whether a condition that begins at `at` tests a URL. */
static bool tests_url(View text, size_t at, CssDeclaration *declaration) {
    if (at < declaration->clear) {
        return false;
    }
    for (int byte; (byte = byte_at(text, at)) >= 0 && byte != ';' && byte != '{' && byte != '}';) {
        if (byte == '"' || byte == '\'') {
            at = skip_string(text, at);
        } else if (stands_at(text, at, "/*", 2)) {
            at = skip_comment(text, at);
        } else if (byte == '(' && calls(text, at, "url")) {
            return true;
        } else {
            at++;
        }
    }
    declaration->clear = at;
    return false;
}

static CssStep take_call(View text, size_t at, size_t *position, Span *found, CssDeclaration *declaration) {
    *position = at + 1;
    int last = at == 0 ? -1 : lower_byte(text.data[at - 1]);
    if (last != 'l' && last != 's' && last != 'c' && last != 't') { /* as the names below end */
        return CSS_END;
    }
    if (calls(text, at, "url")) {
        CssStep step = take_url(text, at + 1, position, found);
        bool depends = step == CSS_FOUND && !is_its_own(text, *found);
        return depends && in_custom_property(text, at, declaration) ? CSS_ODD : step;
    }
    bool is_odd = (calls(text, at, "supports") && tests_url(text, at + 1, declaration)) || calls(text, at, "src") ||
                  calls(text, at, "image-set") || calls(text, at, "-webkit-image-set");
    return is_odd ? CSS_ODD : CSS_END;
}

static CssStep take_keyword(View text, size_t at, size_t *position, Span *found, CssDeclaration *declaration) {
    *position = at + 1;
    if (is_keyword(text, at, "namespace")) {
        return CSS_ODD;
    }
    if (is_keyword(text, at, "supports")) {
        return tests_url(text, at + 1, declaration) ? CSS_ODD : CSS_END;
    }
    if (!is_keyword(text, at, "import")) {
        return CSS_END;
    }
    at = skip_blank(text, at + 7);
    *position = at;
    return byte_at(text, at) == '"' || byte_at(text, at) == '\'' ? take_string(text, at, position, found) : CSS_END;
}

/* Moves after the name with an escape at `at`; odd if it might be that of a function or at-rule that matters. */
static CssStep skip_escaped_name(View text, size_t at, size_t *position) {
    size_t start = at, end = at;
    while (start > 0 && at - start <= LONGEST_NAME && is_name(text.data[start - 1])) {
        start--;
    }
    for (;;) {
        size_t behind = byte_at(text, end) == '\\' ? skip_escape(text, end) : end + is_name(byte_at(text, end));
        if (behind == end) {
            break;
        }
        end = behind;
    }
    *position = end > at ? end : at + 1;
    bool is_at_keyword = start > 0 && text.data[start - 1] == '@';
    return end > at && (byte_at(text, end) == '(' || is_at_keyword) ? CSS_ODD : CSS_END;
}

/* 0 for the bytes that `next_in_css` must examine. */
static inline unsigned char unlike_stops(unsigned char byte) {
    unsigned char of_quotes = least(byte ^ '"', byte ^ '\''), of_others = least(byte ^ '(', byte ^ '@');
    return least(least(of_quotes, of_others), least(byte ^ '/', byte ^ '\\'));
}

static inline bool has_stop(const unsigned char *block) {
    unsigned char unlike = UCHAR_MAX;
    for (size_t at = 0; at < STRIDE; at++) {
        unlike = least(unlike, unlike_stops(block[at]));
    }
    return unlike == 0;
}

/* The next position that `next_in_css` must examine. */
static size_t skip_ordinary(View text, size_t at) {
    while (at + STRIDE <= text.length && !has_stop(text.data + at)) {
        at += STRIDE;
    }
    while (at < text.length && unlike_stops(text.data[at]) != 0) {
        at++;
    }
    return at;
}

CssStep next_in_css(View text, size_t *position, Span *found, CssDeclaration *declaration) {
    CssStep step = CSS_END;
    while (step == CSS_END && (*position = skip_ordinary(text, *position)) < text.length) {
        size_t at = *position;
        switch (text.data[at]) {
        case '"':
        case '\'':
            *position = skip_string(text, at);
            break;
        case '/':
            *position = byte_at(text, at + 1) == '*' ? skip_comment(text, at) : at + 1;
            break;
        case '(':
            step = take_call(text, at, position, found, declaration);
            break;
        case '@':
            step = take_keyword(text, at, position, found, declaration);
            break;
        case '\\':
            step = skip_escaped_name(text, at, position);
            break;
        }
    }
    return step;
}
