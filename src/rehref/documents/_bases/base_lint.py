"""Problems of the `base` elements of an HTML document, reported for the links that their `href`s are.

The element that counts is the first that has an `href`, as in browsers, whether or not it can serve as a base, and also
where embedded bases are ignored: the problems are those of the document itself. One element may have several, in the
order of the docs; all elements together take time linear in the document. Positions in a `srcdoc` are in its own text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rehref.documents.base import Candidate, Problem, clean, establish_within
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.markup.places import HTML, IN_BODY, IN_TEMPLATE, at
from rehref.markup.twin import may_be_on
from rehref.uri.components import SCHEME, split

_TAKES_THE_PATH = re.compile(f"(?!//)(?!{SCHEME}:)").match
_STAYS = frozenset({"fragment", "namespace"})


def lint(document: Document, *, late: bool = True) -> Mapping[int, tuple[Problem, ...]]:
    """The problems of the document's `base` elements, by the number of the place of their `href`.

    `late`: also `base-late`, for which all that comes before the base must be read.
    """
    found: dict[int, tuple[Problem, ...]] = {}
    skipped: list[int] = []
    for attributes in _elements(document):
        number = attributes.get("href")
        if number is None:
            skipped.append(min(attributes.values()))
            continue
        problems = []
        if skipped:
            where, count = _at(document, skipped[0]), len(skipped)
            stand = _before_it(where, count, "a base element without href", "base elements without href")
            fate = "it is" if count == 1 else "they are"
            problems.append(Problem("base-without-href", f"{stand}; {fate} skipped"))
            skipped = []
        counts = document.resolvers.base_elements[-1]
        if number == counts:
            problems += _of_the_one_that_counts(document, number, min(attributes.values()) if late else 0)
        else:
            position = f", which is{where}" if (where := _at(document, counts)) else ""
            message = f"it has no effect: the first base element with an href counts{position}"
            problems.append(Problem("base-repeated", message))
        if document.parsed.places[number].flags & IN_BODY:
            problems.append(
                Problem("base-in-body", "it is in the body; a base element belongs in the head (HTML Standard)")
            )
        found[number] = tuple(problems)
    return found


def _elements(document: Document) -> list[dict[str | None, int]]:
    """The `base` elements in the HTML namespace outside templates, each as the numbers of its places by attribute."""
    elements: dict[int, dict[str | None, int]] = {}
    places = document.parsed.places
    for number in may_be_on(places, "base"):
        element, namespace, attribute, _, _, _, tag, flags = places[number]
        if element == "base" and namespace == HTML and not flags & IN_TEMPLATE:
            elements.setdefault(tag, {})[attribute] = number
    return list(elements.values())


def _at(document: Document, number: int, offset: int | None = None) -> str:
    """The position of a place, for people; "" if the core does not report it."""
    where = at(document.parsed, number, offset)
    return f"{where} of the srcdoc" if where and document.container is not None else where


def _before_it(where: str, count: int, one: str, many: str) -> str:
    if count == 1:
        return f"{one} comes before it{f',{where}' if where else ''}"
    return f"{count} {many} come before it{f', the first{where}' if where else ''}"


def _of_the_one_that_counts(document: Document, number: int, begin: int) -> list[Problem]:
    """The problems of the element that counts. `begin`: its first place, 0: nothing is late; `number`: its href.

    An empty `href` has none: the base is the same as without it. `base-relative`: it has no scheme, so the base depends
    on where the document is; with a path from the root only on the host, as sites are built (`<base href="/">`), which
    is not reported. `base-not-hierarchical`: it cannot serve as the base wherever the document is, or browsers resolve
    only fragments against it (`mailto:x`). `base-blocked`: a Content Security Policy forbids browsers to use it; where
    the profile follows the author it is the base all the same. `base-in-body`: the HTML Standard requires it in the
    head; only some cores report this (`IN_BODY`).
    """
    outer = (document.bases.around or document.bases).base
    href = clean(document.parsed.places[number].value)
    if href == "":
        return []
    base = document.base
    candidate = Candidate(href, "embedded", "")
    if document.bases.around is None:  # what the document embeds is not its base
        base = establish_within(outer, candidate, document.how.profile)
    serves = len(base.rejected) <= len(outer.rejected)  # else it would be one more
    problems: list[Problem] = []
    candidates = () if document.bases.around is None else document.bases.candidates  # none if it is not known
    policy = candidates[0].policy if candidates else None
    target = None if policy is None else establish_within(outer, candidate, "whatwg").uri
    blocked = "" if policy is None or target is None else policy.objection(target)
    if blocked:
        browsers = "browsers do without it" if outer.uri is None else f"browsers take {outer.uri} instead"
        problems.append(Problem("base-blocked", f"{blocked}; {browsers}"))
    if serves and (late := _late(document, begin)) is not None:
        problems.append(late)
    if split(href).scheme is None and (serves or outer.uri is None):
        if href.startswith("//"):
            message = "its href has no scheme: the base takes it from the document's own URI"
            problems.append(Problem("base-relative", message))
        elif not href.startswith("/"):
            message = "its href is relative: the base depends on where the document is"
            problems.append(Problem("base-relative", message))
    elif not serves and not blocked:
        problems.append(Problem("base-not-hierarchical", f"it is rejected: {base.rejected[0].reason}"))
    elif serves and not split(base.uri or "").resolves_paths:
        message = "it has no hierarchy: browsers use it as the base, and then resolve only fragments"
        problems.append(Problem("base-not-hierarchical", message))
    return problems


def _late(document: Document, begin: int) -> Problem | None:
    """The problem of relative references before place `begin` that the base applies to."""
    before = [
        (number, reference.start)
        for number in range(begin)
        for reference in document.references_at(number)
        if _is_relative_to(document, reference)
    ]
    if not before:
        return None
    stand = _before_it(_at(document, *before[0]), len(before), "a relative reference", "relative references")
    return Problem("base-late", f"{stand}; the base applies to {'it' if len(before) == 1 else 'them'}, too")


def _is_relative_to(document: Document, reference: Reference) -> bool:
    """Whether a reference is relative, and the document's base is its base.

    References whose target never depends on it (`usemap`) are not, nor `//host/x`, which takes at most the scheme.
    """
    while reference.inner is not None:
        if reference.inner.document.base is not document.base:
            return False
        reference = reference.inner.reference
    return (
        reference.base is None and reference.kind not in _STAYS and _TAKES_THE_PATH(clean(reference.text)) is not None
    )
