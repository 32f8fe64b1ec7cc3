/* JSON text that grows in a bytearray. If memory is short, an addition sets an error, and from then on the text has no
   room for anything. */

#ifndef REHREF_JSON_TEXT_H
#define REHREF_JSON_TEXT_H

#include "binding.h"
#include "view.h"

/* A buffer of consecutive bytes; all zero before it has room. */
typedef struct {
    PyObject *bytes; /* a bytearray, since it can grow and shrink */
    unsigned char *data;
    size_t length, room;
} Text;

/* Makes room for so much in total, not less than there is; false if memory is short. */
bool set_room(Text *text, size_t room);

/* Makes room for `length` more bytes and some; NULL if memory is short, or was before. */
unsigned char *more_room(Text *text, size_t length);

/* Room for `length` more bytes; NULL if memory is short, or was before. */
static inline unsigned char *room_for(Text *text, size_t length) {
    return length <= text->room - text->length ? text->data + text->length : more_room(text, length);
}

void put(Text *text, View view);

#define PUT(text, literal) put((text), (View){(const unsigned char *)(literal), sizeof(literal) - 1})

/* Adds a key, and a Python str in quotes, or null for None; if it needs escapes, sets `plain` to false. False with
   an error. */
bool put_name(Text *text, const char *key, PyObject *name, bool *plain);

#define COPIED(to, literal) copied((to), (View){(const unsigned char *)(literal), sizeof(literal) - 1})

/* The same for a number in decimal digits: at most MOST_DIGITS. */
unsigned char *copied_number(unsigned char *to, uint32_t number);

enum { MOST_DIGITS = 10 };

#endif
