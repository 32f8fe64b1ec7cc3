"""A document as it came: its bytes or its text, and its encoding."""

from __future__ import annotations

from typing import NamedTuple


class Source(NamedTuple):
    """A document as it came, and its encoding."""

    data: bytes | str
    encoding: str | None = None
    """Canonical name from the Encoding Standard (`utf-8`, `windows-1252`, …); None where `data` is a str."""
    bom: int = 0
    """Length of the byte order mark in bytes (0, 2 or 3); it stays where it is."""
    undeclared: bool = False
    """Whether the encoding is a guess: nothing declares it, and the type of the document does not either."""
