"""Questions about bytes of any length, answered block by block: a large document is not copied for them."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Final

_BLOCK: Final = 1 << 20


def is_utf_8(data: bytes) -> bool:
    """Whether all of it is UTF-8."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for block in _blocks(data, 0):
            decoder.decode(block)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def contains_in_any_case(data: bytes, word: bytes) -> bool:
    """Whether a word, which is in lower-case ASCII, occurs in any case."""
    return any(word in block.lower() for block in _blocks(data, len(word) - 1))


def _blocks(data: bytes, overlap: int) -> Iterator[bytes]:
    """Blocks of a megabyte, usually one, each with the first bytes of the next."""
    for start in range(0, len(data), _BLOCK):
        yield data[start : start + _BLOCK + overlap]
