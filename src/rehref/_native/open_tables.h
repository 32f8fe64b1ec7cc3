/* Of the stack of open elements, what the scan needs: tables, their parts, templates and selects. The twin of
   `rehref.parsers.source.open_tables`, with the same rules. An element is known by its number in the plan. */

#ifndef REHREF_OPEN_TABLES_H
#define REHREF_OPEN_TABLES_H

#include "plan.h"

typedef struct {
    const Plan *plan;
    uint16_t *items; /* the innermost last */
    size_t count, room;
} OpenTables;

/* The action of the innermost one that is not a select; ACTION_NONE if there is none. */
Action tables_current(const OpenTables *open);

/* Whether a select is the innermost one. */
bool tables_in_select(const OpenTables *open);

/* Open a template or a select; a table; process the start tag of a part. False if memory is short. */
bool tables_enter(OpenTables *open, uint16_t element);
bool tables_enter_table(OpenTables *open, uint16_t table);
bool tables_enter_part(OpenTables *open, uint16_t part);

/* Process the end tag of a table or a part; of a select; of a template that is open. */
void tables_leave(OpenTables *open, uint16_t element);
void tables_leave_select(OpenTables *open);
void tables_leave_template(OpenTables *open);

#endif
