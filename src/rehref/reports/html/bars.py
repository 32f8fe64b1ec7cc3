"""Bars: a chart of numbers.

1. Every bar has its label and number as text; the picture adds nothing for people who cannot see it.
2. The longest bar fills the width; a number above 0 is always visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_LEAST = 0.6


class Bar(NamedTuple):
    """A bar. `kind`: the class of its colour; `key`: its name in scripts; `about`: a longer description."""

    label: str
    number: int
    kind: str = ""
    key: str = ""
    about: str = ""


class Chart(NamedTuple):
    """A chart. `name`: its name in scripts and styles; `unit`: what is counted, in the singular, for screen readers.

    `more`: a sentence below; `is_share`: the bars are parts of one whole, and one bar shows all; `has_paths`: labels
    that are too long lose their beginning, since paths differ at their ends.
    """

    name: str
    heading: str
    bars: Sequence[Bar]
    unit: str = ""
    more: str = ""
    is_share: bool = False
    has_paths: bool = False

    def unit_of(self, bar: Bar) -> str:
        """The unit for the number of a bar: `finding`, `findings`."""
        return self.unit if bar.number == 1 else f"{self.unit}s"

    def percent(self, bar: Bar) -> str:
        """The length of a bar, in percent of the longest (rule 2)."""
        longest = max((each.number for each in self.bars), default=0)
        return f"{max(_LEAST, 100 * bar.number / longest) if bar.number else 0:.4g}%"

    def parts(self) -> list[tuple[Bar, str, str]]:
        """The beginning and the length of each part in the one bar."""
        whole = sum(each.number for each in self.bars) or 1
        found, start = [], 0
        for bar in self.bars:
            found.append((bar, f"{100 * start / whole:.4g}%", f"{100 * bar.number / whole:.4g}%"))
            start += bar.number
        return found
