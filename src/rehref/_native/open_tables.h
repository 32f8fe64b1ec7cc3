/* Of the stack of open elements, what the scan needs: tables, their parts, templates and selects. The twin of
   `rehref.markup._source.open_tables`, with the same rules. An element is known by its number in the plan. */

#ifndef REHREF_OPEN_TABLES_H
#define REHREF_OPEN_TABLES_H

#include "place_collector.h"

/* An open element; or, with UNKNOWN, what a template is: ACTION_BODY if no part can be directly in it. */
typedef struct {
    uint16_t element;
    uint8_t action;
} OpenTable;

typedef struct {
    const Plan *plan;
    OpenTable *items; /* the innermost last */
    size_t count, room;
} OpenTables;

/* The action of the innermost one that is not a select; ACTION_NONE if there is none. */
Action tables_current(const OpenTables *open);

/* Whether a select is the innermost one. */
bool tables_in_select(const OpenTables *open);

/* Open a select; a template, with the first start tag in it (NULL: that does not decide); a table; process the start
   tag of a part: `*in_table` says whether a table, or a template as one, is open. */
ScanStatus tables_enter(OpenTables *open, uint16_t element);
ScanStatus tables_enter_template(OpenTables *open, uint16_t element, const Element *first);
ScanStatus tables_enter_table(OpenTables *open, uint16_t table);
ScanStatus tables_enter_part(OpenTables *open, uint16_t part, bool *in_table);

/* Process the end tag of a table or a part; of a select; of a template that is open. */
bool tables_leave(OpenTables *open, uint16_t element);
void tables_leave_select(OpenTables *open);
void tables_leave_template(OpenTables *open);

#endif
