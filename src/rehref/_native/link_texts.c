/* The links of a source as JSON, without making a `Link` for any. Ordinary links are written here; for every other
   place, Python returns the text.

   1. The output is the same as that of `rehref.reports.links.json.LinkTexts` for the links that `links` makes.
   2. The text that all links of a document share is passed ready to write: the text before each link, its base, and the
      text after each link, which a `rel` precedes.
   3. If a reference may have a password (`rehref.uri.privacy`), its place is left to Python. No prefix has one; and
      where a prefix ends, a userinfo would end, too.
   4. No byte of an ordinary reference needs escapes in JSON (`LEVELS` in `reference.c`). Prefixes are escaped once.
   5. Text is passed to Python in the object that it was written into: it is not copied. Before a
      link is added to `A_PIECE` bytes, Python gets these, and at the end the rest, so that memory does not grow with the
      number of links. */

#include "json_text.h"
#include "positions.h"
#include "scans.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1 << 14, OF_A_LINK = 512 /* bytes that the literals and numbers of a link take, and more */ };
enum { A_PIECE = 1 << 22 };

/* What is the same in many links of a document, after the prefixes that `Resolved` numbers (the last is empty). */
enum { PART_HEAD = NO_PREFIX + 1, PART_TAIL, PART_TAIL_OF_OWN, PARTS };

typedef struct {
    Text text;
    size_t count;
    Text shared; /* the parts, one after another; prefixes are escaped */
    View parts[PARTS];
    Text middle; /* the text between the target of a link and its line; from `names` on, that depends on */
    size_t names;
    const Record *record; /* this record of a link, */
    unsigned kind;        /* and its kind */
    View behind;    /* the text after each link: the end of its tail */
    PyObject *odd;  /* returns the text for a place, and how many links that is */
    PyObject *take; /* takes a piece of the text (rule 5) */
    bool utf8;
} Writing;

/* Whether the element and the attribute of two records certainly have the same names. */
static bool same_names(const Record *one, const Record *other) {
    return one->element == other->element && one->attribute == other->attribute && one->ns == other->ns &&
           one->flags == other->flags && one->element != UNKNOWN;
}

/* Makes sure that `middle` is that of a link, and padded; most links have the same as the one before. False with an
   error. */
static bool take_names(const Scan *self, const How *how, Writing *writing, const Record *record, PyObject *element,
                      unsigned kind) {
    Text *middle = &writing->middle;
    if (writing->record != NULL && same_names(writing->record, record) && kind == writing->kind) {
        return true;
    }
    PyObject *attribute = attribute_name(self, record);
    middle->length = writing->names;
    PUT(middle, "\"element\": ");
    bool done = put_name(middle, element);
    PUT(middle, ", \"attribute\": ");
    done = put_name(middle, attribute) && done;
    Py_XDECREF(attribute);
    PUT(middle, ", \"kind\": ");
    done = done && put_name(middle, PyTuple_GetItem(how->kind_names, (Py_ssize_t)kind));
    PUT(middle, ", \"line\": ");
    writing->record = record;
    writing->kind = kind;
    return done && room_for(middle, STEP) != NULL;
}

/* Writes the parts that are the same in many links, padded for `copied_in_steps`; false if memory is short. */
static bool take_parts(Writing *writing, const Bases *bases, View before, View base, View behind) {
    size_t ends[PARTS];
    writing->behind = behind;
    Text *shared = &writing->shared;
    if (!set_room(shared, FIRST_ROOM) || !set_room(&writing->middle, FIRST_ROOM)) {
        return false;
    }
    for (unsigned at = 0; at < PARTS; at++) {
        if (at < NO_PREFIX) {
            put_inside(shared, bases->prefixes[at]);
        } else if (at == PART_HEAD) {
            put(shared, before);
            PUT(shared, "\"reference\": \"");
        } else if (at == PART_TAIL) {
            PUT(shared, "], \"same_document\": false, \"problems\": []");
            put(shared, behind);
        } else if (at == PART_TAIL_OF_OWN) {
            PUT(shared, "], \"same_document\": true, \"problems\": []");
            put(shared, behind);
        }
        ends[at] = shared->length;
    }
    bool is_padded = room_for(shared, STEP) != NULL; /* before anything points into it */
    for (unsigned at = 0; at < PARTS; at++) {
        size_t start = at == 0 ? 0 : ends[at - 1];
        writing->parts[at] = (View){shared->data + start, ends[at] - start};
    }
    PUT(&writing->middle, "\", ");
    put(&writing->middle, base);
    writing->names = writing->middle.length;
    return is_padded && writing->middle.room > 0;
}

/* `copied` for a part of the source, which is padded if enough bytes of the source follow. */
static inline unsigned char *copied_reference(unsigned char *to, View part, bool is_padded) {
    return is_padded ? copied_in_steps(to, part) : copied(to, part);
}

