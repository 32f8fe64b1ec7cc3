"""Findings that differ in nothing but their place in one document, as one row: pages repeat a mistake 60,000 times.

All that is decided about findings (whether they are left out, what to write instead, their cause) is decided once for a
row, by its first finding; only what depends on a place looks at the others. Findings are made of rows when a report
asks for them.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Final, NamedTuple

from rehref.site._found.finding import Finding

_NUMBER: Final = "q"
_NUMBERS: Final = 4
_SIZE: Final = _NUMBERS * array(_NUMBER).itemsize


class Repeated(NamedTuple):
    """A finding at its first place, and its other places: of each line, column, start and end, as 64-bit numbers."""

    finding: Finding
    others: bytes = b""

    @classmethod
    def of(cls, finding: Finding, places: array[int]) -> Repeated:
        """Return the row of a finding, whose place does not matter, at some places."""
        starts = places[2::_NUMBERS].tolist()
        if starts != sorted(starts):
            places = array(_NUMBER, chain.from_iterable(sorted(_in_fours(places))))
        line, column, start, end = places[:_NUMBERS]
        return cls(finding.at(line, column, (start, end)), places[_NUMBERS:].tobytes())

    @property
    def number(self) -> int:
        """How many findings it is."""
        return 1 + len(self.others) // _SIZE

    def positions(self) -> Iterator[tuple[int | None, int | None]]:
        """Yield the lines and columns of its findings."""
        yield self.finding.line, self.finding.column
        yield from ((line, column) for line, column, _, _ in _in_fours(array(_NUMBER, self.others)))

    def each(self) -> Iterator[Finding]:
        """Yield its findings, by place."""
        finding = self.finding
        yield finding
        for line, column, start, end in _in_fours(array(_NUMBER, self.others)):
            yield finding.at(line, column, (start, end))


def places() -> array[int]:
    """Return an array for the places of a row."""
    return array(_NUMBER)


def _in_fours(numbers: array[int]) -> Iterator[tuple[int, int, int, int]]:
    each = iter(numbers)
    return zip(each, each, each, each, strict=True)


def spread(rows: Iterable[Repeated]) -> list[Repeated]:
    """Return a row for each finding of rows, sorted by place: for what depends on places."""
    return list(map(Repeated, sorted((each for row in rows for each in row.each()), key=lambda each: each.place)))


class Rows:
    """All findings of a check as `repeated` rows, which are sorted by their first places. Iterating makes findings."""

    __slots__ = ("_number", "repeated")

    def __init__(self, repeated: Iterable[Repeated]) -> None:
        self.repeated = tuple(repeated)
        self._number = sum(row.number for row in self.repeated)

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Finding]:
        for _, group in groupby(self.repeated, key=lambda row: row.finding.document):
            own = list(group)
            if any(row.others for row in own):
                yield from heapq.merge(*(row.each() for row in own), key=lambda each: each.place)
            else:
                yield from (row.finding for row in own)
