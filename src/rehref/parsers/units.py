"""A source as a text that can be scanned, whatever its encoding, and the way back to its bytes.

1. A scanner works on a str of *units*. For a str source they are its characters. For bytes in an encoding in which
   every byte below 0x80 outside a multi-byte character is ASCII, they are the bytes, each as the character of its value: so
   an offset is a byte offset, and nothing is decoded that is not looked at. Second bytes of the legacy multi-byte
   encodings are never `<>"'&=/!-` or white space, so no markup is seen where there is none.
2. Encodings for which that does not hold (UTF-16, ISO-2022-JP) are decoded as a whole; the units are characters then,
   and every unit knows its byte offset.
3. `splice` writes replaced stretches in the source's own encoding, and copies everything else, byte for byte.
4. What the encoding cannot hold becomes a numeric character reference in markup (`&#233;`), and is percent-encoded in
   text that has no character references (what is written are references, and in UTF-8 that is the same reference).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias
from urllib.parse import quote as percent_encode

from rehref.parsers import encoding as enc
from rehref.parsers.contract import Source

_LINE_END = re.compile("\r\n?+|\n").finditer

Splice: TypeAlias = tuple[int, int, str]
"""Units from, to, and the units that take their place."""


class Units:
    """The units of a source. `text` is what to scan."""

    def __init__(self, source: Source) -> None:
        """Decode what has to be."""
        self.source = source
        data = source.data
        self.encoding = source.encoding or ""
        self._wide = False
        self.bytes_as_units = False
        if isinstance(data, str):
            self.text = data
        elif enc.is_ascii_compatible(self.encoding):
            self.text = data.decode("latin-1")
            self.bytes_as_units = True
        else:
            self._wide = True
            self.text, self._offsets = enc.decode_with_offsets(data, self.encoding)

    def decode(self, raw: str) -> str:
        """The characters that a run of units stands for."""
        if not self.bytes_as_units or raw.isascii():
            return raw
        return enc.decode(raw.encode("latin-1"), self.encoding)

    def decode_with_offsets(self, raw: str) -> tuple[str, Sequence[int]]:
        """The characters of a run of units, and for each, and the end, its offset in the run."""
        if not self.bytes_as_units or raw.isascii():
            return raw, range(len(raw) + 1)
        return enc.decode_with_offsets(raw.encode("latin-1"), self.encoding)

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the source (bytes of bytes, characters of a str) of units `start` to `end`."""
        if self._wide:
            return self._offsets[start], self._offsets[end]
        return start, end

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (1-based, in characters) of the unit at `offset`."""
        starts = self._line_starts
        line = bisect_right(starts, offset)
        before = self.text[starts[line - 1] : offset]
        if line == 1 and self.source.bom and before:
            before = before[self.source.bom if self.bytes_as_units else 1 :]
        return line, len(self.decode(before)) + 1

    @cached_property
    def _line_starts(self) -> list[int]:
        text = self.text
        starts = [0]
        if "\r" not in text:
            at = text.find("\n")
            while at != -1:
                starts.append(at + 1)
                at = text.find("\n", at + 1)
            return starts
        starts.extend(found.end() for found in _LINE_END(text))
        return starts

    def write(self, text: str, *, markup: bool) -> str:
        """The units that stand for a text (rule 4). `markup`: whether character references may be used."""
        if text.isascii() or isinstance(self.source.data, str):
            return text
        encoded = enc.encode(text, self.encoding)
        if encoded is None:
            text = "".join(self._representable(char, markup=markup) for char in text)
            encoded = enc.encode(text, self.encoding) or b""
        return encoded.decode("latin-1") if self.bytes_as_units else text

    def _representable(self, char: str, *, markup: bool) -> str:
        if char.isascii() or enc.encode(char, self.encoding) is not None:
            return char
        return f"&#{ord(char)};" if markup else percent_encode(char, errors="replace")

    def splice(self, splices: Sequence[Splice]) -> bytes | str:
        """Give the source back with some stretches of units replaced (in order, not overlapping)."""
        data = self.source.data
        if not splices:
            return data
        if isinstance(data, bytes) and self._wide:
            return self._splice_wide(data, splices)
        pieces: list[str] = []
        last = 0
        for start, end, new in splices:
            pieces += (self.text[last:start], new)
            last = end
        pieces.append(self.text[last:])
        text = "".join(pieces)
        return text.encode("latin-1") if self.bytes_as_units else text

    def _splice_wide(self, data: bytes, splices: Sequence[Splice]) -> bytes:
        pieces: list[bytes] = []
        last = 0
        for start, end, new in splices:
            pieces += (data[last : self._offsets[start]], enc.encode(new, self.encoding) or b"")
            last = self._offsets[end]
        pieces.append(data[last:])
        return b"".join(pieces)
