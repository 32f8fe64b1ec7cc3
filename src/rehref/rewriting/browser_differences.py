r"""What browsers read otherwise than the RFC: it is never rewritten into a third meaning.

1. It is what carries the problem `browser-differs`: `\img\a.png`, `http:g`, everything below a base that browsers do
   not take. In the profile `whatwg` there is none.
2. Such a reference stays as it stands: then it means to browsers, and to what follows the RFC, what it meant.
3. Where it cannot stay, since the embedded base that it is relative to goes or changes, it is written as browsers read
   it.
4. A base that nothing but a fragment is relative to in browsers (`mailto:x`) neither goes nor changes: without it, what
   leads nowhere would lead somewhere.
5. Where browsers read no URL in the reference, nor in its target, there is nothing to keep: it is rewritten like
   others. Where they would read one in its target alone (`/\\`, which is `//` to them), it stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from rehref.base import Base
from rehref.documents.base_lint import is_hierarchical
from rehref.documents.link import Link, Problem
from rehref.uri.whatwg import parse_or_none


def difference(problems: Sequence[Problem]) -> Problem | None:
    """The problem `browser-differs`, if it is among a link's problems."""
    for problem in problems:
        if problem.code == "browser-differs":
            return problem
    return None


def settled(link: Link, *, base_goes: bool) -> Link | None:
    """The link as a rule is to take it; None if it is to stay as it stands (rule 2).

    `link` has a target. `base_goes`: whether the embedded base goes or changes that browsers read it against (rule 3).
    """
    problem = difference(link.problems) if link.problems else None
    if problem is None or (problem.target is None and parse_or_none(link.target or "") is None):
        return link
    if base_goes and problem.target is not None:
        return link._replace(target=problem.target, same_document=False)
    return None


def may_go(base: Base, own: str | None) -> bool:
    """Whether what is relative to `base` means something else to browsers once no element names a base any more.

    `own`: the document's own URI. What the RFC rejects, browsers may have taken.
    """
    if base.origin == "embedded":
        return base.uri != own and not has_no_hierarchy(base)
    return any(rejected.origin == "embedded" for rejected in base.rejected)


def has_no_hierarchy(base: Base) -> bool:
    """Whether it is an embedded base that nothing but a fragment is relative to in browsers (rule 4)."""
    return base.origin == "embedded" and base.uri is not None and not is_hierarchical(base.uri)
