/* The links of a source as JSON, without making a `Link` for any. Ordinary links are written here; for every other
   place, Python returns the text.

   1. The output is the same as that of `rehref.reports.links.json.LinkTexts` for the links that `links` makes.
   2. The text that all links of a document share is passed ready to write: the text before each link, its base, and the
      text after each link.
   3. If a reference may have a password (`rehref.uri.privacy`), its place is left to Python. No prefix has one; and
      where a prefix ends, a userinfo would end, too.
   4. No byte of an ordinary reference needs escapes in JSON (`is_plain` in `reference.c`). Prefixes are escaped once.
   5. Everything is written into one object, which is passed to Python as it is: it is not copied. */

#include "positions.h"
#include "scans.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1 << 14, OF_A_LINK = 512 /* bytes that the literals and numbers of a link take, and more */ };

/* A buffer of consecutive bytes; NULL if memory is short, and then there is an error. */
typedef struct {
    PyObject *bytes; /* a bytearray, since it can grow and shrink */
    unsigned char *data;
    size_t length, room;
} Text;

typedef struct {
    View before, base, behind;
    bool utf8;
    Text text;
    Text names; /* the text for an element, an attribute and a kind: those */
    const Record *record;
    unsigned kind; /* of the last link */
    Text escaped; /* the prefixes in JSON, one after another */
    View prefixes[NO_PREFIX + 1]; /* each of them; the last is empty */
    PyObject *odd;  /* returns the text for a place, and how many links that is */
    size_t count;
} Writing;

#define PUT(text, literal) put((text), (View){(const unsigned char *)(literal), sizeof(literal) - 1})

/* Makes room for so much in total, not less than there is; false if memory is short. */
static bool set_room(Text *text, size_t room) {
    bool fits = room <= (size_t)PTRDIFF_MAX;
    if (fits && text->bytes == NULL) {
        text->bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)room);
        fits = text->bytes != NULL;
    } else {
        fits = fits && PyByteArray_Resize(text->bytes, (Py_ssize_t)room) == 0;
    }
    if (fits) {
        text->data = (unsigned char *)PyByteArray_AsString(text->bytes);
        text->room = room;
    }
    return fits;
}

/* Room for `length` more bytes; NULL if memory is short, or was before. */
static inline unsigned char *room_for(Text *text, size_t length) {
    if (length <= text->room - text->length) {
        return text->data + text->length;
    }
    bool fits = text->room > 0 && length <= SIZE_MAX / 4 && text->length <= SIZE_MAX / 4;
    if (!fits || !set_room(text, 2 * (text->length + length))) {
        text->length = text->room = 0; /* from now on there is no room for anything */
        return NULL;
    }
    return text->data + text->length;
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

/* The text inside quotes. */
static void put_inside(Text *text, View view) {
    size_t done = 0;
    for (size_t at = 0; at < view.length; at++) {
        if (is_escaped(view.data[at])) {
            put(text, (View){view.data + done, at - done});
            put_escape(text, view.data[at]);
            done = at + 1;
        }
    }
    put(text, (View){view.data + done, view.length - done});
}

/* A Python str in quotes, or null for None; false with an error. */
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

/* Whether the element and the attribute of two records certainly have the same names. */
static bool same_names(const Record *one, const Record *other) {
    return one->element == other->element && one->attribute == other->attribute && one->ns == other->ns &&
           one->flags == other->flags && one->element != UNKNOWN;
}

/* Makes sure that `names` has the text between the base of a link and its line; most links have the same as the one
   before. False with an error. */
static bool take_names(const Scan *self, const How *how, Writing *writing, const Record *record, PyObject *element,
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
    return names->data != NULL;
}

/* Escapes the existing prefixes (rule 4). */
static void take_prefixes(Writing *writing, const Bases *bases) {
    size_t ends[NO_PREFIX];
    for (unsigned at = 0; at < NO_PREFIX; at++) {
        put_inside(&writing->escaped, bases->prefixes[at]);
        ends[at] = writing->escaped.length;
    }
    for (unsigned at = 0; at < NO_PREFIX; at++) {
        size_t start = at == 0 ? 0 : ends[at - 1];
        writing->prefixes[at] = (View){writing->escaped.data + start, ends[at] - start};
    }
}

/* Copies bytes to `to`, which has room for them; returns where they end. */
static inline unsigned char *copied(unsigned char *to, View view) {
    if (view.length > 0) { /* an empty view may have no data */
        memcpy(to, view.data, view.length);
    }
    return to + view.length;
}

static inline unsigned char *copied_number(unsigned char *to, size_t number) {
    unsigned char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (unsigned char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return copied(to, (View){digits + at, sizeof digits - at});
}

#define COPIED(to, literal) copied((to), (View){(const unsigned char *)(literal), sizeof(literal) - 1})

/* The target and the position of an ordinary link; `names` has the text before the line. */
static void put_link(Writing *writing, const FoundReference *found, const Cursor *cursor) {
    View reference = found->text, prefix = writing->prefixes[found->resolved.prefix];
    View names = {writing->names.data, writing->names.length};
    size_t skip = found->resolved.prefix == NO_PREFIX ? 0 : found->resolved.skip;
    size_t shared = writing->before.length + prefix.length + writing->base.length + names.length;
    unsigned char *to = room_for(&writing->text, shared + 2 * reference.length + writing->behind.length + OF_A_LINK);
    if (to == NULL) {
        return;
    }
    to = COPIED(copied(to, writing->before), "\"reference\": \"");
    to = COPIED(copied(to, reference), "\", \"target\": \"");
    to = copied(copied(to, prefix), (View){reference.data + skip, reference.length - skip});
    to = copied(copied(COPIED(to, "\", "), writing->base), names);
    to = COPIED(copied_number(to, cursor->line), ", \"column\": ");
    to = COPIED(copied_number(to, cursor->column), ", \"span\": [");
    to = COPIED(copied_number(to, found->start), ", ");
    to = copied_number(to, found->end);
    if (found->resolved.same_document) {
        to = COPIED(to, "], \"same_document\": true, \"problems\": []");
    } else {
        to = COPIED(to, "], \"same_document\": false, \"problems\": []");
    }
    writing->text.length = (size_t)(copied(to, writing->behind) - writing->text.data);
    writing->count++;
}

/* Adds what Python writes for a place; false with an error. */
static bool put_odd(Writing *writing, size_t number) {
    PyObject *answer = PyObject_CallFunction(writing->odd, "n", (Py_ssize_t)number);
    const char *data;
    Py_ssize_t length, count;
    bool done = answer != NULL && is_tuple(answer) && PyArg_ParseTuple(answer, "y#n", &data, &length, &count);
    if (done) {
        put(&writing->text, (View){(const unsigned char *)data, (size_t)length});
        writing->count += (size_t)count;
    }
    Py_XDECREF(answer);
    return done && writing->text.room > 0;
}

/* Whether there is an "@", and before it a ":" after one slash or two, and nothing between them that ends a userinfo
   (rule 3): `mailto:a@b` has none. */
static bool may_have_password(View text) {
    size_t colons = 0;
    bool slash = false;
    if (text.length == 0 || memchr(text.data, '@', text.length) == NULL) {
        return false;
    }
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = text.data[at];
        if (byte == '@' && colons + slash >= 2) {
            return true;
        }
        if (byte == ':') {
            colons++;
        } else if (byte <= ' ' || strchr("/\\?#<>\"", byte) != NULL) {
            colons = 0;
            slash = byte == '/' || byte == '\\';
        }
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

/* Writes the links of one place, or has Python do it. */
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
            done = take_names(self, how, writing, record, element, found->kind);
            if (done) {
                put_link(writing, found, cursor);
                done = writing->text.room > 0;
            }
        }
    }
    Py_XDECREF(element);
    return done;
}

