#include "before_body.h"

#include "raw_text.h"
#include "tags.h"

size_t head_begins(View view, const Plan *plan) {
    size_t position = stands_at(view, 0, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (position < view.length) {
        if (is_space(view.data[position])) {
            position++;
            continue;
        }
        if (is_declaration(view, position)) {
            position = declaration_end(view, position);
            continue;
        }
        bool is_end = byte_at(view, position + 1) == '/';
        size_t start = position + 1 + is_end, end = tag_name_end(view, start);
        const Element *element = plan_element(plan, names_find(&plan->element_names, view, start, end));
        if (view.data[position] != '<' || !is_letter(byte_at(view, start)) ||
            (is_end ? (element->flags & ELEMENT_BEGINS_HEAD) != 0 : element->action != ACTION_HTML)) {
            return position;
        }
        position = tag_end(view, &end) ? end : view.length;
    }
    return position;
}

bool may_be_in_body(View view, const Plan *plan) {
    size_t position = head_begins(view, plan);
    while (position < view.length) {
        bool is_end = byte_at(view, position + 1) == '/';
        size_t start = position + 1 + is_end, name_end = tag_name_end(view, start);
        uint16_t number = names_find(&plan->element_names, view, start, name_end);
        const Element *element = plan_element(plan, number);
        if (view.data[position] != '<' || !is_letter(byte_at(view, start)) || element->action == ACTION_TEMPLATE ||
            (is_end ? (element->flags & ELEMENT_BEGINS_HEAD) && element->action != ACTION_HEAD
                    : !(element->flags & ELEMENT_OF_HEAD) && element->action != ACTION_HEAD && element->action != ACTION_HTML)) {
            return true;
        }
        position = tag_end(view, &name_end) ? name_end : view.length;
        if (!is_end && (element->action == ACTION_RAW_TEXT || element->action == ACTION_SCRIPT)) {
            position = text_end(view, (Action)element->action, part_of(view, start, tag_name_end(view, start)), position);
        }
        while (position < view.length && (is_space(view.data[position]) || is_declaration(view, position))) {
            position = is_space(view.data[position]) ? position + 1 : declaration_end(view, position);
        }
    }
    return false;
}
