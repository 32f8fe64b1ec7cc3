#include "scan.h"

#include "foreign_content.h"
#include "raw_text.h"

#include <stdlib.h>

typedef struct {
    size_t tables;
    bool select; /* whether one is open, and how many tables around it */
    size_t select_tables;
} Around;

typedef struct {
    PlaceCollector places;
    bool *merged; /* for each ACTION_ONLY_ONE element and attribute: whether it has it */
    bool form;
    bool base; /* whether there is one */
    Around around;
    bool part_is_cell; /* whether a cell's start tag was the last table part after the last tag of a table */
    Around *outside;   /* around each open template */
    size_t room;
    size_t template_start;
} Scanning;

/* After the text of a raw text element, whose records begin at number `before`. */
static size_t raw_text(Scanning *scanning, const Record *tag, size_t name_end, size_t before, size_t position) {
    View view = scanning->places.view;
    const Plan *plan = scanning->places.plan;
    const Element *element = plan_element(plan, tag->element);
    size_t end;
    if (element->action == ACTION_PLAINTEXT) {
        end = view.length;
    } else if (element->action == ACTION_SCRIPT) {
        end = script_end(view, position);
    } else {
        unsigned char name[16];
        size_t length = name_end - tag->tag - 1;
        if (length > sizeof name) {
            return stop(&scanning->places, SCAN_REFUSED);
        }
        for (size_t at = 0; at < length; at++) {
            name[at] = lower_byte(view.data[tag->tag + 1 + at]);
        }
        end = raw_text_end(view, position, name, length);
    }
    if (!(element->flags & ELEMENT_TEXT_WANTED)) {
        return end;
    }
    if (element->action == ACTION_SCRIPT && plan->type != UNKNOWN) {
        /* without a type it is a program */
        bool has_type = false;
        for (size_t at = before; at < scanning->places.found->records.count; at++) {
            has_type = has_type || scanning->places.found->records.items[at].attribute == plan->type;
        }
        if (!has_type) {
            return end;
        }
    }
    Record text = *tag;
    text.flags = RECORD_TEXT;
    return add_text(&scanning->places, &text, position, end) ? end : stop(&scanning->places, SCAN_NO_MEMORY);
}

/* A repeated `html` or `body` tag: keeps its records, from `before` on, whose attributes the element lacks. */
static bool keep_new(Scanning *scanning, uint16_t element, size_t before) {
    Records *records = &scanning->places.found->records;
    size_t attributes = scanning->places.plan->attribute_count;
    size_t kept = before;
    if (scanning->merged == NULL) {
        scanning->merged = calloc(attributes + 1, scanning->places.plan->element_count * sizeof *scanning->merged);
        if (scanning->merged == NULL) {
            return false;
        }
    }
    bool *has = scanning->merged + element * attributes;
    for (size_t at = before; at < records->count; at++) {
        Record record = records->items[at];
        if (!has[record.attribute]) {
            has[record.attribute] = true;
            records->items[kept++] = record;
        }
    }
    records->count = kept;
    return true;
}

static size_t enter_table(Scanning *scanning, size_t position) {
    /* in a table, another begins only in a cell or caption; elsewhere it ends the first */
    if (scanning->places.templates || (scanning->around.tables && !scanning->part_is_cell)) {
        return stop(&scanning->places, SCAN_REFUSED);
    }
    scanning->around.tables++;
    scanning->part_is_cell = false;
    return position;
}

static size_t enter_template(Scanning *scanning, size_t position) {
    Around *outside = grown(scanning->outside, scanning->places.templates, &scanning->room, sizeof *outside);
    if (outside == NULL) {
        return stop(&scanning->places, SCAN_NO_MEMORY);
    }
    scanning->outside = outside;
    if (scanning->places.templates == 0) {
        scanning->template_start = position;
    }
    scanning->outside[scanning->places.templates++] = scanning->around;
    scanning->around = (Around){0};
    return position;
}

/* Does the action of a start tag, whose records begin at number `before`; returns where it goes on. */
static size_t enter(Scanning *scanning, const Record *tag, size_t name_end, size_t before, size_t position) {
    Records *records = &scanning->places.found->records;
    const Element *element = plan_element(scanning->places.plan, tag->element);
    bool has_places = records->count > before;
    switch ((Action)element->action) {
    case ACTION_NONE:
    case ACTION_FOREIGN:
        break;
    case ACTION_BASE:
        if (has_places && !scanning->places.templates) {
            if (scanning->base && scanning->around.tables) {
                return stop(&scanning->places, SCAN_REFUSED); /* it may be before the first in the tree */
            }
            scanning->base = true;
        }
        break;
    case ACTION_RAW_TEXT:
    case ACTION_SCRIPT:
    case ACTION_PLAINTEXT:
        return raw_text(scanning, tag, name_end, before, position);
    case ACTION_NOSCRIPT:
        if (scanning->places.plan->scripting) {
            return raw_text(scanning, tag, name_end, before, position);
        }
        if (has_places) {
            return stop(&scanning->places, SCAN_REFUSED);
        }
        break;
    case ACTION_HEAD:
        if (has_places) {
            return stop(&scanning->places, SCAN_REFUSED);
        }
        break;
    case ACTION_REFUSE:
        return stop(&scanning->places, SCAN_REFUSED);
    case ACTION_ONLY_ONE:
        if (scanning->places.templates) {
            records->count = before;
        } else if (has_places && !keep_new(scanning, tag->element, before)) {
            return stop(&scanning->places, SCAN_NO_MEMORY);
        }
        break;
    case ACTION_FORM:
        if (!scanning->places.templates) {
            if (scanning->form) {
                records->count = before;
            }
            scanning->form = true;
        }
        break;
    case ACTION_TABLE:
        return enter_table(scanning, position);
    case ACTION_TABLE_PART:
        if (scanning->places.templates) {
            return stop(&scanning->places, SCAN_REFUSED);
        }
        if (!scanning->around.tables) {
            records->count = before;
        }
        scanning->part_is_cell = element->flags & ELEMENT_CELL;
        break;
    case ACTION_SELECT:
        if (scanning->around.select) {
            return stop(&scanning->places, SCAN_REFUSED);
        }
        scanning->around.select = true;
        scanning->around.select_tables = scanning->around.tables;
        break;
    case ACTION_TEMPLATE:
        return enter_template(scanning, position);
    }
    return position;
}

