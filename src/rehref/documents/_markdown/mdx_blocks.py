"""The blocks of an MDX text (micromark, its extensions `mdxjs` and `gfm`), and the same blocks as plain CommonMark.

In MDX all white space before a block is indentation, and between Markdown there are modules, expressions and tags. So
the text of each paragraph, heading and table is written anew without what is before it on its lines; code, and what
is not Markdown, is left out. Tags and expressions in texts become tags that pyromark skips (`mdx_texts`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, Literal, NamedTuple

from rehref.documents._markdown.jsx_code import MORE, NEVER, OpenCode
from rehref.documents._markdown.written_blocks import Blocks, Range

_LINE_END = re.compile(rb"\r\n?|\n").finditer
_HEADING = re.compile(rb"#{1,6}(?:[ \t]|\Z)").match
_FENCE = re.compile(rb"(?:(`{3,})[^`]*|(~{3,}).*)\Z", re.DOTALL).match
_RULE = re.compile(rb"(?:\*[ \t]*){3,}\Z|(?:-[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z").match
_OTHERS: Final = {ord("-"): re.compile(rb"[^-\t ]").search, ord("*"): re.compile(rb"[^*\t ]").search}
"""What finds the end of a run of marks of items, by the mark: no thematic break begins before another character."""
_UNDERLINE = re.compile(rb"(?:=+|-+)[ \t]*\Z").match
_ITEM = re.compile(rb"(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t]|\Z)").match
_NOTE = re.compile(rb"\[\^((?:[^\[\]\\\s]|\\.)+)\]:").match
_MODULE = re.compile(rb"(?:import|export) ").match
_DELIMITERS = re.compile(rb"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_BEGINS = re.compile(rb">|=+[ \t]*\Z|" + _DELIMITERS.pattern).match
_CELL = re.compile(rb"(?:[^\\|]+|\\[\s\S]?)+").finditer
_BAR = re.compile(rb"\\[\s\S]|\|").finditer
_SPECIAL = re.compile(rb"[<{]").search
_BEGINS_TAG: Final = re.compile(rb"</?(?=[A-Za-z_$>\x80-\xff])").match
_WHITE = b" \t"
_MOST_TRIES = 2
"""How often each byte of a text is read in vain, at most, on average: then no tag or expression is looked for."""
UNWRAPPED: Final = b"mdx-code-block"
"""The language of code that Docusaurus reads as MDX."""


class _Container(NamedTuple):
    """A container that is open: what it is, the width of its indentation, and of an item which blank lines it began
    with (`blank`: its first line; `ended`: another one behind that). `place`: where its mark is.
    """

    kind: Literal["quote", "item", "note"]
    place: int
    width: int = 0
    blank: bool = False
    ended: bool = False


def read_blocks(data: bytes, begin: int, *, has_tables: bool) -> Blocks:
    """The blocks of a text from a byte on, which begins a line. Raises nothing because of its content."""
    reader = _Reader(data, begin, has_tables=has_tables)
    reader.read()
    return reader.blocks


class _Reader:
    """Reads one text, line by line."""

    def __init__(self, data: bytes, begin: int, *, has_tables: bool) -> None:
        self._data, self._has_tables = data, has_tables
        self.blocks = Blocks()
        ends = [found.span() for found in _LINE_END(data, begin)] + [(len(data), len(data))]
        lines = [(start, *end) for start, end in zip([begin, *(behind for _, behind in ends[:-1])], ends, strict=True)]
        lines = _unwrapped(data, lines) if UNWRAPPED in data else lines
        self._starts, self._stops, self._behind = (list(column) for column in zip(*lines, strict=True))
        self._open: list[_Container] = []
        self._lines: list[tuple[int, int]] = []  # of the paragraph or table that is open
        self._underline: tuple[int, int] | None = None  # that makes a heading of it
        self._in_table = False
        # the last line that was read as one of a tag or an expression: no container begins there
        self._last_of_flow = -1
        self._no_rule = (0, 0)  # a mark, and how far a line is known not to be a rule of such marks
        self._fence = b""
        self._most = _MOST_TRIES * (len(data) + 100)

    def read(self) -> None:
        """Read all lines."""
        number = 0
        while number < len(self._starts):
            number = self._read_line(number)
        self._end_leaf()
        for label in dict.fromkeys(self.blocks.notes):
            self.blocks.written += b"[^" + label + b"]: x\n\n"

    def _read_line(self, number: int) -> int:
        """Read a line, and those that belong to what begins there; return the number of the next one."""
        data, stop = self._data, self._stops[number]
        at, column, matched = self._continued(number) if self._open else (self._starts[number], 0, 0)
        is_blank = not data[at:stop].strip(_WHITE)
        if self._fence and matched == len(self._open):
            self._end_fence(data[at:stop].strip(_WHITE))
            return number + 1
        if is_blank:
            self._close(matched)
            return number + 1
        is_lazy = matched < len(self._open)
        while number > self._last_of_flow and (found := self._container(at, column, stop, matched)) is not None:
            self._close(matched)
            container, at, column = found
            self._open.append(container)
            matched, is_lazy = matched + 1, False
        at, _ = self._behind_space(at, stop, column)
        return number + 1 if at == stop else self._begin_leaf(number, at, matched, is_lazy=is_lazy)

    # ---------------------------------------------------------------------------------------------------- containers

    def _continued(self, number: int) -> tuple[int, int, int]:
        """Where the content of a line begins: its byte, its column, and how many containers it continues."""
        data, at, stop, column = self._data, self._starts[number], self._stops[number], 0
        for count, container in enumerate(self._open):
            behind, on = self._behind_space(at, stop, column)
            is_blank = behind == stop
            if container.kind == "quote":
                if is_blank or data[behind] != 0x3E:
                    return at, column, count
                at, column = self._behind_space(behind + 1, stop, on + 1, 1)
            elif is_blank:
                self._open[count] = container._replace(ended=container.blank)
                at, column = self._behind_space(at, stop, column, container.width)
            elif container.ended or on - column < container.width:
                return at, column, count
            else:
                self._open[count] = container._replace(blank=False)
                at, column = self._behind_space(at, stop, column, container.width)
        return at, column, len(self._open)

    def _behind_space(self, at: int, stop: int, column: int, most: int = 1 << 60) -> tuple[int, int]:
        """The byte and the column behind white space, at most so many columns further; a TAB may be left in part."""
        data, end = self._data, column + most
        while at < stop and column < end:
            if data[at] == 0x20:
                column += 1
            elif data[at] == 0x09:
                wide = column + 4 - column % 4
                if wide > end:
                    return at, end
                column = wide
            else:
                break
            at += 1
        return at, column

    def _container(self, at: int, column: int, stop: int, matched: int) -> tuple[_Container, int, int] | None:
        """The container whose mark is behind white space there, and the byte and the column behind that."""
        data, begin = self._data, column
        at, column = self._behind_space(at, stop, column)
        if at == stop:
            return None
        if data[at] == 0x3E:
            return _Container("quote", at), *self._behind_space(at + 1, stop, column + 1, 1)
        note = _NOTE(data, at, stop) if self._has_tables and data[at] == 0x5B else None
        if note is not None:
            self.blocks.notes.append(note[1])
            return _Container("note", at, 4), note.end(), column + note.end() - at
        item = _ITEM(data, at, stop)
        if item is None or self._is_rule(at, stop):
            return None
        behind, after = self._behind_space(item.end(), stop, column + item.end() - at)
        is_blank = behind == stop
        interrupts = bool(self._lines) and not self._in_table and matched == len(self._open)
        if interrupts and (is_blank or item[1] not in (None, b"1")):
            return None
        wide = column - begin + item.end() - at
        return _Container("item", at, wide + 1 if is_blank else after - begin, blank=is_blank), behind, after

    def _is_rule(self, at: int, stop: int) -> bool:
        """Whether a line is a thematic break from there on. Of many marks in it, only the first looks at its rest."""
        mark = self._data[at]
        other = _OTHERS.get(mark)
        if other is None or (mark == self._no_rule[0] and at < self._no_rule[1]):
            return False
        if _RULE(self._data, at, stop) is not None:
            return True
        found = other(self._data, at, stop)
        self._no_rule = mark, stop if found is None else found.start()
        return False

    def _close(self, matched: int) -> None:
        """End the paragraph, table or code that is open, and all containers but the first ones."""
        self._end_leaf()
        del self._open[matched:]

    # -------------------------------------------------------------------------------------------------------- leaves

    def _begin_leaf(self, number: int, at: int, matched: int, *, is_lazy: bool) -> int:
        """Read what begins at a byte of a line, or continues there; return the number of the next line."""
        data, stop = self._data, self._stops[number]
        line = data[at:stop]
        if self._lines and not is_lazy and not self._in_table and _UNDERLINE(line):
            self._underline = at, stop
            self._close(matched)
            return number + 1
        if (behind := self._block(number, at, line, matched)) is not None:
            return behind
        if is_lazy and (not self._lines or self._in_table):
            self._close(matched)
        self._lines.append((at, stop))
        if not is_lazy and not self._in_table and self._has_tables and self._begins_table(line):
            *before, head = self._lines[:-1]
            self._lines = before
            self._end_leaf()
            self._lines, self._in_table = [head, (at, stop)], True
        return number + 1

    def _block(self, number: int, at: int, line: bytes, matched: int) -> int | None:
        """Read a block other than a paragraph; return the number of the line behind it, or None."""
        data, first = self._data, line[:1]
        if first in (b"<", b"{"):
            return self._flow(number, at, matched)
        if first in (b"i", b"e"):
            is_alone = at == self._starts[number] and not self._lines and self.blocks.tries <= self._most
            return self._module(number, matched) if is_alone and _MODULE(line) is not None else None
        if first == b"#" and _HEADING(line) is not None:
            self._close(matched)
            begin = len(self.blocks.written)
            self.blocks.write(data, at, at + len(line))
            self._add_range(begin + len(line) - len(line.lstrip(b"#")), is_paragraph=False)
            self.blocks.written += b"\n"
            return number + 1
        if first in (b"`", b"~") and (fence := _FENCE(line)) is not None:
            self._close(matched)
            self._fence = fence[1] or fence[2]
            return number + 1
        if first in (b"*", b"-", b"_") and _RULE(line) is not None:
            self._close(matched)
            return number + 1
        return None

    def _begins_table(self, line: bytes) -> bool:
        """Whether a line is the one below the head of a table, which is the line before it."""
        if len(self._lines) < 2 or not (b"|" in line or b":" in line) or _DELIMITERS.match(line) is None:
            return False
        start, stop = self._lines[-2]
        return _count_of_cells(self._data[start:stop]) == _count_of_cells(line)

    def _end_fence(self, line: bytes) -> None:
        if _closes(line, self._fence):
            self._fence = b""

    def _end_leaf(self) -> None:
        """End the paragraph, table or code that is open: write its lines."""
        lines, written = self._lines, self.blocks.written
        self._fence = b""
        if not lines:
            return
        begin = len(written)
        for count, (start, stop) in enumerate(lines):
            if count and not self._in_table and _BEGINS(self._data, start, stop) is not None:
                written += b"    "  # of a tag, or lazy: it begins nothing
            first = len(written)
            self.blocks.write(self._data, start, stop)
            if self._in_table and count != 1:
                for cell in _CELL(written, first):
                    self._add_range(cell.start(), cell.end(), is_paragraph=False)
        if not self._in_table:
            self._add_range(begin, is_paragraph=True)
        if self._underline is not None:
            self.blocks.write(self._data, *self._underline)
        written += b"\n"
        self._lines, self._underline, self._in_table = [], None, False

    def _add_range(self, start: int, end: int | None = None, *, is_paragraph: bool) -> None:
        written = self.blocks.written
        behind = len(written) if end is None else end
        if _SPECIAL(written, start, behind) is not None:
            self.blocks.ranges.append(Range(start, behind, is_paragraph))

    # --------------------------------------------------------------------------------------------------------- flow

    def _flow(self, number: int, at: int, matched: int) -> int | None:
        """Read tags and expressions that are alone on their lines; return the number of the line behind them."""
        if self._data.startswith(b"<!--", at):
            return self._comment(number, at, matched)
        if self.blocks.tries > self._most:
            return None
        before, self._open = self._open, self._open[:matched]
        begin, tags, code = at, [], []
        while True:
            start = at
            begins = _BEGINS_TAG(self._data, at)
            if self._data[at] == 0x3C and begins is None:
                break
            reading = OpenCode.expression() if begins is None else OpenCode.tag(is_closing=begins[0] == b"</")
            number, end = self._read_code(reading, number, at + 1 if begins is None else begins.end())
            if end < 0:
                at = self._stops[number]
                break
            if begins is None:
                code.append((start, end))
            else:
                tags.append(reading.made(start, end, self._open[-1].place if self._open else -1))
            at, _ = self._behind_space(end, self._stops[number], 0)
            if at == self._stops[number]:
                opened, self._open = self._open, before
                self._close(matched)
                self._open = opened
                self.blocks.tags += tags
                self.blocks.code += code
                return number + 1
            if self._data[at] not in (b"<" if begins is None else b"<{"):  # two expressions are a paragraph
                self._last_of_flow = number
                break
        self._open = before
        self.blocks.tries += at - begin
        return None

    def _read_code(self, code: OpenCode, number: int, at: int) -> tuple[int, int]:
        """Read a tag or an expression on this line and further ones, as long as they continue all containers."""
        while (end := code.read(self._data, at, self._behind[number])) == MORE:
            if number + 1 == len(self._starts):
                return number, NEVER
            at, _, matched = self._continued(number + 1)
            if matched < len(self._open):
                return number, NEVER
            number += 1
        return number, end

    def _comment(self, number: int, at: int, matched: int) -> int | None:
        """Read a comment as in HTML, which some programs allow in MDX."""
        end = self._data.find(b"-->", at + 4) if self.blocks.tries <= self._most else -1
        if end == -1:
            self.blocks.tries += len(self._data) - at
            return None
        last = bisect_right(self._starts, end) - 1
        if last == number and self._data[end + 3 : self._stops[number]].strip(_WHITE):
            return None
        self._close(matched)
        return last + 1

    def _module(self, number: int, matched: int) -> int:
        """Read lines of a module, to a blank one where nothing is open; return the number of the line behind them."""
        self._close(matched)
        start, first_blank, code = self._starts[number], 0, OpenCode.module()
        while number < len(self._starts):
            begin, stop = self._starts[number], self._stops[number]
            if not self._data[begin:stop].strip(_WHITE):
                first_blank = first_blank or number
                if code.is_complete:
                    break
            code.read(self._data, begin, self._behind[number])
            number += 1
        else:
            if not code.is_complete:
                self.blocks.refuse(start, "the import or export is not complete")
                self.blocks.tries += self._starts[number - 1] - start
                number = first_blank or number
        self.blocks.code.append((start, self._stops[number - 1]))
        return number


def _unwrapped(data: bytes, lines: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The lines without those around code that Docusaurus reads as MDX (its `unwrapMdxCodeBlocks`)."""
    dropped: set[int] = set()
    opened, marks = -1, b""
    for number, (start, stop, _) in enumerate(lines):
        line = data[start:stop].strip(b" ")
        if opened == -1 and line.endswith(UNWRAPPED) and line[: -len(UNWRAPPED)].rstrip(b" ") in (b"```", b"````"):
            opened, marks = number, line[: -len(UNWRAPPED)].rstrip(b" ")
        elif opened != -1 and line == marks:
            dropped |= {opened, number}
            opened = -1
    kept = [line for number, line in enumerate(lines) if number not in dropped]
    return kept or lines[-1:]


def _closes(line: bytes, marks: bytes) -> bool:
    """Whether a line ends code that begins with these marks."""
    line = line.rstrip(_WHITE)
    return len(line) >= len(marks) and not line.strip(marks[:1])


def _count_of_cells(row: bytes) -> int:
    row = row.strip(_WHITE)
    bars = [found.end() for found in _BAR(row) if found[0] == b"|"]
    return len(bars) + 1 - row.startswith(b"|") - (len(row) in bars[1:])
