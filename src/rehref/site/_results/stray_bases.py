"""Bases in documents that are a mistake: without them nearly all of the links that are broken would be right.

`<base href="assets/">` on a page whose links are relative to the page is one mistake, however many links it breaks.
They have one cause, their messages say how many would be right, and no link is adapted to such a base.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rehref.documents.base import clean, without_fragment
from rehref.site._found.repeated import Repeated
from rehref.site._grounds.site_context import SiteContext
from rehref.site._results.crowds import MISSING, NO_PATH
from rehref.site.findings import Finding
from rehref.uri.resolver import parse_or_none

_FEW: Final = 3
"""Links that would be right, at least."""
_NEARLY_ALL: Final = 0.9

_Place = tuple[str, str | None]
"""A document, and the URI of the base in it."""


class _Links(NamedTuple):
    """The broken links relative to one base; `right`: those that would be right without it."""

    broken: int
    right: int


class StrayBases:
    """The stray bases of a site, by the document and the URI of the base."""

    def __init__(self, context: SiteContext, rows: Iterable[Repeated]) -> None:
        """`rows`: all of a check."""
        by_place: defaultdict[_Place, list[Repeated]] = defaultdict(list)
        for row in rows:
            if _is_below_base(row.finding):
                by_place[_place(row.finding)].append(row)
        self._links: dict[_Place, _Links] = {}
        for place, own in by_place.items():
            number = sum(row.number for row in own)
            is_right = (row.number * _is_right_without_base(context, row.finding) for row in own)
            right = sum(is_right) if number >= _FEW else 0
            if right >= max(_FEW, _NEARLY_ALL * number):
                self._links[place] = _Links(number, right)

    def cover(self, finding: Finding) -> bool:
        """Whether a finding is about a link below a stray base."""
        return bool(self._links) and _is_below_base(finding) and _place(finding) in self._links

    def explained(self, findings: Sequence[Finding]) -> Sequence[Finding]:
        """The findings; those about links below a stray base say so, and suggest nothing."""
        return [self._explained(each) if self.cover(each) else each for each in findings] if self._links else findings

    def _explained(self, finding: Finding) -> Finding:
        links = self._links[_place(finding)]
        where = "" if finding.base is None else f" ({finding.base.where})"
        without = (
            f"without this base{where}, {links.right:,} of {links.broken:,} broken links of the page would be right"
        )
        return finding._replace(message=f"{finding.message}; {without}", suggestion=None, sure=False)


def _place(finding: Finding) -> _Place:
    return finding.document, None if finding.base is None else finding.base.uri


def _is_below_base(finding: Finding) -> bool:
    """Whether a finding is about a missing file that a base in the document leads to."""
    if finding.code not in MISSING or finding.base is None or finding.base.origin != "embedded":
        return False
    return NO_PATH(clean(finding.reference)) is None


def _is_right_without_base(context: SiteContext, finding: Finding) -> bool:
    target = parse_or_none(clean(finding.reference), context.uri_of(finding.document))
    located = None if target is None else context.locator.locate(without_fragment(target))
    return located is not None and located.path is not None and located.code == ""
