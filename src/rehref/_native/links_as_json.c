/* The links of a table as JSON, without making a `Link` for any. For a place with an odd row, and for odd places, Python
   returns the text.

   - The output is the same as that of `rehref.reports._links.links_json.LinkTexts` for the links that `links` makes.
   - The text that all links of a document share is passed ready to write: up to the reference of each link, and after
     each link, which a `rel` precedes. Python is asked for the text of a base; if it has none, the links are left to it.
   - If a reference may have a password (`rehref.uri.components`), its place is left to Python. No prefix has one; and
     where a prefix ends, a userinfo would end, too.
   - No byte of an ordinary reference needs escapes in JSON (`LEVELS` in `reference.c`), and nor does any of a prefix.
     A link whose names or `rel` need some is left to Python.
   - Text is passed to Python in the object that it was written into: it is not copied. Before a
     link is added to `A_PIECE` bytes, Python gets these, and at the end the rest, so that memory does not grow with the
     number of links. */

#include "json_text.h"
#include "tables.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1 << 14, OF_A_LINK = 256 /* bytes that the literals and numbers of a link take, and more */ };
enum { A_PIECE = 1 << 20 };

enum { NO_CLASS_YET = SIZE_MAX };

typedef struct {
    Text text;
    size_t count;
    View before, behind; /* of each link */
    PyObject *text_of_base, *base; /* returns the text of one; and that of the last, or None */
    Text middle, end;    /* what is between target and line, and after `same_document`: that of a class and a base, */
    size_t class, of;    /* which have these numbers, */
    bool plain;          /* and whether its names are all plain, its `rel` has no password, and the base has a text */
    PyObject *odd;             /* returns the text for some links */
    PyObject *take;            /* takes a piece of the text */
    LinkShape shape;
} Writing;

/* Asks for the text of the base of a row, if the last one was another; false with an error. */
static bool take_base(const ReferenceTable *self, Writing *writing, const Row *row) {
    if (writing->base != NULL && writing->of == row->base) {
        return true;
    }
    PyObject *base = base_of_row(self, &writing->shape, row);
    Py_XDECREF(writing->base);
    writing->base = base == NULL ? NULL : PyObject_CallFunctionObjArgs(writing->text_of_base, base, NULL);
    writing->of = row->base;
    writing->class = NO_CLASS_YET;
    return writing->base != NULL;
}

/* Makes sure that `middle` and `end` are those of the class and the base of a row; most links have the same as the one
   before. False with an error. */
static bool take_class(const ReferenceTable *self, Writing *writing, const Row *row) {
    const ClassNames *names = &self->names[row->class];
    if (!take_base(self, writing, row)) {
        return false;
    }
    if (row->class == writing->class) {
        return true;
    }
    writing->class = row->class;
    Text *middle = &writing->middle, *end = &writing->end;
    View rel = self->table.classes[row->class].rel;
    middle->length = end->length = 0;
    writing->plain = find_byte(rel, 0, '@') == rel.length && writing->base != Py_None;
    if (writing->plain) {
        char *text;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(writing->base, &text, &length) < 0) {
            return false;
        }
        put(middle, (View){(const unsigned char *)text, (size_t)length});
    }
    PUT(end, ", \"problems\": []");
    bool done = put_name(middle, "\"element\": ", names->element, &writing->plain) &&
                put_name(middle, ", \"attribute\": ", names->attribute, &writing->plain) &&
                put_name(middle, ", \"kind\": ", names->kind, &writing->plain) &&
                (names->rel == Py_None || put_name(end, ", \"rel\": ", names->rel, &writing->plain));
    PUT(middle, ", \"line\": ");
    put(end, writing->behind);
    return done && middle->room > 0 && end->room > 0;
}

/* A link of a row that is not odd, whose class has been taken. */
static void put_link(Writing *writing, const ReferenceTable *self, const Use *use, const Row *row, Cursor *cursor) {
    GivenForm form = writing->shape.counting.form;
    View reference = text_of_row(row), meaning = meaning_of_row(row), prefix = {NULL, 0}, rest = reference;
    View middle = {writing->middle.data, writing->middle.length}, end = {writing->end.data, writing->end.length};
    if (row->prefix != NO_PREFIX) {
        prefix = bases_of(self, row)->prefixes[row->prefix];
        rest = part_of(meaning, row->skip, meaning.length);
    }
    size_t shared = writing->before.length + prefix.length + middle.length + end.length;
    unsigned char *to = room_for(&writing->text, shared + reference.length + meaning.length + OF_A_LINK);
    if (to == NULL) {
        return;
    }
    to = copied(copied(to, writing->before), reference);
    to = copied(copied(COPIED(to, "\", \"target\": \""), prefix), rest);
    to = copied_number(copied(to, middle), cursor->line);
    to = copied_number(COPIED(to, ", \"column\": "), cursor->column);
    to = copied_number(COPIED(to, ", \"span\": ["), given_offset(self->scan->view, cursor, use->start, form));
    to = copied_number(COPIED(to, ", "), given_offset(self->scan->view, cursor, use->end, form));
    to = COPIED(to, "], \"same_document\": ");
    to = row->flags & ROW_OF_DOCUMENT ? COPIED(to, "true") : COPIED(to, "false");
    to = copied(to, end);
    writing->text.length = (size_t)(to - writing->text.data);
    writing->count++;
}

/* Passes the text on if there is enough for a piece; false with an error. */
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