/* Stores the extent of the outermost template's content, which ends at a position. */
static void note_template(Scanning *scanning, size_t end) {
    Stretch stretch = {(uint32_t)scanning->template_start, (uint32_t)end};
    if (!stretches_add(&scanning->places.found->templates, stretch)) {
        stop(&scanning->places, SCAN_NO_MEMORY);
    }
}

static size_t leave_template(Scanning *scanning, size_t tag, size_t position) {
    if (scanning->places.templates) {
        scanning->around = scanning->outside[--scanning->places.templates];
        if (scanning->places.templates == 0) {
            note_template(scanning, tag);
        }
    }
    return position;
}

/* Processes an end tag from `tag` to `position`. */
static size_t leave(Scanning *scanning, const Element *element, size_t tag, size_t position) {
    Around *around = &scanning->around;
    switch ((Action)element->action) {
    case ACTION_TEMPLATE:
        return leave_template(scanning, tag, position);
    case ACTION_FORM:
        if (!scanning->places.templates) {
            scanning->form = false;
        }
        break;
    case ACTION_SELECT:
        if (around->select && around->select_tables != around->tables) {
            return stop(&scanning->places, SCAN_REFUSED);
        }
        around->select = false;
        break;
    case ACTION_TABLE:
        if (around->tables) {
            around->tables--;
            scanning->part_is_cell = false;
        }
        break;
    case ACTION_TABLE_PART:
        scanning->part_is_cell = false;
        break;
    default:
        break;
    }
    return position;
}

static size_t end_tag(Scanning *scanning, size_t tag) {
    View view = scanning->places.view;
    size_t position = tag_name_end(view, tag + 2);
    uint16_t number = names_find(&scanning->places.plan->closing_names, view, tag + 2, position);
    Attribute attribute;
    TagPart part;
    while ((part = tag_next(view, &position, &attribute)) == TAG_ATTRIBUTE) {
    }
    if (part == TAG_CUT_OFF) {
        return view.length;
    }
    return leave(scanning, plan_element(scanning->places.plan, number), tag, position);
}

static size_t start_tag(Scanning *scanning, size_t tag) {
    View view = scanning->places.view;
    size_t before = scanning->places.found->records.count;
    size_t name_end = tag_name_end(view, tag + 1);
    uint16_t number = names_find(&scanning->places.plan->element_names, view, tag + 1, name_end);
    const Element *element = plan_element(scanning->places.plan, number);
    Record record = {.tag = (uint32_t)tag, .element = number, .ns = element->root};
    TagPart how;
    const uint64_t *wanted = element->root == NS_HTML ? element->wanted : element->wanted_foreign;
    size_t position = take_attributes(&scanning->places, &record, wanted, name_end, &how);
    if (how == TAG_CUT_OFF || scanning->places.status != SCAN_DONE) {
        return view.length;
    }
    if (element->action == ACTION_FOREIGN) {
        return how == TAG_SELF_CLOSING ? position : scan_foreign(&scanning->places, &record, name_end, position);
    }
    return enter(scanning, &record, name_end, before, position);
}

static void run(Scanning *scanning) {
    View view = scanning->places.view;
    size_t position = 0;
    while (scanning->places.status == SCAN_DONE && (position = find_byte(view, position, '<')) < view.length) {
        int next = byte_at(view, position + 1);
        if (is_letter(next)) {
            position = start_tag(scanning, position);
        } else if (next == '/' && is_letter(byte_at(view, position + 2))) {
            position = end_tag(scanning, position);
        } else if (is_declaration(view, position)) {
            size_t end = declaration_end(view, position);
            if (!add_comment(&scanning->places, position, end)) {
                return;
            }
            position = end;
        } else {
            position++;
        }
    }
}

ScanStatus scan(View view, const Plan *plan, bool multibyte, FoundPlaces *found) {
    memset(found, 0, sizeof *found);
    if (view.length > MOST) {
        return SCAN_REFUSED;
    }
    uint32_t *seen = calloc(plan->attribute_count + 1, sizeof *seen);
    if (seen == NULL) {
        return SCAN_NO_MEMORY;
    }
    Scanning scanning = {.places = {.view = view, .plan = plan, .found = found, .multibyte = multibyte, .seen = seen}};
    run(&scanning);
    if (scanning.places.status == SCAN_DONE && scanning.places.templates) {
        note_template(&scanning, view.length);
    }
    free(seen);
    free(scanning.merged);
    free(scanning.outside);
    return scanning.places.status;
}

void found_free(FoundPlaces *found) {
    free(found->records.items);
    free(found->templates.items);
    memset(found, 0, sizeof *found);
}
