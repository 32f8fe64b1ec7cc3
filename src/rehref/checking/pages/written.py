"""What is wrong with a reference as it is written, whatever files there are.

1. `unresolvable`: no browser reads a URL in it (URL Standard, "basic URL parser"). A site on the disk is meant for a
   host: what begins with two slashes is read there as `https:` pages read it.
2. What `--include` and `--exclude` leave out is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rehref.base import clean
from rehref.checking.pages.classifier import Verdict
from rehref.checking.site.site_context import SiteContext
from rehref.documents.link import Problem
from rehref.uri.whatwg import parse_or_none

UNRESOLVABLE: Final = "unresolvable"
"""The code of a reference in which no browser reads a URL."""
DROPPED: Final = "dropped-candidate"
"""The code of a candidate in a `srcset` that browsers drop."""
AS_WRITTEN: Final = frozenset({UNRESOLVABLE, DROPPED})
"""The codes of what is wrong with references as they are written: their targets are not looked up."""

_SLASHES = frozenset("/\\")


def wrong_as_written(
    context: SiteContext, reference: str, target: str | None, problems: Iterable[Problem] = ()
) -> Verdict | None:
    """The verdict on a reference as it is written; `problems`: what is odd about it. None: nothing is wrong so far."""
    verdict = _wrong(context, clean(reference), problems)
    if verdict is None or (context.scope.is_narrowed and not context.scope.chooses(target or reference)):
        return None
    return verdict


def _wrong(context: SiteContext, reference: str, problems: Iterable[Problem]) -> Verdict | None:
    is_read = not any(_is_no_url(problem) for problem in problems)
    if is_read and context.uri.startswith("file:") and _SLASHES.issuperset(reference[:2]) and len(reference) > 1:
        is_read = parse_or_none("https:" + reference) is not None
    return None if is_read else Verdict(UNRESOLVABLE, "no browser reads a URL here (URL Standard): it goes nowhere")


def _is_no_url(problem: Problem) -> bool:
    """Whether a problem is that a browser goes nowhere, in any profile (rule 1)."""
    return problem.code == UNRESOLVABLE or (problem.code == "browser-differs" and problem.target is None)
