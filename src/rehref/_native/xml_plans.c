/* Plans for XML, made from the tables in Python: which attributes, and the texts of which elements, are wanted.

   Names of a kind are sorted by their local names, and those with the same one, in several namespaces, follow one another. */

#include "binding.h"

#include <stdlib.h>

/* The names in a tuple of (local name, namespace, has_more, …); NULL with an error. `tables`: where the first of each local
   name is added, that of names in no namespace, and that of others. */
static XmlName *take_names(PyObject *rows, NameTable *plain, NameTable *others) {
    Py_ssize_t count = PyTuple_Size(rows);
    XmlName *names = calloc((size_t)count + 1, sizeof *names);
    bool is_first = true;
    if (names == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *row = PyTuple_GetItem(rows, at), *qualified = NULL;
        const char *name;
        Py_ssize_t length;
        if (!is_tuple(row) ||
            !PyArg_ParseTuple(row, "y#bb|U", &name, &length, &names[at].ns, &names[at].has_more, &qualified)) {
            free(names);
            return NULL;
        }
        if (is_first) {
            names_add(names[at].ns == NS_NONE ? plain : others, (const unsigned char *)name, (size_t)length, (uint16_t)at);
        }
        is_first = !names[at].has_more;
    }
    names[count > 0 ? count - 1 : 0].has_more = 0;
    return names;
}

static bool take_texts(PyObject *texts, NameTable *table) {
    for (Py_ssize_t at = 0; at < PyTuple_Size(texts); at++) {
        char *name;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(texts, at), &name, &length) < 0) {
            return false;
        }
        names_add(table, (const unsigned char *)name, (size_t)length, (uint16_t)at);
    }
    return true;
}

static bool make_table(NameTable *table, PyObject *names) {
    bool done = names_make(table, (size_t)PyTuple_Size(names));
    table->exact = true;
    if (!done) {
        PyErr_NoMemory();
    }
    return done;
}

/* The qualified names of attributes, where a scan looks for them. */
static bool take_qualified(BoundPlan *bound, PyObject *attributes) {
    size_t count = (size_t)PyTuple_Size(attributes);
    bound->plan.attribute_count = count;
    bound->names[1] = calloc(count + 1, NS_COUNT * sizeof(PyObject *));
    if (bound->names[1] == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t at = 0; at < count; at++) {
        bound->names[1][NS_COUNT * at] = PyTuple_GetItem(PyTuple_GetItem(attributes, (Py_ssize_t)at), 3);
    }
    return !PyErr_Occurred();
}

PyObject *make_xml_plan(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *attributes, *texts, *namespaces, *uris, *instructions, *capsule;
    int rel, as, codebase, base;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!iiii", &PyTuple_Type, &attributes, &PyTuple_Type, &texts, &PyTuple_Type,
                          &namespaces, &PyTuple_Type, &uris, &PyTuple_Type, &instructions, &rel, &as, &codebase, &base)) {
        return NULL;
    }
    if (PyTuple_Size(attributes) >= UNKNOWN || PyTuple_Size(texts) >= UNKNOWN || PyTuple_Size(instructions) >= UNKNOWN ||
        PyTuple_Size(namespaces) >= UINT8_MAX || PyTuple_Size(namespaces) < NS_FIXED || base < 0) {
        PyErr_SetString(PyExc_ValueError, "a plan must have fewer than 65,535 names, and from six to 254 namespaces");
        return NULL;
    }
    BoundPlan *bound = calloc(1, sizeof *bound);
    if (bound == NULL) {
        return PyErr_NoMemory();
    }
    Plan *plan = &bound->plan;
    Py_INCREF(args);
    bound->owner = args;
    bound->namespaces = namespaces;
    plan->is_xml = true;
    plan->type = UNKNOWN;
    plan->rel = rel < 0 ? UNKNOWN : (uint16_t)rel;
    plan->as = as < 0 ? UNKNOWN : (uint16_t)as;
    plan->codebase = codebase < 0 ? UNKNOWN : (uint16_t)codebase;
    plan->xml_base = (uint16_t)base;
    plan->namespace_count = (size_t)PyTuple_Size(namespaces);
    bool done = make_table(&plan->attribute_names, attributes) && make_table(&plan->prefixed_names, attributes) &&
                make_table(&plan->text_names, texts) && make_table(&plan->namespace_names, uris) &&
                make_table(&plan->instruction_names, instructions) &&
                (plan->xml_attributes = take_names(attributes, &plan->attribute_names, &plan->prefixed_names)) != NULL &&
                (plan->xml_texts = take_names(texts, &plan->text_names, &plan->text_names)) != NULL &&
                take_texts(uris, &plan->namespace_names) && take_texts(instructions, &plan->instruction_names) &&
                take_qualified(bound, attributes);
    capsule = done ? plan_capsule(bound) : NULL;
    if (capsule == NULL) {
        plan_free(bound);
    }
    return capsule;
}
