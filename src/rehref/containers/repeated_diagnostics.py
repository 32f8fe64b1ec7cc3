"""Diagnostics that come in floods, brought down to a few lines.

1. Of each kind the first `MOST` are reported; the rest are counted, in one line for each kind, at the end.
2. Two are of one kind if they say the same, whatever they quote and whatever the numbers in it.
3. Whoever writes a container can vary what is quoted, but not the words: there are few kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from rehref.containers.parts import Diagnostic

MOST = 20
"""Diagnostics of one kind that are reported one by one."""

_VARIABLE = re.compile(r"""(?s:['"].*['"])|[0-9][0-9,]*+""")

_Other = TypeVar("_Other")


def few(found: Iterable[_Other | Diagnostic]) -> Iterator[_Other | Diagnostic]:
    """What was found, with few diagnostics of each kind among it (rule 1)."""
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
