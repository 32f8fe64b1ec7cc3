"""How records are packed and unpacked: nothing depends on where pieces are cut, and little is done again."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zlib
from collections.abc import Callable
from random import Random

import pytest
import zstandard

from containers.small_records import found, frame, packed, record
from rehref.containers import kinds
from rehref.containers._warc import compression_formats
from rehref.containers._warc.compression_formats import (
    CompressionFormat,
    Unpacker,
    _in_blocks,
    gzip_format,
    zstd_format,
)

HEAD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 18000\r\n\r\n"
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
PAGE = b"".join(b'<p id="p%d"><a href="/page/%d">Page %d</a></p>\n' % (n % 7, n % 5, n % 3) for n in range(400))
MEGABYTE = 1 << 20
PIECES = (HEAD, HTTP, PAGE, b"\r\n\r\n")


def isal() -> CompressionFormat:
    pytest.importorskip("isal")
    return gzip_format()


def without_isal(monkeypatch: pytest.MonkeyPatch) -> CompressionFormat:
    monkeypatch.setattr(compression_formats, "optional", lambda name: None)
    return gzip_format()


def zstd() -> CompressionFormat:
    pytest.importorskip("zstandard")
    form = zstd_format()
    assert form is not None
    return form


@pytest.fixture(params=["isal", "zlib", "zstd", "zstd with a dictionary"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> CompressionFormat:
    forms: dict[str, Callable[[], CompressionFormat]] = {
        "isal": isal,
        "zlib": lambda: without_isal(monkeypatch),
        "zstd": zstd,
        "zstd with a dictionary": zstd_with_dictionary,
    }
    return forms[request.param]()


def test_where_pieces_are_cut_changes_nothing(form: CompressionFormat) -> None:
    whole = b"".join(PIECES)
    expected = form.pack([whole])
    assert form.pack(PIECES) == expected
    assert form.pack([whole[:1], whole[1:100], b"", whole[100:]]) == expected


def test_small_records_are_packed_as_large_ones(form: CompressionFormat) -> None:
    """isal's function for whole data gave other bytes in one of 400 processes."""
    if form.name == "gzip":
        assert form.pack([HEAD, HTTP]) == b"".join(form.packed_in_pieces([HEAD + HTTP]))


def test_a_page_behind_its_heads_is_packed_well(form: CompressionFormat) -> None:
    assert 5 * len(form.pack(PIECES)) < len(b"".join(PIECES))


def test_the_content_is_kept(form: CompressionFormat) -> None:
    data, used = form.unpacker().feed(form.pack(PIECES))
    assert data == b"".join(PIECES)
    assert used == len(form.pack(PIECES))


LONG = random.Random(1).randbytes(300_000)


def test_packers_and_unpackers_work_side_by_side(form: CompressionFormat) -> None:
    packer = form.packer()
    first = packer.compress(LONG)
    other = form.pack(PIECES)
    member = first + packer.compress(LONG) + packer.flush()
    unpacker = form.unpacker()
    data, used = unpacker.feed(member[: form.feeds[0]])
    assert unpacked(form, other) == b"".join(PIECES)
    assert data + unpacked(form, member[used:], unpacker) == LONG * 2


def zstd_with_dictionary() -> CompressionFormat:
    zstandard = pytest.importorskip("zstandard")
    pages = [PAGE[n : n + 500] for n in range(0, len(PAGE), 70)]
    form = zstd_format(zstandard.train_dictionary(2000, pages).as_bytes())
    assert form is not None
    return form


def unpacked(form: CompressionFormat, packed: bytes, unpacker: Unpacker | None = None) -> bytes:
    unpacker = unpacker or form.unpacker()
    content = b""
    while not unpacker.done:
        data, used = unpacker.feed(packed[: form.feeds[0]])
        packed = packed[used:]
        content += data
    return content


# --- the order of what is written


def test_blocks_do_not_depend_on_where_bytes_were_cut() -> None:
    data = bytes(range(256)) * (2 * MEGABYTE // 256) + b"rest"
    for cuts in ((), (1,), (MEGABYTE,), (MEGABYTE - 1, MEGABYTE + 1), (2 * MEGABYTE,), range(0, len(data), 100_003)):
        ends = (*cuts, len(data))
        blocks = list(_in_blocks(data[start:end] for start, end in zip((0, *cuts), ends, strict=True)))
        assert list(map(len, blocks)) == [MEGABYTE, MEGABYTE, 4]
        assert b"".join(blocks) == data
    assert list(_in_blocks([data[:MEGABYTE]])) == [data[:MEGABYTE]]
    assert list(_in_blocks([])) == []


GZIP = b"\x1f\x8b\x08"


_HEADER = GZIP + bytes(7)


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


def starts(data: bytes, size: int) -> list[int]:
    """The first bytes of pieces of about a size, into which an archive is divided."""
    return [each.start for each in kinds.WARC.ranges(io.BytesIO(data), len(data), size)]


def test_members_with_a_common_rest_when_an_archive_is_divided(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_formats, "FREE", 0)
    size = 1 << 20
    data = packed(1) + funnel(1000, size) + packed(2)
    assert starts(data, 1) == [0]
    assert work.bytes < 12 * size
    assert starts(data, len(data) - 1000) == [0, len(data) - len(packed(2))]


@pytest.mark.parametrize("name", FALSE)
def test_false_members_when_an_archive_is_divided(name: str, work: Work) -> None:
    data = packed(1) + FALSE[name] * 20_000 + packed(2)
    assert starts(data, 1) == [0, len(data) - len(packed(2))]
    assert work.bytes < 300 * len(data)
