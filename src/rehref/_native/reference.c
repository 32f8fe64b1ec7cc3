#include "reference.h"

#include <limits.h>
#include <stdlib.h>

/* Bytes that may occur in any part of a reference (RFC 3986: unreserved, sub-delims, ":", "@", "/", "?"), by what they
   mean in a path: "?" ends it, dots and colons must be examined, the others are only a part of it. */
enum { PLAIN = '1', IN_PATH, QUIET };

static const char LEVELS[UCHAR_MAX + 1] =
    "00000000000000000000000000000000"
    "03003033333333233333333333230301" /*  !"#$%&'()*+,-./0123456789:;<=>? */
    "33333333333333333333333333300003" /* @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_ */
    "03333333333333333333333333300030" /* `abcdefghijklmnopqrstuvwxyz{|}~ */
    ; /* from 0x80 on, all is 0 */

/* After the bytes from `at` on that are of this level or above it. */
static inline size_t skip(View text, size_t at, char level) {
    while (at < text.length && LEVELS[text.data[at]] >= level) {
        at++;
    }
    return at;
}

/* The byte that an escape at `at` means; -1 if the escape is incomplete. */
static int escaped(View text, size_t at) {
    int high = hex_digit(byte_at(text, at + 1)), low = hex_digit(byte_at(text, at + 2));
    return high < 0 || low < 0 ? -1 : 16 * high + low;
}

/* Whether an ordinary escape is at `at`: NUL is not ordinary, and in a path neither is ".". */
static bool is_escape(View text, size_t at, bool in_path) {
    if (byte_at(text, at) != '%') {
        return false;
    }
    int meant = escaped(text, at);
    return meant > 0 && !(in_path && meant == '.');
}

/* After the plain bytes and ordinary escapes from `at` on, up to "#", and to "?" in a path. */
static size_t skip_plain(View text, size_t at, bool in_path) {
    for (;; at += 3) {
        at = skip(text, at, in_path ? IN_PATH : PLAIN);
        if (!is_escape(text, at, in_path)) {
            return at;
        }
    }
}

/* Whether only a fragment, or nothing, follows. */
static bool ends_in_fragment(View text, size_t at) {
    return at == text.length || (byte_at(text, at) == '#' && skip_plain(text, at + 1, false) == text.length);
}

/* Whether only a query, a fragment, both or nothing follows. */
static bool ends_well(View text, size_t at) {
    return ends_in_fragment(text, byte_at(text, at) == '?' ? skip_plain(text, at + 1, false) : at);
}

/* Whether a segment of a path that begins at `at` is a dot segment. */
static bool is_dot_segment(View text, size_t at) {
    at += byte_at(text, at + 1) == '.' ? 2 : 1;
    int next = byte_at(text, at);
    return next == -1 || next == '/' || next == '?' || next == '#';
}

/* After a path without dot segments; after the text if it has one. `colon` gets the position of its first colon. */
static size_t skip_path(View text, size_t start, size_t *colon) {
    for (size_t at = start;; at++) {
        at = skip(text, at, QUIET);
        int byte = byte_at(text, at);
        if (byte == '.') {
            if ((at == start || text.data[at - 1] == '/') && is_dot_segment(text, at)) {
                return text.length + 1;
            }
        } else if (byte == ':') {
            *colon = *colon < at ? *colon : at;
        } else if (is_escape(text, at, true)) {
            at += 2;
        } else {
            return at;
        }
    }
}

/* Whether a path follows, and then ends well. `colon` gets the position of the first colon in the path, or SIZE_MAX. */
static bool is_path(View text, size_t at, size_t *colon) {
    *colon = SIZE_MAX;
    size_t end = skip_path(text, at, colon);
    return end <= text.length && ends_well(text, end);
}

/* The same, for a path that follows a host, if there is one. */
static bool ends_behind_host(View text, size_t at) {
    size_t colon;
    return byte_at(text, at) == '/' ? is_path(text, at, &colon) : ends_well(text, at);
}

