/* A source with other texts for its references: rows or uses get answers (`write`, `decide`), the places that
   do not take that are left to Python (`fit`), and all others are changes, which `splice.c` writes.

   - The end that the old and the new text of a reference have in common stays as the author wrote it. The text that
     replaces what is before it must be literal where it is put, and what it replaces be so, too.
   - Where a text is literal (FITS_): `charrefs.speaks_for_itself` says it of a value in quotes. An unquoted value has no
     "=" or "`", either; a list, and CSS, only characters that stand for themselves in these. */

#include <limits.h>
#include <stdlib.h>

#include "tables.h"

enum { FITS_URL = 1, FITS_UNQUOTED = 2, FITS_INSIDE = 4 /* a list, or CSS */, FITS_ALL = 7 };
enum { NEW_STAYS, NEW_TEXT, NEW_DROPPED, NEW_OF_USES };

/* ---- answers ---- */

/* The contexts in which each byte is literal. */
static const char FITS[UCHAR_MAX + 1] =
    "00000000000000000000000000000000"
    "07077700337737777777777777770507" /*  !"#$%&'()*+,-./0123456789:;<=>? */
    "77777777777777777777777777733037" /* @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_ */
    "17777777777777777777777777733370" /* `abcdefghijklmnopqrstuvwxyz{|}~ */
    ; /* from 0x80 on, all is 0 */

static unsigned fits_of(unsigned char byte) {
    return FITS[byte] & FITS_ALL; /* '0' has none of these bits */
}

static uint8_t fits_in(View head) {
    unsigned fits = FITS_ALL;
    for (size_t at = 0; at < head.length; at++) {
        fits &= fits_of(head.data[at]);
    }
    return (uint8_t)fits;
}

/* Room for the answers of all rows, and of uses if they have such; false with an error. */
static bool make_news(ReferenceTable *self, bool of_uses) {
    size_t rows = self->table.row_count, count = rows + (of_uses ? self->table.use_count : 0);
    if (self->writers > 0) {
        PyErr_SetString(PyExc_RuntimeError, "another thread writes the changed source");
        return false;
    }
    if (self->new_count < count || self->news == NULL) {
        New *news = calloc(count + 1, sizeof *news);
        if (news != NULL && self->news != NULL) {
            memcpy(news, self->news, self->new_count * sizeof *news);
        }
        free(self->news);
        self->news = news;
        self->new_count = count;
    }
    if (self->texts == NULL) {
        self->texts = PyList_New(0);
    }
    if (self->news == NULL || self->texts == NULL) {
        PyErr_NoMemory();
        return false;
    }
    return true;
}

static bool is_continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

static bool is_blank(View text) {
    size_t at = 0;
    while (is_space(byte_at(text, at))) {
        at++;
    }
    return at == text.length;
}

/* Row or use number `at` becomes `head` and then the last `same` bytes of its text. `fits`: of the head. */
static void set_head(ReferenceTable *self, size_t at, const Row *row, View head, size_t same, uint8_t fits) {
    size_t skip = row->length - same;
    while (head.length > 0 && skip > 0 && head.data[head.length - 1] == row->text[skip - 1] &&
           !is_continuation(row->text[skip - 1])) {
        head.length--;
        skip--;
    }
    if (head.length == 0 && skip < row->length) {
        /* what stays is the beginning now, where a comma or a quote means something */
        fits &= (uint8_t)(fits_of(row->text[skip]) | FITS_URL);
    }
    if (skip > 0 && find_byte(text_of_row(row), skip, '<') < row->length) {
        fits &= FITS_URL | FITS_UNQUOTED; /* in CSS, "<" is escaped where a text is not only put before it */
    }
    bool stays = head.length == 0 && (skip == 0 || (skip == row->length && is_blank(text_of_row(row))));
    self->news[at] = (New){.head = head,
                           .skip = (uint32_t)skip,
                           .fits = fits,
                           .state = stays ? NEW_STAYS : NEW_TEXT,
                           .is_empty = head.length == 0 && skip == row->length};
}

