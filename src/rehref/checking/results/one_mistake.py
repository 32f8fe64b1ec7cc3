"""One mistake, one finding: of what is found at one reference, that which says most.

1. Where no browser reads a URL, nothing else counts but a password for all to see.
2. What checking finds (`rehref.codes.FINDINGS`), or a server says is wrong (errors of `WEB`), stands for how the
   reference is spelt (`_SPELLING`): that may be why.
3. That browsers go elsewhere stands for what in the reference RFC 3986 does not allow.
4. No code is there twice, but for `not-a-uri`, of which there may be one for each component.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Final

from rehref.checking.model import Finding
from rehref.checking.pages.written import UNRESOLVABLE
from rehref.codes import FINDINGS, WEB

_NOT_A_URI: Final = "not-a-uri"
_DIFFERS: Final = "browser-differs"
_SPELLING: Final = frozenset({_NOT_A_URI, _DIFFERS, "white-space-in-reference"})
_PASSWORD: Final = "password-in-uri"
_FOUND: Final = frozenset(row.name for row in (*FINDINGS, *WEB) if row in FINDINGS or row.severity == "error")


def one_for_each_mistake(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings without those that another one at the same reference stands for; they come sorted by place."""
    for _, group in groupby(findings, key=_place):
        found = list(group)
        yield from found if len(found) == 1 else _left(found)


def _place(finding: Finding) -> tuple[object, ...]:
    return finding.document, finding.line, finding.column, finding.attribute, finding.reference


def _left(found: Collection[Finding]) -> Iterator[Finding]:
    """What is left of several findings at one place."""
    codes = {finding.code for finding in found}
    seen: set[str] = set()
    for finding in found:
        is_new = finding.code not in seen or finding.code == _NOT_A_URI
        if is_new and not _is_covered(finding.code, codes):
            seen.add(finding.code)
            yield finding


def _is_covered(code: str, codes: Collection[str]) -> bool:
    """Whether another of the codes at a place stands for a code."""
    if UNRESOLVABLE in codes:
        return code not in (UNRESOLVABLE, _PASSWORD)
    if code in _SPELLING and not _FOUND.isdisjoint(codes):
        return True
    return code == _NOT_A_URI and _DIFFERS in codes
