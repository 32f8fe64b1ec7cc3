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

/* Room for one more, which does not count yet; NULL if memory is short. It is filled where it is: to copy it at once
   would wait until everything written before it is in the cache. */
static FoundReference *one_more(References *found) {
    FoundReference *items = grown(found->items, found->count, &found->room, sizeof *items);
    if (items == NULL) {
        return NULL;
    }
    found->items = items;
    return &items[found->count];
}

ReferencesStatus find_references(const Bases *bases, const Value *value, const Carrier *carrier, References *found) {
    View text = {value->text, value->length};
    size_t position = 0;
    Span span;
    Step step;
    found->count = 0;
    while ((step = next(carrier->syntax, text, &position, &span)) == STEP_FOUND) {
        FoundReference *reference = one_more(found);
        if (reference == NULL) {
            return REFERENCES_NO_MEMORY;
        }
        View written = part_of(text, span.start, span.end);
        bool is_fragment = carrier->kind == KIND_FRAGMENT || (carrier->hash_is_fragment && byte_at(written, 0) == '#');
        resolve(bases, written, &reference->resolved);
        if (reference->resolved.form == REFERENCE_ODD || (is_fragment && !bases->base_is_own)) {
            return REFERENCES_ODD;
        }
        reference->text = written;
        reference->start = value_offset(value, span.start);
        reference->rest = value_offset(value, span.start + reference->resolved.skip);
        reference->end = value_offset(value, span.end);
        reference->resolved.same_document = reference->resolved.same_document || is_fragment;
        reference->kind = is_fragment ? KIND_FRAGMENT : carrier->kind;
        found->count++;
    }
    return step == STEP_ODD ? REFERENCES_ODD : REFERENCES_DONE;
}
