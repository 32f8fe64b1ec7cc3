"""A scanned source: where its places stand, and the source again with some values changed.

1. A character of a value stands where its raw form begins: a character reference (`&amp;`), a CR LF or a multi-byte
   character is one character of the value, and several units of the source.
2. Two characters that one reference stands for (or one unit of Big5) stand at the same offset.
3. Edits are made by `writing`; everything that is in none of them is given back as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rehref.parsers import charrefs
from rehref.parsers.contract import Edit, PlaceTuple
from rehref.parsers.source import writing
from rehref.parsers.units import Splice, Units


class SourceParsed:
    """A source whose places have been found. See `rehref.parsers.contract.Parsed`."""

    __slots__ = ("_mapped", "_units", "places")

    def __init__(self, units: Units, places: list[PlaceTuple]) -> None:
        """Hold what a scan has found."""
        self.places = places
        self._units = units
        # the last place asked about, and the offset of each character of its value, and of its end
        self._mapped: tuple[int, Sequence[int]] = (-1, ())

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's decoded value stand in the source."""
        offsets = self._offsets(place)
        return self._units.source_span(offsets[start], offsets[end])

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its tag."""
        if offset is None:
            return self._units.position(self.places[place][6])
        return self._units.position(self._offsets(place)[offset])

    def _offsets(self, place: int) -> Sequence[int]:
        """For each character of a place's value, and its end, its offset in the units."""
        if self._mapped[0] != place:
            self._mapped = (place, self._map(self.places[place]))
        return self._mapped[1]

    def _map(self, place: PlaceTuple) -> Sequence[int]:
        value, start, end = writing.extent(place)
        raw = self._units.text[start:end]
        if raw == value and (value.isascii() or not self._units.bytes_as_units):
            return range(start, end + 1)
        offsets: list[int] = []
        last = 0
        for first, behind, text in _replaced(self._units, place, raw):
            _, inside = self._units.decode_with_offsets(raw[last:first])
            offsets.extend(start + last + offset for offset in inside[:-1])
            offsets.extend([start + first] * len(text))
            last = behind
        _, inside = self._units.decode_with_offsets(raw[last:])
        offsets.extend(start + last + offset for offset in inside)
        return offsets

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """Give the source back with the edits made; see the rules of `writing`."""
        splices: list[Splice] = []
        for number, group in groupby(edits, key=lambda edit: edit.place):
            splices.extend(writing.splices_for(self._units, self.places[number], self._offsets(number), list(group)))
        return self._units.splice(splices)


def _replaced(units: Units, place: PlaceTuple, raw: str) -> Iterator[tuple[int, int, str]]:
    """What in the raw form of a place does not stand for itself: from, to, what it means."""
    if writing.has_references(units, place):
        return charrefs.replaced(raw, attribute=place[2] is not None)
    return charrefs.normalized(raw)