/* Initial room: enough in most cases, but not for all of a long document at once. */
static bool make_room(const Scan *self, Writing *writing) {
    size_t places = self->found.records.count < 1024 ? self->found.records.count : 1024;
    size_t each = writing->before.length + writing->base.length + writing->behind.length + OF_A_LINK;
    return set_room(&writing->names, FIRST_ROOM) && set_room(&writing->escaped, FIRST_ROOM) &&
           set_room(&writing->text, FIRST_ROOM + places * each);
}

/* The text, in an object of exact size, and the number of links; NULL if memory is short. */
static PyObject *finished(Writing *writing) {
    Text *text = &writing->text;
    if (!set_room(text, text->length)) {
        return NULL;
    }
    return Py_BuildValue("(On)", text->bytes, (Py_ssize_t)writing->count);
}

PyObject *scan_link_texts(Scan *self, PyObject *args) {
    PyObject *tuple, *odd, *written = NULL;
    const char *before, *base, *behind;
    Py_ssize_t before_length, base_length, behind_length, begin;
    int utf8;
    if (!PyArg_ParseTuple(args, "Oy#y#y#Opn", &tuple, &before, &before_length, &base, &base_length, &behind,
                          &behind_length, &odd, &utf8, &begin)) {
        return NULL;
    }
    if (begin < 0 || (size_t)begin > self->view.length) {
        PyErr_SetString(PyExc_ValueError, "the first character must be in the source");
        return NULL;
    }
    Writing writing = {
        .before = {(const unsigned char *)before, (size_t)before_length},
        .base = {(const unsigned char *)base, (size_t)base_length},
        .behind = {(const unsigned char *)behind, (size_t)behind_length},
        .utf8 = utf8,
        .odd = odd,
    };
    Cursor cursor = cursor_at(self->view, (size_t)begin);
    How how;
    if (take_how(self, tuple, &how) && make_room(self, &writing)) {
        take_prefixes(&writing, &how.bases);
        bool done = writing.escaped.room > 0;
        for (size_t at = 0; done && at < self->found.records.count; at++) {
            done = put_links(self, &how, &writing, at, &cursor);
        }
        written = done ? finished(&writing) : NULL;
        if (written == NULL && !PyErr_Occurred()) {
            PyErr_NoMemory();
        }
    }
    how_free(&how);
    Py_XDECREF(writing.text.bytes);
    Py_XDECREF(writing.names.bytes);
    Py_XDECREF(writing.escaped.bytes);
    return written;
}
