"""A document as it came, and a text with some of it replaced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias


class Source(NamedTuple):
    """A document as it came, and its encoding."""

    data: bytes | str
    encoding: str | None = None
    """Canonical name from the Encoding Standard (`utf-8`, `windows-1252`, …); None where `data` is a str."""
    bom: int = 0
    """Length of the byte order mark in bytes (0, 2 or 3); it stays where it is."""
    undeclared: bool = False
    """Whether the encoding is a guess: nothing declares it, and the type of the document does not either."""


Splice: TypeAlias = tuple[int, int, str]
"""Characters (of a `SourceText`: its units) from, to, and what takes their place."""


def spliced(text: str, splices: Iterable[Splice], start: int = 0, end: int | None = None) -> str:
    """The text from `start` to `end`, with the splices made: they are in order and do not overlap."""
    pieces: list[str] = []
    for first, behind, new in splices:
        pieces += (text[start:first], new)
        start = behind
    pieces.append(text[start:end])
    return "".join(pieces)
