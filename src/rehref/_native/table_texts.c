/* The texts of the references that are the whole value of a place, and where they lead: rows, merged over classes. The twin of
   `rehref.documents._table.values`, with the same rules. */

#include "tables.h"

#include <stdlib.h>

typedef struct {
    PyObject *texts;    /* each once; these are not owned */
    PyObject *targets;  /* of each */
    PyObject *others;   /* the numbers of the places of all other references */
    PyObject *folders, *names;
    View whole;         /* of the rows that Python has read, whether each is such */
    Table merged;       /* whose rows have the numbers of texts */
    uint32_t *counts;   /* of each text */
    uint32_t *numbers;  /* of the text of each use that is a whole value, */
    uint32_t *places;   /* and of its place */
    size_t uses;        /* how many there are */
} Values;

/* What a text is, which is not empty: what its row says of it, if that is known. */
static Reference reference_of(const Row *row) {
    View text = text_of_row(row);
    bool is_known = !is_odd_row(row) && !(row->flags & (ROW_BEYOND | ROW_DOTTED)) &&
                    (row->form != REFERENCE_PATH || find_byte(text, 0, ':') == text.length);
    return is_known ? (Reference){.form = (ReferenceForm)row->form, .ups = (size_t)row->prefix - PREFIX_FOLDERS, .skip = row->skip}
                    : classify(text.data, text.length);
}

/* The target of a reference, or None; NULL with an error. */
static PyObject *target_of(const Values *values, PyObject *text, const Row *row) {
    bool glues = PyTuple_Size(values->folders) > 0, at_own_base = values->names != Py_None;
    View view = text_of_row(row);
    if (view.length == 0) {
        return new_reference(glues && at_own_base ? text : Py_None);
    }
    Reference reference = reference_of(row);
    if (reference.faulty || reference.beyond) {
        return new_reference(Py_None);
    }
    if (reference.form == REFERENCE_PATH && !reference.colon && (Py_ssize_t)reference.ups < PyTuple_Size(values->folders)) {
        PyObject *folder = PyTuple_GetItem(values->folders, (Py_ssize_t)reference.ups);
        PyObject *rest = text_of(part_of(view, reference.skip, view.length));
        PyObject *target = rest == NULL ? NULL : PyUnicode_Concat(folder, rest);
        Py_XDECREF(rest);
        return target;
    }
    if (reference.form == REFERENCE_FRAGMENT && at_own_base) {
        PyObject *name = text_of(part_of(view, 1, view.length));
        bool is_name = name != NULL && (view.length == 1 || PyDict_GetItemWithError(values->names, name) != NULL);
        Py_XDECREF(name);
        return PyErr_Occurred() ? NULL : is_name ? text_of((View){view.data, 0}) : new_reference(Py_None);
    }
    bool is_uri = reference.form == REFERENCE_ABSOLUTE || reference.form == REFERENCE_OPAQUE;
    return new_reference(is_uri && glues ? text : Py_None);
}

/* Whether the references of a row are whole values. */
static bool is_whole(const ReferenceTable *self, const Values *values, size_t number) {
    const Row *row = &self->table.rows[number];
    if (row->count == 0 || row->text == NULL || values->whole.data == NULL) {
        return false; /* one with half of a surrogate pair has no bytes */
    }
    return self->of_python != NULL && number >= self->table.first_of_python
               ? byte_at(values->whole, number - self->table.first_of_python) == 1
               : (self->table.classes[row->class].flags & CLASS_WHOLE) != 0;
}

/* Adds the texts of rows; `numbers` gets those of their texts, from 1. */
static bool take_rows(const ReferenceTable *self, Values *values, uint32_t *numbers) {
    for (size_t at = 0; at < self->table.row_count; at++) {
        const Row *row = &self->table.rows[at];
        if (!is_whole(self, values, at)) {
            continue;
        }
        size_t known = values->merged.row_count;
        uint32_t number = row_number(&values->merged, text_of_row(row), 0, 0, true);
        if (number == UINT32_MAX) {
            return PyErr_NoMemory() != NULL;
        }
        numbers[at] = number + 1;
        values->counts[number] += row->count;
        if (number == known) {
            PyObject *text = row_text(self, at);
            bool done = text != NULL && PyList_Append(values->texts, text) == 0 &&
                        append(values->targets, target_of(values, text, row));
            Py_XDECREF(text);
            if (!done) {
                return false;
            }
        }
    }
    return true;
}

static bool take_uses(const ReferenceTable *self, Values *values, const uint32_t *numbers) {
    uint32_t last = UINT32_MAX;
    for (size_t at = 0; at < self->table.use_count; at++) {
        const Use *use = &self->table.uses[at];
        if (numbers[use->row] > 0) {
            values->numbers[values->uses] = numbers[use->row] - 1;
            values->places[values->uses++] = use->place;
        } else if (use->place != last) {
            last = use->place;
            if (!append(values->others, PyLong_FromUnsignedLong(last))) {
                return false;
            }
        }
    }
    return true;
}

static PyObject *as_bytes(const uint32_t *numbers, size_t count) {
    return PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)(count * sizeof *numbers));
}

PyObject *table_texts(ReferenceTable *self, PyObject *args) {
    Values values = {0};
    const char *whole;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "O!Oz#", &PyTuple_Type, &values.folders, &values.names, &whole, &length)) {
        return NULL;
    }
    values.whole = (View){(const unsigned char *)whole, (size_t)length};
    PyObject *found = Py_BuildValue("([][][])"), *result = NULL;
    size_t rows = self->table.row_count + 1, uses = self->table.use_count + 1;
    uint32_t *numbers = calloc(rows, sizeof *numbers); /* smaller than rows and uses: no overflow */
    values.counts = calloc(rows, sizeof *values.counts);
    values.numbers = malloc(uses * sizeof *values.numbers);
    values.places = malloc(uses * sizeof *values.places);
    bool done = found != NULL && numbers != NULL && values.counts != NULL && values.numbers != NULL && values.places != NULL;
    if (!done) {
        PyErr_NoMemory();
    } else {
        values.texts = PyTuple_GetItem(found, 0);
        values.targets = PyTuple_GetItem(found, 1);
        values.others = PyTuple_GetItem(found, 2);
        done = take_rows(self, &values, numbers) && take_uses(self, &values, numbers);
    }
    if (done) {
        result = Py_BuildValue("(ONNN)", found, as_bytes(values.counts, values.merged.row_count),
                               as_bytes(values.numbers, values.uses), as_bytes(values.places, values.uses));
    }
    Py_XDECREF(found);
    free(numbers);
    free(values.counts);
    free(values.numbers);
    free(values.places);
    table_free(&values.merged);
    return result;
}
