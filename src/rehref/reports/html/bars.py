"""Bars: how many of some there are, as a chart with its numbers.

1. Every bar has its label and number as text; the picture is for those who see it, and says nothing else.
2. The longest bar is as long as there is room; what is there at all is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_LEAST = 0.6


class Bar(NamedTuple):
    """A bar. `kind`: the class of its colour; `key`: what a script knows it by; `about`: what it is, at length."""

    label: str
    number: int
    kind: str = ""
    key: str = ""
    about: str = ""


class Chart(NamedTuple):
    """A chart. `name`: what scripts and styles call it; `unit`: what is counted, in the singular, for listeners.

    `more`: what is said below; `is_share`: the bars are parts of one whole, and one bar shows all; `has_paths`: labels
    there is no room for lose their beginning, since the end of a path tells it from others.
    """

    name: str
    heading: str
    bars: Sequence[Bar]
    unit: str = ""
    more: str = ""
    is_share: bool = False
    has_paths: bool = False

    def unit_of(self, bar: Bar) -> str:
        """What the number of a bar is of: `finding`, `findings`."""
        return self.unit if bar.number == 1 else f"{self.unit}s"

    def percent(self, bar: Bar) -> str:
        """How long a bar is, of the longest (rule 2)."""
        longest = max((each.number for each in self.bars), default=0)
        return f"{max(_LEAST, 100 * bar.number / longest) if bar.number else 0:.4g}%"

    def parts(self) -> list[tuple[Bar, str, str]]:
        """Where in the one bar each part begins, and how long it is."""
        whole = sum(each.number for each in self.bars) or 1
        found, start = [], 0
        for bar in self.bars:
            found.append((bar, f"{100 * start / whole:.4g}%", f"{100 * bar.number / whole:.4g}%"))
            start += bar.number
        return found
