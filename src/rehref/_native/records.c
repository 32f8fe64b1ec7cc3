#include "records.h"

#include <stdlib.h>

void *grown(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return items;
    }
    size_t wanted = *room == 0 ? 64 : *room * 2;
    if (wanted <= *room || wanted > SIZE_MAX / size) {
        return NULL;
    }
    void *moved = realloc(items, wanted * size);
    if (moved != NULL) {
        *room = wanted;
    }
    return moved;
}

Record *records_add(Records *records) {
    Record *items = grown(records->items, records->count, &records->room, sizeof *items);
    if (items == NULL) {
        return NULL;
    }
    records->items = items;
    return &items[records->count++];
}

bool stretches_add(Stretches *stretches, Stretch stretch) {
    Stretch *items = grown(stretches->items, stretches->count, &stretches->room, sizeof stretch);
    if (items == NULL) {
        return false;
    }
    stretches->items = items;
    stretches->items[stretches->count++] = stretch;
    return true;
}
