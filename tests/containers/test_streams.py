"""Bytes in pieces."""

from __future__ import annotations

import pytest

from rehref.containers.streams import is_same, pieces_of
from rehref.text.large_bytes import LargeBytes


def test_what_is_in_pieces_is_read_in_them() -> None:
    assert list(pieces_of(LargeBytes(lambda: iter([b"ab", b"c"])))) == [b"ab", b"c"]
    assert list(pieces_of(b"abc")) == [b"abc"]


@pytest.mark.parametrize(
    "content", [b"abc", LargeBytes(lambda: iter([b"ab", b"c"])), LargeBytes(lambda: iter([b"abc"]))]
)
def test_bytes_are_compared(content: bytes | LargeBytes) -> None:
    assert is_same(content, b"abc")
    for other in (b"", b"ab", b"abcd", b"abd", b"xbc"):
        assert not is_same(content, other)
    assert not is_same(content, b"abcabc")
