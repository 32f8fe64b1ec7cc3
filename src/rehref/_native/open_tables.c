#include "open_tables.h"

#include "records.h"

static Action innermost(const OpenTables *open) {
    return open->count ? (Action)open->items[open->count - 1].action : ACTION_NONE;
}

Action tables_current(const OpenTables *open) {
    size_t at = open->count;
    while (at > 0 && open->items[at - 1].action == ACTION_SELECT) {
        at--;
    }
    return at ? (Action)open->items[at - 1].action : ACTION_NONE;
}

bool tables_in_select(const OpenTables *open) {
    return innermost(open) == ACTION_SELECT;
}

/* Whether a part may be right in what has the other action. */
static bool is_context(Action part, Action around) {
    return around == ACTION_TABLE || (part >= ACTION_ROW && around == ACTION_SECTION) ||
           (part == ACTION_CELL && around == ACTION_ROW);
}

static ScanStatus push(OpenTables *open, uint16_t element, uint8_t action) {
    OpenTable *items = grown(open->items, open->count, &open->room, sizeof *items);
    if (items == NULL) {
        return SCAN_NO_MEMORY;
    }
    open->items = items;
    items[open->count++] = (OpenTable){element, action};
    return SCAN_DONE;
}

ScanStatus tables_enter(OpenTables *open, uint16_t element) {
    return push(open, element, plan_element(open->plan, element)->action);
}

ScanStatus tables_enter_template(OpenTables *open, uint16_t element, const Element *first) {
    ScanStatus status = tables_enter(open, element);
    if (status != SCAN_DONE || first == NULL) {
        return status;
    }
    Action action = (Action)first->action;
    bool is_part = is_table_part(first->action);
    return push(open, UNKNOWN, !is_part               ? ACTION_BODY
                               : action == ACTION_ROW  ? ACTION_SECTION
                               : action == ACTION_CELL ? ACTION_ROW
                                                       : ACTION_TABLE);
}

ScanStatus tables_enter_table(OpenTables *open, uint16_t table) {
    if (is_context(ACTION_CELL, tables_current(open)) && !tables_leave(open, table)) {
        return SCAN_REFUSED;
    }
    return tables_enter(open, table);
}

ScanStatus tables_enter_part(OpenTables *open, uint16_t element, bool *in_table) {
    Action part = (Action)plan_element(open->plan, element)->action, around = tables_current(open);
    ScanStatus status = SCAN_DONE;
    *in_table = around != ACTION_NONE && around != ACTION_BODY;
    if (!*in_table) {
        return SCAN_DONE;
    }
    while (!is_context(part, innermost(open))) {
        if (innermost(open) == ACTION_TEMPLATE) {
            return SCAN_REFUSED;
        }
        open->count--;
    }
    if (part >= ACTION_ROW && innermost(open) == ACTION_TABLE) {
        status = tables_enter(open, open->plan->tbody);
    }
    if (status == SCAN_DONE && part == ACTION_CELL && innermost(open) != ACTION_ROW) {
        status = tables_enter(open, open->plan->tr);
    }
    return status != SCAN_DONE || part == ACTION_COLUMNS ? status : tables_enter(open, element);
}

bool tables_leave(OpenTables *open, uint16_t element) {
    for (size_t at = open->count; at-- > 0;) {
        OpenTable item = open->items[at];
        if (item.element == element) {
            open->count = at;
            return true;
        }
        if (item.element != UNKNOWN && (item.action == ACTION_TABLE || item.action == ACTION_TEMPLATE)) {
            return false;
        }
    }
    return false;
}

void tables_leave_select(OpenTables *open) {
    if (tables_in_select(open)) {
        open->count--;
    }
}

void tables_leave_template(OpenTables *open) {
    while (open->items[--open->count].action != ACTION_TEMPLATE) {
    }
}
