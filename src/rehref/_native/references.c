#include "references.h"

Step next_reference(Syntax syntax, View value, size_t *position, Span *found, CssDeclaration *declaration) {
    switch (syntax) {
    case SYNTAX_SPACES:
        return next_word(value, position, found) ? STEP_FOUND : STEP_END;
    case SYNTAX_SRCSET:
        return next_candidate(value, position, found) ? STEP_FOUND : STEP_END;
    case SYNTAX_CSS: {
        CssStep step = next_in_css(value, position, found, declaration);
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
