"""A str that is read as its bytes in UTF-8, so that the compiled twin reads it; positions are given in characters.

1. A str that cannot be encoded (it has surrogates) is read as it is; so is one that is all ASCII, whose characters are
   its bytes.
2. Lines and columns count characters already. Spans and splices are converted.
"""

from __future__ import annotations

from collections.abc import Sequence

from rehref.parsers.contract import Edit, Place
from rehref.parsers.source.parsed_source import SourceParsed
from rehref.text.source import Source
from rehref.text.splices import Splice

_CONTINUATIONS = bytes(range(0x80, 0xC0))
_BLOCK = 256
_MARK = b"\xef\xbb\xbf"


def in_utf8(source: Source) -> Source | None:
    """The source in UTF-8; None if it must be read as it is (rule 1)."""
    if not isinstance(source.data, str) or source.data.isascii():
        return None
    try:
        data = source.data.encode()
    except UnicodeEncodeError:
        return None
    return Source(data, "utf-8", len(_MARK) if data.startswith(_MARK) else 0)


class Characters:
    """How many characters precede an offset in bytes, where a character begins."""

    __slots__ = ("_before", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._before = [0]  # each block of bytes

    def at(self, offset: int) -> int:
        """The offset in characters."""
        block, before = offset // _BLOCK, self._before
        while len(before) <= block:
            before.append(before[-1] + self._count((len(before) - 1) * _BLOCK, len(before) * _BLOCK))
        return before[block] + self._count(block * _BLOCK, offset)

    def span(self, span: tuple[int, int]) -> tuple[int, int]:
        """From, to."""
        start, end = span
        return self.at(start), self.at(end)

    def _count(self, start: int, end: int) -> int:
        return len(self._data[start:end].translate(None, _CONTINUATIONS))


class TextInUtf8:
    """A str that has been read in UTF-8 (`parsed`); its places have offsets in these bytes. See `contract.Parsed`."""

    __slots__ = ("_parsed", "_text", "characters", "places", "units")

    direct = False

    def __init__(self, parsed: SourceParsed, text: str) -> None:
        data = parsed.units.source.data
        assert isinstance(data, bytes)
        self._text = text
        self._parsed = parsed
        self.places: Sequence[Place] = parsed.places
        self.units = parsed.units
        self.characters = Characters(data)

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place, the line, and the column, where its value begins."""
        return self._parsed.positions

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's decoded value are in the source."""
        return self.characters.span(self._parsed.span(place, start, end))

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column of character `offset` of a place's value; None: of its tag."""
        return self._parsed.locate(place, offset)

    def apply(self, edits: Sequence[Edit]) -> str:
        """Return the source with the edits made."""
        made = self._parsed.apply(edits)
        assert isinstance(made, bytes)
        return self._text if made is self._parsed.units.source.data else made.decode()

    def splices(self, edits: Sequence[Edit]) -> list[Splice]:
        """What to replace for the edits to be made: from, to (characters), and by what; in order, not overlapping."""
        found = self._parsed.splices(edits)
        return [(*self.characters.span((start, end)), new.encode("latin-1").decode()) for start, end, new in found]

    def byte_splices(self, edits: Sequence[Edit]) -> list[tuple[int, int, bytes]] | None:
        """What to replace in the bytes in UTF-8."""
        return self._parsed.byte_splices(edits)
