/* The rows of a table, and its uses: as Python sees them, and those that Python has read. */

#include "tables.h"

#include <stdlib.h>

bool take_counting(const ReferenceTable *self, PyObject *tuple, Counting *counting) {
    Py_ssize_t begin, length;
    const char *lines;
    int utf8, form;
    if (!is_tuple(tuple) || !PyArg_ParseTuple(tuple, "nz#pi", &begin, &lines, &length, &utf8, &form)) {
        return false;
    }
    View source = self->scan->view;
    counting->lines = lines == NULL ? source : (View){(const unsigned char *)lines, (size_t)length};
    if (begin < 0 || (size_t)begin > source.length || counting->lines.length != source.length || form < 0 ||
        form >= GIVEN_FORMS) {
        PyErr_SetString(PyExc_ValueError, "the first character must be in the source, and all others");
        return false;
    }
    counting->utf8 = utf8;
    counting->form = (GivenForm)form;
    counting->begin = (size_t)begin;
    return true;
}

PyObject *row_target(const ReferenceTable *self, const Row *row, PyObject *text) {
    return row->flags & ROW_NOWHERE ? new_reference(Py_None)
                                    : made_target(bases_of(self, row), row->prefix, row->skip, meaning_of_row(row), text);
}

PyObject *base_name(const ReferenceTable *self, const Row *row) {
    PyObject *values = self->bases[row->base].values;
    uint32_t place = self->bases[row->base].place;
    return values != NULL ? new_reference(values)
           : place == NO_PLACE ? PyLong_FromLong(-1) : PyLong_FromUnsignedLong(place);
}

bool is_list(PyObject *numbers) {
    if (!PyList_Check(numbers)) {
        PyErr_SetString(PyExc_TypeError, "expected a list of numbers");
    }
    return PyList_Check(numbers);
}

bool is_row(const ReferenceTable *self, size_t number) {
    if (!PyErr_Occurred() && number >= self->table.row_count) {
        PyErr_SetString(PyExc_IndexError, "there is no such row");
    }
    return !PyErr_Occurred();
}

/* A row for Python: the fields of `rehref.documents.link.ReferenceRow`. None if it has no uses. */
static PyObject *row_as(const ReferenceTable *self, const TupleType *type, size_t number) {
    const Row *row = &self->table.rows[number];
    const ClassNames *names = &self->names[row->class];
    if (row->count == 0) {
        return new_reference(Py_None);
    }
    PyObject *text = row_text(self, number);
    bool is_odd = is_odd_row(row);
    PyObject *items[] = {
        text,
        text == NULL || is_odd ? new_reference(Py_None) : row_target(self, row, text),
        PyBool_FromLong(row->flags & ROW_OF_DOCUMENT),
        new_reference(names->element),
        new_reference(names->attribute),
        new_reference(names->kind),
        new_reference(names->rel),
        PyLong_FromSize_t(number),
        PyLong_FromUnsignedLong(row->count),
        PyLong_FromUnsignedLong(self->table.classes[row->class].place),
        base_name(self, row),
    };
    return named_tuple(type, items, sizeof items / sizeof *items);
}

/* rows(Row, numbers): these rows, or all of them if it is None; None for those without uses. */
PyObject *table_rows(ReferenceTable *self, PyObject *args) {
    PyObject *argument, *numbers;
    TupleType type;
    if (!PyArg_ParseTuple(args, "OO", &argument, &numbers) || !take_tuple_type(argument, &type)) {
        return NULL;
    }
    Py_ssize_t count = numbers == Py_None ? (Py_ssize_t)self->table.row_count : PyList_Size(numbers);
    PyObject *rows = count < 0 ? NULL : PyList_New(0);
    for (Py_ssize_t at = 0; rows != NULL && at < count; at++) {
        size_t number = numbers == Py_None ? (size_t)at : PyLong_AsSize_t(PyList_GetItem(numbers, at));
        if (!is_row(self, number) || !append(rows, row_as(self, &type, number))) {
            Py_DECREF(rows);
            return NULL;
        }
    }
    return rows;
}

