"""Damaged archives that are made so that much could be unpacked again and again. Work is counted, in bytes."""

from __future__ import annotations

import gzip
import io
import struct
import tracemalloc
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import pytest
import zstandard

from containers.in_memory import everything, in_memory, pages_only
from rehref.containers._warc import compression_formats, decompressed_stream, lookahead, record_heads
from rehref.containers._warc.borders import border
from rehref.containers._warc.compression_formats import GZIP, Unpacker
from rehref.containers._warc.documents import read
from rehref.containers._warc.warc_archive import Archive
from rehref.containers.parts import ContainerOptions, Diagnostic, Limits, Part

WARC = in_memory("warc", pages_only)
_HEADER = GZIP + bytes(7)


def record(number: int, uri: str = "http://example.com/", more: bytes = b"") -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>" + more
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: {uri}\r\n"
        f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def packed(number: int) -> bytes:
    return gzip.compress(record(number), mtime=0)


def frame(number: int) -> bytes:
    return zstandard.ZstdCompressor().compress(record(number))


class Work:
    """`bytes`: how many were put into unpackers, and came out of them."""

    def __init__(self) -> None:
        self.bytes = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    counted, feed = Work(), Unpacker.feed

    def counting(self: Unpacker, piece: bytes | memoryview) -> tuple[bytes, int]:
        counted.bytes += len(piece)
        data, used = feed(self, piece)
        counted.bytes += len(data)
        return data, used

    monkeypatch.setattr(Unpacker, "feed", counting)
    return counted


class Found(NamedTuple):
    names: list[str]
    faults: int


def found(data: bytes) -> Found:
    """What is read; the copy is the same bytes."""
    assert WARC.rewritten(data, lambda part: None, wanted=everything)[0] == data
    all_ = WARC.found(data)
    names = [each.name.removeprefix("urn:uuid:") for each in all_ if isinstance(each, Part)]
    return Found(names, sum(isinstance(each, Diagnostic) for each in all_))


def stored(size: int) -> bytes:
    """The header of a stored block with so many bytes, not the last one."""
    return b"\0" + struct.pack("<HH", size, size ^ 0xFFFF)


