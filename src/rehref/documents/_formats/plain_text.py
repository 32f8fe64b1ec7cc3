"""A source that is one text, without markup: a style sheet, a plain text.

It has one place, without element and attribute; its value is the decoded text: line ends and NUL stay, for there is no
markup that would change their meaning. A byte below 0x30 is never part of a longer character in most encodings, so the
text is decoded in chunks that end in such a byte, and offsets are computed only in those that are needed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeAlias

from rehref.markup.places import CompleteParsed, Edit, Place, Wanted
from rehref.markup.twin import twin_scan
from rehref.text.charsets import decode_with_offsets
from rehref.text.encoding import Source, Splice
from rehref.text.source_text import SourceText, recoded

Escape: TypeAlias = Callable[[str, Sequence[Edit], Callable[[str], bool]], Sequence[Edit]]
"""Escapes edits of a text for its format. Arguments: the text, its edits, and a function that says whether the encoding
has a text; it has a text if it has each of its characters."""

_CHUNK = re.compile(r"[\s\S]{1,4096}[^\x00-\x2f]*+[\x00-\x2f]?").findall
_ERROR = "\ufffd"
_NOTHING = Wanted()


class PlainParsed(CompleteParsed):
    """A source that is one text. See `rehref.markup.parsed.Parsed`."""

    __slots__ = ("_escape", "_in_units", "_in_value", "_mapped", "_units", "_value", "direct", "places", "recoded")

    def __init__(self, source: Source, escape: Escape, element: str = "") -> None:
        """Decode it. Raises nothing, whatever the bytes. `element`: the name of the place."""
        self.recoded = None if isinstance(source.data, str) else recoded(source)
        units = SourceText(source if self.recoded is None else self.recoded.source)
        self._units = units
        self._escape = escape
        self.direct = not units.wide and self.recoded is None
        # where each chunk begins, in the value and in the units; empty if both offsets are the same
        self._in_value: list[int] = []
        self._in_units: list[int] = []
        # the last chunk needed, and the offset of each character in it, and of its end
        self._mapped: tuple[int, Sequence[int]] = (-1, ())
        self._value = self._decoded(units.text[units.bom :])
        begin, end = units.bom, len(units.text)
        place = Place(element, "", None, self._value, start=begin, end=end, tag=begin, flags=0)
        self.places: Sequence[Place] = twin_scan(units, _NOTHING, place) or (place,)

    def _decoded(self, raw: str) -> str:
        if not self._units.bytes_as_units or raw.isascii():
            return raw
        texts = []
        in_value, in_units = 0, self._units.bom
        for chunk in _CHUNK(raw):
            text = self._read(chunk, in_units + len(chunk))[0]
            texts.append(text)
            self._in_value.append(in_value)
            self._in_units.append(in_units)
            in_value += len(text)
            in_units += len(chunk)
        self._in_units.append(in_units)
        return "".join(texts)

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """The line, and the column (1-based, characters), where the value of the place begins."""
        line, column = self._units.position(self._units.bom)
        return (line,), (column,)

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the value are in the source."""
        span = self._units.source_span(self._offset(start), self._offset(end))
        return span if self.recoded is None else self.recoded.span(span)

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of the value; None: where the value begins."""
        return self._units.position(self._offset(offset or 0))

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """The source with the edits made. Removing an attribute does nothing here.

        The new text is first escaped for the format of the text (`Escape`); characters that the encoding still lacks
        are percent-encoded.
        """
        made = self._units.splice(self._splices(edits))
        return self.recoded.again(made) if self.recoded is not None and isinstance(made, bytes) else made

    def byte_splices(self, edits: Sequence[Edit]) -> list[Splice[bytes]] | None:
        """What to replace in the bytes of the source, as they are read; None where that is not known."""
        return self._units.in_bytes(self._splices(edits))

    def _splices(self, edits: Sequence[Edit]) -> list[Splice[str]]:
        splices = []
        for _, start, end, new in self._escape(self._value, edits, self._units.holds) if edits else ():
            if new is None:
                continue
            written = self._units.write(new, markup=False)
            if self._is_read_as_itself(start, written):
                splices.append((self._offset(start), self._offset(end), written))
        return splices

    def _offset(self, character: int) -> int:
        """The offset in the units of a character of the value, or of its end."""
        if not self._in_value:
            return self._units.bom + character
        number = self._chunk(character)
        first, behind = self._in_units[number], self._in_units[number + 1]
        if self._mapped[0] != number:
            self._mapped = (number, self._read(self._units.text[first:behind], behind)[1])
        return first + self._mapped[1][character - self._in_value[number]]

    def _read(self, chunk: str, end: int) -> tuple[str, Sequence[int]]:
        """The characters of a chunk that ends there, and their offsets; the last one may end within a character."""
        if end < len(self._units.text) or chunk.isascii():
            return self._units.decode_with_offsets(chunk)
        return decode_with_offsets(chunk.encode("latin-1"), self._units.encoding)

    def _chunk(self, character: int) -> int:
        return bisect_right(self._in_value, character) - 1

    def _is_read_as_itself(self, start: int, written: str) -> bool:
        """Whether these units, from character `start` on, mean the same as alone; else an edit is not made.

        Broken bytes may affect the bytes after them: 0x81 and a "t" may be nothing in Shift_JIS, 0x81 and an "h" a
        character.
        """
        if self._value[start - 1 : start] != _ERROR:
            return True
        if not self._in_value or written == "":
            return written != ""
        before = self._units.text[self._in_units[self._chunk(start)] : self._offset(start)]
        decode = self._units.decode
        return decode(before + written) == decode(before) + decode(written)
