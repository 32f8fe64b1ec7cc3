"""One finding for one mistake: of the findings at one reference, the one that says most.

A finding also covers another if it is ignored itself: who ignores a mistake does not want to read of it by another
name. Findings that are not selected are left out before. No code occurs twice, except `not-a-uri`, which may occur once
for each component.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Final

from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.written import UNRESOLVABLE
from rehref.site._paths import shown
from rehref.site._results.crowds import MISSING, above_folder, was_made_relative
from rehref.site.codes import FINDINGS, WEB
from rehref.site.findings import Finding

_NOT_A_URI: Final = "not-a-uri"
_DIFFERS: Final = "browser-differs"
_SPELLING: Final = frozenset({_NOT_A_URI, _DIFFERS, "white-space-in-reference"})
_ABOVE_ROOT: Final = "above-root"
_PASSWORD: Final = "password-in-uri"
_FOUND: Final = frozenset(row.name for row in (*FINDINGS, *WEB) if row in FINDINGS or row.severity == "error")


def one_for_each_mistake(context: SiteContext, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings without those that another one at the same reference covers; they come sorted by place."""
    for _, group in groupby(findings, key=_place):
        found = list(group)
        for number, one in enumerate(found):
            above = above_folder(context, one) if one.code in MISSING else None
            if above is not None:
                found[number] = one._replace(message=f"it leads above the folder, to {shown(above)}; {one.message}")
            if above is not None or (one.code in MISSING and was_made_relative(one.reference)):
                found = [each for each in found if each.code != _ABOVE_ROOT]
                break
        yield from found if len(found) == 1 else _left(found)


def _place(finding: Finding) -> tuple[object, ...]:
    return finding.document, finding.line, finding.column, finding.attribute, finding.reference


def _left(found: Collection[Finding]) -> Iterator[Finding]:
    """Return the findings at one reference that stay.

    If no browser reads a URL, only that counts, and a password that is publicly visible.
    """
    codes = {finding.code for finding in found}
    seen: set[str] = set()
    for finding in found:
        is_new = finding.code not in seen or finding.code == _NOT_A_URI
        if is_new and not _is_covered(finding.code, codes):
            seen.add(finding.code)
            yield finding


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
