"""An XML document that has been read: where its places stand, and the source again with some values changed.

An edit that replaces a part of a value that stands for itself by a text that stands for itself is no more than a
splice; all others are `writing`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from rehref.parsers.contract import EditTuple, PlaceTuple
from rehref.parsers.source.xml import writing
from rehref.parsers.source.xml.entities import NONE, Entities
from rehref.parsers.source.xml.mapping import Mapping
from rehref.parsers.source.xml.patterns import CDATA
from rehref.parsers.source.xml.reading import Reader
from rehref.parsers.units import Splice, Units

# a text that stands for itself wherever it is put, and a raw value that does
_SPEAKS_FOR_ITSELF = re.compile(r"[!#-%(-;=?-\\^-~]*+").fullmatch
_PLAIN = re.compile(r"[\t\n !#-%(-;=?-\\^-~]*+").fullmatch

_SHORT = 500  # characters of a value that are looked at anew for each position in it


class XmlSourceParsed:
    """An XML document that the `source` core has read. See `rehref.parsers.xml_contract.XmlParsed`."""

    __slots__ = (
        *("_entities", "_mapped", "_positions", "_troubles", "_units"),
        *("direct", "parents", "places", "root", "scopes"),
    )

    def __init__(self, units: Units, reader: Reader) -> None:
        """Hold what a reader has found."""
        self.places: Sequence[PlaceTuple] = reader.places
        self.scopes: Sequence[int] = reader.scopes
        self.parents: Sequence[tuple[str, str]] = reader.parents
        self.root = reader.root
        self.direct = not units.wide
        self._troubles = reader.troubles
        self._units = units
        self._entities = reader.entities
        self._positions: tuple[Sequence[int], Sequence[int]] | None = None
        self._mapped: tuple[int, Mapping | None] = (-1, None)  # the last place asked about

    @property
    def troubles(self) -> Sequence[tuple[int, str]]:
        """What is not well-formed: the line (1-based) and what it is."""
        return [(self._units.position(offset)[0], what) for offset, what in sorted(self._troubles)]

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place, the line, and the column (1-based, characters), where its value begins."""
        if self._positions is None:
            self._positions = self._units.positions([place[4] or 0 for place in self.places])
        return self._positions

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's decoded value stand in the source."""
        _, _, attribute, value, first, behind, _, _ = self.places[place]
        if attribute is not None and start == 0 and end == len(value):
            return self._units.source_span(first or 0, behind or 0)
        assert first is not None
        if _PLAIN(self._units.text, first, first + end):
            return self._units.source_span(first + start, first + end)
        mapping = self._mapping(place)
        begin = mapping.start(start)
        return self._units.source_span(begin, mapping.end(end) if start < end else begin)

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its tag."""
        if offset is None:
            return self._units.position(self.places[place][6])
        lines, columns = self.positions
        start, text = self.places[place][4] or 0, self._units.text
        if offset == 0 and text[start : start + 1] != "<":
            return lines[place], columns[place]
        if offset < _SHORT and _PLAIN(text, start, start + offset) and "\n" not in text[start : start + offset]:
            return lines[place], columns[place] + offset
        return self._units.position(self._mapping(place).start(offset))

    def apply(self, edits: Sequence[EditTuple]) -> bytes | str:
        """Give the source back with the edits made; see the rules of `writing`."""
        return self._units.splice(self.splices(edits))

    def splices(self, edits: Sequence[EditTuple]) -> list[Splice]:
        """What to replace for the edits to be made: from, to (units), and by what; in order, not overlapping."""
        splices: list[Splice] = []
        for number, group in groupby(edits, key=itemgetter(0)):
            mine = list(group)
            plain = self._plain_splices(number, mine)
            if plain is None:
                place = self.places[number]
                plain = writing.splices_for(self._units, self._known(place), place, self._mapping(number), mine)
            splices += plain
        return splices

    def _plain_splices(self, number: int, edits: Sequence[EditTuple]) -> list[Splice] | None:
        """The splices of edits that need no escapes and no second look; None if they may."""
        element, _, attribute, value, start, end, _, _ = self.places[number]
        text = self._units.text
        assert start is not None
        assert end is not None
        if attribute is None:
            # else the tag ends before what the content begins with, where nothing can be put
            if text[start - 1] != ">" and not text.startswith(CDATA, start - len(CDATA)):
                return None
        elif element[0] == "?" or not (text[end : end + 1] == text[start - 1] in "\"'"):
            return None
        _, first, last, new = edits[0]
        if len(edits) == 1 and first == 0 and new and new.endswith(old := value[:last]):
            # nearly always: something is put before the whole
            head = new[: len(new) - len(old)]
            if _SPEAKS_FOR_ITSELF(head):
                return [(start, start, head)]
        if not _PLAIN(text, start, end):
            return None
        splices = []
        for _, first, last, new in edits:
            if new is None or not _SPEAKS_FOR_ITSELF(new):
                return None
            if new != value[first:last]:
                splices.append((start + first, start + last, new))
        return splices

    def _mapping(self, place: int) -> Mapping:
        number, mapping = self._mapped
        if mapping is None or number != place:
            mapping = Mapping(self._units, self._known(self.places[place]), self.places[place])
            self._mapped = (place, mapping)
        return mapping

    def _known(self, place: PlaceTuple) -> Entities:
        """The entities that are known in a place: in an instruction, none but the predefined."""
        return NONE if place[0].startswith("?") else self._entities
