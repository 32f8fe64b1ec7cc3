"""A scanned source: where its places are, and the source again with some values changed.

`splicing` says where the characters of a value are, and the `Markup` what to replace for a value to change; everything
else stays as it was. Most edits are simple: they put a plain text, one that is literal wherever it is put
(`charrefs.speaks_for_itself`), in place of a literal part of a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, TypeAlias

from rehref.markup._charrefs import speaks_for_itself
from rehref.markup.places import CompleteParsed, Edit, Located, Place, extent
from rehref.text.encoding import Splice
from rehref.text.source_text import Recoded, SourceText

if TYPE_CHECKING:
    from rehref.markup._source.html_writing import HtmlMarkup
    from rehref.markup._source.splicing import CharacterMap
    from rehref.markup._source.xml.xml_writing import XmlMarkup

# raw characters each of which is one literal character of the value
_PLAIN = re.compile(r"[\t\n !#-%(-;=?-\\^-~]*+").fullmatch
_BETWEEN = "\t\n ,"  # characters between the references of a value, which end what an "&" might begin
_START = itemgetter(0)
_MANY = 4  # of so many places, one is wanted
_SHORT = 500  # characters of a value that are read again for each position in it

Markup: TypeAlias = "HtmlMarkup | XmlMarkup"
"""How values are written in one source."""


class SourceParsed(CompleteParsed):
    """A source whose places have been found. See `rehref.markup.parsed.Parsed`.

    `markup`: makes the `Markup` of the source when it is needed. `recoded`: the source, if it was given otherwise:
    places have offsets in UTF-8 then, and spans and splices are in what was given (characters of a str, bytes of
    UTF-16).
    """

    __slots__ = ("_made", "_mapped", "_markup", "_positions", "_text", "direct", "places", "recoded", "units")

    def __init__(
        self,
        units: SourceText,
        places: Sequence[Place],
        markup: Callable[[SourceText], Markup],
        recoded: Recoded | None = None,
    ) -> None:
        self.places = places
        self.direct = not units.wide and recoded is None
        self.units: SourceText = units
        self.recoded = recoded
        self._markup = markup
        self._made: Markup | None = None
        self._positions: tuple[Sequence[int], Sequence[int]] | None = None
        self._mapped: tuple[int, CharacterMap | None] = (-1, None)  # the last place that was looked up
        self._text: tuple[int, bool] = (-1, False)  # the last text of an element, and whether it is literal as a whole

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place, the line, and the column (1-based, characters), where its value begins."""
        if self._positions is None:
            self._positions = self.units.positions([place.start or 0 for place in self.places])
        return self._positions

    def located(self, numbers: Sequence[int]) -> Iterator[Located]:
        """The places with these numbers, in order, with where their whole values are: all at once."""
        # # all places are made at once if that is less work
        places = list(self.places) if len(numbers) > len(self.places) // _MANY else self.places
        found = [places[number] for number in numbers]
        lines, columns = self.units.positions([place.start or 0 for place in found])
        for number, place, line, column in zip(numbers, found, lines, columns, strict=True):
            if place.attribute is None:  # where the text of an element begins depends on how it is written
                yield place, *self.locate(number, 0), self.span(number, 0, len(place.value))
            else:
                yield place, line, column, extent(place) if self.direct else self.span(number, 0, len(place.value))

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's decoded value are in the source."""
        span = self.units.source_span(*self.unit_span(place, start, end))
        return span if self.recoded is None else self.recoded.span(span)

    def unit_span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """The same in units."""
        found = self.places[place]
        first, behind = extent(found)
        if found.attribute is not None and start == 0 and end == len(found.value):
            return first, behind
        if self._is_plain(place, found, end):
            return first + start, first + end
        mapping = self._mapping(place)
        first = mapping.start(start)
        return first, mapping.end(end) if start < end else first

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its tag."""
        found = self.places[place]
        if offset is None:
            return self.units.position(found.tag)
        first, _ = extent(found)
        if self._is_plain(place, found, offset):
            return self.units.position(first + offset)
        return self.units.position(self._mapping(place).start(offset))

    def _is_plain(self, number: int, place: Place, end: int) -> bool:
        """Whether each of the characters of a place's value up to `end` is one unit."""
        first, behind = extent(place)
        if place.attribute is not None:
            return end < _SHORT and _PLAIN(self.units.raw(first, first + end)) is not None
        if self._text[0] != number:
            self._text = number, place.value.isascii() and self.units.raw(first, behind) == place.value
        return self._text[1]

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """The source with the edits made, as `splicing` describes."""
        made = self.units.splice(self._splices(edits))
        return self.recoded.again(made) if self.recoded is not None and isinstance(made, bytes) else made

    def splices(self, edits: Sequence[Edit]) -> list[Splice[str]]:
        """What to replace for the edits to be made; of a str, from and to are characters. In order, not overlapping."""
        found, recoded = self._splices(edits), self.recoded
        if recoded is None:
            return found
        return [(*recoded.span((start, end)), new.encode("latin-1").decode()) for start, end, new in found]

    def _splices(self, edits: Sequence[Edit]) -> list[Splice[str]]:
        """The same in units."""
        splices: list[Splice[str]] = []
        for number, group in groupby(edits, key=attrgetter("place")):
            mine = list(group)
            splices += self._plain(number, mine) or self._writing().splices(
                self.places[number], self._mapping(number), mine
            )
        splices.sort(key=_START)  # an attribute is removed with all others of its name, which may be behind others
        return splices

    def byte_splices(self, edits: Sequence[Edit]) -> list[Splice[bytes]] | None:
        """What to replace in the bytes of the source, as they are read; None where that is not known."""
        return self.units.in_bytes(self._splices(edits))

    def _plain(self, number: int, edits: Sequence[Edit]) -> list[Splice[str]]:
        """The splices of the edits of one place if they are simple; else none.

        An edit is simple if it replaces a literal part of a value by a plain text, or puts one before the whole value,
        or after white space or a comma in it; in the text of an element, if it replaces one plain text between quotes
        by another (as in JSON), and the whole text is literal.
        """
        place = self.places[number]
        start, end = extent(place)
        if place.attribute is None and self._is_plain(number, place, 0):
            return _between_quotes(place.value, start, edits)
        if not self._writing().takes_plain(place, start, end):
            return []
        if len(edits) == 1 and edits[0].start == 0 and (head := _put_before(place.value, edits[0])):
            return [(start, start, head)]
        raw = self.units.raw(start, end)
        plain = _PLAIN(raw) is not None
        splices = []
        for edit in edits:
            if plain and edit.text is not None and speaks_for_itself(edit.text):
                if edit.text != place.value[edit.start : edit.end]:
                    splices.append((start + edit.start, start + edit.end, edit.text))
                continue
            at = self._mapping(number).start(edit.start) if edit.start else start
            head = _put_before(place.value, edit)
            if head is None or (edit.start and (place.attribute is None or raw[at - 1 - start] not in _BETWEEN)):
                return []
            if head:
                splices.append((at, at, head))
        return splices

    def _writing(self) -> Markup:
        """How values are written here; most sources that are read are never written."""
        if self._made is None:
            self._made = self._markup(self.units)
        return self._made

    def _mapping(self, place: int) -> CharacterMap:
        number, mapping = self._mapped
        if mapping is None or number != place:
            mapping = self._writing().mapping(self.places[place])
            self._mapped = (place, mapping)
        return mapping


def _between_quotes(value: str, start: int, edits: Sequence[Edit]) -> list[Splice[str]]:
    """The splices of the edits of a literal text, which begins at `start`, if each is between quotes; else none."""
    splices = []
    for _, first, behind, new in edits:
        old = value[first:behind]
        if first == 0 or value[first - 1] != '"' or value[behind : behind + 1] != '"':
            return []
        if new is None or not speaks_for_itself(new) or not speaks_for_itself(old):
            return []
        if new.endswith(old):
            behind, new = first, new.removesuffix(old)  # the old text stays as the author wrote it
        if new or first < behind:
            splices.append((start + first, start + behind, new))
    return splices


def _put_before(value: str, edit: Edit) -> str | None:
    """The text that an edit puts before the old text, if it is plain; None if the edit does more."""
    old = value[edit.start : edit.end]
    if edit.text and edit.text.endswith(old) and speaks_for_itself(head := edit.text.removesuffix(old)):
        return head
    return None
