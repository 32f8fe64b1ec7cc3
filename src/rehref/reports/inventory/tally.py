"""Counts by name in bounded memory, however many names there are.

1. A limited number of names is counted separately; later names are counted together.
2. No count is lost: the sum is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

MOST: Final = 20_000
"""The number of names that are counted separately."""


class Tally:
    """Counts by name (rule 1). `others`: the count of all names that are not separate."""

    def __init__(self, most: int = MOST) -> None:
        self.counts: Counter[str] = Counter()
        self.others = 0
        self._most = most

    def add(self, counts: Mapping[str, int]) -> None:
        """Add these counts."""
        known = self.counts
        for name, number in counts.items():
            if name in known or len(known) < self._most:
                known[name] += number
            else:
                self.others += number

    def top(self, most: int) -> list[tuple[str, int]]:
        """The names with the highest counts, highest first; of equal ones the first by name."""
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[:most]

    def rest(self, most: int) -> int:
        """The count of all names besides the `top`."""
        return self.total - sum(number for _, number in self.top(most))

    @property
    def total(self) -> int:
        """The sum of all counts (rule 2)."""
        return self.counts.total() + self.others
