/* The hashes of runs of four words: the twin of `rehref.site._states.word_runs`, which says what a word is. */

#include "binding.h"

#include <stdlib.h>

enum { RUN = 4, BYTES = 256, KIND_WORD = 1, KIND_ALONE = 2 };

typedef struct {
    uint32_t table[BYTES]; /* of CRC-32 (RFC 1952, section 8) */
    uint32_t open[RUN];    /* the hashes so far of the runs that began with each of the last words */
    size_t words;
    uint32_t *out;
    size_t count;
} Runs;

static void fill(uint32_t *table) {
    for (uint32_t byte = 0; byte < BYTES; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++) {
            value = value & 1 ? value >> 1 ^ UINT32_C(0xedb88320) : value >> 1;
        }
        table[byte] = value;
    }
}

static inline void take_byte(Runs *runs, unsigned char byte) {
    for (int at = 0; at < RUN; at++) {
        runs->open[at] = runs->table[(runs->open[at] ^ byte) & 0xff] ^ runs->open[at] >> 8;
    }
}

static void begin_word(Runs *runs) {
    if (runs->words > 0) {
        take_byte(runs, ' ');
    }
    runs->open[runs->words++ % RUN] = UINT32_MAX;
}

static void end_word(Runs *runs) {
    if (runs->words >= RUN) {
        runs->out[runs->count++] = ~runs->open[runs->words % RUN];
    }
}

/* The bytes of the character at `position`; `*character` is it. The text is right UTF-8. */
static inline size_t character_at(View text, size_t position, uint32_t *character) {
    const unsigned char *data = text.data + position;
    if (data[0] < 0x80) {
        *character = data[0];
        return 1;
    }
    size_t size = data[0] < 0xe0 ? 2 : data[0] < 0xf0 ? 3 : 4;
    if (size > text.length - position) {
        *character = UINT32_MAX;
        return text.length - position;
    }
    *character = data[0] & (0x7fu >> size);
    for (size_t at = 1; at < size; at++) {
        *character = *character << 6 | (data[at] & 0x3fu);
    }
    return size;
}

/* False if there is a character whose kind is not known. */
static bool take_text(Runs *runs, View text, View kinds) {
    bool in_word = false;
    for (size_t position = 0, size; position < text.length; position += size) {
        uint32_t character;
        size = character_at(text, position, &character);
        int kind = byte_at(kinds, character);
        if (kind < 0) {
            return false;
        }
        if (in_word && kind != KIND_WORD) {
            end_word(runs);
        }
        if (kind == KIND_ALONE || (kind == KIND_WORD && !in_word)) {
            begin_word(runs);
        }
        for (size_t at = 0; kind != 0 && at < size; at++) {
            take_byte(runs, text.data[position + at]);
        }
        if (kind == KIND_ALONE) {
            end_word(runs);
        }
        in_word = kind == KIND_WORD;
    }
    if (in_word) {
        end_word(runs);
    }
    return true;
}

/* Sorts by one byte after the other; `room` is as long. */
static void sort(uint32_t *numbers, uint32_t *room, size_t count) {
    for (int shift = 0; shift < 32; shift += 8) { /* an even number of times: they end where they were */
        size_t starts[BYTES] = {0}, start = 0;
        for (size_t at = 0; at < count; at++) {
            starts[numbers[at] >> shift & 0xff]++;
        }
        for (size_t byte = 0; byte < BYTES; byte++) {
            size_t next = start + starts[byte];
            starts[byte] = start;
            start = next;
        }
        for (size_t at = 0; at < count; at++) {
            room[starts[numbers[at] >> shift & 0xff]++] = numbers[at];
        }
        uint32_t *sorted = room;
        room = numbers;
        numbers = sorted;
    }
}

static size_t without_repeated(uint32_t *numbers, size_t count) {
    size_t kept = count > 0;
    for (size_t at = 1; at < count; at++) {
        if (numbers[at] != numbers[at - 1]) {
            numbers[kept++] = numbers[at];
        }
    }
    return kept;
}

/* word_runs(text, kinds): the hashes as 32-bit numbers, sorted, each once; None if the reference must read the text. */
PyObject *word_runs(PyObject *self, PyObject *args) {
    (void)self;
    const char *text, *kinds;
    Py_ssize_t length, kinds_length;
    if (!PyArg_ParseTuple(args, "y#y#", &text, &length, &kinds, &kinds_length)) {
        return NULL;
    }
    size_t most = (size_t)length + 1; /* no run without a byte of its own */
    uint32_t *out = (size_t)length > MOST / 8 ? NULL : malloc(2 * most * sizeof *out);
    if (out == NULL) {
        return PyErr_NoMemory();
    }
    Runs runs = {.out = out};
    fill(runs.table);
    PyObject *result = NULL;
    if (!take_text(&runs, (View){(const unsigned char *)text, (size_t)length},
                   (View){(const unsigned char *)kinds, (size_t)kinds_length})) {
        result = new_reference(Py_None);
    } else {
        if (runs.words > 0 && runs.words < RUN) {
            out[runs.count++] = ~runs.open[0];
        }
        sort(out, out + most, runs.count);
        result = PyBytes_FromStringAndSize((const char *)out, (Py_ssize_t)(without_repeated(out, runs.count) * sizeof *out));
    }
    free(out);
    return result;
}
