"""Repeated diagnostics, reduced to a few lines.

1. The first `MOST` of each kind are reported; the rest are counted, in one line for each kind, at the end.
2. Two are of one kind if they have the same text, apart from quotations and numbers in it.
3. The author of a container can vary the quotations, but not the words: so there are few kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from rehref.containers.parts import Diagnostic

MOST = 20
"""The number of diagnostics of one kind that are reported one by one."""

_VARIABLE = re.compile(r"""(?s:['"].*['"])|[0-9][0-9,]*+""")

_Other = TypeVar("_Other")


def few(found: Iterable[_Other | Diagnostic]) -> Iterator[_Other | Diagnostic]:
    """Yield what was found, with only a few diagnostics of each kind (rule 1)."""
    counts: dict[str, int] = {}
    lasts: dict[str, Diagnostic] = {}
    for each in found:
        if isinstance(each, Diagnostic):
            kind = _VARIABLE.sub("", each.message)
            counts[kind] = counts.get(kind, 0) + 1
            if counts[kind] > MOST:
                lasts[kind] = each
                continue
        yield each
    for kind, last in lasts.items():
        more = counts[kind] - MOST
        where = f"{more:,} more, up to {last.where}" if last.where else f"{more:,} more"
        yield last if more == 1 else replace(last, where=where)
