"""The blocks of a text of MDX as they are written for pyromark, and where each line of them is in the text."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from rehref.documents._markdown.jsx_code import JsxTag


class Range(NamedTuple):
    """A text in the blocks in which tags and expressions are looked for. `is_paragraph`: it may define labels."""

    start: int
    end: int
    is_paragraph: bool


class NotMdx(NamedTuple):
    """Why a text is not MDX: where, and what is wrong, for people."""

    at: int
    message: str


class Blocks:
    """The blocks of a text. `written`: as CommonMark. Tags, expressions and modules are where they are in the text."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.ranges: list[Range] = []
        self.tags: list[JsxTag] = []
        self.code: list[tuple[int, int]] = []
        self.fault: NotMdx | None = None
        self.notes: list[bytes] = []
        self.tries = 0
        self._starts: list[int] = [0]
        self._of: list[int] = [0]
        self._ends: list[int] = [0]

    def refuse(self, at: int, message: str) -> None:
        """Note that a text is not MDX, if that is the first place."""
        if self.fault is None or at < self.fault.at:
            self.fault = NotMdx(at, message)

    def write(self, data: bytes, start: int, end: int) -> None:
        """Write a line of the text, or the end of one."""
        self._starts.append(len(self.written))
        self._of.append(start)
        self._ends.append(end)
        self.written += data[start:end]
        self.written += b"\n"

    def place(self, offset: int) -> int:
        """Where a byte of what is written is in the text."""
        number = bisect_right(self._starts, offset) - 1
        return min(self._of[number] + offset - self._starts[number], self._ends[number])

    def place_of_end(self, offset: int) -> int:
        """Where something ends in the text that ends before a byte of what is written."""
        return self.place(offset - 1) + 1 if offset else 0
