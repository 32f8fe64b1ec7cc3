"""Where the characters of a value are in the source.

1. A character is where its raw form is: a reference (`&amp;`), a CR LF or a multi-byte character is one character of
   the value, and several units of the source. If a raw form gives two or more characters, each of them has its
   position.
2. Between two characters of a text there may be markup that is not text: a value consists of one or more segments. So
   each character has its own beginning and end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from rehref.parsers.contract import Place
from rehref.text.source_text import SourceText


class Segment(NamedTuple):
    """A run of raw text: from, to (units), and whether it is in a CDATA section."""

    start: int
    end: int
    cdata: bool = False


Replaced: TypeAlias = Callable[[Segment, str], Iterable[tuple[int, int, str]]]
"""What is not literal in a segment, whose units are given: from, to (in it), and its meaning."""


class Mapping:
    """The characters of one value, which consists of these segments."""

    __slots__ = ("_begins", "_inside", "_runs", "_units", "begins", "segments", "size")

    def __init__(self, units: SourceText, segments: Sequence[Segment], replaced: Replaced) -> None:
        """Map a value to its segments."""
        self.segments = segments
        self.begins: list[int] = []
        """Where each segment begins in the value."""
        self._units = units
        self._begins: list[int] = []  # where each run begins in the value
        # from, to (units), and whether each of its characters has its own position
        self._runs: list[tuple[int, int, bool]] = []
        self._inside: dict[int, Sequence[int]] = {}  # offsets within runs that are not ASCII
        size = 0
        for segment in segments:
            self.begins.append(size)
            for first, behind, text in _runs(units, segment, replaced):
                self._begins.append(size)
                self._runs.append((first, behind, text is None))
                raw = units.raw(first, behind)
                size += len(units.decode(raw)) if text is None else len(text)
        self.size = size

    def start(self, character: int) -> int:
        """Where a character begins (units); for the end of the value, where the last one ends."""
        if character >= self.size:
            return self.end(self.size)
        return self._find(character, 0)

    def end(self, character: int) -> int:
        """Where the character before this one ends (units); for the beginning of the value, where it begins."""
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
        if number not in self._inside:
            self._inside[number] = self._units.decode_with_offsets(self._units.raw(first, behind))[1]
        return first + self._inside[number][at]


def extent(place: Place) -> tuple[int, int]:
    """Where the raw value of a place begins and ends (units)."""
    assert place.start is not None
    assert place.end is not None
    return place.start, place.end


def _runs(units: SourceText, segment: Segment, replaced: Replaced) -> Iterator[tuple[int, int, str | None]]:
    """The runs of a segment: from, to (units), and the meaning; None: each character is literal."""
    start, end, _ = segment
    raw = units.raw(start, end)
    found = [(0, 0, ""), *replaced(segment, raw), (len(raw), len(raw), "")]
    for (_, last, _), (first, behind, text) in pairwise(found):
        if last < first:
            yield start + last, start + first, None
        if text:
            yield start + first, start + behind, text