/* The same for a whole new text. */
static void set_whole(ReferenceTable *self, size_t at, const Row *row, View new) {
    size_t same = 0, most = new.length < row->length ? new.length : row->length;
    while (same < most && new.data[new.length - 1 - same] == row->text[row->length - 1 - same]) {
        same++;
    }
    while (same > 0 && is_continuation(row->text[row->length - same])) {
        same--;
    }
    View head = part_of(new, 0, new.length - same);
    set_head(self, at, row, head, same, fits_in(head));
}

/* The new text of row or use number `at`, whose row has that number; false with an error. */
static bool set_text(ReferenceTable *self, size_t at, size_t number, PyObject *text) {
    const Row *row = &self->table.rows[number];
    Py_ssize_t size;
    const char *data = PyUnicode_AsUTF8AndSize(text, &size);
    if (data == NULL || (self->table.classes[row->class].flags & CLASS_OF_PYTHON)) {
        PyErr_Clear(); /* it has a surrogate, or Python writes it */
        PyObject *old = row_text(self, number);
        bool is_empty = PyUnicode_GetLength(text) == 0;
        bool stays = old == NULL || PyUnicode_Compare(old, text) == 0 || (is_empty && is_blank(text_of_row(row)) && row->text);
        self->news[at] = (New){.state = stays ? NEW_STAYS : NEW_TEXT, .text = text};
        Py_XDECREF(old);
        return old != NULL && !PyErr_Occurred();
    }
    set_whole(self, at, row, (View){(const unsigned char *)data, (size_t)size});
    self->news[at].text = text;
    return true;
}

static bool set_new(ReferenceTable *self, size_t at, size_t row, PyObject *new) {
    if (new == NULL) {
        return false;
    }
    if (PyUnicode_Check(new)) {
        return set_text(self, at, row, new);
    }
    if (new != Py_None && new != Py_False && new != Py_True) {
        PyErr_SetString(PyExc_TypeError, "a new text must be a str, None, False or True");
        return false;
    }
    self->news[at] = (New){.state = new == Py_None ? NEW_STAYS : new == Py_False ? NEW_DROPPED : NEW_OF_USES};
    return true;
}

PyObject *table_write(ReferenceTable *self, PyObject *args) {
    PyObject *numbers, *list;
    if (!PyArg_ParseTuple(args, "OO!", &numbers, &PyList_Type, &list)) {
        return NULL;
    }
    const Table *table = &self->table;
    PyObject *news = PyList_AsTuple(list); /* which cannot change, and keeps the texts */
    size_t count = news == NULL ? 0 : (size_t)PyTuple_Size(news);
    bool all = numbers == Py_None, done = news != NULL && make_news(self, all);
    done = done && PyList_Append(self->texts, news) == 0;
    if (done && (all ? table->use_count : (size_t)PyList_Size(numbers)) != count) {
        PyErr_SetString(PyExc_ValueError, "there must be a new text for each");
        done = false;
    }
    for (size_t at = 0; done && all && at < table->row_count; at++) {
        self->news[at] = (New){.state = NEW_OF_USES};
    }
    for (size_t at = 0; done && at < count; at++) {
        size_t number = all ? table->row_count + at : PyLong_AsSize_t(PyList_GetItem(numbers, (Py_ssize_t)at));
        bool of_use = number >= table->row_count;
        if (PyErr_Occurred() || number >= table->row_count + table->use_count) {
            PyErr_SetString(PyExc_IndexError, "there is no such row");
            done = false;
        } else {
            PyObject *new = PyTuple_GetItem(news, (Py_ssize_t)at);
            size_t row = of_use ? table->uses[number - table->row_count].row : number;
            done = make_news(self, of_use || new == Py_True) && set_new(self, number, row, new);
        }
    }
    Py_XDECREF(news);
    return done ? new_reference(Py_None) : NULL;
}