/* An ordinary link, whose names are in `middle`. */
static void put_link(Writing *writing, View source, const Record *rel, const FoundReference *found,
                     const Cursor *cursor) {
    View reference = found->text, prefix = writing->parts[found->resolved.prefix];
    View head = writing->parts[PART_HEAD], middle = {writing->middle.data, writing->middle.length};
    View tail = writing->parts[found->resolved.same_document ? PART_TAIL_OF_OWN : PART_TAIL];
    tail.length -= rel == NULL ? 0 : writing->behind.length;
    size_t skip = found->resolved.prefix == NO_PREFIX ? 0 : found->resolved.skip;
    size_t shared = head.length + prefix.length + middle.length + tail.length;
    unsigned char *to = room_for(&writing->text, shared + 2 * reference.length + OF_A_LINK);
    if (to == NULL) {
        return;
    }
    bool is_padded = reference.data == source.data + found->start && source.length - found->end >= STEP;
    to = COPIED(copied_reference(copied_in_steps(to, head), reference, is_padded), "\", \"target\": \"");
    to = copied_reference(copied_in_steps(to, prefix), part_of(reference, skip, reference.length), is_padded);
    to = COPIED(copied_number(copied_in_steps(to, middle), cursor->line), ", \"column\": ");
    to = COPIED(copied_number(to, cursor->column), ", \"span\": [");
    to = COPIED(copied_number(to, (uint32_t)found->start), ", ");
    to = copied_in_steps(copied_number(to, (uint32_t)found->end), tail);
    writing->text.length = (size_t)(to - writing->text.data);
    if (rel != NULL) {
        PUT(&writing->text, ", \"rel\": \"");
        put_inside(&writing->text, part_of(source, rel->start, rel->end));
        PUT(&writing->text, "\"");
        put(&writing->text, writing->behind);
    }
    writing->count++;
}

/* Passes the text on if there is enough for a piece (rule 5); false with an error. */
static bool pass_on(Writing *writing) {
    Text *text = &writing->text;
    size_t room = text->room;
    if (text->length < A_PIECE) {
        return true;
    }
    if (!set_room(text, text->length)) {
        return false;
    }
    PyObject *piece = text->bytes;
    *text = (Text){0}; /* Python may keep the piece */
    PyObject *answer = PyObject_CallFunctionObjArgs(writing->take, piece, NULL);
    Py_DECREF(piece);
    Py_XDECREF(answer);
    return answer != NULL && set_room(text, room);
}

/* Adds what Python writes for a place; false with an error. */
static bool put_odd(Writing *writing, size_t number) {
    PyObject *answer = PyObject_CallFunction(writing->odd, "n", (Py_ssize_t)number);
    const char *data;
    Py_ssize_t length, count;
    bool done = answer != NULL && is_tuple(answer) && PyArg_ParseTuple(answer, "y#n", &data, &length, &count);
    if (done) {
        done = length == 0 || pass_on(writing);
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
    const Record *rel = rel_beside(self, number);
    bool is_odd = rel != NULL && ((rel->flags & RECORD_ODD) ||
                                  memchr(self->view.data + rel->start, '@', rel->end - rel->start) != NULL);
    PyObject *element = element_name(self, record, &how_odd);
    bool done = element != NULL;
    if (done && ((how_odd & ODD_NAME) || is_odd || any_password(how))) {
        done = put_odd(writing, number);
    } else {
        for (size_t at = 0; done && at < how->found.count; at++) {
            const FoundReference *found = &how->found.items[at];
            cursor_move(self->view, cursor, found->start, writing->utf8);
            done = take_names(self, how, writing, record, element, found->kind) && pass_on(writing);
            if (done) {
                put_link(writing, self->view, rel, found, cursor);
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
    size_t each = writing->parts[PART_HEAD].length + writing->middle.length + writing->parts[PART_TAIL].length;
    return set_room(&writing->text, FIRST_ROOM + places * (each + OF_A_LINK));
}

/* The rest of the text, in an object of exact size, and the number of links; NULL if memory is short. */
static PyObject *finished(Writing *writing) {
    Text *text = &writing->text;
    if (!set_room(text, text->length)) {
        return NULL;
    }
    return Py_BuildValue("(On)", text->bytes, (Py_ssize_t)writing->count);
}

PyObject *scan_link_texts(Scan *self, PyObject *args) {
    PyObject *tuple, *odd, *take, *written = NULL;
    const char *before, *base, *behind;
    Py_ssize_t before_length, base_length, behind_length, begin;
    int utf8;
    if (!PyArg_ParseTuple(args, "Oy#y#y#OpnO", &tuple, &before, &before_length, &base, &base_length, &behind,
                          &behind_length, &odd, &utf8, &begin, &take)) {
        return NULL;
    }
    if (begin < 0 || (size_t)begin > self->view.length) {
        PyErr_SetString(PyExc_ValueError, "the first character must be in the source");
        return NULL;
    }
    Writing writing = {.odd = odd, .take = take, .utf8 = utf8};
    Cursor cursor = cursor_at(self->view, (size_t)begin);
    How how;
    if (take_how(self, tuple, &how)) {
        bool done = take_parts(&writing, &how.bases, (View){(const unsigned char *)before, (size_t)before_length},
                               (View){(const unsigned char *)base, (size_t)base_length},
                               (View){(const unsigned char *)behind, (size_t)behind_length}) &&
                    make_room(self, &writing);
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
    Py_XDECREF(writing.shared.bytes);
    Py_XDECREF(writing.middle.bytes);
    return written;
}
