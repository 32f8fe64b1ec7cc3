"""Sources that are read in UTF-8, so that the compiled twin reads them: a str, unless it is all ASCII, and UTF-16.

What has no bytes in UTF-8 (a str with surrogates) is read as it is; so is UTF-16 that is broken, which would not be
made again as it was, and all with U+FFFD, to which broken bytes are decoded.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import Final

from rehref.text import charsets
from rehref.text.encoding import Source

_UTF_16 = frozenset({"utf-16le", "utf-16be"})
_MOST = 1 << 31
"""Bytes in UTF-16 that are recoded: the twin counts with 32 bits."""
_CONTINUATIONS = bytes(range(0x80, 0xC0))
_NOT_OF_FOUR = bytes(range(0xF0))
_BLOCK = 256

CHARACTERS: Final = 1
UTF_16: Final = 2
"""Forms in which a source was given, for the compiled twin (`_native/positions.h`); 0 for the bytes that are read."""


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
        from rehref.text._encoders import encode

        return encode(text, self.given.encoding or "") or b""


def recoded(source: Source) -> Recoded | None:
    """The source in UTF-8; None if it must be read as it is."""
    data = source.data
    if isinstance(data, str):
        text = data
        if text.isascii():
            return None
    elif source.encoding in _UTF_16 and len(data) < _MOST:
        text = charsets.decode(data, source.encoding)
        if "\ufffd" in text:
            return None
    else:
        return None
    try:
        return Recoded(source, text.encode())
    except UnicodeEncodeError:
        return None