/* ---- what Python has read ---- */

PyObject *row_text(const ReferenceTable *self, size_t number) {
    if (self->of_python != NULL && number >= self->table.first_of_python) {
        PyObject *text = PyList_GetItem(self->of_python, (Py_ssize_t)(number - self->table.first_of_python));
        return text == NULL ? NULL : new_reference(text);
    }
    return text_of(text_of_row(&self->table.rows[number]));
}

static bool take_class_of_python(ReferenceTable *self, PyObject *tuple) {
    Table *table = &self->table;
    PyObject *element, *attribute, *kind, *rel;
    unsigned place;
    if (!is_tuple(tuple) || !PyArg_ParseTuple(tuple, "UOUOI", &element, &attribute, &kind, &rel, &place)) {
        return false;
    }
    Py_ssize_t number = PySequence_Index(self->kinds, kind);
    if (number < 0) {
        PyErr_Clear();
        number = LOCAL_KINDS;
    }
    Class *classes = table->class_count + 1 >= NO_CLASS
                         ? NULL
                         : grown(table->classes, table->class_count, &table->class_room, sizeof *classes);
    ClassNames *names = classes == NULL ? NULL : realloc(self->names, (table->class_count + 1) * sizeof *names);
    if (classes != NULL) {
        table->classes = classes;
    }
    if (names == NULL) {
        return PyErr_NoMemory() != NULL;
    }
    self->names = names;
    classes[table->class_count++] = (Class){.place = place, .flags = CLASS_OF_PYTHON, .kind = (uint8_t)number};
    names[self->name_count++] = (ClassNames){new_reference(element), new_reference(attribute), new_reference(kind),
                                             new_reference(rel), new_reference(Py_None)};
    return true;
}

static bool take_row_of_python(ReferenceTable *self, PyObject *tuple, size_t classes) {
    Table *table = &self->table;
    PyObject *text;
    Py_ssize_t class, length;
    int is_usual;
    if (!is_tuple(tuple) || !PyArg_ParseTuple(tuple, "Unp", &text, &class, &is_usual)) {
        return false;
    }
    if (class < 0 || classes + (size_t)class >= table->class_count) {
        PyErr_SetString(PyExc_IndexError, "there is no such class");
        return false;
    }
    Row *rows = grown(table->rows, table->row_count, &table->row_room, sizeof *rows);
    if (rows == NULL) {
        return PyErr_NoMemory() != NULL;
    }
    table->rows = rows;
    const char *data = PyUnicode_AsUTF8AndSize(text, &length);
    if (data == NULL) {
        PyErr_Clear(); /* it has a surrogate */
        length = 0;
    }
    Row *row = &rows[table->row_count++], odd = {.text = (const unsigned char *)data,
                                                .length = (uint32_t)length,
                                                .class = (uint16_t)(classes + (size_t)class),
                                                .flags = ROW_READ | ROW_BEYOND,
                                                .form = REFERENCE_ODD,
                                                .prefix = NO_PREFIX};
    *row = odd;
    if (is_usual && data != NULL) {
        read_row(self, row, true);
        if (!(row->flags & ROW_READABLE)) {
            *row = odd;
        }
    }
    return PyList_Append(self->of_python, text) == 0;
}

/* take(classes, rows, uses): what Python has read of the odd places: classes as (element, attribute, kind, rel, as, first
   place), rows as (text, class, whether it is relative to the table's base), uses as bytes: place, row, and from where to where in the characters of its value. Then
   all are in order. */
