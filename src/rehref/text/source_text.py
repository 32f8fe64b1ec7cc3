"""A source as a text that can be scanned, whatever its encoding, and the way back to its bytes.

A scanner works on a str of *units*. For bytes in which every byte below 0x80 outside a multi-byte character is ASCII,
they are the bytes, each as the character of its value: an offset is a byte offset, and only what is looked at is
decoded. For a str, and for ISO-2022-JP, they are characters. UTF-16, and a str that is not ASCII, is read in UTF-8
(`recoded`), so that the compiled twin reads it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF8
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple
from urllib.parse import quote as percent_encode

from rehref.text import charsets
from rehref.text.encoding import Source, Splice, spliced

_LINE_END = re.compile("\r\n?+|\n").finditer
_RETURNS = 16
"""How often lines may be counted again from the beginning, before all lines are counted."""
_SHORT = 500
"""Units of a line that are counted again each time; further on, their number of characters is remembered."""
_UTF_16 = frozenset({"utf-16le", "utf-16be"})
_MOST_RECODED = 1 << 31
"""Bytes in UTF-16 that are recoded: the twin counts with 32 bits."""
_CONTINUATIONS = bytes(range(0x80, 0xC0))
_NOT_OF_FOUR = bytes(range(0xF0))
_BLOCK = 256

CHARACTERS: Final = 1
UTF_16: Final = 2
"""Forms in which a source was given, for the compiled twin (`_native/positions.h`); 0 for the bytes that are read."""


class _Searched(NamedTuple):
    """Units in which line ends are searched, bytes if they are bytes, so that nothing is decoded for it."""

    units: Any
    lf: Any
    has_lone_cr: bool


class SourceText:
    """The units of a source. Lines end with LF, CR or CR LF; columns count characters, without a byte order mark.

    `bytes_as_units`: they are bytes. `wide`: of bytes, they are characters all the same. `bom`: how many units the byte
    order mark is. Second bytes of the legacy multi-byte encodings are never `<>"'&=/!-` or white space, so no markup is
    seen where there is none.
    """

    wide = False
    bytes_as_units = False
    # some offsets on one line and their columns, in order: a column is counted from the nearest of them
    _counted: tuple[list[int], list[int]] | None = None
    # the last offset whose line was asked for, that line, and where it begins; and how often one before was
    _last: tuple[int, int, int] | None = None
    _returns = 0

    def __init__(self, source: Source) -> None:
        """Decode what must be decoded."""
        self.source = source
        data = source.data
        self.encoding = source.encoding or ""
        if isinstance(data, str):
            self.text = data
        elif charsets.is_ascii_compatible(self.encoding):
            self.bytes_as_units = True
        else:
            self.wide = True
            self.text, self._offsets = charsets.decode_with_offsets(data, self.encoding)
        self.bom = source.bom if self.bytes_as_units else int(self.text.startswith("\ufeff"))

    @cached_property
    def text(self) -> str:
        """The units: what to scan."""
        assert isinstance(self.source.data, bytes)  # of all else it is set from the beginning
        return self.source.data.decode("latin-1")

    def raw(self, start: int, end: int) -> str:
        """The units from one offset to another; those around them are not decoded for it."""
        data = self.source.data
        if self.bytes_as_units and isinstance(data, bytes):
            return data[start:end].decode("latin-1")
        return self.text[start:end]

    @cached_property
    def _searched(self) -> _Searched:
        searched: tuple[Any, ...] = (self.source.data, b"\n", b"\r", b"\r\n")
        units, lf, cr, cr_lf = searched if self.bytes_as_units else (self.text, "\n", "\r", "\r\n")
        return _Searched(units, lf, cr in units and units.count(cr) != units.count(cr_lf))

    def decode(self, raw: str) -> str:
        """The characters of a run of units."""
        if not self.bytes_as_units or raw.isascii():
            return raw
        # what follows a run of units is markup: for the decoder, too, the text does not end there
        return charsets.decode(raw.encode("latin-1") + b"\n", self.encoding)[:-1]

    def decode_with_offsets(self, raw: str) -> tuple[str, Sequence[int]]:
        """The characters of a run of units, and for each, and the end, its offset in the run."""
        if not self.bytes_as_units or raw.isascii():
            return raw, range(len(raw) + 1)
        text, offsets = charsets.decode_with_offsets(raw.encode("latin-1") + b"\n", self.encoding)
        return text[:-1], offsets[:-1]

    def find(self, what: str, start: int) -> tuple[int, int]:
        """Where an ASCII string next occurs, from `start`, where a character begins; the end of the text if nowhere.

        No multi-byte character may end in the last character of `what` (as in ">"): `]` may be the second byte of one.
        """
        text = self.text
        while (found := text.find(what, start)) != -1:
            end = found + len(what)
            # a unit before that is not ASCII may be the first byte of a character that `what` is not part of
            if not self.bytes_as_units or text[found - 1].isascii() or self.decode(text[start:end]).endswith(what):
                return found, end
            start = end
        return len(text), len(text)

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the source (bytes of bytes, characters of a str) of units `start` to `end`."""
        if self.wide:
            return self._offsets[start], self._offsets[end]
        return start, end

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (1-based, in characters) of the unit at `offset`, where a character begins."""
        line, start = self._line(offset)
        if offset - start < _SHORT:
            return line, len(self.decode(self.raw(start, offset))) + 1
        if self._counted is None or self._counted[0][0] != start:
            self._counted = ([start], [1])
        offsets, columns = self._counted
        nearest = bisect_right(offsets, offset) - 1
        column = columns[nearest] + len(self.decode(self.raw(offsets[nearest], offset)))
        if offset > offsets[-1]:
            offsets.append(offset)
            columns.append(column)
        return line, column

    def _line(self, offset: int) -> tuple[int, int]:
        """The line that the unit at `offset` is on, and where it begins."""
        units, lf, has_lone_cr = self._searched
        if has_lone_cr or self._returns > _RETURNS:
            starts = self._line_starts
            line = bisect_right(starts, offset)
            return line, max(starts[line - 1], self.bom)
        last, line, start = self._last or (self.bom, 1, self.bom)
        if offset < last:
            self._returns += 1
            last, line, start = self.bom, 1, self.bom
        more = units.count(lf, last, offset)
        if more:
            line += more
            start = units.rfind(lf, last, offset) + 1
        self._last = (offset, line, start)
        return line, start

    def positions(self, offsets: Sequence[int]) -> tuple[list[int], list[int]]:
        """The lines, and the columns, that `position` gives for offsets in order."""
        units, lf, has_lone_cr = self._searched
        lines: list[int] = []
        columns: list[int] = []
        if has_lone_cr:
            found = [self.position(offset) for offset in offsets]
            return [line for line, _ in found], [column for _, column in found]
        count, rfind, decode, raw = units.count, units.rfind, self.decode, self.raw
        add_line, add_column = lines.append, columns.append
        line, column, last = 1, 1, self.bom
        end, is_ascii = -1, units.isascii()  # where the line of the last offset ends
        for offset in offsets:
            if offset > end:
                more = count(lf, last, offset)
                if more:
                    line += more
                    last, column = rfind(lf, last, offset) + 1, 1
                end = units.find(lf, offset)
                end = len(units) if end == -1 else end
            is_even = is_ascii or units[last:offset].isascii()
            column += offset - last if is_even else len(decode(raw(last, offset)))
            last = offset
            add_line(line)
            add_column(column)
        return lines, columns

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END(self.text))]

    def write(self, text: str, *, markup: bool) -> str:
        """The units that write a text. `markup`: whether character references may be used.

        What the encoding lacks becomes one (`&#233;`). In text that has none, and for U+0080 to U+009F, which a
        reference cannot stand for, it is percent-encoded: the text is a URI reference, and in UTF-8 this is the same
        one.
        """
        if isinstance(self.source.data, str) or (text.isascii() and self.bytes_as_units):
            return text
        encoded = self.source.encoded(text)
        if encoded is None:
            text = "".join(self._representable(char, markup=markup) for char in text)
            encoded = self.source.encoded(text) or b""
        return encoded.decode("latin-1") if self.bytes_as_units else text

    def _representable(self, char: str, *, markup: bool) -> str:
        if self.source.encoded(char) is not None:
            return char
        code = 0xFFFD if 0xD800 <= ord(char) <= 0xDFFF else ord(char)
        return f"&#{code};" if markup and not 0x80 <= code <= 0x9F else percent_encode(chr(code))

    def holds(self, text: str) -> bool:
        """Whether the encoding has all characters of a text."""
        if isinstance(self.source.data, str):
            return True
        from rehref.text.encoders import encodable

        return encodable(text, self.encoding)

    def splice(self, splices: Sequence[Splice[str]]) -> bytes | str:
        """The source with stretches of units replaced (in order, not overlapping), and everything else as it is, byte
        for byte.
        """
        data = self.source.data
        if not splices:
            return data
        if isinstance(data, bytes) and self.wide:
            return self._splice_wide(data, splices)
        text = spliced(self.text, splices)
        return text.encode("latin-1") if self.bytes_as_units else text

    def in_bytes(self, splices: Sequence[Splice[str]]) -> list[Splice[bytes]] | None:
        """The same splices in bytes, those of a str in UTF-8; None if they are not known (`wide`)."""
        if not self.bytes_as_units and (self.wide or not self.text.isascii()):
            return None
        encoding = "latin-1" if self.bytes_as_units else "utf-8"
        return [(start, end, new.encode(encoding, "surrogatepass")) for start, end, new in splices]

    def _splice_wide(self, data: bytes, splices: Sequence[Splice[str]]) -> bytes:
        pieces: list[bytes] = []
        last = 0
        for start, end, new in _joined(splices):
            first, behind = self._offsets[start], self._offsets[end]
            encoded = self.source.encoded(new) or b""
            if self.encoding == "iso-2022-jp":
                encoded = self._shifted(first, behind, encoded)
            pieces += (data[last:first], encoded)
            last = behind
        pieces.append(data[last:])
        return b"".join(pieces)

    @cached_property
    def _shifts(self) -> list[Splice[bytes]]:
        """The escape sequences of ISO-2022-JP: end, start, sequence; the first is the state a document begins in."""
        assert isinstance(self.source.data, bytes)
        found = [(shift.end(), shift.start(), shift[0]) for shift in _SHIFT.finditer(self.source.data)]
        return [(0, -1, _ASCII), *found]

    def _shifted(self, first: int, behind: int, encoded: bytes) -> bytes:
        """What to write for bytes `first` to `behind`, with the escape sequences that it takes there.

        `encoded` begins and ends in ASCII; what is around it may not. Two escape sequences in a row are an error.
        """
        shifts = self._shifts
        state = shifts[bisect_right(shifts, first, key=_end) - 1][2]
        number = bisect_right(shifts, behind, key=_end)
        if encoded:
            if state != _ASCII and not encoded.startswith(b"\x1b"):
                encoded = _ASCII + encoded
            state = _ASCII
        if number < len(shifts) and shifts[number][1] == behind:  # what follows says its own state
            return encoded.removesuffix(_ASCII)
        wanted = shifts[number - 1][2]
        return encoded if state == wanted else encoded.removesuffix(_ASCII) + wanted


_SHIFT = re.compile(rb"\x1b(?:\([BIJ]|\$[@B])")
_ASCII = b"\x1b(B"


def _end(shift: Splice[bytes]) -> int:
    return shift[0]


def _joined(splices: Sequence[Splice[str]]) -> list[Splice[str]]:
    """The splices, with those that touch made one."""
    joined: list[Splice[str]] = []
    for start, end, new in splices:
        if joined and joined[-1][1] == start:
            start, new = joined[-1][0], joined.pop()[2] + new
        joined.append((start, end, new))
    return joined


class Recoded:
    """A source that is read in UTF-8: `given`, as it was; `source`, in UTF-8. `form`: `CHARACTERS` or `UTF_16`."""

    __slots__ = ("_before", "_data", "form", "given", "source")

    def __init__(self, given: Source, data: bytes) -> None:
        self.given = given
        self.source = Source(data, "utf-8", len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0)
        self.form = CHARACTERS if isinstance(given.data, str) else UTF_16
        self._data = data
        self._before = [0]  # each block of bytes

    def at(self, offset: int) -> int:
        """Where a character that begins at an offset in UTF-8 is in the source as given."""
        block, before = offset // _BLOCK, self._before
        while len(before) <= block:
            before.append(before[-1] + self._count((len(before) - 1) * _BLOCK, len(before) * _BLOCK))
        return before[block] + self._count(block * _BLOCK, offset)

    def span(self, span: tuple[int, int]) -> tuple[int, int]:
        """From, to."""
        start, end = span
        return self.at(start), self.at(end)

    def _count(self, start: int, end: int) -> int:
        part = self._data[start:end]
        characters = len(part.translate(None, _CONTINUATIONS))
        return characters if self.form == CHARACTERS else 2 * (characters + len(part.translate(None, _NOT_OF_FOUR)))

    def again(self, data: bytes) -> bytes | str:
        """A changed source as it would have been given."""
        if data is self.source.data:
            return self.given.data
        text = data.decode()
        if self.form == CHARACTERS:
            return text
        return self.given.encoded(text) or b""


def recoded(source: Source) -> Recoded | None:
    """The source in UTF-8; None if it must be read as it is.

    That is so of a str with surrogates, which has no bytes in UTF-8; of UTF-16 that is broken, which would not be made
    again as it was; and of what has U+FFFD, to which broken bytes are decoded.
    """
    data = source.data
    if isinstance(data, str):
        text = data
        if text.isascii():
            return None
    elif source.encoding in _UTF_16 and len(data) < _MOST_RECODED:
        text = charsets.decode(data, source.encoding)
        if "\ufffd" in text:
            return None
    else:
        return None
    try:
        return Recoded(source, text.encode())
    except UnicodeEncodeError:
        return None


def text_in_utf8(source: Source) -> tuple[SourceText, Recoded | None]:
    """The units of a source, and if it is read in UTF-8 instead, what it was."""
    in_utf8 = None if source.encoding == "utf-8" else recoded(source)
    return SourceText(source if in_utf8 is None else in_utf8.source), in_utf8
