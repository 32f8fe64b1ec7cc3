/* The text of a page that browsers show, tag by tag: the twin of `rehref.markup._page.visible_text`, which gives the
   names of elements their meaning, and decodes character references afterwards. So between two runs that a reference might
   join is JOINT. */

#include "binding.h"
#include "raw_text.h"
#include "shown_text.h"
#include "tags.h"

#include <stdio.h>
#include <stdlib.h>

enum { JOINT = 1, BLOCK = 4, MARK = 5 }; /* a mark is its number between two MARK */

typedef struct {
    View page;
    const NameTable *names;
    const unsigned *roles;
    const uint32_t *marks; /* positions of tags, in order */
    size_t mark_count, next_mark;
    unsigned char *out;
    size_t hidden, foreign; /* how many of such elements are open */
} Showing;

static bool has_byte(View view, int byte) {
    return find_byte(view, 0, byte) < view.length;
}

static void show_run(Showing *showing, size_t start, size_t end) {
    View run = part_of(showing->page, start, end);
    if (showing->hidden || run.length == 0) {
        return;
    }
    showing->out = copied(showing->out, run);
    if (has_byte(run, '&') || run.data[run.length - 1] == '\r') {
        *showing->out++ = JOINT;
    }
}

static void show_mark(Showing *showing, size_t tag) {
    while (showing->next_mark < showing->mark_count && showing->marks[showing->next_mark] < tag) {
        showing->next_mark++;
    }
    if (showing->next_mark < showing->mark_count && showing->marks[showing->next_mark] == tag) {
        showing->out += sprintf((char *)showing->out, "%c%lu%c", MARK, (unsigned long)showing->next_mark, MARK);
    }
}

/* The next "<" that begins markup. */
static size_t next_markup(View page, size_t position) {
    while ((position = find_byte(page, position, '<')) < page.length) {
        int next = byte_at(page, position + 1);
        if (is_letter(next) || next == '/' || next == '!' || next == '?') {
            return position;
        }
        position++;
    }
    return position;
}

static Action action_of(View name) {
    static const unsigned char SCRIPT[] = "script", PLAINTEXT[] = "plaintext";
    if (name.length == sizeof SCRIPT - 1 && stands_at_any_case(name, 0, SCRIPT, name.length)) {
        return ACTION_SCRIPT;
    }
    return name.length == sizeof PLAINTEXT - 1 && stands_at_any_case(name, 0, PLAINTEXT, name.length) ? ACTION_PLAINTEXT
                                                                                                     : ACTION_RAW_TEXT;
}

/* Shows what a tag gives, and the text of a raw text element, whose end is `*position` then. False if the meaning depends on
   what is around it. */
static bool show_tag(Showing *showing, size_t start, size_t name_start, size_t name_end, size_t *position) {
    View page = showing->page, name = part_of(page, name_start, name_end);
    uint16_t number = names_find(showing->names, page, name_start, name_end);
    unsigned role = number == UNKNOWN ? 0 : showing->roles[number];
    bool is_end = name_start == start + 2, is_empty = page.data[*position - 2] == '/';
    if (role & SHOWN_BLOCK) {
        *showing->out++ = BLOCK;
    } else if (role & SHOWN_SPACED) {
        *showing->out++ = ' ';
    }
    show_mark(showing, start);
    if (showing->foreign && role & (SHOWN_LEAVES_FOREIGN | SHOWN_TEMPLATE)) {
        return false;
    }
    if (role & SHOWN_TEMPLATE) {
        showing->hidden = is_end ? showing->hidden - (showing->hidden > 0) : showing->hidden + 1;
    } else if (role & SHOWN_FOREIGN) {
        showing->foreign = is_end ? showing->foreign - (showing->foreign > 0) : showing->foreign + !is_empty;
    } else if (role & SHOWN_RAW && !is_end) {
        size_t end = text_end(page, action_of(name), name, *position);
        View text = part_of(page, *position, end);
        bool is_plain = role & SHOWN_HIDDEN && !is_empty && !has_byte(text, '<');
        if (showing->foreign && !is_plain) {
            return false;
        }
        if (!(role & SHOWN_HIDDEN) && !showing->hidden) {
            if (role & SHOWN_LITERAL && (has_byte(text, '&') || has_byte(text, '\r'))) {
                return false;
            }
            show_run(showing, *position, end);
        }
        *position = end;
    }
    return true;
}

static bool show_page(Showing *showing) {
    View page = showing->page;
    size_t position = 0;
    while (position < page.length) {
        size_t start = next_markup(page, position);
        show_run(showing, position, start);
        if (start == page.length) {
            return true;
        }
        size_t name_start = start + 1 + (byte_at(page, start + 1) == '/');
        size_t name_end = is_letter(byte_at(page, name_start)) ? tag_name_end(page, name_start) : name_start;
        position = name_end;
        if (name_end > name_start && tag_end(page, &position)) {
            if (!show_tag(showing, start, name_start, name_end, &position)) {
                return false;
            }
        } else if (showing->foreign && stands_at(page, start, "<![CDATA[", 9)) {
            return false;
        } else { /* after a tag without an end there is no text */
            position = is_declaration(page, start) ? declaration_end(page, start) : page.length;
        }
    }
    return true;
}

static bool take_roles(PyObject *names, NameTable *table, unsigned *roles) {
    for (Py_ssize_t at = 0; at < PyTuple_Size(names); at++) {
        const char *name;
        Py_ssize_t length;
        PyObject *row = PyTuple_GetItem(names, at);
        if (!is_tuple(row) || !PyArg_ParseTuple(row, "y#I", &name, &length, &roles[at])) {
            return false;
        }
        names_add(table, (const unsigned char *)name, (size_t)length, (uint16_t)at);
    }
    return true;
}

/* shown_text(names, page, marks): the text in UTF-8; None if the reference must read the page. */
PyObject *shown_text(PyObject *self, PyObject *args) {
    (void)self;
    enum { MOST_NAMES = 256, LONGEST_MARK = 24 };
    PyObject *names, *result = NULL;
    const char *data, *marks;
    Py_ssize_t length, marks_length;
    unsigned roles[MOST_NAMES];
    if (!PyArg_ParseTuple(args, "O!y#y#", &PyTuple_Type, &names, &data, &length, &marks, &marks_length)) {
        return NULL;
    }
    size_t mark_count = (size_t)marks_length / sizeof(uint32_t);
    if ((size_t)length > MOST || PyTuple_Size(names) > MOST_NAMES) {
        return new_reference(Py_None);
    }
    NameTable table = {0};
    uint32_t *positions = malloc((mark_count + 1) * sizeof *positions);
    unsigned char *room = malloc((size_t)length + 2 + mark_count * LONGEST_MARK);
    if (!names_make(&table, (size_t)PyTuple_Size(names)) || positions == NULL || room == NULL) {
        PyErr_NoMemory();
    } else if (take_roles(names, &table, roles)) {
        if (mark_count > 0) {
            memcpy(positions, marks, mark_count * sizeof *positions);
        }
        Showing showing = {{(const unsigned char *)data, (size_t)length}, &table, roles, positions, mark_count, 0, room, 0, 0};
        result = show_page(&showing) ? PyBytes_FromStringAndSize((const char *)room, showing.out - room)
                                     : new_reference(Py_None);
    }
    names_free(&table);
    free(positions);
    free(room);
    return result;
}
