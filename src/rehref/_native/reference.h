/* Ordinary references: those whose target is a part of the base followed by the rest of the reference (RFC 3986
   §5.2.2), and characters of no URI. The twin of `rehref.uri.ordinary_references`. */

#ifndef REHREF_REFERENCE_H
#define REHREF_REFERENCE_H

#include "view.h"

typedef enum {
    REFERENCE_ODD,
    REFERENCE_FRAGMENT,
    REFERENCE_QUERY,
    REFERENCE_ROOTED,
    REFERENCE_PATH,
    REFERENCE_ABSOLUTE,
    REFERENCE_OPAQUE,
    REFERENCE_NETWORK,
    REFERENCE_EMPTY /* found by `resolve` only */
} ReferenceForm;

typedef struct {
    ReferenceForm form;
    size_t ups;  /* for REFERENCE_PATH: how many `../` it begins with; what follows them is below that folder */
    size_t skip; /* the length of these, or of `./` */
    bool colon;  /* whether there is one in the path, for REFERENCE_PATH and REFERENCE_ROOTED */
    bool beyond; /* whether there are characters outside ASCII, */
    bool faulty; /* and whether any are of no URI and no IRI */
} Reference;

/* Whether no URI has this byte, which is not a control character, nor "\\". */
static inline bool is_of_no_uri(unsigned char byte) {
    return byte != 0 && byte < 0x80 && strchr(" \"<>[]^`{|}", byte) != NULL;
}

/* Whether a "%" is there that two hexadecimal digits do not follow. */
static inline bool is_stray(View text, size_t at) {
    return byte_at(text, at) == '%' && (hex_digit(byte_at(text, at + 1)) < 0 || hex_digit(byte_at(text, at + 2)) < 0);
}

/* The reference that means the same as one with dot segments: its length; 0 if it may not have them.
   `to` has room for two bytes more than the text. */
size_t without_dots(View text, unsigned char *to);

Reference classify(const unsigned char *text, size_t length);

#endif
