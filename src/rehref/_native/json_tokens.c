#include "json_tokens.h"

/* §2: the byte after white space, which `*at` moves to. */
static int behind_white(View text, size_t *at) {
    int byte;
    while ((byte = byte_at(text, *at)) == ' ' || byte == '\n' || byte == '\r' || byte == '\t') {
        ++*at;
    }
    return byte;
}

/* §7: where a string ends whose text begins at `at`, before its quote; 0 if that is not one. */
static size_t string_end(View text, size_t at, bool *escaped) {
    *escaped = false;
    for (int byte; (byte = byte_at(text, at)) != '"'; at++) {
        if (byte < ' ') { /* or the end */
            return 0;
        }
        *escaped = *escaped || byte == '\\';
        at += byte == '\\'; /* what follows cannot end the string */
    }
    return at;
}

/* Where what is not in quotes or brackets ends. */
static size_t scalar_end(View text, size_t at) {
    for (int byte; (byte = byte_at(text, at)) > ' ' && strchr(",:\"[]{}", byte) == NULL;) {
        at++;
    }
    return at;
}

typedef struct {
    View text;
    const JsonEvents *events;
    void *to;
    size_t at, depth;
    bool is_object[JSON_DEEPEST + 1]; /* what is open; the first is around the text */
} Walk;

/* §7: a string, to this event. */
static JsonStatus read_string(Walk *walk, JsonStatus (*event)(void *, size_t, size_t, bool)) {
    bool escaped;
    size_t start = walk->at + 1, end = string_end(walk->text, start, &escaped);
    walk->at = end + 1;
    return end == 0 ? JSON_WRONG : event(walk->to, start, end, escaped);
}

/* §4: the name of a member, and its colon. */
static JsonStatus read_name(Walk *walk) {
    if (behind_white(walk->text, &walk->at) != '"') {
        return JSON_WRONG;
    }
    JsonStatus status = read_string(walk, walk->events->name);
    if (status == JSON_DONE && behind_white(walk->text, &walk->at) != ':') {
        return JSON_WRONG;
    }
    walk->at++;
    return status;
}

/* §3: a value, or the beginning of one; `*is_ended`: whether it has ended; an empty one has, before what closes it. */
static JsonStatus read_value(Walk *walk, bool *is_ended) {
    int byte = behind_white(walk->text, &walk->at);
    size_t start = walk->at;
    *is_ended = true;
    if (byte == '"') {
        return read_string(walk, walk->events->string);
    }
    if (byte != '{' && byte != '[') {
        walk->at = scalar_end(walk->text, start);
        return walk->at == start ? JSON_WRONG : walk->events->scalar(walk->to, start, walk->at);
    }
    if (walk->depth >= JSON_DEEPEST) {
        return JSON_WRONG;
    }
    walk->at++;
    walk->is_object[++walk->depth] = byte == '{';
    JsonStatus status = walk->events->begin(walk->to, byte == '{');
    *is_ended = behind_white(walk->text, &walk->at) == (byte == '{' ? '}' : ']');
    return status;
}

/* Ends what ends behind a value; `*more`: whether there is a comma, and another value. */
static JsonStatus end_values(Walk *walk, bool *more) {
    for (*more = false; walk->depth > 0; walk->depth--) {
        int byte = behind_white(walk->text, &walk->at);
        walk->at++;
        if (byte == ',') {
            *more = true;
            return JSON_DONE;
        }
        if (byte != (walk->is_object[walk->depth] ? '}' : ']')) {
            return JSON_WRONG;
        }
        walk->events->end(walk->to);
    }
    return behind_white(walk->text, &walk->at) == -1 ? JSON_DONE : JSON_WRONG;
}

JsonStatus json_walk(View text, const JsonEvents *events, void *to) {
    Walk walk = {.text = text, .events = events, .to = to};
    bool more = true, is_ended;
    JsonStatus status = JSON_DONE;
    while (more && status == JSON_DONE) {
        status = walk.is_object[walk.depth] ? read_name(&walk) : JSON_DONE;
        status = status == JSON_DONE ? read_value(&walk, &is_ended) : status;
        if (status == JSON_DONE && is_ended) {
            status = end_values(&walk, &more);
        }
    }
    return status;
}
