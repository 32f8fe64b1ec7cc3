"""Bytes of any length: large ones are made, and looked at, block by block, so that they are not copied.

`LargeBytes` are made again whenever they are needed: to measure them, to compute a digest, to write them.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

from rehref._native import TWIN

LARGE: Final = 8 << 20
"""How many bytes are so many that they are not copied."""
_BLOCK: Final = 1 << 20
_SMALL_BLOCK: Final = 1 << 14
"""What is decoded in such blocks needs no memory of its own from the system."""


class LargeBytes:
    """Bytes that are made in pieces. `make`: makes them, each time the same."""

    def __init__(self, make: Callable[[], Iterator[bytes]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[bytes]:
        return self._make()

    def __bytes__(self) -> bytes:
        """All of them, as a whole."""
        return b"".join(self)

    @cached_property
    def _length(self) -> int:
        return sum(map(len, self))

    def __len__(self) -> int:
        """The number of bytes, not of pieces."""
        return self._length


def is_utf_8(data: bytes) -> bool:
    """Whether all of it is UTF-8, found out piece by piece: no decoded copy of it is made."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _SMALL_BLOCK):
            decoder.decode(data[start : start + _SMALL_BLOCK])
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def contains_in_any_case(data: bytes, *words: bytes) -> bool:
    """Whether one of some words, which are in lower-case ASCII, occurs in any case."""
    if TWIN is not None:
        return any(find_in_any_case(data, word, 0) != -1 for word in words)
    blocks = (data,) if len(data) <= _BLOCK else _blocks(data, max(map(len, words)) - 1)
    return any(word in block for block in map(bytes.lower, blocks) for word in words)


def mentions(data: bytes, *words: bytes) -> bool:
    """Whether a document may contain one of `words`, which are in lower-case ASCII, in any case and encoding.

    In UTF-16 they may be anywhere.
    """
    may_be_wide = b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return may_be_wide or contains_in_any_case(data, *words)


def find_in_any_case(data: bytes, text: bytes, start: int) -> int:
    """Where a text of lower-case ASCII next occurs in any case; -1 if nowhere."""
    if TWIN is not None:
        at: int = TWIN.find_in_any_case(data, text, start)
        return at
    found = re.compile(re.escape(text), re.IGNORECASE).search(data, start)
    return -1 if found is None else found.start()


def _blocks(data: bytes, overlap: int) -> Iterator[bytes]:
    """Blocks of a megabyte, usually one, each with the first bytes of the next."""
    for start in range(0, len(data), _BLOCK):
        yield data[start : start + _BLOCK + overlap]