/* Adds what Python writes for the links of some uses; false with an error. */
static bool put_odd(const ReferenceTable *self, Writing *writing, const Use *uses, size_t count, Cursor *cursor) {
    PyObject *links = PyList_New(0), *answer = NULL;
    bool done = links != NULL;
    for (size_t at = 0; done && at < count; at++) {
        done = append(links, make_link(self, &writing->shape, &uses[at], cursor));
    }
    answer = done ? PyObject_CallFunctionObjArgs(writing->odd, links, NULL) : NULL;
    char *data;
    Py_ssize_t length;
    done = answer != NULL && PyBytes_AsStringAndSize(answer, &data, &length) == 0 && (length == 0 || pass_on(writing));
    if (done) {
        put(&writing->text, (View){(const unsigned char *)data, (size_t)length});
        writing->count += count;
    }
    Py_XDECREF(links);
    Py_XDECREF(answer);
    return done && writing->text.room > 0;
}

/* Whether there is an "@", and before it a ":" after one slash or two, and nothing between them that ends a userinfo:
   `mailto:a@b` has none. */
static bool may_have_password(View text) {
    size_t marks = 0; /* a slash, and the colons since then */
    if (find_byte(text, 0, '@') == text.length) {
        return false;
    }
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = text.data[at];
        if (byte == '@' && marks >= 2) {
            return true;
        }
        if (byte == ':') {
            marks++;
        } else if (byte <= ' ' || strchr("/\\?#<>\"", byte) != NULL) {
            marks = byte == '/' || byte == '\\';
        }
    }
    return false;
}

/* Whether Python must write a link: it is odd, it knows where it is, or some of it may have to be hidden or escaped. */
static bool is_left(const ReferenceTable *self, const Writing *writing, const Row *row) {
    return is_odd_row(row) || (self->table.classes[row->class].flags & CLASS_OF_PYTHON) || (row->flags & ROW_BEYOND) || !writing->plain || may_have_password(text_of_row(row));
}

/* Writes the links of the place that `uses` begins with, which has `count` uses, or has Python do it. */
static bool put_links(const ReferenceTable *self, Writing *writing, const Use *uses, size_t count, Cursor *cursor) {
    bool is_odd = false, done = true;
    for (size_t at = 0; done && !is_odd && at < count; at++) {
        const Row *row = &self->table.rows[uses[at].row];
        is_odd = is_odd_row(row);
        if (!is_odd) {
            done = take_class(self, writing, row);
            is_odd = is_left(self, writing, row);
        }
    }
    if (!done || is_odd) {
        return done && put_odd(self, writing, uses, count, cursor);
    }
    for (size_t at = 0; done && at < count; at++) {
        const Row *row = &self->table.rows[uses[at].row];
        cursor_move(writing->shape.counting.lines, cursor, uses[at].start, writing->shape.counting.utf8);
        done = take_class(self, writing, row) && pass_on(writing);
        if (done) {
            put_link(writing, self, &uses[at], row, cursor);
            done = writing->text.room > 0;
        }
    }
    return done;
}

/* Writes the links of all places, in order. */
static bool put_places(const ReferenceTable *self, Writing *writing, Cursor *cursor) {
    const Table *table = &self->table;
    bool done = true;
    for (size_t use = 0; done && use < table->use_count;) {
        size_t count = 1;
        while (use + count < table->use_count && table->uses[use + count].place == table->uses[use].place) {
            count++;
        }
        done = put_links(self, writing, &table->uses[use], count, cursor);
        use += count;
    }
    return done;
}

/* Initial room: enough in most cases, but not for all of a long document at once. */
static bool make_room(const ReferenceTable *self, Writing *writing) {
    size_t places = self->table.use_count < 1024 ? self->table.use_count : 1024;
    size_t each = writing->before.length + writing->behind.length + 3 * OF_A_LINK;
    return set_room(&writing->middle, OF_A_LINK) && set_room(&writing->end, OF_A_LINK) &&
           set_room(&writing->text, FIRST_ROOM + places * each);
}

/* The rest of the text, in an object of exact size, and the number of links; NULL if memory is short. */
static PyObject *finished(Writing *writing) {
    Text *text = &writing->text;
    if (!set_room(text, text->length)) {
        return NULL;
    }
    return Py_BuildValue("(On)", text->bytes, (Py_ssize_t)writing->count);
}

PyObject *table_json(ReferenceTable *self, PyObject *args) {
    PyObject *counting, *shape, *written = NULL;
    const char *before, *behind;
    Py_ssize_t before_length, behind_length;
    Writing writing = {.class = NO_CLASS_YET};
    if (!PyArg_ParseTuple(args, "y#Oy#OOOO", &before, &before_length, &writing.text_of_base, &behind, &behind_length,
                          &writing.odd, &shape, &counting, &writing.take) ||
        !take_shape(self, shape, counting, &writing.shape)) {
        return NULL;
    }
    writing.before = (View){(const unsigned char *)before, (size_t)before_length};
    writing.behind = (View){(const unsigned char *)behind, (size_t)behind_length};
    Cursor cursor = cursor_at(writing.shape.counting.lines, writing.shape.counting.begin);
    if (make_room(self, &writing) && put_places(self, &writing, &cursor)) {
        written = finished(&writing);
    }
    if (written == NULL && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    Py_XDECREF(writing.text.bytes);
    Py_XDECREF(writing.middle.bytes);
    Py_XDECREF(writing.end.bytes);
    Py_XDECREF(writing.base);
    return written;
}