/* After an IPv4 address as browsers write it; 0 if there is none. */
static size_t skip_address(View text, size_t at) {
    for (int octet = 0; octet < 4; octet++) {
        size_t first = at + (octet > 0);
        int value = 0;
        if (octet > 0 && byte_at(text, at) != '.') {
            return 0;
        }
        for (at = first; at < first + 3 && byte_at(text, at) >= '0' && byte_at(text, at) <= '9'; at++) {
            value = 10 * value + text.data[at] - '0';
        }
        if (at == first || value > UINT8_MAX || (at > first + 1 && text.data[first] == '0')) {
            return 0;
        }
    }
    return at;
}

/* The same of an IPv6 address, in which no piece is 0 but those of "::". */
static size_t skip_literal(View text, size_t at) {
    unsigned pieces = 0, gaps = 0;
    if (byte_at(text, at) != '[') {
        return 0;
    }
    for (at++; byte_at(text, at) != ']';) {
        size_t first = at;
        bool is_gap = stands_at(text, at, "::", 2);
        if (is_gap) {
            gaps++;
            first = at += 2;
            if (byte_at(text, at) == ']') {
                break;
            }
        } else if (pieces > 0) {
            if (byte_at(text, at) != ':') {
                return 0;
            }
            first = ++at;
        }
        for (int byte; at < first + 4 && hex_digit(byte = byte_at(text, at)) >= 0 && !(byte >= 'A' && byte <= 'F'); at++) {
        }
        if (at == first || text.data[first] == '0') {
            return 0;
        }
        pieces++;
    }
    bool is_whole = gaps == 0 ? pieces == 8 : gaps == 1 && pieces <= 6;
    return is_whole ? at + 1 : 0;
}

/* After a host that is a name of lower-case labels, the last of letters; 0 if there is none. */
static size_t skip_host(View text, size_t at) {
    for (;;) {
        size_t label = at;
        bool letters = true;
        for (int byte; (byte = byte_at(text, at)) >= 0; at++) {
            bool is_lower = byte >= 'a' && byte <= 'z';
            bool is_hyphen = byte == '-' && at > label && text.data[at - 1] != '-';
            if (!is_lower && !(byte >= '0' && byte <= '9') && !is_hyphen) {
                break;
            }
            letters = letters && is_lower;
        }
        if (at == label || text.data[at - 1] == '-') {
            return 0;
        }
        if (byte_at(text, at) != '.') {
            return letters ? at : 0;
        }
        at++;
    }
}

