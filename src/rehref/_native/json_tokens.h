/* JSON texts, token by token (RFC 8259).

   - Each token is an event. Reading ends with the first one that does not return JSON_DONE, which is the result then.
   - Reading does not recurse: what is open is on a stack. More than JSON_DEEPEST arrays and objects in each other are
     JSON_WRONG, as is what is not JSON.
   - The escapes in a string, and what is neither string, array nor object, are as they are written: their syntax is for
     the events. */

#ifndef REHREF_JSON_TOKENS_H
#define REHREF_JSON_TOKENS_H

#include "view.h"

enum { JSON_DEEPEST = 1000 };

typedef enum { JSON_DONE, JSON_WRONG, JSON_ERROR } JsonStatus;

/* Offsets are those of the text; of names and strings, inside of their quotes. */
typedef struct {
    JsonStatus (*name)(void *to, size_t start, size_t end, bool escaped);
    JsonStatus (*string)(void *to, size_t start, size_t end, bool escaped);
    JsonStatus (*scalar)(void *to, size_t start, size_t end);
    JsonStatus (*begin)(void *to, bool is_object);
    void (*end)(void *to);
} JsonEvents;

JsonStatus json_walk(View text, const JsonEvents *events, void *to);

#endif
