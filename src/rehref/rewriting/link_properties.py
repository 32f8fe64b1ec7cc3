r"""The properties of a link that the built-in rules check before they change it; and what browsers read differently.

References that browsers read differently from the RFC (`browser-differs`: `\img\a.png`, `http:g`) are never rewritten
into a third meaning: they stay unchanged, or, if the base that they are relative to is removed or changes, are written
as browsers read them. A `file:` URI of this machine, which a document has only because no other is known
(`Base.local`), is never written: it means nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rehref.documents.base import Base, Candidate, Problem, clean
from rehref.documents.link import Link
from rehref.uri.components import Components, split
from rehref.uri.resolver import parse_or_none

if TYPE_CHECKING:
    pass

WITHIN: Final = ("arcp:", "thismessage:")
"""Schemes of URIs that mean something only within their container."""


def is_usual(link: Link) -> bool:
    """Return whether a link is like most: not empty, it leads somewhere, and browsers read it alike."""
    if link.target is None or link.reference == "" or link.is_local:
        return False
    return not link.problems or difference(link.problems) is None


def is_same_document_as_written(link: Link) -> bool:
    """Whether the reference is `""` or `#…` (RFC 3986 §4.4), and stays in the document.

    It does not if an embedded base makes it leave the document; then it is treated like others.
    """
    return link.same_document and clean(link.reference)[:1] in ("", "#")


def is_base_element(link: Link) -> bool:
    """Return whether the link is the `href` of a `base` element, or a base of XML (`xml:base`)."""
    return link.kind == "base" and (link.element == "base" or link.attribute in ("xml:base", "BASE"))


def is_out_of_reach(link: Link, *, metadata: bool = False) -> bool:
    """Whether no built-in rule changes the link. `metadata`: statements may be changed, if possible.

    Out of reach are hash-name references and `url(#id)` (kind `fragment`), namespaces, `itemid` and the like,
    references without a target, an empty `src`, which means that there is nothing (but an empty hyperlink below an
    `xml:base`, as in Atom, is that base), and schemes without a hierarchy (`javascript:`, `data:`, `mailto:`, `about:`,
    `cid:`).
    """
    if link.target is None or link.kind in ("fragment", "namespace"):
        return True
    if link.kind == "metadata":
        # an empty IRI reference in JSON-LD is a reference; an empty `content` is not
        return not (metadata and (is_json_ld(link) or (link.element == "meta" and link.reference != "")))
    if link.kind == "hyperlink" and link.base.scope == "xml:base":
        return False
    return link.reference == "" and (link.element, link.attribute) not in _EMPTY_MEANS_DOCUMENT


def is_json_ld(link: Link) -> bool:
    """Return whether the link is in JSON-LD, and is not the name of a context."""
    return link.kind == "metadata" and link.element in ("script", "json-ld")


def is_below_json_ld_base(link: Link) -> bool:
    """Whether the link is relative to an `@base` in the same JSON-LD (JSON-LD 1.1 §4.1.3).

    It is written as an absolute URI if its meaning could change, since the `@base` may change.
    """
    return is_json_ld(link) and link.base.scope == "@base"


def is_of_codebase(base: Base) -> bool:
    """Return whether a base is the `codebase` of an element, which browsers do not know."""
    return base.scope == "codebase"


# attributes that may be empty references; others (`src=""`) mean that there is nothing, and browsers fetch nothing
_EMPTY_MEANS_DOCUMENT = frozenset(
    {
        *(("a", "href"), ("area", "href"), ("base", "href"), ("a", "xlink:href")),
        *(("form", "action"), ("button", "formaction"), ("input", "formaction")),
    }
)


def has_hierarchy(parts: Components) -> bool:
    """Return whether a target has an authority or a rooted path, so that it can be made relative or replayed."""
    return parts.authority is not None or parts.path.startswith("/")


def is_file_uri(target: str | None) -> bool:
    """Return whether a target is a `file:` URI (RFC 8089)."""
    return target is not None and target[:5].lower() == "file:"


def means_nothing_elsewhere(target: str) -> bool:
    """Return whether a target is a file of this machine, or something in a container."""
    return is_file_uri(target) or target[:16].lower().startswith(WITHIN)


def is_absolute(reference: str, target: str | None, base: Base) -> bool:
    """Return whether a reference does not depend on the base: it has a scheme that the profile does not ignore
    (§5.2.2).

    `http:x` depends on it: browsers read it as relative or as `http://x`, depending on the base's scheme.
    """
    if ":" not in reference:
        return False
    parts = split(clean(reference))
    if parts.scheme is None:
        return False
    if parts.authority is not None or base.uri is None:
        return True
    if target is not None and split(target).authority is not None:
        return False
    return parts.scheme.lower() != (split(base.uri).scheme or "").lower()


def in_full(link: Link) -> str | None:
    """Return the target; None if the reference does not depend on the base, or would lead to a file of this machine."""
    return full(link.reference, link.target, link.base)


def full(reference: str, target: str | None, base: Base) -> str | None:
    """Return the same, of a link with these texts."""
    if reference == target or (base.local and is_file_uri(target)):
        return None
    return None if is_absolute(reference, target, base) else target


def difference(problems: Sequence[Problem]) -> Problem | None:
    """Return the problem `browser-differs`, if the link has it."""
    for problem in problems:
        if problem.code == "browser-differs":
            return problem
    return None


def settled(link: Link, *, base_goes: bool) -> Link | None:
    r"""The link that a rule should use, or None if the reference must stay unchanged.

    If browsers reject both the reference and its target, there is nothing to keep: it is rewritten like others. If they
    reject the reference, but would accept its target (`/\\`, which is `//` to them), it stays. `link` has a target.
    `base_goes`: whether the embedded base that browsers resolve it against is removed or changes.
    """
    problem = difference(link.problems) if link.problems else None
    if problem is None or (problem.target is None and parse_or_none(link.target or "") is None):
        return link
    if base_goes and problem.target is not None:
        return link._replace(target=problem.target, same_document=False)
    return None


def may_go(base: Base, own: str | None) -> bool:
    """Return whether references relative to `base` mean something else to browsers if no element gives a base any more.

    `own`: the document's own URI. Browsers may have accepted a base that the RFC rejects.
    """
    if base.origin == "embedded":
        return base.uri != own and not has_no_hierarchy(base)
    return any(rejected.origin == "embedded" for rejected in base.rejected)


def is_without_hierarchy(link: Link) -> bool:
    """Whether the link of a `base` element gives a base against which browsers resolve only fragments, perhaps in a
    `srcdoc`.
    """
    counts = any(problem.code == "base-not-hierarchical" for problem in link.problems)
    return counts and has_no_hierarchy(Candidate(link.target or "", "embedded", "").alone())


def has_no_hierarchy(base: Base) -> bool:
    """Whether it is an embedded base against which browsers resolve only fragments (`mailto:x`).

    It is neither removed nor changed: without it, references that lead nowhere would lead somewhere.
    """
    return base.origin == "embedded" and base.uri is not None and not split(base.uri).resolves_paths
