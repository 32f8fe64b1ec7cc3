/* The source of a table with its changes, as bytes, or as a list of what is replaced.

   - A change replaces the text from `start` to `end` by the head of the answer with that number. Changes are in order,
     and none overlaps another: so are uses (`tables_writing.c`).
   - All sizes are added up with a check, and before anything is written.
   - Any part of the source can be made for which no change is cut, so that a large one need not be made as a whole. */

#include "tables.h"

/* The first change that begins at `position` or after it. */
static size_t change_from(const ReferenceTable *self, size_t position) {
    size_t first = 0, last = self->change_count;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (self->changes[middle].start < position) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

PyObject *table_cut(ReferenceTable *self, PyObject *argument) {
    size_t position = PyLong_AsSize_t(argument);
    if (PyErr_Occurred()) {
        return NULL;
    }
    size_t next = change_from(self, position);
    size_t end = next == 0 ? 0 : self->changes[next - 1].end;
    return PyLong_FromSize_t(end > position ? end : position);
}

PyObject *table_splices(ReferenceTable *self, PyObject *ignored) {
    (void)ignored;
    PyObject *splices = PyList_New(0);
    for (size_t at = 0; splices != NULL && at < self->change_count; at++) {
        const Change *change = &self->changes[at];
        View head = self->news[change->number].head;
        if (!append(splices, Py_BuildValue("(IIy#)", change->start, change->end,
                                           head.length ? (const char *)head.data : "", (Py_ssize_t)head.length))) {
            Py_CLEAR(splices);
        }
    }
    return splices;
}

/* A part of the source, and the numbers of the changes in it. */
typedef struct {
    size_t start, end;
    size_t first, last;
} Part;

/* How long a part is with its changes; false with an error. */
static bool take_length(const ReferenceTable *self, const Part *part, size_t *length) {
    bool fits = part->start <= part->end && part->end <= self->scan->view.length;
    *length = part->end - part->start;
    for (size_t at = part->first; fits && at < part->last; at++) {
        const Change *change = &self->changes[at];
        View head = self->news[change->number].head;
        fits = change->end <= part->end;
        *length -= change->end - change->start;
        if (head.length > PTRDIFF_MAX - *length) {
            PyErr_NoMemory();
            return false;
        }
        *length += head.length;
    }
    /* nor does the change before it reach into it */
    if (!fits || (part->first > 0 && self->changes[part->first - 1].end > part->start)) {
        PyErr_SetString(PyExc_ValueError, "a part of the source must be within it, and cut no change");
        return false;
    }
    return true;
}

/* Writes a part with its changes to `to`, which has room for it. */
static void write_part(const ReferenceTable *self, const Part *part, unsigned char *to) {
    size_t done = part->start;
    for (size_t at = part->first; at < part->last; at++) {
        const Change *change = &self->changes[at];
        to = copied(to, part_of(self->scan->view, done, change->start));
        to = copied(to, self->news[change->number].head);
        done = change->end;
    }
    copied(to, part_of(self->scan->view, done, part->end));
}

PyObject *table_spliced(ReferenceTable *self, PyObject *args) {
    Py_ssize_t start, end;
    size_t length;
    if (!PyArg_ParseTuple(args, "nn", &start, &end)) {
        return NULL;
    }
    /* a number below 0 is now far beyond the source, and detected there */
    Part part = {(size_t)start, (size_t)end, change_from(self, (size_t)start), change_from(self, (size_t)end)};
    if (start == 0 && end == PyBytes_Size(self->scan->source) && part.first == part.last) {
        return new_reference(self->scan->source);
    }
    PyObject *made = take_length(self, &part, &length) ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length) : NULL;
    unsigned char *to = made == NULL ? NULL : (unsigned char *)PyBytes_AsString(made);
    if (to != NULL) {
        self->writers++;
        PyThreadState *state = unlock(length);
        write_part(self, &part, to);
        lock(state);
        self->writers--;
    }
    return made;
}