/* After a lower-case scheme and its colon; 0 if there is none. */
static size_t skip_scheme(View text) {
    size_t at = 0;
    int byte = byte_at(text, at);
    if (byte < 'a' || byte > 'z') {
        return 0;
    }
    while ((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '+' || byte == '-' || byte == '.') {
        byte = byte_at(text, ++at);
    }
    return byte == ':' ? at + 1 : 0;
}

/* Whether a scheme, with its colon, is one of the URL Standard's special ones. */
static bool is_special(View text, size_t length) {
    static const char *const SPECIAL[] = {"http:", "https:", "ws:", "wss:", "ftp:", "file:"};
    for (size_t at = 0; at < sizeof SPECIAL / sizeof *SPECIAL; at++) {
        if (strlen(SPECIAL[at]) == length && stands_at(text, 0, SPECIAL[at], length)) {
            return true;
        }
    }
    return false;
}

/* After a port from 7000 to 9999, if one follows. */
static size_t skip_port(View text, size_t at) {
    bool fits = byte_at(text, at) == ':' && byte_at(text, at + 1) >= '7';
    for (size_t digit = at + 1; digit <= at + 4; digit++) {
        fits = fits && byte_at(text, digit) >= '0' && byte_at(text, digit) <= '9';
    }
    return fits ? at + 5 : at;
}

/* Whether such a host follows, and perhaps a path, a query and a fragment. */
static bool names_host(View text, size_t at) {
    size_t name = skip_host(text, at);
    size_t address = name > 0 ? name : skip_address(text, at);
    at = address > 0 ? address : skip_literal(text, at);
    return at > 0 && ends_behind_host(text, skip_port(text, at));
}

/* The same of a name that begins with a letter, which is a host to schemes that are not special. */
static bool has_name(View text, size_t start) {
    size_t at = start;
    if (!is_letter(byte_at(text, start))) {
        return false;
    }
    for (int byte; is_letter(byte = byte_at(text, at)) || (byte >= '0' && byte <= '9') ||
                   (byte > 0 && strchr("-._~", byte) != NULL);
         at++) {
    }
    return ends_behind_host(text, at);
}

static Reference with_scheme(View text, size_t behind) {
    Reference odd = {.form = REFERENCE_ODD}, absolute = {.form = REFERENCE_ABSOLUTE};
    size_t colon;
    if (stands_at(text, 0, "file:///", 8)) {
        return byte_at(text, 8) != '/' && is_path(text, 7, &colon) && colon == SIZE_MAX ? absolute : odd;
    }
    bool has_host = stands_at(text, behind, "//", 2);
    if (is_special(text, behind)) {
        return stands_at(text, 0, "http", 4) && has_host && names_host(text, behind + 2) ? absolute : odd;
    }
    if (behind == text.length || text.data[behind] == '/') {
        return has_host && has_name(text, behind + 2) ? absolute : odd;
    }
    size_t end = behind;
    while (end < text.length && text.data[end] != '#') {
        size_t next = skip_plain(text, end, true);
        end = byte_at(text, next) == '?' ? next + 1 : next;
        if (end == next) {
            break;
        }
    }
    return end > behind && ends_in_fragment(text, end) ? (Reference){.form = REFERENCE_OPAQUE} : odd;
}

static Reference rooted_path(View text) {
    size_t colon;
    Reference found = {.form = is_path(text, 0, &colon) ? REFERENCE_ROOTED : REFERENCE_ODD};
    found.colon = colon != SIZE_MAX;
    return found;
}

static Reference relative_path(View text) {
    Reference found = {.form = REFERENCE_PATH};
    size_t colon;
    while (stands_at(text, found.skip, "../", 3)) {
        found.ups++;
        found.skip += 3;
    }
    if (found.skip == 0 && stands_at(text, 0, "./", 2)) {
        found.skip = 2;
    }
    bool fits = byte_at(text, found.skip) != '/' && is_path(text, found.skip, &colon);
    found.colon = fits && colon != SIZE_MAX;
    if (!fits || (found.colon && found.skip == 0 && find_byte(text, 0, '/') > colon)) {
        found.form = REFERENCE_ODD;
    }
    return found;
}

/* Whether a path has both an escape of a slash and "..", so that it may be made to be misread. */
static bool may_climb(View path) {
    bool slash = false, dots = false;
    for (size_t at = find_byte(path, 0, '%'); at < path.length && !slash; at = find_byte(path, at + 1, '%')) {
        slash = escaped(path, at) == '/' || escaped(path, at) == '\\';
    }
    for (size_t at = slash ? find_byte(path, 0, '.') : path.length; at < path.length && !dots;
         at = find_byte(path, at + 1, '.')) {
        dots = byte_at(path, at + 1) == '.';
    }
    return dots;
}

static Reference form_of(View text) {
    Reference odd = {.form = REFERENCE_ODD};
    switch (byte_at(text, 0)) {
    case -1:
        return odd;
    case '#':
        return ends_in_fragment(text, 0) ? (Reference){.form = REFERENCE_FRAGMENT} : odd;
    case '?':
        return ends_well(text, 0) ? (Reference){.form = REFERENCE_QUERY} : odd;
    case '/':
        if (byte_at(text, 1) == '/') {
            return names_host(text, 2) ? (Reference){.form = REFERENCE_NETWORK} : odd;
        }
        return rooted_path(text);
    default: {
        size_t scheme = skip_scheme(text);
        return scheme ? with_scheme(text, scheme) : relative_path(text);
    }
    }
}

/* What precedes a fragment, and a query, unless the reference is opaque. */
static View before_query(View text, bool is_opaque) {
    size_t end = 0;
    while (end < text.length && text.data[end] != '#' && (is_opaque || text.data[end] != '?')) {
        end++;
    }
    return part_of(text, 0, end);
}

static Reference ordinary(View text) {
    Reference found = form_of(text);
    if (find_byte(text, 0, '%') == text.length) { /* as in most */
        return found;
    }
    bool climbs = may_climb(before_query(text, found.form == REFERENCE_OPAQUE));
    return climbs ? (Reference){.form = REFERENCE_ODD} : found;
}

/* Copies a text, with stand-ins for what no URI has, and says in `found` what that is; false if there is nothing of it,
   or half of a surrogate pair. */
static bool stand_in(View text, unsigned char *copy, Reference *found) {
    found->beyond = found->faulty = false;
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = text.data[at];
        int next = byte_at(text, at + 1);
        if (byte == 0xED && next >= 0xA0) {
            return false;
        }
        bool is_ascii = byte < 0x80, is_of_none = is_of_no_uri(byte) || is_stray(text, at);
        found->beyond = found->beyond || !is_ascii;
        found->faulty = found->faulty || is_of_none || (byte == 0xC2 && next < 0xA0) || byte >= 0xEF;
        copy[at] = is_ascii && !is_of_none ? byte : '!';
    }
    return found->beyond || found->faulty;
}

