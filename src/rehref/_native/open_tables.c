#include "open_tables.h"

#include "records.h"

static Action action_at(const OpenTables *open, size_t at) {
    return (Action)plan_element(open->plan, open->items[at])->action;
}

static Action innermost(const OpenTables *open) {
    return open->count ? action_at(open, open->count - 1) : ACTION_NONE;
}

Action tables_current(const OpenTables *open) {
    size_t at = open->count;
    while (at > 0 && action_at(open, at - 1) == ACTION_SELECT) {
        at--;
    }
    return at ? action_at(open, at - 1) : ACTION_NONE;
}

bool tables_in_select(const OpenTables *open) {
    return innermost(open) == ACTION_SELECT;
}

/* Whether a part may be right in what has the other action. */
static bool is_context(Action part, Action around) {
    return around == ACTION_TABLE || (part >= ACTION_ROW && around == ACTION_SECTION) ||
           (part == ACTION_CELL && around == ACTION_ROW);
}

bool tables_enter(OpenTables *open, uint16_t element) {
    uint16_t *items = grown(open->items, open->count, &open->room, sizeof *items);
    if (items == NULL) {
        return false;
    }
    open->items = items;
    open->items[open->count++] = element;
    return true;
}

bool tables_enter_table(OpenTables *open, uint16_t table) {
    if (is_context(ACTION_CELL, tables_current(open))) {
        tables_leave(open, table);
    }
    return tables_enter(open, table);
}

bool tables_enter_part(OpenTables *open, uint16_t element) {
    Action part = (Action)plan_element(open->plan, element)->action;
    while (!is_context(part, innermost(open))) {
        open->count--;
    }
    if (part >= ACTION_ROW && innermost(open) == ACTION_TABLE && !tables_enter(open, open->plan->tbody)) {
        return false;
    }
    if (part == ACTION_CELL && innermost(open) != ACTION_ROW && !tables_enter(open, open->plan->tr)) {
        return false;
    }
    return part == ACTION_COLUMNS || tables_enter(open, element);
}

void tables_leave(OpenTables *open, uint16_t element) {
    for (size_t at = open->count; at-- > 0;) {
        Action action = action_at(open, at);
        if (open->items[at] == element) {
            open->count = at;
            return;
        }
        if (action == ACTION_TABLE || action == ACTION_TEMPLATE) {
            return;
        }
    }
}

void tables_leave_select(OpenTables *open) {
    if (tables_in_select(open)) {
        open->count--;
    }
}

void tables_leave_template(OpenTables *open) {
    while (action_at(open, --open->count) != ACTION_TEMPLATE) {
    }
}
