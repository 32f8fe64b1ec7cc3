"""One finding for one mistake: of the findings at one reference, the one that says most.

A finding also covers another if it is ignored itself: who ignores a mistake does not want to read of it by another
name. Findings that are not selected are left out before. No code occurs twice, except `not-a-uri`, which may occur once
for each component.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Final

from rehref.site._found.repeated import Repeated, spread
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.written import UNRESOLVABLE
from rehref.site._paths import shown
from rehref.site._results.crowds import MISSING, above_folder, was_made_relative
from rehref.site.codes import FINDINGS, WEB

_NOT_A_URI: Final = "not-a-uri"
_DIFFERS: Final = "browser-differs"
_SPELLING: Final = frozenset({_NOT_A_URI, _DIFFERS, "white-space-in-reference"})
_ABOVE_ROOT: Final = "above-root"
_PASSWORD: Final = "password-in-uri"
_FOUND: Final = frozenset(row.name for row in (*FINDINGS, *WEB) if row in FINDINGS or row.severity == "error")


def one_for_each_mistake(context: SiteContext, rows: Iterable[Repeated]) -> Iterator[Repeated]:
    """The findings without those that another one at the same reference covers; they come sorted by place."""
    for _, group in groupby(rows, key=attrgetter("finding.document")):
        by_reference: dict[tuple[object, ...], list[Repeated]] = {}
        for row in group:
            by_reference.setdefault((row.finding.attribute, row.finding.reference), []).append(row)
        left: list[Repeated] = []
        for own in by_reference.values():
            for same in _at_one_place(own):
                left += _of_mistake(context, same)
        yield from sorted(left, key=lambda row: row.finding.place) if len(by_reference) > 1 else left


def _at_one_place(rows: list[Repeated]) -> Iterable[list[Repeated]]:
    """Rows with the same reference, by their places: all of them, each alone, or else spread."""
    if len({(row.finding.line, row.finding.column, row.others) for row in rows}) == 1:
        return [rows]
    if len({place for row in rows for place in row.positions()}) == sum(row.number for row in rows):
        return [[row] for row in rows]
    by_place = groupby(spread(rows), key=lambda row: (row.finding.line, row.finding.column))
    return [list(same) for _, same in by_place]


def _of_mistake(context: SiteContext, found: list[Repeated]) -> Iterable[Repeated]:
    """What remains of the findings at one reference, or at several of the same text."""
    for number, (one, others) in enumerate(found):
        above = above_folder(context, one) if one.code in MISSING else None
        if above is not None:
            message = f"it leads above the folder, to {shown(above)}; {one.message}"
            found[number] = Repeated(one._replace(message=message), others)
        if above is not None or (one.code in MISSING and was_made_relative(one.reference)):
            found = [each for each in found if each.finding.code != _ABOVE_ROOT]
            break
    return found if len(found) == 1 else _remaining(found)


def _remaining(found: Collection[Repeated]) -> Iterator[Repeated]:
    """What remains of several at one place.

    If no browser reads a URL, only that counts, and a password that is publicly visible.
    """
    codes = {row.finding.code for row in found}
    seen: set[str] = set()
    for row in found:
        code = row.finding.code
        is_new = code not in seen or code == _NOT_A_URI
        if is_new and not _is_covered(code, codes):
            seen.add(code)
            yield row


def _is_covered(code: str, codes: Collection[str]) -> bool:
    """Whether another finding says more.

    A finding of checking (`rehref.site.codes.FINDINGS`), or an error from a server (`WEB`), covers how the reference is
    spelt (`_SPELLING`): that may be the reason. One that browsers go elsewhere covers characters in the reference that
    RFC 3986 does not allow. That a reference leads above the root (`above-root`) is said by the finding about the
    missing file, if there is one, for paths from the page.
    """
    if UNRESOLVABLE in codes:
        return code not in (UNRESOLVABLE, _PASSWORD)
    if code in _SPELLING and not _FOUND.isdisjoint(codes):
        return True
    return code == _NOT_A_URI and _DIFFERS in codes
