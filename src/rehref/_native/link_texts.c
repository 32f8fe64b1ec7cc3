/* The links of a source as JSON, without a `Link` for any. What is ordinary is written here; of every other place Python
   is given the number.

   1. What is written is what `rehref.reports.links.json.LinkTexts` writes of the links that `links` makes.
   2. What the links of a document share is given as it is to be written: what comes before each, its base, and what comes
      behind each.
   3. Where a reference may have a password (`rehref.uri.privacy`), its place is for Python. No prefix has one; and where
      a prefix ends, a userinfo would end, too. */

#include "positions.h"
#include "scans.h"

#include <stdlib.h>

typedef struct {
    unsigned char *data;
    size_t length, room;
    bool failed; /* memory was short */
} Text;

typedef struct {
    View before, base, behind;
    bool utf8;
    Text text;
    Text names; /* what is said of an element, an attribute and a kind: of these, */
    const Record *record;
    unsigned kind; /* which the last link had */
    PyObject *pieces;
    size_t count;
} Writing;

#define PUT(text, literal) put((text), (View){(const unsigned char *)(literal), sizeof(literal) - 1})

/* More room, of `length` bytes at least; false where memory is short. */
static bool grow(Text *text, size_t length) {
    bool fits = length <= SIZE_MAX / 4 && text->length <= SIZE_MAX / 4;
    size_t room = fits ? 2 * (text->length + length) : 0;
    unsigned char *data = fits && !text->failed ? realloc(text->data, room) : NULL;
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->room = room;
    return true;
}

/* Room for `length` more bytes; NULL where memory is short. */
static inline unsigned char *room_for(Text *text, size_t length) {
    return length <= text->room - text->length || grow(text, length) ? text->data + text->length : NULL;
}

static inline void put(Text *text, View view) {
    unsigned char *end;
    if (view.length > 0 && (end = room_for(text, view.length)) != NULL) {
        memcpy(end, view.data, view.length);
        text->length += view.length;
    }
}

static bool is_escaped(unsigned char byte) {
    return byte < 0x20 || byte == '"' || byte == '\\';
}

/* How `json` escapes a byte: by a letter, or by its number. */
static void put_escape(Text *text, unsigned char byte) {
    static const char letters[] = "\b\f\n\r\t\"\\", after[] = "bfnrt\"\\";
    const char *known = byte == 0 ? NULL : strchr(letters, byte);
    unsigned char *end = room_for(text, 6);
    if (end == NULL) {
        return;
    }
    if (known != NULL) {
        end[0] = '\\';
        end[1] = (unsigned char)after[known - letters];
        text->length += 2;
    } else {
        memcpy(end, "\\u00", 4);
        end[4] = "0123456789abcdef"[byte >> 4];
        end[5] = "0123456789abcdef"[byte & 15];
        text->length += 6;
    }
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* How many bytes from `at` on are surely not escaped: eight at a time. */
static size_t plain(View view, size_t at) {
    size_t end = at;
    for (uint64_t word; view.length - end >= sizeof word; end += sizeof word) {
        memcpy(&word, view.data + end, sizeof word);
        uint64_t quote = word ^ EACH('"'), backslash = word ^ EACH('\\');
        uint64_t escaped = ((word - EACH(0x20)) & ~word) | ((quote - EACH(1)) & ~quote);
        if ((escaped | ((backslash - EACH(1)) & ~backslash)) & EACH(0x80)) {
            break;
        }
    }
    return end - at;
}

/* What stands in quotes. */
static void put_inside(Text *text, View view) {
    size_t done = 0, at = plain(view, 0);
    while (at < view.length) {
        if (is_escaped(view.data[at])) {
            put(text, (View){view.data + done, at - done});
            put_escape(text, view.data[at]);
            done = at + 1;
        }
        at++;
    }
    put(text, (View){view.data + done, view.length - done});
}

static void put_number(Text *text, size_t number) {
    unsigned char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (unsigned char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    put(text, (View){digits + at, sizeof digits - at});
}

/* A text of Python's in quotes, or null for None; false with an error. */
static bool put_name(Text *text, PyObject *name) {
    Py_ssize_t length;
    if (name == Py_None) {
        PUT(text, "null");
        return true;
    }
    const char *data = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, &length);
    if (data == NULL) {
        return false;
    }
    PUT(text, "\"");
    put_inside(text, (View){(const unsigned char *)data, (size_t)length});
    PUT(text, "\"");
    return true;
}

/* Whether the element and the attribute of two records surely have the same names. */
static bool same_names(const Record *one, const Record *other) {
    return one->element == other->element && one->attribute == other->attribute && one->ns == other->ns &&
           one->flags == other->flags && one->element != UNKNOWN;
}

/* What stands between the base of a link and its line; most links have it from the one before. False with an error. */
static bool put_names(const Scan *self, const How *how, Writing *writing, const Record *record, PyObject *element,
                      unsigned kind) {
    Text *names = &writing->names;
    if (names->length == 0 || !same_names(writing->record, record) || kind != writing->kind) {
        PyObject *attribute = attribute_name(self, record);
        names->length = 0;
        PUT(names, "\"element\": ");
        bool done = put_name(names, element);
        PUT(names, ", \"attribute\": ");
        done = put_name(names, attribute) && done;
        Py_XDECREF(attribute);
        PUT(names, ", \"kind\": ");
        if (!done || !put_name(names, PyTuple_GetItem(how->kind_names, (Py_ssize_t)kind))) {
            names->length = 0;
            return false;
        }
        PUT(names, ", \"line\": ");
        writing->record = record;
        writing->kind = kind;
    }
    put(&writing->text, (View){names->data, names->length});
    return true;
}

/* What an ordinary link leads to, and where it stands. */
static bool put_link(const Scan *self, const How *how, Writing *writing, const Record *record, PyObject *element,
                     const FoundReference *found, const Cursor *cursor) {
    Text *text = &writing->text;
    put(text, writing->before);
    PUT(text, "\"reference\": \"");
    put_inside(text, found->text);
    PUT(text, "\", \"target\": \"");
    size_t skip = 0;
    if (found->resolved.prefix != NO_PREFIX) {
        put_inside(text, how->bases.prefixes[found->resolved.prefix]);
        skip = found->resolved.skip;
    }
    put_inside(text, (View){found->text.data + skip, found->text.length - skip});
    PUT(text, "\", ");
    put(text, writing->base);
    bool done = put_names(self, how, writing, record, element, found->kind);
    put_number(text, cursor->line);
    PUT(text, ", \"column\": ");
    put_number(text, cursor->column);
    PUT(text, ", \"span\": [");
    put_number(text, found->start);
    PUT(text, ", ");
    put_number(text, found->end);
    if (found->resolved.same_document) {
        PUT(text, "], \"same_document\": true, \"problems\": []");
    } else {
        PUT(text, "], \"same_document\": false, \"problems\": []");
    }
    put(text, writing->behind);
    return done;
}

/* Adds what has been written to the pieces. */
static bool end_piece(Writing *writing) {
    Text *text = &writing->text;
    if (text->failed || writing->names.failed) {
        PyErr_NoMemory();
        return false;
    }
    if (text->length == 0) {
        return true;
    }
    PyObject *piece = PyUnicode_DecodeUTF8((const char *)text->data, (Py_ssize_t)text->length, "strict");
    text->length = 0;
    return append(writing->pieces, piece);
}

static bool put_odd(Writing *writing, size_t number) {
    return end_piece(writing) && append(writing->pieces, PyLong_FromSize_t(number));
}

/* Whether there is a ":" and behind it an "@", and nothing between them that ends a userinfo (rule 3). */
static bool may_have_password(View text) {
    bool colon = false;
    if (text.length == 0 || memchr(text.data, '@', text.length) == NULL) {
        return false;
    }
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = text.data[at];
        if (byte == '@' && colon) {
            return true;
        }
        colon = byte == ':' || (colon && byte > ' ' && strchr("/\\?#<>\"", byte) == NULL);
    }
    return false;
}