/* ---- new beginnings ---- */

/* What targets begin with: a prefix, the nearest folder if it is one; or, if a reference is its own target, one of these. */
enum { BEGINS_HTTP = NO_PREFIX, BEGINS_HTTPS, BEGINS_OTHERWISE, BEGINNINGS };

typedef struct {
    unsigned number;
    size_t skip; /* where the rest begins in the text */
} Beginning;

enum { DECISION_UNKNOWN, DECISION_ASK, DECISION_STAYS, DECISION_TEXT };

/* What replaces a beginning, unless the rest begins with one of some texts, or may be written in another way. */
typedef struct {
    uint8_t state, fits;
    int unless_escaped;
    uint32_t base;
    View head, unless_extension;
    PyObject *unless; /* a tuple; not owned */
} Decision;

/* The same with the nearest folder that the rest leads to again, if the beginning is a folder. */
static Beginning nearest(const Bases *bases, View text, Beginning found) {
    const View *folders = &bases->prefixes[PREFIX_FOLDERS];
    for (size_t at = found.number - PREFIX_FOLDERS; at > 0; at--) {
        View way = part_of(folders[at - 1], folders[at].length, folders[at - 1].length);
        if (!stands_at(text, found.skip, (const char *)way.data, way.length)) {
            break;
        }
        found = (Beginning){PREFIX_FOLDERS + (unsigned)at - 1, found.skip + way.length};
    }
    return found;
}

/* Of an ordinary row. */
static Beginning beginning_of(const Bases *bases, const Row *row) {
    View text = meaning_of_row(row);
    unsigned uppermost = PREFIX_FOLDERS + (unsigned)bases->folders - 1; /* not the root, if folders are many */
    View upper = bases->folders > 0 ? bases->prefixes[uppermost] : (View){NULL, 0};
    if (row->prefix == PREFIX_ROOT && upper.length == bases->prefixes[PREFIX_ROOT].length) {
        return nearest(bases, text, (Beginning){uppermost, row->skip});
    }
    if (row->prefix != NO_PREFIX) {
        Beginning found = {row->prefix, row->skip};
        return row->prefix > PREFIX_FOLDERS ? nearest(bases, text, found) : found;
    }
    if (row->form == REFERENCE_ABSOLUTE && upper.length > 0 && stands_at(text, 0, (const char *)upper.data, upper.length)) {
        return nearest(bases, text, (Beginning){uppermost, upper.length});
    }
    return stands_at(text, 0, "http://", 7)    ? (Beginning){BEGINS_HTTP, 7}
           : stands_at(text, 0, "https://", 8) ? (Beginning){BEGINS_HTTPS, 8}
                                               : (Beginning){BEGINS_OTHERWISE, 0};
}

static View beginning_text(const Bases *bases, unsigned beginning) {
    static const char *const TEXTS[] = {"http://", "https://", ""};
    if (beginning < NO_PREFIX) {
        return bases->prefixes[beginning];
    }
    const char *text = TEXTS[beginning - NO_PREFIX];
    return (View){(const unsigned char *)text, strlen(text)};
}

/* Reads what Python answered; false with an error. */
static bool take_decision(ReferenceTable *self, PyObject *answer, Decision *decision) {
    PyObject *text, *unless, *extension;
    if (answer == Py_None) {
        decision->state = DECISION_ASK;
        return true;
    }
    if (!is_tuple(answer) ||
        !PyArg_ParseTuple(answer, "OO!pO", &text, &PyTuple_Type, &unless, &decision->unless_escaped, &extension) ||
        !take_text(extension, &decision->unless_extension) || PyList_Append(self->texts, answer) < 0) {
        return false;
    }
    decision->unless = unless;
    decision->state = text == Py_None ? DECISION_STAYS : DECISION_TEXT;
    if (text != Py_None && !take_text(text, &decision->head)) {
        return false;
    }
    decision->fits = fits_in(decision->head);
    return true;
}

