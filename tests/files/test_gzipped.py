"""Gzipped documents: read, and written as they were. One test or more for each rule of the module."""

from __future__ import annotations

import gzip
import zlib

import pytest

from rehref.containers.parts import Limits
from rehref.files.file_errors import FileError
from rehref.files.reading_files import packed_like, unpacked


def with_everything(data: bytes) -> bytes:
    """Gzipped data whose header has all that is optional (RFC 1952 §2.3)."""
    head = b"\x1f\x8b\x08\x1e\x01\x02\x03\x04\x00\x03" + b"\x02\x00ab" + b"page.html\0" + b"a comment\0"
    head += (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little")
    return head + gzip.compress(data)[10:]


@pytest.mark.parametrize("data", [b"", b"x", b"<p>" * 100_000])
def test_data_come_out_and_go_in(data: bytes) -> None:
    for old in (gzip.compress(data), with_everything(data), gzip.compress(data[:1]) + gzip.compress(data[1:])):
        assert unpacked("a", old) == data
        assert gzip.decompress(packed_like(old, b"new")) == b"new"


def test_what_is_not_gzipped_stays_as_it_is() -> None:
    assert unpacked("a.html.gz", b"<p>") == b"<p>"
    assert packed_like(b"<p>", b"new") == b"new"


def test_the_header_is_kept() -> None:
    old = with_everything(b"old")
    assert packed_like(old, b"new").startswith(old[:36])
    assert packed_like(old, b"new") == packed_like(old, b"new")


@pytest.mark.parametrize("old", [b"\x1f\x8b\x08\x08aaaaaano name ends", b"\x1f\x8b\x08\x04", b"\x1f\x8b\x08\0"])
def test_a_header_that_cannot_be_told_is_replaced(old: bytes) -> None:
    assert gzip.decompress(packed_like(old + b"", b"new")) == b"new"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (gzip.compress(b"x" * 100, mtime=0)[:-9], "ends too early"),
        (gzip.compress(b"x" * 100, mtime=0)[:-8] + b"x" * 8, "damaged"),
        (gzip.compress(b"0" * 10_000_000, mtime=0), "unpacks to more than 200 times its size"),
    ],
)
def test_what_cannot_be_unpacked_is_an_error(data: bytes, what: str) -> None:
    with pytest.raises(FileError, match=f"^a: is gzipped, but .*{what}"):
        unpacked("a", data)


def test_limits_bound_it() -> None:
    with pytest.raises(FileError, match="unpacks to more than 10 bytes"):
        unpacked("a", gzip.compress(b"x" * 11), Limits(size=10))
    assert unpacked("a", gzip.compress(b"x" * 10), Limits(size=10)) == b"x" * 10
