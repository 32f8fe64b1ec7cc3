"""The fields of the head of an HTTP message that carry references, as places.

There is one place for each of these fields: no element; the attribute is the field's name as written. Only the
reference is replaced in a value: in ASCII, with white space, control characters and all other characters
percent-encoded, as UTF-8. So no reference can end a field or begin another.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from rehref.markup.places import CompleteParsed, Edit, Place
from rehref.text import lower
from rehref.text.encoding import Source, spliced
from rehref.text.header_fields import Head, in_ascii
from rehref.uri.syntaxes import Carrier

CARRIERS = {
    "link": Carrier("link-header", "header", "RFC 8288 §3"),
    "location": Carrier("url", "header", "RFC 9110 §10.2.2"),
    "refresh": Carrier("refresh", "header", "HTML Standard, shared declarative refresh steps"),
    "content-location": Carrier("url", "metadata", "RFC 9110 §8.7"),
    "sourcemap": Carrier("url", "header", "ECMA-426 §11.1.2.1"),
    "x-sourcemap": Carrier("url", "header", "ECMA-426 §11.1.2.1"),
    "speculation-rules": Carrier("strings", "header", "HTML Standard, the Speculation-Rules header"),
    "reporting-endpoints": Carrier("strings", "form", "Reporting API §3.2"),
    "content-security-policy": Carrier("report-uris", "form", "CSP 3 §6.5.1"),
    "content-security-policy-report-only": Carrier("report-uris", "form", "CSP 3 §6.5.1"),
}


class HeadersParsed(CompleteParsed):
    """The fields of a head that carry references, as a `rehref.markup.parsed.Parsed`."""

    __slots__ = ("_data", "_line_starts", "_offsets", "_safe", "places")

    direct = True

    def __init__(self, source: Source, safe: str = "") -> None:
        """Take the fields that carry references. `safe`: what edits may have besides ASCII without white space.

        Raises nothing because of the content.
        """
        self._safe = safe
        self._data = data = source.data
        places: list[Place] = []
        # for each place, the offset in the source of each character of the value, and of the end of the value
        self._offsets: list[Sequence[int]] = []
        # the syntax of fields is ASCII: of a str, each other character may be any byte
        head = data if isinstance(data, bytes) else data.encode("latin-1", "replace")
        for field in Head.read(head).fields:
            if lower(field.name) in Head.CARRIERS:
                start, end = field.start, field.end
                value = _decoded(field.value) if isinstance(data, bytes) else _unfolded(data[start:end])
                places.append(Place("", "", field.name, value, start, end, tag=field.line_start, flags=0))
                self._offsets.append(_offsets(value, start, end))
        self.places: Sequence[Place] = places
        self._line_starts = [0, *(found.end() for found in re.finditer(b"\n", head))]

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """The line and the column (1-based, characters) of each place's value."""
        found = [self.locate(number, 0) for number in range(len(self.places))]
        return [line for line, _ in found], [column for _, column in found]

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """The span in the source of characters `start` to `end` of the place's value."""
        return self._offsets[place][start], self._offsets[place][end]

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of the place's value; None: of its field."""
        if offset is None:
            return bisect_right(self._line_starts, self.places[place].tag), 1
        offsets = self._offsets[place]
        line = bisect_right(self._line_starts, offsets[offset])
        line_start = self._line_starts[line - 1]
        if line_start <= offsets[0]:  # the text before the value is ASCII
            return line, offsets[0] - line_start + offset + 1
        return line, offset - bisect_left(offsets, line_start) + 1

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """The source with the edits made. Removing an attribute does nothing here."""
        splices = [
            (self._offsets[place][start], self._offsets[place][end], in_ascii(new, self._safe))
            for place, start, end, new in edits
            if new is not None
        ]
        if not splices:
            return self._data
        if isinstance(self._data, str):
            return spliced(self._data, splices)
        return spliced(self._data.decode("latin-1"), splices).encode("latin-1")


def _decoded(value: str) -> str:
    """A value of which each byte is given as a character: UTF-8 if it is valid UTF-8, else ISO 8859-1.

    A line break in it is read as spaces (RFC 9112 §5.2).
    """
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return value


def _unfolded(value: str) -> str:
    return value.translate({10: " ", 13: " "}) if "\n" in value else value


def _offsets(value: str, start: int, end: int) -> Sequence[int]:
    """The offset of each character of a value, and of its end."""
    if len(value) == end - start:
        return range(start, end + 1)
    return list(accumulate((len(char.encode()) for char in value), initial=start))
