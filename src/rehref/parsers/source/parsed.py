"""A scanned source: where its places stand, and the source again with some values changed.

1. A character of a value stands where its raw form begins: a character reference (`&amp;`), a CR LF or a multi-byte
   character is one character of the value, and several units of the source.
2. Two characters that one reference stands for (or one unit of Big5) stand at the same offset.
3. Edits are made by `writing`; everything that is in none of them is given back as it was. An edit that replaces a
   part of a quoted value that stands for itself by a text that stands for itself, or that puts such a text before what
   is there, needs no more than a splice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from rehref.parsers import charrefs
from rehref.parsers.contract import EditTuple, PlaceTuple
from rehref.parsers.source import writing
from rehref.parsers.units import Splice, Units


class SourceParsed:
    """A source whose places have been found. See `rehref.parsers.contract.Parsed`."""

    __slots__ = ("_mapped", "_positions", "_units", "direct", "places")

    def __init__(self, units: Units, places: Sequence[PlaceTuple]) -> None:
        """Hold what a scan has found."""
        self.places = places
        self.direct = not units.wide
        self._units = units
        self._positions: tuple[Sequence[int], Sequence[int]] | None = None
        # the last place asked about, and the offset of each character of its value, and of its end
        self._mapped: tuple[int, Sequence[int]] = (-1, ())

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's decoded value stand in the source."""
        _, _, _, value, first, behind, _, _ = self.places[place]
        if start == 0 and end == len(value):
            return self._units.source_span(first, behind)  # type: ignore[arg-type]  # this core knows
        offsets = self._offsets(place)
        return self._units.source_span(offsets[start], offsets[end])

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its tag."""
        if offset is None:
            return self._units.position(self.places[place][6])
        start = self.places[place][4]
        return self._units.position(self._offsets(place)[offset] if offset else start)  # type: ignore[arg-type]

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
        if raw.isascii():
            return _Offsets(start, len(raw), _replaced(self._units, place, raw))
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

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place, the line, and the column (1-based, characters), where its value begins."""
        if self._positions is None:
            self._positions = self._units.positions([place[4] for place in self.places])  # type: ignore[misc]
        return self._positions

    def apply(self, edits: Sequence[EditTuple]) -> bytes | str:
        """Give the source back with the edits made; see the rules of `writing`."""
        return self._units.splice(self.splices(edits))

    def _plain_splice(self, number: int, first: int, last: int, new: str) -> Splice | None:
        """The splice of an edit that needs no escapes (rule 3), in an attribute in quotes whose value is ASCII."""
        _, _, _, value, start, end, _, _ = self.places[number]
        assert start is not None
        assert end is not None
        if len(value) == end - start and "&" not in value and "\n" not in value:  # CR and LF may come together
            return (start + first, start + last, new) if charrefs.speaks_for_itself(new) else None
        old = value[first:last]
        # what is put before a text as it stands
        if old and new.endswith(old) and charrefs.speaks_for_itself(head := new[: -len(old)]):
            at = start if first == 0 else self._offsets(number)[first]
            return at, at, head
        return None

    def splices(self, edits: Sequence[EditTuple]) -> list[Splice]:
        """What to replace for the edits to be made: from, to (units), and by what; in order, not overlapping."""
        splices: list[Splice] = []
        text, places = self._units.text, self.places
        add = splices.append
        count = len(edits)
        at = 0
        safe: set[str] = set()
        while at < count:
            number, first, last, new = edits[at]
            _, _, attribute, value, start, end, _, _ = places[number]
            assert start is not None
            assert end is not None
            if new and attribute is not None and text[end : end + 1] == text[start - 1] in "\"'" and value.isascii():
                if last == len(value) == end - start and first == 0 and new.endswith(value) and "&" not in value:
                    # nearly always: something is put before the whole
                    head = new[: start - end] if value else new
                    if head in safe or charrefs.speaks_for_itself(head):
                        safe.add(head)
                        if head:
                            add((start, start, head))
                        at += 1
                        continue
                splice = self._plain_splice(number, first, last, new)
                if splice is not None:
                    if new != value[first:last]:
                        add(splice)
                    at += 1
                    continue
            behind = at + 1
            while behind < count and edits[behind][0] == number:
                behind += 1
            splices += writing.splices_for(self._units, places[number], self._offsets(number), edits[at:behind])
            at = behind
        return splices

    def byte_splices(self, edits: Sequence[EditTuple]) -> list[tuple[int, int, bytes]] | None:
        """What to replace in the bytes of the source: from, to, by what; None where that is not known."""
        return self._units.in_bytes(self.splices(edits))


class _Offsets(Sequence[int]):
    """For each character of a value, and its end, its offset in the units, where only some characters are replaced."""

    __slots__ = ("_begins", "_runs", "_size")

    def __init__(self, start: int, length: int, replaced: Iterable[tuple[int, int, str]]) -> None:
        """Take what is replaced in a raw value that begins at `start`: from, to, what it means."""
        self._begins = [0]
        # a run's offset, and whether each of its characters has one of its own, or all have the same
        self._runs = [(start, 1)]
        at = last = 0
        for first, behind, text in replaced:
            at += first - last
            self._begins += (at, at + len(text))
            self._runs += ((start + first, 0), (start + behind, 1))
            at += len(text)
            last = behind
        self._size = at + length - last + 1

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._size))]
        run = bisect_right(self._begins, index) - 1
        offset, step = self._runs[run]
        return offset + (index - self._begins[run]) * step


def _replaced(units: Units, place: PlaceTuple, raw: str) -> Iterator[tuple[int, int, str]]:
    """What in the raw form of a place does not stand for itself: from, to, what it means."""
    if writing.has_references(units, place):
        return charrefs.replaced(raw, attribute=place[2] is not None)
    return charrefs.normalized(raw)
