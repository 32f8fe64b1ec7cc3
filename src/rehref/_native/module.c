/* The module `rehref._native._twin`: the functions that Python calls, and the numbers it needs.

   - Nothing here changes, and no object is shared by interpreters, or by threads without Python's knowledge: so it needs
     neither the lock nor the main interpreter. What headers of the limited API for 3.11 do not know is not said to a
     later Python: there it has the lock. */

#include <limits.h>

#include "references.h"
#include "shown_text.h"
#include "tables.h"

/* classify(bytes): the fields of an ordinary reference; None for any other. For tests. */
static PyObject *classified(PyObject *self, PyObject *text) {
    (void)self;
    char *data;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(text, &data, &length) < 0) {
        return NULL;
    }
    Reference found = classify((const unsigned char *)data, (size_t)length);
    if (found.form == REFERENCE_ODD) {
        return new_reference(Py_None);
    }
    return Py_BuildValue("(innNNN)", (int)found.form, (Py_ssize_t)found.ups, (Py_ssize_t)found.skip,
                         PyBool_FromLong(found.colon), PyBool_FromLong(found.beyond), PyBool_FromLong(found.faulty));
}

enum { FIRST = 4 }; /* bytes of a text that are looked for: few texts begin like it */

/* How a text of lower-case ASCII begins: its first bytes, what makes each lower case, and whether it has that many. */
typedef struct {
    unsigned char byte[FIRST], fold[FIRST], mask[FIRST];
} Beginning;

static Beginning beginning_of(View text) {
    Beginning found = {{0}, {0}, {0}};
    for (size_t at = 0; at < FIRST && at < text.length; at++) {
        found.byte[at] = text.data[at];
        found.fold[at] = is_letter(text.data[at]) ? 0x20 : 0;
        found.mask[at] = UCHAR_MAX;
    }
    return found;
}

/* Whether a text may begin, in any case, in a block; FIRST - 1 bytes behind the block are read, too. */
static inline bool may_begin(const unsigned char *block, const Beginning *text) {
    const unsigned char *byte = text->byte, *fold = text->fold, *mask = text->mask;
    unsigned char unlike = UCHAR_MAX;
    for (size_t at = 0; at < STRIDE; at++) {
        unsigned char first = ((block[at] | fold[0]) ^ byte[0]) & mask[0];
        unsigned char second = ((block[at + 1] | fold[1]) ^ byte[1]) & mask[1];
        unsigned char third = ((block[at + 2] | fold[2]) ^ byte[2]) & mask[2];
        unsigned char fourth = ((block[at + 3] | fold[3]) ^ byte[3]) & mask[3];
        unlike = least(unlike, (unsigned char)(first | second | third | fourth));
    }
    return unlike == 0;
}

/* find_in_any_case(data, text, start): where a text of lower-case ASCII next is in any case; -1. */
static PyObject *find_in_any_case(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *data, *text;
    Py_ssize_t start;
    if (!PyArg_ParseTuple(args, "SSn", &data, &text, &start)) {
        return NULL;
    }
    View view = {(const unsigned char *)PyBytes_AsString(data), (size_t)PyBytes_Size(data)};
    View what = {(const unsigned char *)PyBytes_AsString(text), (size_t)PyBytes_Size(text)};
    if (start < 0 || what.length == 0) {
        PyErr_SetString(PyExc_ValueError, "the text must not be empty, and the search begin in the data");
        return NULL;
    }
    const Beginning begins = beginning_of(what);
    size_t at = (size_t)start;
    while (at < view.length) {
        if (at + STRIDE + FIRST <= view.length && !may_begin(view.data + at, &begins)) {
            at += STRIDE;
            continue;
        }
        for (size_t last = at + STRIDE; at < last; at++) {
            if (stands_at_any_case(view, at, what.data, what.length)) {
                return PyLong_FromSize_t(at);
            }
        }
    }
    return PyLong_FromLong(-1);
}

