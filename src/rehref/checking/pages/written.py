r"""What is wrong with a reference as it is written, whatever files there are.

1. `unresolvable`: no browser reads a URL in it (URL Standard, "basic URL parser"). A site on the disk is meant for a
   host: what begins with two slashes is read there as `https:` pages read it.
2. `file-uri`: it names a file on a disk, by the scheme `file` or by a drive (`C:\a.html`). On the web that is the disk
   of whoever follows it. A site that `--site-url` says is one of `file:` URIs is meant so, and so is what `--remap`
   moves.
3. `invalid-mailto`, `invalid-tel`: what follows these schemes is no address, or no number.
4. What `--include` and `--exclude` leave out is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rehref.base import clean
from rehref.checking.pages.classifier import Verdict
from rehref.checking.site.site_context import SiteContext
from rehref.documents.link import Problem
from rehref.uri.addresses import mailto_fault, tel_fault
from rehref.uri.whatwg import parse_or_none

UNRESOLVABLE: Final = "unresolvable"
"""The code of a reference in which no browser reads a URL."""
DROPPED: Final = "dropped-candidate"
"""The code of a candidate in a `srcset` that browsers drop."""
FILE_URI: Final = "file-uri"
"""The code of a reference to a file on a disk."""
AS_WRITTEN: Final = frozenset({UNRESOLVABLE, DROPPED, FILE_URI, "invalid-mailto", "invalid-tel"})
"""The codes of what is wrong with references as they are written: their targets are not looked up."""

_SLASHES = frozenset("/\\")
_SCHEME = re.compile(r"(?:(?P<address>mailto|tel)|file):|(?P<drive>[a-z]:)[\\/]", re.IGNORECASE).match
_MAY_BE_WRONG = re.compile(r"\s*(?:(?:mailto|tel|file):|[a-z]:[\\/]|[\\/]{2})", re.IGNORECASE).match
_ADDRESSES: Final[Mapping[str, tuple[str, Callable[[str], str | None]]]] = {
    "mailto": ("invalid-mailto", mailto_fault),
    "tel": ("invalid-tel", tel_fault),
}


def wrong_as_written(
    context: SiteContext, reference: str, target: str | None, problems: Sequence[Problem] = ()
) -> Verdict | None:
    """The verdict on a reference as it is written; `problems`: what is odd about it. None: nothing is wrong so far."""
    if not problems and _MAY_BE_WRONG(reference) is None:  # as nearly always
        return None
    verdict = _wrong(context, clean(reference), target, problems)
    return verdict if verdict is None or context.scope.chooses(target or reference, reference) else None


def _wrong(context: SiteContext, reference: str, target: str | None, problems: Sequence[Problem]) -> Verdict | None:
    if not _is_read(context, reference, problems):
        return Verdict(UNRESOLVABLE, "no browser reads a URL here (URL Standard): it goes nowhere")
    scheme = _SCHEME(reference)
    if scheme is None:
        return None
    if scheme["address"] is not None:
        code, fault_of = _ADDRESSES[scheme["address"].lower()]
        fault = fault_of(reference)
        return None if fault is None else Verdict(code, fault)
    if _has_files(context) or any(rule.pattern.search(target or reference) for rule in context.options.remap):
        return None
    what = "a file: URI" if scheme["drive"] is None else f"{scheme['drive']} begins a path on a disk: it"
    return Verdict(FILE_URI, f"{what} leads to no place on the web, but to the disk of whoever follows it")


def _is_read(context: SiteContext, reference: str, problems: Sequence[Problem]) -> bool:
    """Whether browsers read a URL in a reference (rule 1)."""
    if any(_is_no_url(problem) for problem in problems):
        return False
    from_root = len(reference) > 1 and _SLASHES.issuperset(reference[:2])
    return not (from_root and context.uri.startswith("file:")) or parse_or_none("https:" + reference) is not None


def _has_files(context: SiteContext) -> bool:
    """Whether the site is one of `file:` URIs, because somebody says so (rule 2)."""
    return (context.options.site_url or "").lower().startswith("file:")


def _is_no_url(problem: Problem) -> bool:
    """Whether a problem is that a browser goes nowhere, in any profile (rule 1)."""
    return problem.code == UNRESOLVABLE or (problem.code == "browser-differs" and problem.target is None)
