/* The source, as bytes that are only read through bounds-checked access.

   - `byte_at` returns -1 after the end, so that no caller can read past it.
   - An offset is at most `MOST` bytes: it fits into the 32 bits of records.
   - White space is that of the HTML Standard: TAB, LF, FF, CR, space. */

#ifndef REHREF_VIEW_H
#define REHREF_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const unsigned char *data;
    size_t length;
} View;

#define MOST ((size_t)UINT32_MAX - 1)

static inline int byte_at(View view, size_t position) {
    return position < view.length ? view.data[position] : -1;
}

static inline bool is_space(int byte) {
    return byte <= ' ' && (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f');
}

static inline bool is_letter(int byte) {
    int lower = byte | 0x20;
    return lower >= 'a' && lower <= 'z'; /* -1 stays -1 */
}

/* The value of a hexadecimal digit; -1 for any other byte. */
static inline int hex_digit(int byte) {
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    int lower = byte | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* ASCII lower case; other bytes stay. */
static inline unsigned char lower_byte(unsigned char byte) {
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + ('a' - 'A')) : byte;
}

/* The next position of a byte, from `position` on; the length if there is none. */
static inline size_t find_byte(View view, size_t position, int byte) {
    if (position >= view.length) {
        return view.length;
    }
    const unsigned char *found = memchr(view.data + position, byte, view.length - position);
    return found == NULL ? view.length : (size_t)(found - view.data);
}

enum { STRIDE = 32 }; /* bytes that a loop without branches reads: compilers turn it into instructions for many at once */

static inline unsigned char least(unsigned char one, unsigned char other) {
    return one < other ? one : other;
}

/* The bytes from `start` to `end`, which are in the view. */
static inline View part_of(View view, size_t start, size_t end) {
    return (View){view.data + start, end - start};
}

/* Whether these bytes are at `position`. */
static inline bool stands_at(View view, size_t position, const char *text, size_t length) {
    return position <= view.length && length <= view.length - position &&
           memcmp(view.data + position, text, length) == 0;
}

/* Whether both are the same, or both NULL. */
static inline bool same_text(View one, View other) {
    return one.length == other.length && (one.data == NULL) == (other.data == NULL) &&
           (one.length == 0 || memcmp(one.data, other.data, one.length) == 0);
}

/* Whether this lower-case ASCII text is at `position`, in any case. */
static inline bool stands_at_any_case(View view, size_t position, const unsigned char *text, size_t length) {
    if (position > view.length || length > view.length - position) {
        return false;
    }
    for (size_t at = 0; at < length; at++) {
        if (lower_byte(view.data[position + at]) != text[at]) {
            return false;
        }
    }
    return true;
}

/* Copies bytes to `to`, which has room for them; returns where they end. */
static inline unsigned char *copied(unsigned char *to, View view) {
    if (view.length > 0) { /* an empty view may have no data */
        memcpy(to, view.data, view.length);
    }
    return to + view.length;
}

#endif