static PyMethodDef METHODS[] = {
    {"make_plan", make_plan, METH_VARARGS,
     "make_plan(elements, attributes, namespaces, type, rel, as, codebase, tbody, tr, scripting, comments): a plan for `scan`"},
    {"make_xml_plan", make_xml_plan, METH_VARARGS,
     "make_xml_plan(attributes, texts, namespaces, uris, instructions, rel, as, codebase, base): a plan for `Scan` of XML"},
    {"make_named", make_named, METH_O, "make_named(pairs): the names of character references, each with its meaning, for `Scan.table`"},
    {"classify", classified, METH_O, "classify(bytes): the fields of an ordinary reference; else None"},
    {"find_in_any_case", find_in_any_case, METH_VARARGS,
     "find_in_any_case(data, text, start): where a text of lower-case ASCII next is in any case; -1"},
    {"json_value", json_value, METH_VARARGS,
     "json_value(text, String, Array, Object, decoded, is_scalar): the value of a JSON text, as tuples of these types; None if it is not "
     "JSON, False if Python must read it. `decoded`: returns the meaning and the form of a string with escapes; "
     "None if one is not an escape. `is_scalar`: None for what is neither a number nor true, false or null"},
    {"json_strings", json_strings, METH_VARARGS,
     "json_strings(text, decoded, is_scalar): the strings of a JSON text as triples of 32-bit numbers: from, to, the number of "
     "its path; and the paths after the first, the outermost one: the number of the one around, and a name, or a line feed for "
     "the items of an array. None if the text is not JSON, or Python must read it"},
    {"targets", targets, METH_VARARGS,
     "targets(prefixes, references): the targets of references in the document that is the base; None for those that are not "
     "ordinary, and the numbers of these"},
    {"shown_text", shown_text, METH_VARARGS,
     "shown_text(names, page, marks): the text of a page in UTF-8 that browsers show; None if the reference must read it. "
     "`names`: of elements, each with its role; `marks`: the positions of tags, as 32-bit numbers, in order"},
    {"word_runs", word_runs, METH_VARARGS,
     "word_runs(text, kinds): the hashes of runs of four words of a text in UTF-8, as 32-bit numbers, sorted; None if the "
     "reference must read it. `kinds`: a byte for each character: 1 if it is in a word, 2 if it is one"},
    {NULL, NULL, 0, NULL},
};