PyObject *table_take(ReferenceTable *self, PyObject *args) {
    PyObject *classes, *rows;
    const char *bytes;
    Py_ssize_t length;
    Table *table = &self->table;
    if (!PyArg_ParseTuple(args, "O!O!y#", &PyList_Type, &classes, &PyList_Type, &rows, &bytes, &length)) {
        return NULL;
    }
    if (self->of_python != NULL || self->news != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the table is complete");
        return NULL;
    }
    size_t first_class = table->class_count, count = (size_t)length / (4 * sizeof(uint32_t));
    self->of_python = PyList_New(0);
    table->first_of_python = table->row_count;
    bool done = self->of_python != NULL;
    for (Py_ssize_t at = 0; done && at < PyList_Size(classes); at++) {
        done = take_class_of_python(self, PyList_GetItem(classes, at));
    }
    for (Py_ssize_t at = 0; done && at < PyList_Size(rows); at++) {
        done = take_row_of_python(self, PyList_GetItem(rows, at), first_class);
    }
    Use *uses = done ? malloc((table->use_count + count + 1) * sizeof *uses) : NULL;
    if (uses == NULL) {
        return done ? PyErr_NoMemory() : NULL;
    }
    size_t old = 0, all = 0;
    for (size_t at = 0; at < count; at++) {
        uint32_t item[4];
        memcpy(item, bytes + at * sizeof item, sizeof item);
        size_t row = table->first_of_python + item[1];
        if (row >= table->row_count) {
            free(uses);
            PyErr_SetString(PyExc_IndexError, "there is no such row");
            return NULL;
        }
        while (old < table->use_count && table->uses[old].place < item[0]) {
            uses[all++] = table->uses[old++];
        }
        uses[all++] = (Use){item[2], item[3], (uint32_t)row, item[0]};
        table->rows[row].count++;
    }
    while (old < table->use_count) {
        uses[all++] = table->uses[old++];
    }
    free(table->uses);
    table->uses = uses;
    table->use_count = all;
    table->use_room = all + 1;
    return new_reference(Py_None);
}

/* uses(rows): the uses of rows, as (number of its answer, row, place, number among those of the place). */
PyObject *table_uses(ReferenceTable *self, PyObject *rows) {
    const Table *table = &self->table;
    if (rows != Py_None && !is_list(rows)) {
        return NULL;
    }
    uint8_t *wanted = calloc(table->row_count + 1, 1);
    PyObject *found = wanted == NULL ? PyErr_NoMemory() : PyList_New(0);
    for (Py_ssize_t at = 0; found != NULL && rows != Py_None && at < PyList_Size(rows); at++) {
        size_t number = PyLong_AsSize_t(PyList_GetItem(rows, at));
        if (!is_row(self, number)) {
            Py_CLEAR(found);
            break;
        }
        wanted[number] = 1;
    }
    size_t within = 0;
    for (size_t at = 0; found != NULL && at < table->use_count; at++) {
        const Use *use = &table->uses[at];
        within = at > 0 && use[-1].place == use->place ? within + 1 : 0;
        if ((rows == Py_None || wanted[use->row]) &&
            !append(found, Py_BuildValue("(nIInII)", (Py_ssize_t)(table->row_count + at), use->row, use->place,
                                         (Py_ssize_t)within, use->start, use->end))) {
            Py_CLEAR(found);
        }
    }
    free(wanted);
    return found;
}

/* The numbers of the rows that have uses, and whose target Python computes. */
PyObject *table_odd_rows(ReferenceTable *self, void *ignored) {
    (void)ignored;
    PyObject *numbers = PyList_New(0);
    for (size_t at = 0; numbers != NULL && at < self->table.row_count; at++) {
        const Row *row = &self->table.rows[at];
        if (row->form == REFERENCE_ODD && row->count > 0 && !append(numbers, PyLong_FromSize_t(at))) {
            Py_DECREF(numbers);
            return NULL;
        }
    }
    return numbers;
}

static PyObject *numbers_of(const Places *places) {
    PyObject *numbers = PyList_New(0);
    for (size_t at = 0; numbers != NULL && at < places->count; at++) {
        if (!append(numbers, PyLong_FromUnsignedLong(places->items[at]))) {
            Py_DECREF(numbers);
            return NULL;
        }
    }
    return numbers;
}

PyObject *table_odd_places(ReferenceTable *self, void *ignored) {
    (void)ignored;
    return numbers_of(&self->table.odd);
}

PyObject *table_unread_places(ReferenceTable *self, void *ignored) {
    (void)ignored;
    return numbers_of(&self->table.unread);
}
