"""A text with some of it replaced, and the rest as it was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

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
