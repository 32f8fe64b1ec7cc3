"""A source in UTF-8, whatever its encoding, and the way back to the source as it was given.

Bytes in UTF-8 without errors are taken as they are. Of all others each character of `data` is one of the source; what
is broken is U+FFFD, and of a str a surrogate "?".
"""

from __future__ import annotations

from collections.abc import Sequence

from rehref.text import charsets
from rehref.text.encoding import Source, Splice
from rehref.text.large_bytes import is_utf_8
from rehref.text.source_text import Recoded, SourceText


class InUtf8:
    """A source in UTF-8: `data`, without a byte order mark. `units`: the source itself."""

    def __init__(self, source: Source) -> None:
        """Encode it. Raises nothing, whatever the bytes."""
        self.units = SourceText(source)
        given = source.data
        self._recoded: Recoded | None = None
        self._offsets: Sequence[int] | None = None
        self._begin = self.units.bom
        if isinstance(given, bytes) and source.encoding == "utf-8" and is_utf_8(given):
            self.data = given[source.bom :] if source.bom else given
            return
        if self.units.bytes_as_units and isinstance(given, bytes):
            text, self._offsets = charsets.decode_with_offsets(given[source.bom :], self.units.encoding)
        else:
            text = self.units.text[self._begin :]
        self.data = text.encode("utf-8", "replace")
        if not text.isascii():
            self._recoded = Recoded(Source(text), self.data)

    def unit(self, offset: int) -> int:
        """The unit of the source in which the character at a byte of `data` begins."""
        at = offset if self._recoded is None else self._recoded.at(offset)
        return self._begin + (at if self._offsets is None else self._offsets[at])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where bytes `start` to `end` of `data` are in the source."""
        return self.units.source_span(self.unit(start), self.unit(end))

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the column (1-based, characters) of a byte of `data`."""
        return self.units.position(self.unit(offset))

    def splices(self, splices: Sequence[Splice[bytes]]) -> list[tuple[int, int, str]]:
        """What replaces units of the source for these bytes of `data` to be replaced.

        It is in the source's encoding; characters that this lacks are percent-encoded.
        """
        write = self.units.write
        return [(self.unit(start), self.unit(end), write(new.decode(), markup=False)) for start, end, new in splices]