/* What a reference with octets outside ASCII is, from a copy with stand-ins. */
static Reference with_others(View text, View copy, Reference others) {
    Reference odd = {.form = REFERENCE_ODD}, found = ordinary(copy);
    bool bar = find_byte(text, 0, '|') < before_query(text, false).length;
    if (text.data[0] == ' ' || text.data[text.length - 1] == ' ' || (bar && stands_at(text, 0, "file:", 5))) {
        return odd;
    }
    bool is_below = found.form == REFERENCE_PATH || found.form == REFERENCE_ROOTED;
    found.colon = found.colon || (is_below && bar);
    found.beyond = found.form != REFERENCE_ODD && others.beyond;
    found.faulty = found.form != REFERENCE_ODD && others.faulty;
    return found;
}

Reference classify(const unsigned char *data, size_t length) {
    View text = {data, length};
    Reference found = ordinary(text), others;
    unsigned char room[512];
    if (found.form != REFERENCE_ODD || length == 0) {
        return found;
    }
    unsigned char *copy = length <= sizeof room ? room : malloc(length);
    if (copy != NULL && stand_in(text, copy, &others)) { /* if memory is short, Python reads it */
        found = with_others(text, (View){copy, length}, others);
    }
    if (copy != room) {
        free(copy);
    }
    return found;
}

size_t without_dots(View text, unsigned char *to) {
    size_t end = 0, used = 0, ups = 0;
    while (LEVELS[byte_at(text, end) < 0 ? 0 : text.data[end]] == QUIET || byte_at(text, end) == '.') {
        end++;
    }
    int next = byte_at(text, end);
    if (end == 0 || (next != -1 && next != '?' && next != '#')) {
        return 0;
    }
    for (size_t start = 0, stop; start <= end; start = stop + 1) {
        stop = find_byte((View){text.data, end}, start, '/');
        View segment = part_of(text, start, stop);
        if (segment.length == 0 && stop < end) {
            return 0;
        }
        if (segment.length == 2 && stands_at(segment, 0, "..", 2)) {
            ups += used == 0;
            while (used > 0 && (--used == 0 || to[used - 1] != '/')) {
            }
        } else if (segment.length != 1 || segment.data[0] != '.') {
            used = (size_t)(copied(to + used, segment) - to);
            if (stop < end) {
                to[used++] = '/';
            }
        }
    }
    size_t dots = ups > 0 ? 3 * ups : 2;
    memmove(to + dots, to, used);
    for (size_t at = 0; at < dots; at += 3) {
        memcpy(to + at, "../", ups > 0 ? 3 : 0);
    }
    if (ups == 0) {
        memcpy(to, "./", 2);
    }
    return (size_t)(copied(to + dots + used, part_of(text, end, text.length)) - to);
}