FALSE = {
    "magic": GZIP,
    "no flags": _HEADER,
    "no flags, a good block type": _HEADER + b"\0",
    "a name": GZIP + b"\x08" + bytes(6) + b"x" * 30,
    "extra fields of 64 KB": GZIP + b"\x04" + bytes(6) + b"\xff\xff",
    "a check sum of the header": GZIP + b"\x06" + bytes(6) + b"\xff\xff",
    "stored": _HEADER + stored(40_000) + b"abc",
    "empty": gzip.compress(b"", mtime=0)[:-1],
    "a frame": zstandard.FRAME_HEADER,
    "a frame with a block of 100 KB": zstandard.FRAME_HEADER + b"\0\x58" + (100_000 << 3 | 4).to_bytes(3, "little"),
    "a frame with a raw block": zstandard.FRAME_HEADER + b"\0\x58" + (100_000 << 3).to_bytes(3, "little"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", FALSE)
def test_false_members_cost_a_bounded_number_of_bytes(name: str, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_formats, "FREE", 1 << 20)
    make = frame if name.startswith("a frame") else packed
    data = make(1) + FALSE[name] * 20_000 + make(2)
    assert found(data).names == ["1", "2"]
    assert work.bytes < 600 * len(data)  # for both reading and copying


@pytest.mark.parametrize("cut", [9, 60, 300])
def test_members_that_are_cut_short_are_reported_one_by_one(cut: int, work: Work) -> None:
    member = gzip.compress(record(2, more=Random(1).randbytes(400).hex().encode()), mtime=0)[:-cut]
    data = packed(1) + member * 300 + packed(3)
    assert found(data) == (["1", "3"], 300)
    assert work.bytes < 300 * (1 << 18)  # some pieces for each


def funnel(members: int, size: int) -> bytes:
    """Members that begin one in the other, and have the same rest, which unpacks to so many bytes and is damaged."""
    begin = b"WARC/1.0\r\n\r\n"
    unit = len(_HEADER) + len(stored(0)) + len(begin)
    heads = [_HEADER + stored(unit * (members - number - 1) + len(begin)) + begin for number in range(members)]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join(heads) + packer.compress(b"x" * size) + packer.flush(zlib.Z_SYNC_FLUSH)


@pytest.mark.parametrize("free", [0, 1 << 22])
def test_members_with_a_common_rest_are_not_all_unpacked(
    free: int, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression_formats, "FREE", free)
    size = 1 << 20
    data = packed(1) + funnel(1000, size) + packed(2)
    names, faults = found(data)
    assert names == ["1", "2"]
    assert faults <= 2 + (free + compression_formats.TIMES * len(data)) // size
    assert work.bytes < 2 * (faults + 2) * (size + 2 * len(data))


def test_members_with_a_common_rest_when_an_archive_is_divided(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_formats, "FREE", 0)
    size = 1 << 20
    data = packed(1) + funnel(1000, size) + packed(2)
    assert border(io.BytesIO(data), 1, len(data)) == len(data)
    assert work.bytes < 12 * size
    assert border(io.BytesIO(data), len(data) - 1000, len(data)) == len(data) - len(packed(2))


@pytest.mark.parametrize("name", FALSE)
def test_false_members_when_an_archive_is_divided(name: str, work: Work) -> None:
    data = packed(1) + FALSE[name] * 20_000 + packed(2)
    assert border(io.BytesIO(data), 1, len(data)) == len(data) - len(packed(2))
    assert work.bytes < 300 * len(data)


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
    names = [each.name for each in read(stream, ContainerOptions(), lambda *_: True) if isinstance(each, Part)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert names == ["urn:uuid:1", "urn:uuid:2"]
    assert peak < 8 << 20


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("line", [b"\n", b"\r\n"])
def test_many_empty_lines_are_skipped_at_once(
    pack: Callable[[bytes], bytes], line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, begin = 0, Archive.begin

    def counting(self: Archive) -> bool:
        nonlocal begun
        begun += 1
        return begin(self)

    monkeypatch.setattr(Archive, "begin", counting)
    data = pack(record(1) + line * 4_000_000) + pack(record(2))
    all_ = WARC.found(data)
    assert [each.name for each in all_ if isinstance(each, Part)] == ["urn:uuid:1", "urn:uuid:2"]
    (fault,) = (str(each) for each in all_ if isinstance(each, Diagnostic))
    assert "these bytes are not a record: a megabyte of empty lines, or more" in fault
    assert begun < 8


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


class CountedEnds(deque[tuple[int, int]]):
    """Ends of members, which count how often one is looked at."""

    looked = 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for each in super().__iter__():
            CountedEnds.looked += 1
            yield each


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "content", [b"WARC/1.0\r\nContent-Length: 7000000\r\n\r\n", b"WARC/1.0\r\nX: a", b"WARC/1.0\r\n\r\n", b"WARC/"]
)
def test_members_whose_records_do_not_end_are_searched_once(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the bytes after each, nor the members after each, are all looked at."""
    searched = 0

    def head_end(data: bytes, most: int = record_heads.HEAD_SIZE) -> int:
        nonlocal searched
        searched += min(len(data), most)
        return record_heads.head_end(data, most)

    def next_record(data: bytes, start: int, end: int, *, arc: bool) -> int:
        nonlocal searched
        searched += end - start
        return record_heads.next_record(data, start, end, arc=arc)

    monkeypatch.setattr(lookahead, "head_end", head_end)
    monkeypatch.setattr(lookahead, "next_record", next_record)
    monkeypatch.setattr(decompressed_stream, "deque", CountedEnds)
    CountedEnds.looked = 0
    members = 5000
    data = gzip.compress(content, mtime=0) * members + packed(2)
    names, faults = found(data)
    assert (names, faults) == (["2"], members)
    assert searched < 10 * members * len(content)
    assert CountedEnds.looked < 200 * members


@pytest.mark.parametrize(
    "line", [b"WARC/1.0\r\n", b"WARC/1.0\r\nContent-Length: 0\r\n\r\n", record(2), b"WARC/1.0\r\nX: a\r\n\r\n"]
)
def test_a_member_of_very_many_small_records_is_read_up_to_the_ratio(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decompressed_stream, "_ANY_SIZE", Limits(size=1 << 40, ratio=50, free=20_000))
    data = packed(1) + gzip.compress(line * (6_000_000 // len(line)), 9, mtime=0) + packed(3)
    all_ = WARC.found(data)
    faults = [str(each) for each in all_ if isinstance(each, Diagnostic)]
    names = [each.name for each in all_ if isinstance(each, Part)]
    assert faults[-1].endswith("the rest of its member is skipped: it unpacks to more than 50 times its size")
    assert len(faults) + len(names) - 3 <= (2 << 20) // len(line)
    assert (names[0], names[-1]) == ("urn:uuid:1", "urn:uuid:3")
    assert gzip.decompress(WARC.rewritten(data, lambda part: None)[0]) == gzip.decompress(data)


def test_many_records_in_one_member_are_all_read() -> None:
    """They are as different as records are."""
    random = Random(1)
    records = [record(number, more=random.randbytes(10).hex().encode() * 40) for number in range(1000)]
    data = gzip.compress(b"".join(records), mtime=0)
    all_ = WARC.found(data + packed(1))
    assert [each.name for each in all_ if isinstance(each, Part)] == [f"urn:uuid:{n}" for n in (*range(1000), 1)]
    assert len(all_) == 1001