static bool any_password(const How *how) {
    for (size_t at = 0; at < how->found.count; at++) {
        if (may_have_password(how->found.items[at].text)) {
            return true;
        }
    }
    return false;
}

/* Writes the links of one place, or leaves it to Python. */
static bool put_links(Scan *self, How *how, Writing *writing, size_t number, Cursor *cursor) {
    const Record *record = &self->found.records.items[number];
    PlaceStatus status = references_in(self, how, number);
    if (status != PLACE_DONE || how->found.count == 0) {
        return status == PLACE_DONE || (status == PLACE_ODD && put_odd(writing, number));
    }
    int how_odd = 0;
    PyObject *element = element_name(self, record, &how_odd);
    bool done = element != NULL;
    if (done && ((how_odd & ODD_NAME) || any_password(how))) {
        done = put_odd(writing, number);
    } else {
        for (size_t at = 0; done && at < how->found.count; at++) {
            const FoundReference *found = &how->found.items[at];
            cursor_move(self->view, cursor, found->start, writing->utf8);
            done = put_link(self, how, writing, record, element, found, cursor);
            writing->count++;
        }
    }
    Py_XDECREF(element);
    return done;
}

PyObject *scan_link_texts(Scan *self, PyObject *args) {
    PyObject *tuple;
    const char *before, *base, *behind;
    Py_ssize_t before_length, base_length, behind_length, begin;
    int utf8;
    if (!PyArg_ParseTuple(args, "Oy#y#y#pn", &tuple, &before, &before_length, &base, &base_length, &behind,
                          &behind_length, &utf8, &begin)) {
        return NULL;
    }
    if (begin < 0 || (size_t)begin > self->view.length) {
        PyErr_SetString(PyExc_ValueError, "the first character stands in the source");
        return NULL;
    }
    Writing writing = {
        .before = {(const unsigned char *)before, (size_t)before_length},
        .base = {(const unsigned char *)base, (size_t)base_length},
        .behind = {(const unsigned char *)behind, (size_t)behind_length},
        .utf8 = utf8,
        .pieces = PyList_New(0),
    };
    Cursor cursor = {(size_t)begin, 1, 1};
    How how;
    bool done = take_how(self, tuple, &how) && writing.pieces != NULL;
    for (size_t at = 0; done && at < self->found.records.count; at++) {
        done = put_links(self, &how, &writing, at, &cursor);
    }
    done = done && end_piece(&writing);
    how_free(&how);
    free(writing.text.data);
    free(writing.names.data);
    if (!done) {
        Py_XDECREF(writing.pieces);
        return NULL;
    }
    return Py_BuildValue("(Nn)", writing.pieces, (Py_ssize_t)writing.count);
}