static bool ask_beginning(ReferenceTable *self, PyObject *function, const Row *row, unsigned beginning, Decision *decision) {
    const ClassNames *names = &self->names[row->class];
    PyObject *text = text_of(beginning_text(bases_of(self, row), beginning));
    PyObject *answer = text == NULL ? NULL
                                    : PyObject_CallFunctionObjArgs(function, text, names->element, names->attribute,
                                                                   names->kind, names->rel, names->as, NULL);
    bool done = answer != NULL && take_decision(self, answer, decision);
    Py_XDECREF(text);
    Py_XDECREF(answer);
    return done;
}

/* Whether the rest begins with one of the texts; -1 with an error. */
static int is_excepted(PyObject *unless, View rest) {
    for (Py_ssize_t at = 0; at < PyTuple_Size(unless); at++) {
        View text;
        if (!take_text(PyTuple_GetItem(unless, at), &text)) {
            return -1;
        }
        if (stands_at(rest, 0, (const char *)text.data, text.length)) {
            return true;
        }
    }
    return false;
}

/* Whether the path of a target may end with the text, in any case: the part of it that is in the rest, if there is any. */
static bool may_have_extension(View rest, View extension) {
    size_t end = 0;
    while (end < rest.length && rest.data[end] != '?' && rest.data[end] != '#') {
        end++;
    }
    return extension.length > 0 &&
           (end == 0 || (end >= extension.length &&
                         stands_at_any_case(rest, end - extension.length, extension.data, extension.length)));
}

/* Whether a rest means something else with nothing before it: it begins with a slash, or a space, or what precedes a colon
   in its first segment is read as a scheme. */
static bool means_more(View rest) {
    size_t at = 0;
    while (at < rest.length && strchr(":/?#", rest.data[at]) == NULL) {
        at++;
    }
    return byte_at(rest, at) == ':' || byte_at(rest, 0) == '/' || byte_at(rest, 0) == ' ';
}

/* Sets the answer of row number `at`, whose rest begins at `skip`; false if Python must decide about it. */
static bool apply_decision(ReferenceTable *self, size_t at, size_t skip, const Decision *decision) {
    const Row *row = &self->table.rows[at];
    View meaning = meaning_of_row(row), rest = part_of(meaning, skip, meaning.length);
    bool is_dotted = row->flags & ROW_DOTTED;
    if (decision->state == DECISION_ASK || (is_dotted && decision->state != DECISION_TEXT) || rest.length == 0 || is_excepted(decision->unless, rest) ||
        may_have_extension(rest, decision->unless_extension) ||
        (decision->unless_escaped && (may_be_respelt(row) || find_byte(rest, 0, '%') < rest.length)) ||
        (decision->state == DECISION_TEXT && decision->head.length == 0 && skip > 0 && means_more(rest))) {
        return false;
    }
    if (is_dotted) { /* the end of its text may be another */
        unsigned char *whole = kept_room(&self->table, decision->head.length + rest.length);
        View new = {whole, decision->head.length + rest.length};
        if (whole == NULL) {
            return false;
        }
        copied(copied(whole, decision->head), rest);
        set_whole(self, at, row, new);
    } else if (decision->state == DECISION_TEXT) {
        set_head(self, at, row, decision->head, rest.length, decision->fits);
    }
    return true;
}

/* Whether a row stays, whatever the rule: fragments that are not wanted, identifiers, metadata that is not wanted. */
static bool stays(const Row *row, const Class *class, bool fragments, bool metadata) {
    if (class->kind < LOCAL_KINDS) {
        return class->kind != KIND_BASE && !(class->kind == KIND_METADATA && metadata);
    }
    return !fragments && (row->form == REFERENCE_FRAGMENT || row->form == REFERENCE_EMPTY);
}

