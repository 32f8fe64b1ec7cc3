"""From characters of a document to the positions of an editor, and back (LSP 3.17, "Position").

A line ends with LF, CR or CR LF, and with nothing else. The lines and columns of findings are counted so, too. A
position is a line and a number of code units in it, both from 0. The editor chooses the unit; UTF-16 is usual. A
position takes a binary search, so that many of them in one long line do, too.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

from lsprotocol import types as lsp

from rehref.text.encoding import Source, alike_up_to

_LINE_END: Final = re.compile("\r\n|\r|\n")
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")
_NOT_ASCII: Final = re.compile("[^\x00-\x7f]")


class PositionedText:
    """The text of a document, with the positions of an editor that counts in `units`: utf-8, utf-16 or utf-32."""

    def __init__(self, source: Source, units: str = "") -> None:
        assert isinstance(source.data, bytes)
        self.source, self.data = source, source.data
        self.text = source.text
        self.starts = [0, *(end.end() for end in _LINE_END.finditer(self.text))]
        self._more = array("I", _more_units(self.text, units))

    def position(self, offset: int) -> lsp.Position:
        """Return the position of a character."""
        line = bisect_right(self.starts, offset) - 1
        return lsp.Position(line, self._units(self.starts[line], offset))

    def range(self, start: int, end: int) -> lsp.Range:
        """Return the range of some characters."""
        return lsp.Range(self.position(start), self.position(end))

    def offset(self, position: lsp.Position) -> int:
        """Return the character at a position. What is past the end of a line, or of the text, means that end."""
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = self._line(position.line)
        return start + bisect_left(range(start, end), position.character, key=lambda each: self._units(start, each))

    def stretch(self, line: int | None, column: int | None, span: tuple[int, int] | None) -> tuple[int, int]:
        """Return the characters of a reference, from its line and column (from 1), and the span of its bytes.

        Without a column they are those of its line, without a line none.
        """
        if line is None or line > len(self.starts):
            return 0, 0
        if column is None:
            return self._line(line - 1)
        start = min(self.starts[line - 1] + column - 1, len(self.text))
        written = b"" if span is None else self.data[slice(*span)]
        length = len(self.source._replace(data=written, bom=0).text)
        return start, min(start + length, len(self.text))

    def edits_to(self, data: bytes) -> list[lsp.TextEdit]:
        """Return the edits that make other data of the document: of what differs in each line, or else in the text."""
        new = self.source._replace(data=data).text
        before, after = self.text.splitlines(keepends=True), new.splitlines(keepends=True)
        if len(before) != len(after):
            before, after = [self.text], [new]
        found, start = [], 0
        for one, other in zip(before, after, strict=True):
            if one != other:
                head = alike_up_to(one, other)
                head -= one[head - 1 : head + 1] == "\r\n"  # no position is between these
                tail = alike_up_to(one[head:][::-1], other[head:][::-1])
                tail -= one[len(one) - tail - 1 : len(one) - tail + 1] == "\r\n"
                where = self.range(start + head, start + len(one) - tail)
                found.append(lsp.TextEdit(where, other[head : len(other) - tail]))
            start += len(one)
        return found

    def _units(self, start: int, end: int) -> int:
        return end - start + bisect_left(self._more, end) - bisect_left(self._more, start)

    def _line(self, number: int) -> tuple[int, int]:
        start, end = self.starts[number], [*self.starts[number + 1 : number + 2], len(self.text)][0]
        return start, start + len(self.text[start:end].rstrip("\r\n"))


def _more_units(text: str, units: str) -> Iterator[int]:
    """Yield the offset of a character for each unit that it is more than one."""
    if units == "utf-16":
        yield from (found.start() for found in _WIDE.finditer(text))
    elif units == "utf-8":
        for found in _NOT_ASCII.finditer(text):
            yield from [found.start()] * (len(found[0].encode("utf-8", "replace")) - 1)
