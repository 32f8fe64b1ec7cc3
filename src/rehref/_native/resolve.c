#include "resolve.h"

/* Whether a target, which is `prefix` and then `rest`, is the document's own URI, perhaps with a fragment. */
static bool is_own(const Bases *bases, View prefix, View rest) {
    View own = bases->own;
    size_t first = own.length < prefix.length ? own.length : prefix.length, more = own.length - first;
    if (!stands_at(prefix, 0, (const char *)own.data, first) || !stands_at(rest, 0, (const char *)own.data + first, more)) {
        return false;
    }
    int next = own.length < prefix.length ? prefix.data[own.length] : byte_at(rest, more);
    return next == -1 || next == '#';
}

static unsigned prefix_of(const Bases *bases, Reference reference) {
    switch (reference.form) {
    case REFERENCE_EMPTY:
    case REFERENCE_FRAGMENT:
        return PREFIX_DOCUMENT;
    case REFERENCE_NETWORK:
        return PREFIX_SCHEME;
    case REFERENCE_QUERY:
        return PREFIX_QUERY;
    case REFERENCE_ROOTED:
        return PREFIX_ROOT;
    case REFERENCE_PATH:
        return reference.ups < bases->folders ? PREFIX_FOLDERS + (unsigned)reference.ups : PREFIX_ROOT;
    default:
        return NO_PREFIX;
    }
}

/* Whether the target of a reference is a prefix and the rest of it. */
static bool is_there(const Bases *bases, Reference reference) {
    bool is_fine = bases->canonical ? !reference.beyond && !reference.faulty : bases->iris || !reference.beyond;
    bool is_absolute = reference.form == REFERENCE_ABSOLUTE || reference.form == REFERENCE_OPAQUE;
    if (!(is_absolute ? bases->has_absolute : bases->has_root) || !is_fine || (reference.colon && !bases->has_scheme)) {
        return false;
    }
    switch (reference.form) {
    case REFERENCE_ODD:
        return false;
    case REFERENCE_EMPTY:
        return bases->at_own && bases->base_is_own;
    case REFERENCE_FRAGMENT:
        return bases->at_own;
    case REFERENCE_NETWORK:
        return bases->has_scheme;
    case REFERENCE_QUERY:
        return bases->has_query;
    case REFERENCE_PATH:
        return reference.ups < bases->folders || (bases->climbs && reference.skip <= UINT8_MAX);
    default:
        return true;
    }
}

bool is_canonical(ReferenceForm form, View text) {
    bool has_host = form == REFERENCE_NETWORK || (form == REFERENCE_ABSOLUTE && stands_at(text, 0, "http", 4));
    size_t at = has_host ? find_byte(text, 0, '/') + 2 : text.length;
    while (at < text.length && text.data[at] != '/' && text.data[at] != '?' && text.data[at] != '#') {
        at++;
    }
    return (!has_host || byte_at(text, at) == '/') && find_byte(text, 0, '\'') == text.length;
}

/* Whether a reference has no target, since there is no base. */
static bool leads_nowhere(const Bases *bases, Reference reference) {
    bool is_relative = reference.form == REFERENCE_PATH || reference.form == REFERENCE_ROOTED || reference.form == REFERENCE_QUERY;
    return bases->nowhere && is_relative && !reference.beyond && !reference.faulty;
}

void resolve(const Bases *bases, View text, Resolved *resolved) {
    Reference reference = text.length ? classify(text.data, text.length) : (Reference){.form = REFERENCE_EMPTY};
    bool is_ordinary = is_there(bases, reference) && !(bases->canonical && !is_canonical(reference.form, text));
    resolved->nowhere = leads_nowhere(bases, reference);
    resolved->form = is_ordinary || resolved->nowhere ? reference.form : REFERENCE_ODD;
    resolved->prefix = resolved->nowhere ? NO_PREFIX : prefix_of(bases, reference);
    resolved->skip = reference.form == REFERENCE_ROOTED ? 1 : reference.skip; /* its slash ends the prefix */
    resolved->same_document = false;
    resolved->beyond = reference.beyond;
    resolved->faulty = resolved->nowhere || reference.faulty || (reference.beyond && !bases->fine_iris) ||
                       (reference.form == REFERENCE_PATH && reference.ups >= bases->folders);
    if (is_ordinary && bases->has_own) {
        View before = resolved->prefix == NO_PREFIX ? (View){text.data, 0} : bases->prefixes[resolved->prefix];
        resolved->same_document = is_own(bases, before, part_of(text, resolved->skip, text.length));
    }
}

/* Where the last byte of this kind is in the first `end` bytes; SIZE_MAX if there is none. */
static size_t last_byte(View view, size_t end, int byte) {
    while (end > 0 && view.data[end - 1] != byte) {
        end--;
    }
    return end == 0 ? SIZE_MAX : end - 1;
}

void set_base(const Bases *alike, View uri, Bases *bases) {
    size_t begin = find_byte(uri, 0, '/'), first = find_byte(uri, begin + 2, '/'); /* `//` is before the host */
    View path = part_of(uri, 0, find_byte(uri, 0, '?'));
    *bases = *alike;
    bases->size = uri.length;
    bases->base_is_own = false;
    bases->at_own = bases->has_own && same_text(uri, bases->own);
    bases->has_root = bases->has_scheme = true;
    bases->prefixes[PREFIX_DOCUMENT] = uri;
    bases->prefixes[PREFIX_QUERY] = path;
    bases->prefixes[PREFIX_ROOT] = part_of(uri, 0, first + 1);
    bases->prefixes[PREFIX_SCHEME] = part_of(uri, 0, begin);
    bases->folders = 0;
    for (size_t end = path.length; end > first && bases->folders < LEVELS; bases->folders++) {
        end = last_byte(path, end, '/');
        bases->prefixes[PREFIX_FOLDERS + bases->folders] = part_of(uri, 0, end + 1);
    }
    bases->climbs = alike->climbs && bases->prefixes[PREFIX_FOLDERS + bases->folders - 1].length == first + 1;
}
