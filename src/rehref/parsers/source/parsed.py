"""A scanned source: where its places stand, and the source again with some values changed.

1. `apply` changes the least: of the old and the new text, what they begin and end with in common stays as the author
   wrote it, escapes and all; only what lies between is written anew, escaped for its quotes.
2. Should the author's part and the new part together make a character reference that neither was, the whole value is
   written anew.
3. An unquoted value gets quotes when it needs them; an attribute without a value gets `="…"`.
4. The text of an element has no escapes. What would end the element (`</style`) is percent-encoded.
5. A removed attribute takes the white space before it along. A `base` that has nothing else on it goes as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from os.path import commonprefix

from rehref.parsers import charrefs
from rehref.parsers.contract import Edit, PlaceTuple
from rehref.parsers.source.patterns import ATTRIBUTE, TAG
from rehref.parsers.units import Splice, Units

# what an unquoted value cannot hold, and what it should not (HTML Standard, "unquoted attribute value syntax")
_ENDS_UNQUOTED = re.compile("[\t\n\f\r >]|\\A[\"']").search
_UNFIT_UNQUOTED = re.compile("[\"'=<`]").search


class SourceParsed:
    """A source whose places have been found. See `rehref.parsers.contract.Parsed`."""

    __slots__ = ("_units", "places")

    def __init__(self, units: Units, places: list[PlaceTuple]) -> None:
        """Hold what a scan has found."""
        self.places = places
        self._units = units

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's decoded value stand in the source."""
        return self._units.source_span(*self._raw_span(place, start, end))

    def _raw_span(self, place: int, start: int, end: int) -> tuple[int, int]:
        _, _, attribute, value, raw_start, raw_end, _, _ = self.places[place]
        assert raw_start is not None
        assert raw_end is not None
        raw = self._units.text[raw_start:raw_end]
        if raw == value:  # units are characters
            if not self._units.bytes_as_units or value.isascii():
                return raw_start + start, raw_start + end
        offsets = self._offsets(raw, markup=attribute is not None)
        return raw_start + offsets[start], raw_start + offsets[end]

    def _offsets(self, raw: str, *, markup: bool) -> Sequence[int]:
        """For each character of the decoded value, and its end, the offset in the raw one."""
        if not markup:
            return self._units.decode_with_offsets(raw)[1]
        offsets: list[int] = []
        last = 0
        for found in charrefs.SPECIAL.finditer(raw):
            _, inside = self._units.decode_with_offsets(raw[last : found.start()])
            offsets.extend(last + offset for offset in inside[:-1])
            meaning = charrefs.meaning(found)
            if meaning == found[0]:  # no reference: its characters stand for themselves
                offsets.extend(range(found.start(), found.end()))
            else:
                offsets.extend([found.start()] * len(meaning))
            last = found.end()
        _, inside = self._units.decode_with_offsets(raw[last:])
        offsets.extend(last + offset for offset in inside)
        return offsets

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its tag."""
        if offset is None:
            return self._units.position(self.places[place][6])
        return self._units.position(self._raw_span(place, offset, offset)[0])

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """Give the source back with the edits made; see the rules above."""
        splices: list[Splice] = []
        for place, group in groupby(edits, key=lambda edit: edit.place):
            of_place = list(group)
            if of_place[0].text is None:
                splices.append((*self._removal(place), ""))
            elif self.places[place][2] is None:
                splices.extend(self._text_splices(place, of_place))
            else:
                splices.extend(self._attribute_splices(place, of_place))
        return self._units.splice(splices)

    def _attribute_splices(self, place: int, edits: list[Edit]) -> list[Splice]:
        """The splices that make the edits of one attribute (rules 1 to 3)."""
        _, _, _, value, start, end, _, _ = self.places[place]
        assert start is not None
        assert end is not None
        text = self._units.text
        quote = text[start - 1]
        if quote not in "\"'" or text[end : end + 1] != quote:
            quote = ""
        trimmed = _trimmed(value, edits)
        if not trimmed:
            return []
        splices = [
            (*self._raw_span(place, first, last), self._units.write(charrefs.escape(new, quote), markup=True))
            for first, last, new in trimmed
        ]
        raw = _spliced(text, start, end, splices)
        intended = _intended(value, edits)
        # only ampersands can do it, and an edge in the midst of a reference that means two characters
        if "&" in raw and charrefs.decode(self._units.decode(raw)) != intended:
            raw = self._written_out(intended, quote)
            splices = [(start, end, raw)]
        equals = quote != "" or _follows_equals(text, start)
        wanting = raw == "" or _ENDS_UNQUOTED(raw) or any(_UNFIT_UNQUOTED(new) for _, _, new in trimmed)
        if quote or (equals and not wanting):
            return splices
        return [(start, end, ("" if equals else "=") + self._quoted(raw, intended))]

    def _quoted(self, raw: str, intended: str) -> str:
        """An unquoted raw value in quotes (rule 3)."""
        if '"' not in raw:
            return f'"{raw}"'
        if "'" not in raw:
            return f"'{raw}'"
        return f'"{self._written_out(intended, chr(34))}"'

    def _written_out(self, value: str, quote: str) -> str:
        """A value with every ampersand escaped: it cannot be misread, whatever stands next to what."""
        return self._units.write(charrefs.escape(value, quote, every_ampersand=True), markup=True)

    def _text_splices(self, place: int, edits: list[Edit]) -> list[Splice]:
        """The splices that make the edits of an element's text (rule 4)."""
        element, _, _, value, _, _, _, _ = self.places[place]
        splices = []
        for first, last, new in _trimmed(value, edits):
            safe = re.sub(f"<(?=/{element})", "%3C", new, flags=re.IGNORECASE)
            splices.append((*self._raw_span(place, first, last), self._units.write(safe, markup=False)))
        return splices

    def _removal(self, place: int) -> tuple[int, int]:
        """The units to delete, for an attribute to be gone (rule 5)."""
        element, _, _, _, value_start, _, tag, _ = self.places[place]
        text = self._units.text
        whole = TAG(text, tag)
        assert whole is not None
        position = whole.end(1)
        extents: list[tuple[int, int, bool]] = []
        while (found := ATTRIBUTE(text, position)) is not None and found.lastindex != 5:
            group = found.lastindex or 1
            mine = value_start == (found.end() if group == 1 else found.start(group))
            extents.append((position, found.end(), mine))
            position = found.end()
        if element == "base" and len(extents) == 1:
            return tag, whole.end()
        return next((start, end) for start, end, mine in extents if mine)


def _follows_equals(text: str, position: int) -> bool:
    while text[position - 1] in "\t\n\f\r ":
        position -= 1
    return text[position - 1] == "="


def _trimmed(value: str, edits: Sequence[Edit]) -> list[tuple[int, int, str]]:
    """The edits without what old and new text have in common at their ends (rule 1); none that changes nothing."""
    result = []
    for _, start, end, new in edits:
        assert new is not None
        old = value[start:end]
        if old == new:
            continue
        most = min(len(old), len(new))
        tail = len(commonprefix([old[::-1], new[::-1]]))
        head = min(len(commonprefix([old, new])), most - tail)
        result.append((start + head, end - tail, new[head : len(new) - tail]))
    return result


def _spliced(text: str, start: int, end: int, splices: Sequence[Splice]) -> str:
    pieces = []
    for first, last, new in splices:
        pieces += [text[start:first], new]
        start = last
    return "".join(pieces) + text[start:end]


def _intended(value: str, edits: Sequence[Edit]) -> str:
    pieces = []
    last = 0
    for _, start, end, new in edits:
        pieces += [value[last:start], new or ""]
        last = end
    return "".join(pieces) + value[last:]
