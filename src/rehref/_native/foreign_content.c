#include "foreign_content.h"

#include "raw_text.h"

#include <stdlib.h>

typedef struct {
    Record tag;
    size_t name_end;
} Open;

typedef struct {
    Open *items;
    size_t count, room;
} Stack;

static bool push(Stack *stack, const Record *tag, size_t name_end) {
    Open *items = grown(stack->items, stack->count, &stack->room, sizeof *items);
    if (items == NULL) {
        return false;
    }
    stack->items = items;
    stack->items[stack->count++] = (Open){*tag, name_end};
    return true;
}

/* Whether the name from `start` to `end` is that of the open element, in any ASCII case. */
static bool same_name(View view, const Open *open, size_t start, size_t end) {
    size_t first = (size_t)open->tag.tag + 1;
    if (end - start != open->name_end - first) {
        return false;
    }
    for (size_t at = 0; at < end - start; at++) {
        if (lower_byte(view.data[first + at]) != lower_byte(view.data[start + at])) {
            return false;
        }
    }
    return true;
}

/* Whether a name is ASCII, and contains no NUL: then no other one reads as the same. */
static bool is_plain(View view, size_t start, size_t end) {
    while (start < end && view.data[start] < 0x80 && view.data[start] != 0) {
        start++;
    }
    return start == end;
}

static bool is_blank(View view, size_t start, size_t end) {
    while (start < end && is_space(view.data[start])) {
        start++;
    }
    return start == end;
}

/* Text or a CDATA section from `start` to `end` in the open element. */
static bool take_text(PlaceCollector *places, const Open *open, size_t start, size_t end, bool cdata) {
    const Element *element = plan_element(places->plan, open->tag.element);
    if (!(element->flags & ELEMENT_TEXT_WANTED) || is_blank(places->view, start, end)) {
        return true;
    }
    Record record = open->tag;
    record.flags = cdata ? RECORD_TEXT : RECORD_TEXT | RECORD_MARKUP;
    return add_text(places, &record, start, end);
}

static size_t take_end_tag(PlaceCollector *places, Stack *stack, size_t tag) {
    View view = places->view;
    size_t name_end = tag_name_end(view, tag + 2), position = name_end;
    if (!tag_end(view, &position)) {
        return view.length;
    }
    bool plain = is_plain(view, tag + 2, name_end);
    if (places->multibyte && !plain) {
        return stop(places, SCAN_REFUSED); /* what looks like a letter may be the second byte of another */
    }
    size_t at = stack->count - 1;
    while (plain && at > 0 && !same_name(view, &stack->items[at], tag + 2, name_end)) {
        at--;
    }
    if (!same_name(view, &stack->items[at], tag + 2, name_end)) {
        return stop(places, SCAN_REFUSED);
    }
    stack->count = at;
    return position;
}

static size_t take_start_tag(PlaceCollector *places, Stack *stack, size_t tag) {
    View view = places->view;
    const Plan *plan = places->plan;
    const Open *around = &stack->items[stack->count - 1];
    size_t name_end = tag_name_end(view, tag + 1);
    uint16_t number = names_find(&plan->element_names, view, tag + 1, name_end);
    const Element *element = plan_element(plan, number);
    uint8_t ns = around->tag.ns;
    bool inside_point = plan_element(plan, around->tag.element)->integration & (1u << ns);
    Record record = {.tag = (uint32_t)tag, .element = number, .ns = ns};
    TagPart how;
    size_t position = take_attributes(places, &record, element->wanted_foreign, name_end, &how);
    if (how == TAG_CUT_OFF || places->status != SCAN_DONE) {
        return view.length;
    }
    if (inside_point || (element->flags & ELEMENT_BREAKS_OUT)) {
        return stop(places, SCAN_REFUSED);
    }
    if (how != TAG_SELF_CLOSING && !push(stack, &record, name_end)) {
        return stop(places, SCAN_NO_MEMORY);
    }
    return position;
}

/* Where the next markup begins, or the end of the source, from `position` on: a "<" that begins no markup is text. */
static size_t next_markup(View view, size_t position) {
    while ((position = find_byte(view, position, '<')) < view.length) {
        int next = byte_at(view, position + 1);
        if (is_letter(next) || next == '/' || next == '!' || next == '?') {
            return position;
        }
        position++;
    }
    return view.length;
}

static size_t take_cdata(PlaceCollector *places, const Open *open, size_t position) {
    View view = places->view;
    size_t start = position + 9, end = start; /* after `<![CDATA[` */
    if (places->multibyte) {
        return stop(places, SCAN_REFUSED);
    }
    while ((end = find_byte(view, end, ']')) < view.length && !stands_at(view, end, "]]>", 3)) {
        end++;
    }
    if (!take_text(places, open, start, end, true)) {
        return view.length;
    }
    return end == view.length ? end : end + 3;
}

/* One step: text, a declaration, or a tag. */
static size_t step(PlaceCollector *places, Stack *stack, size_t position) {
    View view = places->view;
    const Open *open = &stack->items[stack->count - 1];
    size_t markup = next_markup(view, position);
    if (markup > position) {
        return take_text(places, open, position, markup, false) ? markup : view.length;
    }
    if (stands_at(view, position, "<![CDATA[", 9)) {
        return take_cdata(places, open, position);
    }
    if (is_declaration(view, position)) {
        size_t end = declaration_end(view, position);
        return add_comment(places, position, end) ? end : view.length;
    }
    return byte_at(view, position + 1) == '/' ? take_end_tag(places, stack, position)
                                              : take_start_tag(places, stack, position);
}

size_t scan_foreign(PlaceCollector *places, const Record *tag, size_t name_end, size_t position) {
    Stack stack = {0};
    if (!push(&stack, tag, name_end)) {
        return stop(places, SCAN_NO_MEMORY);
    }
    while (stack.count > 0 && places->status == SCAN_DONE && position < places->view.length) {
        position = step(places, &stack, position);
    }
    free(stack.items);
    return position;
}
