#include "references.h"

#include "css.h"
#include "records.h"

typedef enum { STEP_END, STEP_FOUND, STEP_ODD } Step;

/* The next reference in a value, by its micro-syntax. */
static Step next(Syntax syntax, View value, size_t *position, Span *found) {
    switch (syntax) {
    case SYNTAX_SPACES:
        return next_word(value, position, found) ? STEP_FOUND : STEP_END;
    case SYNTAX_SRCSET:
        return next_candidate(value, position, found) ? STEP_FOUND : STEP_END;
    case SYNTAX_CSS: {
        CssStep step = next_in_css(value, position, found);
        return step == CSS_FOUND ? STEP_FOUND : step == CSS_ODD ? STEP_ODD : STEP_END;
    }
    default:
        if (*position > 0) {
            return STEP_END;
        }
        *position = value.length + 1; /* there is one, even in an empty value */
        *found = trimmed(value);
        return STEP_FOUND;
    }
}

static bool add(References *found, FoundReference reference) {
    FoundReference *items = grown(found->items, found->count, &found->room, sizeof *items);
    if (items == NULL) {
        return false;
    }
    found->items = items;
    found->items[found->count++] = reference;
    return true;
}

ReferencesStatus find_references(const Bases *bases, const Value *value, Carrier carrier, References *found) {
    View text = {value->text, value->length};
    size_t position = 0;
    Span span;
    Step step;
    found->count = 0;
    while ((step = next(carrier.syntax, text, &position, &span)) == STEP_FOUND) {
        View written = {text.data + span.start, span.end - span.start};
        bool is_fragment = carrier.kind == KIND_FRAGMENT || (carrier.hash_is_fragment && byte_at(written, 0) == '#');
        FoundReference reference = {
            .text = written,
            .start = value_offset(value, span.start),
            .end = value_offset(value, span.end),
            .resolved = resolve(bases, written.data, written.length),
            .kind = is_fragment ? KIND_FRAGMENT : carrier.kind,
        };
        if (reference.resolved.form == REFERENCE_ODD || (is_fragment && !bases->base_is_own)) {
            return REFERENCES_ODD;
        }
        reference.rest = value_offset(value, span.start + reference.resolved.skip);
        reference.resolved.same_document = reference.resolved.same_document || is_fragment;
        if (!add(found, reference)) {
            return REFERENCES_NO_MEMORY;
        }
    }
    return step == STEP_ODD ? REFERENCES_ODD : REFERENCES_DONE;
}
