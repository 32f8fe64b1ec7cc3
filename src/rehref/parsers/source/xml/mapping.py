"""Where the characters of a value stand in the source.

1. A character stands where its raw form is: a reference (`&amp;`), a CR LF or a multi-byte character is one character
   of the value, and several units of the source. What two or more characters come from is the place of each of them.
2. Between two characters of a text there may be markup that is no text. So a character has a beginning and an end of
   its own, and edits are made segment by segment.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rehref.parsers.contract import PlaceTuple
from rehref.parsers.source.xml.content import Segment, segments
from rehref.parsers.source.xml.entities import Entities, normalized
from rehref.parsers.units import Units


class Mapping:
    """The characters of one place."""

    __slots__ = ("_begins", "_inside", "_runs", "_units", "begins", "segments", "size")

    def __init__(self, units: Units, entities: Entities, place: PlaceTuple) -> None:
        """Map the value of a place that was read with these entities."""
        start, end = extent(place)
        attribute = place[2] is not None
        self.segments = [Segment(start, end, False)] if attribute else segments(units, start, end)
        self.begins: list[int] = []
        """Where each segment begins in the value."""
        self._units = units
        self._begins: list[int] = []  # where each run begins in the value
        # from, to (units), and whether each of its characters has a place of its own
        self._runs: list[tuple[int, int, bool]] = []
        self._inside: dict[int, Sequence[int]] = {}  # offsets within runs that are not ASCII
        size = 0
        for segment in self.segments:
            self.begins.append(size)
            for first, behind, text in _runs(units, entities, segment, attribute=attribute):
                self._begins.append(size)
                self._runs.append((first, behind, text is None))
                raw = units.text[first:behind]
                size += len(units.decode(raw)) if text is None else len(text)
        self.size = size

    def start(self, character: int) -> int:
        """Where a character begins (units); that of the end of the value: where the last one ends."""
        if character >= self.size:
            return self.end(self.size)
        return self._find(character, 0)

    def end(self, character: int) -> int:
        """Where the character before this one ends (units); of the beginning of the value: where that is."""
        if self.size == 0:
            return self.segments[0].start if self.segments else 0
        return self._find(character - 1, 1) if character else self._find(0, 0)

    def _find(self, character: int, more: int) -> int:
        """Where a character begins, or with 1 for `more`, where it ends."""
        number = bisect_right(self._begins, character) - 1
        first, behind, own = self._runs[number]
        if not own:
            return behind if more else first
        at = character - self._begins[number] + more
        raw_length = behind - first
        if number not in self._inside:
            raw = self._units.text[first:behind]
            self._inside[number] = (
                range(raw_length + 1)
                if raw.isascii() or not self._units.bytes_as_units
                else self._units.decode_with_offsets(raw)[1]
            )
        return first + self._inside[number][at]


def extent(place: PlaceTuple) -> tuple[int, int]:
    """Where the raw value of a place begins and ends (units)."""
    start, end = place[4], place[5]
    assert start is not None
    assert end is not None
    return start, end


def _runs(
    units: Units, entities: Entities, segment: Segment, *, attribute: bool
) -> Iterator[tuple[int, int, str | None]]:
    """The runs of a segment: from, to (units), and what it means; None: each character means itself."""
    start, end, cdata = segment
    raw = units.text[start:end]
    replaced = normalized(raw) if cdata else entities.replaced(raw, start, units.decode, attribute=attribute)
    found = [(0, 0, ""), *replaced, (len(raw), len(raw), "")]
    for (_, last, _), (first, behind, text) in pairwise(found):
        if last < first:
            yield start + last, start + first, None
        if text:
            yield start + first, start + behind, text
