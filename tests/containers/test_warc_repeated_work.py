"""Damaged archives that are made so that much could be unpacked again and again. Work is counted, in bytes."""

from __future__ import annotations

import gzip
import io
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from random import Random

import pytest
import zstandard

from containers.in_memory import everything
from containers.small_records import WARC, found, frame, packed, record
from rehref.containers.parts import ContainerOptions, Part

GZIP = b"\x1f\x8b\x08"
_HEADER = GZIP + bytes(7)


def with_header(flags: int, fields: bytes) -> bytes:
    """A member with such a header."""
    header = GZIP + bytes([flags]) + bytes(6) + fields
    if flags & 2:
        header += struct.pack("<H", zlib.crc32(header) & 0xFFFF)
    return header + packed(2)[10:]


EXTRA = struct.pack("<H", 60_000) + b"\x1f\x8b\x08" * 20_000


@pytest.mark.parametrize(
    "member",
    [
        with_header(0, b""),
        with_header(1, b""),
        with_header(2, b""),
        with_header(4, EXTRA),
        with_header(8, b"a name\0"),
        with_header(16, b"a comment\0"),
        with_header(31, b"\x08\0sl\x04\0size" + b"a name\0" + b"a comment\0"),
    ],
)
def test_a_member_with_any_header_is_found_after_damage(member: bytes) -> None:
    assert gzip.decompress(member) == record(2)
    assert found(packed(1)[:-3] + member + packed(3)).names == ["2", "3"]


FRAMES = {
    "of known size": frame(2),
    "of unknown size": zstandard.ZstdCompressor(write_content_size=False).compress(record(2)),
    "with a check sum": zstandard.ZstdCompressor(write_checksum=True).compress(record(2)),
    "of a large size": zstandard.ZstdCompressor().compress(record(2, "http://example.com/" + "x" * 200_000)),
    "stored": zstandard.ZstdCompressor(level=-100).compress(record(2)),
}


@pytest.mark.parametrize("name", FRAMES)
def test_any_frame_is_found_after_damage(name: str) -> None:
    assert "2" in found(frame(1)[:-3] + FRAMES[name] + frame(3)).names


@pytest.mark.parametrize("size", [10, 100, 1000])
def test_an_arc_record_is_found_after_damage(size: int) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
    line = b"http://example.com/" + b"x" * size + b" 192.0.2.1 20200102030405 text/html %d\n" % len(block)
    member = gzip.compress(line + block + b"\n", mtime=0)
    assert len(found(member + member[:-20] + member).names) == 2


def test_a_long_search_takes_little_memory() -> None:
    """A false member in each piece that is read does not keep the pieces before it."""
    data = packed(1) + (_HEADER + b"\x06" * 60_000) * 400 + packed(2)
    tracemalloc.start()
    stream = io.BytesIO(data)
    read = WARC.module.read(stream, ContainerOptions(), everything)
    names = [each.name for each in read if isinstance(each, Part)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert names == ["urn:uuid:1", "urn:uuid:2"]
    assert peak < 8 << 20


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("size", range(220_000, 420_000, 10_000))
def test_records_after_much_that_is_not_a_record_are_all_read(pack: Callable[[bytes], bytes], size: int) -> None:
    """Bytes are skipped only as far as they were searched."""
    data = pack(record(1) + b"x" * size + b"\n" + b"".join(map(record, range(2, 100))))
    assert [each.name for each in WARC.parts(data)] == [f"urn:uuid:{number}" for number in range(2, 100)]


def test_damage_is_named_rather_than_what_the_record_lacks() -> None:
    """What an unpacker returns after the end of a member that was cut short is not what was written."""
    words = [b"%x" % number for number in Random(1).choices(range(1 << 40), k=500)]
    for seed in range(20):
        member = gzip.compress(record(2, more=b" ".join(Random(seed).choices(words, k=1500))), mtime=0)
        for cut in (8, 9, 20, 200):
            data = packed(1) + member[:-cut] + member + packed(3)
            (fault,) = WARC.diagnostics(data)
            assert fault == f"record <urn:uuid:2> at byte {len(packed(1))}: its gzip data are damaged"


@pytest.mark.parametrize("at", [-1, -5, -8])
@pytest.mark.parametrize(
    "make", [packed, lambda _: gzip.compress(record(2)[:-4]), lambda _: gzip.compress(record(2) + b"x")]
)
def test_a_small_member_with_a_wrong_check_sum_is_named(make: Callable[[int], bytes], at: int) -> None:
    member = bytearray(make(2))
    member[at] ^= 1
    (fault,) = WARC.diagnostics(packed(1) + member + packed(3))
    assert fault == f"record <urn:uuid:2> at byte {len(packed(1))}: its gzip data are damaged"


def test_many_records_in_one_member_are_all_read() -> None:
    """They are as different as records are."""
    random = Random(1)
    records = [record(number, more=random.randbytes(10).hex().encode() * 40) for number in range(1000)]
    data = gzip.compress(b"".join(records), mtime=0)
    all_ = WARC.found(data + packed(1))
    assert [each.name for each in all_ if isinstance(each, Part)] == [f"urn:uuid:{n}" for n in (*range(1000), 1)]
    assert len(all_) == 1001
