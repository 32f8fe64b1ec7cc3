/* What HTML and foreign content share while they are scanned; see `scan.h`. */

#ifndef REHREF_SCANNING_H
#define REHREF_SCANNING_H

#include "scan.h"

typedef struct {
    size_t tables;
    bool select; /* whether one is open, and how many tables around it */
    size_t select_tables;
} Around;

typedef struct {
    View view;
    const Plan *plan;
    Found *found;
    bool multibyte;
    ScanStatus status;

    uint32_t *seen; /* for each attribute, behind the "<" of the last tag that had it */
    bool *merged;   /* for each ACTION_ONLY_ONE element and attribute: whether it has it */

    bool form;
    Around around;
    size_t last_table;       /* behind the last tag of a table */
    bool part_is_cell;       /* whether a cell's start tag came last behind it, of all parts of tables */
    Around *outside;         /* around each open template */
    size_t templates, room;  /* how many templates are open */
    size_t template_start;
} Scanning;

/* Ends the scan; gives the position behind the source. */
static inline size_t stop(Scanning *scanning, ScanStatus status) {
    scanning->status = status;
    return scanning->view.length;
}

/* Reads the attributes of a start tag from `position` on, and adds records for those that are wanted; where it goes on,
   and how it ended. A tag that is cut off has none. */
size_t take_attributes(Scanning *scanning, Record tag, const uint64_t *wanted, size_t position, TagPart *how);

/* Adds a record for the text of an element, or a conditional comment. */
bool add_text(Scanning *scanning, Record record, size_t start, size_t end);
bool add_comment(Scanning *scanning, size_t start, size_t end);

/* Scans the content of a foreign element whose start tag `tag` ends at `position`; where HTML goes on. */
size_t scan_foreign(Scanning *scanning, Record tag, size_t name_end, size_t position);

#endif