/* Whether it may have characters that no URI has in a path, where a rule may put it: those, and "[", which is in hosts. */
static bool may_be_respelt_in_path(const Row *row) {
    return may_be_respelt(row) || find_byte(text_of_row(row), 0, '[') < row->length;
}

static bool is_codebase(const ReferenceTable *self, const Class *class) {
    return class->kind == KIND_BASE && class->flags & CLASS_PART_BASE &&
           is_named(&self->scan->found.records.items[class->place], self->scan->bound->plan.codebase);
}

/* Lets a row stay that has an answer, if browsers go elsewhere; returns how many references would have changed. */
static size_t let_stay(ReferenceTable *self, size_t at) {
    const Row *row = &self->table.rows[at];
    if (!self->bases[row->base].is_unseen || !(row->flags & ROW_FAULTY) || self->news[at].state != NEW_TEXT) {
        return 0;
    }
    self->news[at] = (New){.state = NEW_STAYS};
    return row->count;
}

/* Whether a text has a scheme that no profile ignores, nor do browsers: that of a host, or "data:" where the base has none such. */
static bool is_surely_absolute(const Bases *bases, View text) {
    size_t at = 0;
    for (int byte; is_letter(byte = byte_at(text, at)) ||
                   (at > 0 && ((byte >= '0' && byte <= '9') || byte == '+' || byte == '-' || byte == '.'));
         at++) {
    }
    return at > 0 && (stands_at(text, at, "://", 3) ||
                      (bases->has_root && stands_at_any_case(text, 0, (const unsigned char *)"data:", 5)));
}

PyObject *table_decide(ReferenceTable *self, PyObject *args) {
    PyObject *function;
    size_t stayed = 0;
    int of_class, fragments, metadata, codebases, valid, only_relative;
    if (!PyArg_ParseTuple(args, "Opppppp", &function, &of_class, &fragments, &metadata, &codebases, &valid, &only_relative) ||
        !make_news(self, false)) {
        return NULL;
    }
    size_t classes = of_class ? self->table.class_count : 1; /* at most NO_CLASS: no overflow */
    Decision *decisions = calloc(2 * classes * BEGINNINGS + 1, sizeof *decisions), *of_parts;
    of_parts = decisions == NULL ? NULL : decisions + classes * BEGINNINGS;
    PyObject *undecided = decisions == NULL ? PyErr_NoMemory() : PyList_New(0);
    for (size_t at = 0; undecided != NULL && at < self->table.row_count; at++) {
        const Row *row = &self->table.rows[at];
        const Class *class = &self->table.classes[row->class];
        bool may_stay = !valid || !may_be_respelt_in_path(row);
        if (row->count == 0 || (may_stay && (row->flags & ROW_NOWHERE || stays(row, class, fragments, metadata)))) {
            continue;
        }
        if (only_relative && !valid && row->form == REFERENCE_ODD && class->kind >= LOCAL_KINDS &&
            is_surely_absolute(bases_of(self, row), text_of_row(row))) {
            continue;
        }
        bool may_change = class->kind >= LOCAL_KINDS ||
                          (codebases && row->form != REFERENCE_FRAGMENT && is_codebase(self, class));
        bool is_decided = may_stay && may_change && (codebases || !self->bases[row->base].is_unseen) &&
                          row->form != REFERENCE_ODD && row->form != REFERENCE_EMPTY;
        if (is_decided) {
            Beginning begins = beginning_of(bases_of(self, row), row);
            bool is_of_part = row->base > 0 && begins.number < NO_PREFIX;
            Decision *decision = (is_of_part ? of_parts : decisions) + (of_class ? row->class : 0) * BEGINNINGS + begins.number;
            if (is_of_part && decision->base != row->base) {
                *decision = (Decision){.base = row->base}; /* parts are in order: it was that of one before */
            }
            if (decision->state == DECISION_UNKNOWN && !ask_beginning(self, function, row, begins.number, decision)) {
                Py_CLEAR(undecided);
                break;
            }
            is_decided = apply_decision(self, at, begins.skip, decision);
            stayed += is_decided ? let_stay(self, at) : 0;
        }
        if (!is_decided && !append(undecided, PyLong_FromSize_t(at))) {
            Py_CLEAR(undecided);
        }
    }
    free(decisions);
    if (undecided != NULL && PyErr_Occurred()) {
        Py_CLEAR(undecided);
    }
    return undecided == NULL ? NULL : Py_BuildValue("(Nn)", undecided, (Py_ssize_t)stayed);
}

