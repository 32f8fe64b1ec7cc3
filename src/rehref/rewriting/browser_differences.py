r"""References that browsers read differently from the RFC are never rewritten into a third meaning.

1. Such references have the problem `browser-differs`: `\img\a.png`, `http:g`, all references below a base that browsers
   reject. In the profile `whatwg` there are none.
2. Such a reference stays unchanged: then it keeps its meaning, for browsers and for programs that follow the RFC.
3. If it cannot stay, because the embedded base that it is relative to is removed or changes, it is written as browsers
   read it.
4. A base against which browsers resolve only fragments (`mailto:x`) is neither removed nor changed: without it,
   references that lead nowhere would lead somewhere.
5. If browsers reject both the reference and its target, there is nothing to keep: it is rewritten like others. If they
   reject the reference, but would accept its target (`/\\`, which is `//` to them), it stays.
6. The first such places of a run are named (`first_places`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from rehref.base import Base, Candidate, establish
from rehref.documents.base_lint import resolves_paths
from rehref.documents.link import Link, Problem
from rehref.uri.whatwg import parse_or_none

if TYPE_CHECKING:
    from rehref.documents.document import Document

PLACES: Final = 3
"""The number of places that are named (rule 6)."""


def difference(problems: Sequence[Problem]) -> Problem | None:
    """Return the problem `browser-differs`, if the link has it."""
    for problem in problems:
        if problem.code == "browser-differs":
            return problem
    return None


def first_places(name: str, document: Document) -> tuple[str, ...]:
    """Return the first places of a document where browsers read a reference differently, for people: `a.html:12`.

    `name`: the document's name. A core that knows no lines gives the name alone.
    """
    found = (link.line for link in document.links() if difference(link.problems) is not None)
    lines = dict.fromkeys(islice(found, PLACES))
    return tuple(name if line is None else f"{name}:{line}" for line in lines)


def settled(link: Link, *, base_goes: bool) -> Link | None:
    """Return the link that a rule should use, or None if the reference must stay unchanged (rule 2).

    `link` has a target. `base_goes`: whether the embedded base that browsers resolve it against is removed or changes
    (rule 3).
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
    """Return whether the link of a `base` element gives such a base (rule 4), perhaps in a `srcdoc`."""
    counts = any(problem.code == "base-not-hierarchical" for problem in link.problems)
    given = Candidate(link.target or "", "embedded", "")
    return counts and has_no_hierarchy(establish((given,)))


def has_no_hierarchy(base: Base) -> bool:
    """Return whether the link is an embedded base against which browsers resolve only fragments (rule 4)."""
    return base.origin == "embedded" and base.uri is not None and not resolves_paths(base.uri)
