#include "json_text.h"

bool set_room(Text *text, size_t room) {
    bool fits = room <= (size_t)PTRDIFF_MAX;
    if (fits && text->bytes == NULL) {
        text->bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)room);
        fits = text->bytes != NULL;
    } else {
        fits = fits && PyByteArray_Resize(text->bytes, (Py_ssize_t)room) == 0;
    }
    if (fits) {
        text->data = (unsigned char *)PyByteArray_AsString(text->bytes);
        text->room = room;
    }
    return fits;
}

unsigned char *more_room(Text *text, size_t length) {
    bool fits = text->room > 0 && length <= SIZE_MAX / 4 && text->length <= SIZE_MAX / 4;
    if (!fits || !set_room(text, 2 * (text->length + length))) {
        text->length = text->room = 0; /* from now on there is no room for anything */
        return NULL;
    }
    return text->data + text->length;
}

void put(Text *text, View view) {
    unsigned char *end;
    if (view.length > 0 && (end = room_for(text, view.length)) != NULL) {
        memcpy(end, view.data, view.length);
        text->length += view.length;
    }
}

/* Whether a text needs no escapes. */
static bool is_plain(View view) {
    for (size_t at = 0; at < view.length; at++) {
        unsigned char byte = view.data[at];
        if (byte < 0x20 || byte == '"' || byte == '\\') {
            return false;
        }
    }
    return true;
}

bool put_name(Text *text, const char *key, PyObject *name, bool *plain) {
    Py_ssize_t length;
    put(text, (View){(const unsigned char *)key, strlen(key)});
    if (name == Py_None) {
        PUT(text, "null");
        return text->room > 0;
    }
    const char *data = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, &length);
    if (data == NULL) {
        return false;
    }
    View value = {(const unsigned char *)data, (size_t)length};
    *plain = *plain && is_plain(value);
    PUT(text, "\"");
    put(text, value);
    PUT(text, "\"");
    return text->room > 0;
}

unsigned char *copied_number(unsigned char *to, uint32_t number) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    size_t digits = 1;
    for (uint64_t limit = 10; number >= limit; limit *= 10) {
        digits++;
    }
    unsigned char *end = to + digits, *at = end;
    for (; number >= 100; number /= 100) {
        at -= 2;
        memcpy(at, pairs + 2 * (number % 100), 2);
    }
    if (number >= 10) {
        memcpy(to, pairs + 2 * number, 2);
    } else {
        *to = (unsigned char)('0' + number);
    }
    return end;
}