/* ---- whether it fits ---- */

/* Whether the name of a character reference may be right before a position: a new text there could become part of it. */
static bool is_behind_name(View view, size_t at) {
    enum { LONGEST_NAME = 32 };
    size_t first = at;
    while (first > 0 && at - first < LONGEST_NAME && (is_letter(view.data[first - 1]) || hex_digit(view.data[first - 1]) >= 0)) {
        first--;
    }
    return first < at && byte_at(view, first - 1) == '&';
}

/* Whether a new text can be put into a place as it is. */
static bool takes(const ReferenceTable *self, const Use *use, const New *new) {
    if (self->table.classes[self->table.rows[use->row].class].flags & CLASS_OF_PYTHON ||
        is_behind_name(self->scan->view, use->start)) {
        return false;
    }
    const Record *record = &self->scan->found.records.items[use->place];
    const Class *class = &self->table.classes[self->table.rows[use->row].class];
    bool may_be_empty = class->syntax == SYNTAX_URL;
    unsigned needed = may_be_empty ? FITS_URL : FITS_INSIDE;
    if (class->flags & CLASS_UNQUOTED) {
        needed |= FITS_UNQUOTED;
        may_be_empty = false;
        if (use->start == use->end) {
            return false; /* there is no value */
        }
    } else if (!(record->flags & RECORD_TEXT)) {
        bool has_quotes = is_quoted(self->scan->view, record);
        if (!has_quotes && record->start == record->end) {
            return false; /* there is no value */
        }
        needed |= has_quotes ? 0 : FITS_UNQUOTED;
        may_be_empty = may_be_empty && has_quotes;
    }
    if (class->syntax == SYNTAX_JSON && ((class->flags & CLASS_FIXED) || new->skip == self->table.rows[use->row].length)) {
        return false; /* an end that stays shows where it ends */
    }
    return (new->fits & needed) == needed && (may_be_empty || !new->is_empty);
}

/* Whether Python would write a text whose rest is behind `skip` in an old one like that: where it finds the references, it
   writes "<" and spaces otherwise, and what begins with punctuation or `url`. */
static bool is_written_so(View head, View old, size_t skip) {
    int first = head.length > 0 ? head.data[0] : byte_at(old, skip);
    return ((is_letter(first) && lower_byte((unsigned char)first) != 'u') || first == '/' || first == '.') &&
           find_byte(old, skip, '<') == old.length && find_byte(old, skip, ' ') == old.length;
}

/* Whether the beginning of a use, which this `head` replaces up to `skip`, is literal in the source. */
static bool is_literal(const ReferenceTable *self, const Use *use, View head, size_t skip) {
    const Row *row = &self->table.rows[use->row];
    if (is_of_python(self->table.classes[row->class].syntax)) {
        View old = part_of(self->scan->view, use->start, use->end);
        return same_text(old, text_of_row(row)) && is_written_so(head, old, skip);
    }
    if (skip == 0 || use->end - use->start == row->length) {
        return true;
    }
    View old = part_of(text_of_row(row), 0, skip);
    return find_byte(old, 0, '&') == skip && stands_at(self->scan->view, use->start, (const char *)old.data, skip);
}

