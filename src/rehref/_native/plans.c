/* Plans, made from the tables in Python. A capsule owns a plan, and everything it points to lives as long as that. */

#include "binding.h"

#include <stdlib.h>

static const char CAPSULE[] = "rehref._native.plan";

void plan_free(BoundPlan *bound) {
    if (bound != NULL) {
        names_free(&bound->plan.element_names);
        names_free(&bound->plan.closing_names);
        names_free(&bound->plan.attribute_names);
        names_free(&bound->plan.prefixed_names);
        names_free(&bound->plan.text_names);
        names_free(&bound->plan.namespace_names);
        names_free(&bound->plan.instruction_names);
        free(bound->plan.xml_attributes);
        free(bound->plan.xml_texts);
        free(bound->plan.elements);
        free(bound->sets);
        free(bound->names[0]);
        free(bound->names[1]);
        Py_XDECREF(bound->owner);
        free(bound);
    }
}

static void capsule_free(PyObject *capsule) {
    plan_free(PyCapsule_GetPointer(capsule, CAPSULE));
}

/* A set of attributes from its bytes, the lowest bits first. */
static const uint64_t *take_set(BoundPlan *bound, size_t row, const char *bytes, Py_ssize_t length) {
    uint64_t *set = bound->sets + row * bound->words;
    for (Py_ssize_t at = 0; at < length && (size_t)at / 8 < bound->words; at++) {
        set[at / 8] |= (uint64_t)(unsigned char)bytes[at] << (8 * (at % 8));
    }
    return set;
}

static bool take_element(BoundPlan *bound, size_t number, PyObject *row) {
    const char *name, *wanted, *foreign;
    Py_ssize_t name_length, wanted_length, foreign_length;
    PyObject **names = bound->names[0] + NS_COUNT * number;
    Element *element = number < bound->plan.element_count ? &bound->plan.elements[number] : &bound->plan.any;
    if (!PyArg_ParseTuple(row, "y#bbbby#y#UUU", &name, &name_length, &element->action, &element->flags,
                          &element->integration, &element->root, &wanted, &wanted_length, &foreign, &foreign_length,
                          &names[NS_HTML], &names[NS_SVG], &names[NS_MATHML])) {
        return false;
    }
    if (element->root >= NS_COUNT || element->action > ACTION_FOREIGN) {
        PyErr_SetString(PyExc_ValueError, "an element must have one of the namespaces, and one of the actions");
        return false;
    }
    if (element == &bound->plan.any && (name_length > 0 || element->action != ACTION_NONE)) {
        PyErr_SetString(PyExc_ValueError, "the last element must be the one without a name");
        return false;
    }
    element->wanted = take_set(bound, 2 * number, wanted, wanted_length);
    element->wanted_foreign = take_set(bound, 2 * number + 1, foreign, foreign_length);
    names_add(&bound->plan.element_names, (const unsigned char *)name, (size_t)name_length, (uint16_t)number);
    if (counts_at_end(element->action)) {
        names_add(&bound->plan.closing_names, (const unsigned char *)name, (size_t)name_length, (uint16_t)number);
    }
    return true;
}

static bool take_attribute(BoundPlan *bound, size_t number, PyObject *row) {
    const char *name;
    Py_ssize_t name_length;
    PyObject **names = bound->names[1] + NS_COUNT * number;
    if (!PyArg_ParseTuple(row, "y#UUU", &name, &name_length, &names[NS_HTML], &names[NS_SVG],
                          &names[NS_MATHML])) {
        return false;
    }
    names_add(&bound->plan.attribute_names, (const unsigned char *)name, (size_t)name_length, (uint16_t)number);
    return true;
}

/* Memory for so many elements (the last is the unknown one) and attributes. */
static bool plan_allocate(BoundPlan *bound, size_t elements, size_t attributes) {
    Plan *plan = &bound->plan;
    bound->words = attributes / 64 + 1;
    plan->element_count = elements - 1;
    plan->attribute_count = attributes;
    plan->elements = calloc(elements, sizeof *plan->elements);
    bound->sets = calloc(2 * elements, bound->words * sizeof *bound->sets);
    bound->names[0] = calloc(elements, NS_COUNT * sizeof(PyObject *));
    bound->names[1] = calloc(attributes + 1, NS_COUNT * sizeof(PyObject *));
    return names_make(&plan->element_names, elements) && names_make(&plan->closing_names, elements) &&
           names_make(&plan->attribute_names, attributes) &&
           plan->elements != NULL && bound->sets != NULL && bound->names[0] != NULL &&
           bound->names[1] != NULL;
}

static bool plan_fill(BoundPlan *bound, PyObject *elements, PyObject *attributes) {
    for (Py_ssize_t at = 0; at < PyTuple_Size(elements); at++) {
        PyObject *row = PyTuple_GetItem(elements, at);
        if (!is_tuple(row) || !take_element(bound, (size_t)at, row)) {
            return false;
        }
    }
    for (Py_ssize_t at = 0; at < PyTuple_Size(attributes); at++) {
        PyObject *row = PyTuple_GetItem(attributes, at);
        if (!is_tuple(row) || !take_attribute(bound, (size_t)at, row)) {
            return false;
        }
    }
    return true;
}

PyObject *make_plan(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *elements, *attributes, *namespaces, *capsule;
    int type, rel, as, codebase, tbody, tr, scripting, comments;
    if (!PyArg_ParseTuple(args, "O!O!O!iiiiiipp", &PyTuple_Type, &elements, &PyTuple_Type, &attributes, &PyTuple_Type,
                          &namespaces, &type, &rel, &as, &codebase, &tbody, &tr, &scripting, &comments)) {
        return NULL;
    }
    size_t element_count = (size_t)PyTuple_Size(elements), attribute_count = (size_t)PyTuple_Size(attributes);
    if (element_count == 0 || element_count >= UNKNOWN || attribute_count >= UNKNOWN ||
        PyTuple_Size(namespaces) != NS_COUNT) {
        PyErr_SetString(PyExc_ValueError, "a plan must have elements, fewer than 65,535 names, and three namespaces");
        return NULL;
    }
    BoundPlan *bound = calloc(1, sizeof *bound);
    if (bound == NULL || !plan_allocate(bound, element_count, attribute_count)) {
        plan_free(bound);
        return PyErr_NoMemory();
    }
    Py_INCREF(args);
    bound->owner = args;
    bound->plan.type = type < 0 ? UNKNOWN : (uint16_t)type;
    bound->plan.rel = rel < 0 ? UNKNOWN : (uint16_t)rel;
    bound->plan.as = as < 0 ? UNKNOWN : (uint16_t)as;
    bound->plan.codebase = codebase < 0 ? UNKNOWN : (uint16_t)codebase;
    bound->plan.tbody = (uint16_t)tbody;
    bound->plan.tr = (uint16_t)tr;
    bound->plan.scripting = scripting;
    bound->plan.comments = comments;
    bound->namespaces = namespaces;
    capsule = plan_fill(bound, elements, attributes) ? plan_capsule(bound) : NULL;
    if (capsule == NULL) {
        plan_free(bound);
    }
    return capsule;
}

PyObject *plan_capsule(BoundPlan *bound) {
    return PyCapsule_New(bound, CAPSULE, capsule_free);
}

const BoundPlan *bound_plan(PyObject *capsule) {
    return PyCapsule_GetPointer(capsule, CAPSULE);
}
