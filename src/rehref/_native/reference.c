#include "reference.h"

enum {
    IN_FIRST = 1, /* may begin a path, and follow a dot */
    IN_PATH = 2,  /* may follow in a path; a dot is looked at apart */
    IN_REST = 4,  /* in a query and a fragment */
    IN_HEX = 8
};

/* RFC 3986: unreserved and sub-delims, ":", "@", "/", "?", where they cannot be taken for anything else */
static uint8_t class_of(unsigned char byte) {
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9')) {
        bool hex = byte <= '9' || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
        return (uint8_t)(IN_FIRST | IN_PATH | IN_REST | (hex ? IN_HEX : 0));
    }
    switch (byte) {
    case '_': case '~': case '!': case '$': case '\'': case '(': case ')': case '*': case '+': case ',': case ';':
    case '=': case '@': case '-':
        return IN_FIRST | IN_PATH | IN_REST;
    case '/':
        return IN_PATH | IN_REST;
    case '&': case ':': case '?': case '.':
        return IN_REST;
    default:
        return 0;
    }
}

static bool is_hex_pair(const unsigned char *text, size_t at, size_t length) {
    return at + 2 < length && (class_of(text[at + 1]) & IN_HEX) && (class_of(text[at + 2]) & IN_HEX);
}

/* Behind what may stand in a query or a fragment. */
static size_t skip_rest(const unsigned char *text, size_t at, size_t length, bool escapes) {
    while (at < length) {
        if (class_of(text[at]) & IN_REST) {
            at++;
        } else if (escapes && text[at] == '%' && is_hex_pair(text, at, length)) {
            at += 3;
        } else {
            break;
        }
    }
    return at;
}

/* Whether a query, a fragment, or both end the reference at `at`. */
static bool ends_well(const unsigned char *text, size_t at, size_t length) {
    if (at < length && text[at] == '?') {
        at = skip_rest(text, at + 1, length, true);
    }
    if (at < length && text[at] == '#') {
        at = skip_rest(text, at + 1, length, false);
    }
    return at == length;
}

/* Behind a path in which each dot stands within a segment. */
static size_t skip_path(const unsigned char *text, size_t at, size_t length) {
    size_t start = at;
    while (at < length) {
        if (class_of(text[at]) & IN_PATH) {
            at++;
        } else if (text[at] == '.' && at > start && text[at - 1] != '/' && at + 1 < length &&
                   (class_of(text[at + 1]) & IN_FIRST)) {
            at += 2;
        } else {
            break;
        }
    }
    return at;
}

/* Behind a host that is a name of lower-case labels, the last of letters; 0 where there is none. */
static size_t skip_host(const unsigned char *text, size_t at, size_t length) {
    bool dotted = false;
    for (;;) {
        size_t label = at;
        bool letters = true;
        while (at < length && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= '0' && text[at] <= '9') ||
                               (text[at] == '-' && at > label && text[at - 1] != '-'))) {
            letters = letters && text[at] >= 'a';
            at++;
        }
        if (at == label || text[at - 1] == '-') {
            return 0;
        }
        if (at < length && text[at] == '.') {
            dotted = true;
            at++;
            continue;
        }
        return dotted && letters ? at : 0;
    }
}

static size_t skip_scheme(const unsigned char *text, size_t length) {
    if (length > 7 && memcmp(text, "http://", 7) == 0) {
        return 7;
    }
    return length > 8 && memcmp(text, "https://", 8) == 0 ? 8 : 0;
}

static ReferenceForm absolute(const unsigned char *text, size_t at, size_t length) {
    at = skip_host(text, at, length);
    if (at == 0) {
        return REFERENCE_ODD;
    }
    if (at < length && text[at] == '/') {
        /* "&", ":" and dots within segments may stand in the path of an absolute URI; "/." may not */
        while (at < length && (class_of(text[at]) & IN_REST) && text[at] != '?') {
            if (text[at] == '/' && at + 1 < length && text[at + 1] == '.') {
                return REFERENCE_ODD;
            }
            at++;
        }
    }
    return ends_well(text, at, length) ? REFERENCE_ABSOLUTE : REFERENCE_ODD;
}

Reference classify(const unsigned char *text, size_t length) {
    Reference odd = {REFERENCE_ODD, 0, 0}, found = {REFERENCE_PATH, 0, 0};
    size_t at = 0;
    if (length == 0) {
        return odd;
    }
    if (text[0] == '#' || text[0] == '?') {
        found.form = text[0] == '#' ? REFERENCE_FRAGMENT : REFERENCE_QUERY;
        return ends_well(text, 0, length) ? found : odd;
    }
    if (text[0] == '/') {
        found.form = REFERENCE_ROOTED;
        if (length > 1 && (text[1] == '/' || text[1] == '.')) {
            return odd;
        }
    } else {
        size_t scheme = skip_scheme(text, length);
        if (scheme) {
            found.form = absolute(text, scheme, length);
            return found;
        }
        while (length - at >= 3 && memcmp(text + at, "../", 3) == 0) {
            found.ups++;
            at += 3;
        }
        if (at == 0 && length > 2 && memcmp(text, "./", 2) == 0) {
            at = 2;
        }
        found.skip = at;
        bool path_may_be_empty = at == 2 && text[at] == '?';
        if (at == length || (!(class_of(text[at]) & IN_FIRST) && !path_may_be_empty)) {
            return odd;
        }
    }
    return ends_well(text, skip_path(text, at, length), length) ? found : odd;
}
