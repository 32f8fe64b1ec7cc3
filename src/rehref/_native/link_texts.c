/* The links of a table as JSON, without making a `Link` for any. For a place with an odd row, and for odd places, Python
   returns the text.

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
#include "tables.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1 << 14, OF_A_LINK = 512 /* bytes that the literals and numbers of a link take, and more */ };
enum { A_PIECE = 1 << 20 };

/* What is the same in many links of a document, after the prefixes that `Resolved` numbers (the last is empty). */
enum { PART_HEAD = NO_PREFIX + 1, PART_TAIL, PART_TAIL_OF_OWN, PARTS };

typedef struct {
    Text text;
    size_t count;
    Text shared; /* the parts, one after another; prefixes are escaped */
    View parts[PARTS];
    Text middle; /* the text between the target of a link and its line; from `names` on, that depends on */
    size_t names;
    size_t class;   /* the number of this class */
    View behind;    /* the text after each link: the end of its tail */
    PyObject *odd;  /* returns the text for a place, and how many links that is */
    PyObject *take; /* takes a piece of the text (rule 5) */
    Counting counting;
} Writing;

enum { NO_CLASS_YET = SIZE_MAX };

/* Makes sure that `middle` is that of a class, and padded; most links have the same as the one before. False with an
   error. */
static bool take_names(const ReferenceTable *self, Writing *writing, size_t class) {
    Text *middle = &writing->middle;
    const ClassNames *names = &self->names[class];
    if (class == writing->class) {
        return true;
    }
    middle->length = writing->names;
    PUT(middle, "\"element\": ");
    bool done = put_name(middle, names->element);
    PUT(middle, ", \"attribute\": ");
    done = done && put_name(middle, names->attribute);
    PUT(middle, ", \"kind\": ");
    done = done && put_name(middle, names->kind);
    PUT(middle, ", \"line\": ");
    writing->class = class;
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

/* A link of a row that is not odd, whose names are in `middle`. */
static void put_link(Writing *writing, View source, View rel, const Use *use, const Row *row, Cursor *cursor) {
    View reference = text_of_row(row), prefix = writing->parts[row->prefix];
    View head = writing->parts[PART_HEAD], middle = {writing->middle.data, writing->middle.length};
    View tail = writing->parts[row->flags & ROW_OF_DOCUMENT ? PART_TAIL_OF_OWN : PART_TAIL];
    tail.length -= rel.data == NULL ? 0 : writing->behind.length;
    size_t skip = row->prefix == NO_PREFIX ? 0 : row->skip;
    size_t shared = head.length + prefix.length + middle.length + tail.length;
    unsigned char *to = room_for(&writing->text, shared + 2 * reference.length + OF_A_LINK);
    if (to == NULL) {
        return;
    }
    bool is_literal = use->end - use->start == row->length; /* then it is in the source, too: */
    reference.data = is_literal ? source.data + use->start : reference.data;
    bool is_padded = is_literal && source.length - use->end >= STEP;
    to = COPIED(copied_reference(copied_in_steps(to, head), reference, is_padded), "\", \"target\": \"");
    to = copied_reference(copied_in_steps(to, prefix), part_of(reference, skip, reference.length), is_padded);
    to = COPIED(copied_number(copied_in_steps(to, middle), cursor->line), ", \"column\": ");
    to = COPIED(copied_number(to, cursor->column), ", \"span\": [");
    to = COPIED(copied_number(to, given_offset(source, cursor, use->start, writing->counting.form)), ", ");
    to = copied_in_steps(copied_number(to, given_offset(source, cursor, use->end, writing->counting.form)), tail);
    writing->text.length = (size_t)(to - writing->text.data);
    if (rel.data != NULL) {
        PUT(&writing->text, ", \"rel\": \"");
        put_inside(&writing->text, rel);
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

/* Whether Python must write a link: it is odd, or some of it may have to be hidden or escaped. */
static bool is_left(const Row *row, View rel) {
    return find_byte(rel, 0, '@') < rel.length || is_odd_row(row) || (row->flags & ROW_BEYOND) || may_have_password(text_of_row(row));
}

/* Writes the links of the place that `uses` begins with, which has `count` uses, or has Python do it. */
static bool put_links(const ReferenceTable *self, Writing *writing, const Use *uses, size_t count, Cursor *cursor) {
    View source = self->scan->view;
    bool is_odd = false;
    for (size_t at = 0; !is_odd && at < count; at++) {
        const Row *row = &self->table.rows[uses[at].row];
        is_odd = is_left(row, self->table.classes[row->class].rel);
    }
    bool done = !is_odd || put_odd(writing, uses->place);
    for (size_t at = 0; done && !is_odd && at < count; at++) {
        const Row *row = &self->table.rows[uses[at].row];
        cursor_move(writing->counting.lines, cursor, uses[at].start, writing->counting.utf8);
        done = take_names(self, writing, row->class) && pass_on(writing);
        if (done) {
            put_link(writing, source, self->table.classes[row->class].rel, &uses[at], row, cursor);
            done = writing->text.room > 0;
        }
    }
    return done;
}

/* Writes the links of all places, in order. */
static bool put_places(const ReferenceTable *self, Writing *writing, Cursor *cursor) {
    const Table *table = &self->table;
    bool done = true;
    for (size_t use = 0, odd = 0; done && (use < table->use_count || odd < table->odd.count);) {
        bool has_use = use < table->use_count;
        if (odd < table->odd.count && !(has_use && table->uses[use].place < table->odd.items[odd])) {
            done = put_odd(writing, table->odd.items[odd++]);
            continue;
        }
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

PyObject *table_link_texts(ReferenceTable *self, PyObject *args) {
    PyObject *odd, *counting, *take, *written = NULL;
    const char *before, *base, *behind;
    Py_ssize_t before_length, base_length, behind_length;
    Writing writing = {.class = NO_CLASS_YET};
    if (!PyArg_ParseTuple(args, "y#y#y#OOO", &before, &before_length, &base, &base_length, &behind, &behind_length, &odd,
                          &counting, &take) ||
        !take_counting(self, counting, &writing.counting)) {
        return NULL;
    }
    writing.odd = odd;
    writing.take = take;
    Cursor cursor = cursor_at(writing.counting.lines, writing.counting.begin);
    if (take_parts(&writing, &self->bases, (View){(const unsigned char *)before, (size_t)before_length},
                   (View){(const unsigned char *)base, (size_t)base_length},
                   (View){(const unsigned char *)behind, (size_t)behind_length}) &&
        make_room(self, &writing) && put_places(self, &writing, &cursor)) {
        written = finished(&writing);
    }
    if (written == NULL && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    Py_XDECREF(writing.text.bytes);
    Py_XDECREF(writing.shared.bytes);
    Py_XDECREF(writing.middle.bytes);
    return written;
}
