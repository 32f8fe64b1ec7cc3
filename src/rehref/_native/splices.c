#include "splices.h"

bool splices_add(Splices *splices, Splice splice) {
    Splice *items = grown(splices->items, splices->count, &splices->room, sizeof splice);
    if (items == NULL) {
        return false;
    }
    splices->items = items;
    splices->items[splices->count++] = splice;
    return true;
}