/* The number of the answer of a use. */
static size_t answer_of(const ReferenceTable *self, size_t number) {
    size_t row = self->table.uses[number].row;
    return self->news[row].state == NEW_OF_USES ? self->table.row_count + number : row;
}

/* Adds the change of a use, if it changes; false if it does not fit. */
static bool add_change(ReferenceTable *self, size_t number) {
    const Use *use = &self->table.uses[number];
    size_t at = answer_of(self, number);
    const New *new = &self->news[at];
    if (new->state != NEW_TEXT) {
        return new->state == NEW_STAYS;
    }
    if (!takes(self, use, new) || !is_literal(self, use, new->head, new->skip)) {
        return false;
    }
    self->changes[self->change_count++] = (Change){use->start, use->start + new->skip, (uint32_t)at};
    return true;
}

/* An answer, that of a row or of a use of it, as Python gave it: a new reference. */
static PyObject *answer_as(const ReferenceTable *self, size_t number, size_t row) {
    const New *new = &self->news[number];
    if (new->state != NEW_TEXT) {
        return new_reference(new->state == NEW_STAYS ? Py_None : new->state == NEW_OF_USES ? Py_True : Py_False);
    }
    if (new->text != NULL) {
        return new_reference(new->text);
    }
    View text = text_of_row(&self->table.rows[row]);
    PyObject *head = text_of(new->head), *rest = text_of(part_of(text, new->skip, text.length)), *whole = NULL;
    if (head != NULL && rest != NULL) {
        whole = PyUnicode_Concat(head, rest);
    }
    Py_XDECREF(head);
    Py_XDECREF(rest);
    return whole;
}

PyObject *table_answers(ReferenceTable *self, PyObject *numbers) {
    const Table *table = &self->table;
    if (!is_list(numbers) || !make_news(self, false)) {
        return NULL;
    }
    PyObject *answers = PyList_New(0);
    for (Py_ssize_t at = 0; answers != NULL && at < PyList_Size(numbers); at++) {
        size_t number = PyLong_AsSize_t(PyList_GetItem(numbers, at));
        if (!PyErr_Occurred() && number >= self->new_count) {
            PyErr_SetString(PyExc_IndexError, "there is no such answer");
        }
        size_t row = number < table->row_count ? number : PyErr_Occurred() ? 0 : table->uses[number - table->row_count].row;
        if (PyErr_Occurred() || !append(answers, answer_as(self, number, row))) {
            Py_CLEAR(answers);
        }
    }
    return answers;
}

PyObject *table_fit(ReferenceTable *self, PyObject *ignored) {
    (void)ignored;
    const Table *table = &self->table;
    size_t changed = 0;
    if (!make_news(self, false)) {
        return NULL;
    }
    free(self->changes);
    self->changes = calloc(table->use_count + 1, sizeof *self->changes); /* smaller than uses: no overflow */
    self->change_count = 0;
    PyObject *unfit = self->changes == NULL ? PyErr_NoMemory() : PyList_New(0);
    for (size_t first = 0, last; unfit != NULL && first < table->use_count; first = last) {
        size_t before = self->change_count;
        uint32_t place = table->uses[first].place;
        bool fits = true;
        for (last = first; last < table->use_count && table->uses[last].place == place; last++) {
            fits = fits && add_change(self, last);
            changed += self->news[answer_of(self, last)].state != NEW_STAYS;
        }
        if (fits) {
            continue;
        }
        self->change_count = before;
        PyObject *news = PyList_New(0);
        for (size_t at = first; news != NULL && at < last; at++) {
            if (!append(news, answer_as(self, answer_of(self, at), table->uses[at].row))) {
                Py_CLEAR(news);
            }
        }
        if (!append(unfit, Py_BuildValue("(IN)", place, news))) {
            Py_CLEAR(unfit);
        }
    }
    return unfit == NULL ? NULL : Py_BuildValue("(nN)", (Py_ssize_t)changed, unfit);
}