static const struct {
    const char *name;
    int value;
} CONSTANTS[] = {
    {"VERSION", 61}, /* as in rehref._native: increased when what Python calls here changes */
    {"ACTION_NONE", ACTION_NONE},         {"ACTION_RAW_TEXT", ACTION_RAW_TEXT},
    {"ACTION_SCRIPT", ACTION_SCRIPT},     {"ACTION_PLAINTEXT", ACTION_PLAINTEXT},
    {"ACTION_FORM", ACTION_FORM},         {"ACTION_BASE", ACTION_BASE},
    {"ACTION_TABLE", ACTION_TABLE},       {"ACTION_CAPTION", ACTION_CAPTION},
    {"ACTION_COLUMNS", ACTION_COLUMNS},   {"ACTION_SECTION", ACTION_SECTION},
    {"ACTION_ROW", ACTION_ROW},           {"ACTION_CELL", ACTION_CELL},
    {"ACTION_SELECT", ACTION_SELECT},     {"ACTION_HIDES_SELECT", ACTION_HIDES_SELECT},
    {"ACTION_TEMPLATE", ACTION_TEMPLATE}, {"ACTION_HTML", ACTION_HTML},
    {"ACTION_BODY", ACTION_BODY},         {"ACTION_HEAD", ACTION_HEAD},
    {"ACTION_NOSCRIPT", ACTION_NOSCRIPT}, {"ACTION_FRAMESET", ACTION_FRAMESET},
    {"ACTION_FRAME", ACTION_FRAME},
    {"ACTION_FOREIGN", ACTION_FOREIGN},   {"ELEMENT_TEXT_WANTED", ELEMENT_TEXT_WANTED},
    {"ELEMENT_BEGINS_HEAD", ELEMENT_BEGINS_HEAD}, {"ELEMENT_BREAKS_OUT", ELEMENT_BREAKS_OUT},
    {"ELEMENT_OF_HEAD", ELEMENT_OF_HEAD}, {"ELEMENT_OF_FRAMESET", ELEMENT_OF_FRAMESET},
    {"CARRIES_ODD", CARRIES_ODD},         {"CARRIES_NOTHING", CARRIES_NOTHING},
    {"CARRIES_ASK", CARRIES_ASK},         {"CARRIES_DECIDES", CARRIES_DECIDES},
    {"CARRIES_DOCUMENT", CARRIES_DOCUMENT}, {"CARRIES", CARRIES},
    {"CARRIES_BELOW", CARRIES_BELOW},
    {"SYNTAX_URL", SYNTAX_URL},           {"SYNTAX_SPACES", SYNTAX_SPACES},
    {"SYNTAX_SRCSET", SYNTAX_SRCSET},     {"SYNTAX_CSS", SYNTAX_CSS},
    {"SYNTAX_ORIGIN", SYNTAX_ORIGIN},     {"SYNTAX_REFRESH", SYNTAX_REFRESH},
    {"SYNTAX_JSON_LD", SYNTAX_JSON_LD},   {"SYNTAX_JSON", SYNTAX_JSON},
    {"GIVEN_ODD", GIVEN_ODD},             {"GIVEN_FIXED", GIVEN_FIXED},
    {"SYNTAXES", SYNTAXES},               {"LOCAL_KINDS", LOCAL_KINDS},
    {"MOST_FOLDERS", MOST_FOLDERS},
    {"SHOWN_BLOCK", SHOWN_BLOCK},         {"SHOWN_SPACED", SHOWN_SPACED},
    {"SHOWN_TEMPLATE", SHOWN_TEMPLATE},   {"SHOWN_FOREIGN", SHOWN_FOREIGN},
    {"SHOWN_LEAVES_FOREIGN", SHOWN_LEAVES_FOREIGN}, {"SHOWN_RAW", SHOWN_RAW},
    {"SHOWN_HIDDEN", SHOWN_HIDDEN},       {"SHOWN_LITERAL", SHOWN_LITERAL},
    {"RECORD_TEXT", RECORD_TEXT},         {"RECORD_MARKUP", RECORD_MARKUP},
    {"RECORD_ODD", RECORD_ODD},           {"ODD_NAME", ODD_NAME},
    {"RECORD_INSTRUCTION", RECORD_INSTRUCTION}, {"RECORD_PARTS", RECORD_PARTS},
};

static int execute(PyObject *module) {
    for (size_t at = 0; at < sizeof CONSTANTS / sizeof *CONSTANTS; at++) {
        if (PyModule_AddIntConstant(module, CONSTANTS[at].name, CONSTANTS[at].value) < 0) {
            return -1;
        }
    }
    ModuleState *state = PyModule_GetState(module);
    state->table_type = make_table_type(module);
    PyObject *type = state->table_type == NULL ? NULL : make_scan_type(module);
    int status = type == NULL ? -1 : PyModule_AddObjectRef(module, "Scan", type);
    Py_XDECREF(type);
    return status;
}

static PyModuleDef_Slot SLOTS[] = {
    {Py_mod_exec, execute},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static int visit(PyObject *module, visitproc visit, void *arg) {
    ModuleState *state = PyModule_GetState(module);
    Py_VISIT(state->table_type);
    return 0;
}

static int clear(PyObject *module) {
    ModuleState *state = PyModule_GetState(module);
    Py_CLEAR(state->table_type);
    return 0;
}

static void release(void *module) {
    clear(module);
}

static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_twin",
    .m_doc = "The compiled twin; see rehref._native.",
    .m_size = sizeof(ModuleState),
    .m_methods = METHODS,
    .m_slots = SLOTS,
    .m_traverse = visit,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__twin(void) {
    return PyModuleDef_Init(&MODULE);
}
