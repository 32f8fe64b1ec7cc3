#include "scan.h"

#include "before_body.h"
#include "foreign_content.h"
#include "open_tables.h"
#include "raw_text.h"

#include <stdlib.h>

typedef struct {
    PlaceCollector places;
    size_t head;  /* where it begins */
    bool *merged; /* for `html` and `body`, by element and attribute: whether it has it */
    bool noscript, form; /* whether one is open */
    bool base; /* whether there is one */
    bool in_frames;   /* whether a frameset has taken the place of the body, */
    size_t framesets; /* and how many are open */
    OpenTables tables;
    size_t template_start;
} Scanning;

/* After the text of a raw text element, whose records begin at number `before`. */
static size_t raw_text(Scanning *scanning, const Record *tag, size_t name_end, size_t before, size_t position) {
    View view = scanning->places.view;
    const Plan *plan = scanning->places.plan;
    const Element *element = plan_element(plan, tag->element);
    size_t end = text_end(view, (Action)element->action, part_of(view, tag->tag + 1, name_end), position);
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

static size_t or_stop(Scanning *scanning, ScanStatus status, size_t position) {
    return status == SCAN_DONE ? position : stop(&scanning->places, status);
}

static size_t enter_head(Scanning *scanning, size_t before, size_t tag, size_t position) {
    Records *records = &scanning->places.found->records;
    if (records->count > before && byte_at(scanning->places.view, scanning->head) == '&') {
        return stop(&scanning->places, SCAN_REFUSED);
    }
    if (scanning->head != tag) {
        records->count = before;
    }
    return position;
}

static size_t enter_noscript(Scanning *scanning, bool has_places, size_t position) {
    if (!scanning->places.templates) {
        if (scanning->noscript && has_places) {
            return stop(&scanning->places, SCAN_REFUSED);
        }
        scanning->noscript = true;
    }
    return position;
}

static size_t enter_table_part(Scanning *scanning, uint16_t element, size_t before, size_t position) {
    bool in_table;
    ScanStatus status = tables_enter_part(&scanning->tables, element, &in_table);
    if (!in_table) {
        scanning->places.found->records.count = before;
    }
    return or_stop(scanning, status, position);
}

static size_t enter_select(Scanning *scanning, const Record *tag, bool hides, size_t position) {
    if (tables_in_select(&scanning->tables)) {
        return stop(&scanning->places, SCAN_REFUSED);
    }
    return hides ? position : or_stop(scanning, tables_enter(&scanning->tables, tag->element), position);
}

/* The element of the first start tag in a template, if it decides what that is; else NULL. */
static const Element *first_in_template(const Scanning *scanning, size_t position) {
    View view = scanning->places.view;
    const Plan *plan = scanning->places.plan;
    size_t start = find_byte(view, position, '<') + 1, end;
    if (!is_letter(byte_at(view, start))) {
        return NULL;
    }
    end = tag_name_end(view, start);
    uint16_t number = names_find(&plan->element_names, view, start, end);
    const Element *element = plan_element(plan, number);
    return element->action == ACTION_COLUMNS || (element->flags & ELEMENT_OF_HEAD) ? NULL : element;
}

static size_t enter_template(Scanning *scanning, uint16_t element, size_t position) {
    if (scanning->places.templates++ == 0) {
        scanning->template_start = position;
    }
    const Element *first = first_in_template(scanning, position);
    return or_stop(scanning, tables_enter_template(&scanning->tables, element, first), position);
}

static size_t enter_frameset(Scanning *scanning, size_t before, size_t tag, size_t position) {
    if (scanning->places.templates || (scanning->in_frames && !scanning->framesets)) {
        scanning->places.found->records.count = before;
    } else if (!scanning->in_frames && may_be_in_body(part_of(scanning->places.view, 0, tag), scanning->places.plan)) {
        return stop(&scanning->places, SCAN_REFUSED);
    } else {
        scanning->in_frames = true;
        scanning->framesets++;
    }
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
            if (scanning->base && tables_current(&scanning->tables) != ACTION_NONE) {
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
        return enter_noscript(scanning, has_places, position);
    case ACTION_HEAD:
        return enter_head(scanning, before, tag->tag, position);
    case ACTION_FRAMESET:
        return enter_frameset(scanning, before, tag->tag, position);
    case ACTION_FRAME:
        if (!scanning->framesets) {
            records->count = before;
        }
        break;
    case ACTION_HTML:
    case ACTION_BODY:
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
        return or_stop(scanning, tables_enter_table(&scanning->tables, tag->element), position);
    case ACTION_CAPTION:
    case ACTION_COLUMNS:
    case ACTION_SECTION:
    case ACTION_ROW:
    case ACTION_CELL:
        return enter_table_part(scanning, tag->element, before, position);
    case ACTION_SELECT:
    case ACTION_HIDES_SELECT:
        return enter_select(scanning, tag, element->action == ACTION_HIDES_SELECT, position);
    case ACTION_TEMPLATE:
        return enter_template(scanning, tag->element, position);
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
        tables_leave_template(&scanning->tables);
        if (--scanning->places.templates == 0) {
            note_template(scanning, tag);
        }
    }
    return position;
}

/* Processes the end tag of an element, from `tag` to `position`. */
static size_t leave(Scanning *scanning, uint16_t element, size_t tag, size_t position) {
    uint8_t action = plan_element(scanning->places.plan, element)->action;
    if (action == ACTION_TEMPLATE) {
        return leave_template(scanning, tag, position);
    }
    if (action == ACTION_FORM && !scanning->places.templates) {
        scanning->form = false;
    } else if (action == ACTION_NOSCRIPT) {
        scanning->noscript = false;
    } else if (action == ACTION_FRAMESET) {
        scanning->framesets -= scanning->framesets > 0;
    } else if (action == ACTION_SELECT) {
        tables_leave_select(&scanning->tables);
    } else if (action == ACTION_TABLE || is_table_part(action)) {
        tables_leave(&scanning->tables, element);
    }
    return position;
}

static size_t end_tag(Scanning *scanning, size_t tag) {
    View view = scanning->places.view;
    size_t position = tag_name_end(view, tag + 2);
    uint16_t number = names_find(&scanning->places.plan->closing_names, view, tag + 2, position);
    return tag_end(view, &position) ? leave(scanning, number, tag, position) : view.length;
}

static size_t start_tag(Scanning *scanning, size_t tag) {
    View view = scanning->places.view;
    size_t before = scanning->places.found->records.count;
    size_t name_end = tag_name_end(view, tag + 1);
    uint16_t number = names_find(&scanning->places.plan->element_names, view, tag + 1, name_end);
    const Element *element = plan_element(scanning->places.plan, number);
    if (scanning->in_frames && !(element->flags & ELEMENT_OF_FRAMESET)) {
        return tag_end(view, &name_end) ? name_end : view.length;
    }
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
    Scanning scanning = {.places = {.view = view, .plan = plan, .found = found, .multibyte = multibyte, .seen = seen},
                         .head = head_begins(view, plan),
                         .tables = {.plan = plan}};
    run(&scanning);
    if (scanning.places.status == SCAN_DONE && scanning.places.templates) {
        note_template(&scanning, view.length);
    }
    free(seen);
    free(scanning.merged);
    free(scanning.tables.items);
    return scanning.places.status;
}

void found_free(FoundPlaces *found) {
    free(found->records.items);
    free(found->templates.items);
    free(found->xml.contexts);
    free(found->xml.elements);
    free(found->xml.namespaces);
    memset(found, 0, sizeof *found);
}
