"""New records are packed whole: where their pieces are cut changes no byte; and what is written comes out in order."""

from __future__ import annotations

import io
import random
import threading
import time
from collections.abc import Callable

import pytest

from rehref.containers._warc import archive_copy, compression_formats
from rehref.containers._warc.archive_copy import ArchiveCopy, Pieces
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

TWO_PIECES = (b"x" * 12_000, b"x" * 8_000)


def test_the_order_is_kept() -> None:
    file = io.BytesIO()
    out = ArchiveCopy(file, None)
    expected = b""

    def slowly(pieces: Pieces) -> bytes:
        time.sleep(0.001)
        return b"".join(pieces)[:1] * 3

    for number in range(40):
        letter = bytes([65 + number % 26])
        if number % 3:
            out.write_made(slowly, (letter * 12_000, letter * 8_000))
            expected += letter * 3
        else:
            out.write(letter)
            expected += letter
    out.close()
    assert file.getvalue() == expected


def test_the_work_is_done_elsewhere() -> None:
    seen = []
    out = ArchiveCopy(io.BytesIO(), None)
    out.write_made(lambda pieces: seen.append(threading.current_thread()) or b"", TWO_PIECES)
    out.close()
    assert seen[0] is not threading.main_thread()


def test_little_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_copy, "_MOST", 100_000)
    file = io.BytesIO()
    out = ArchiveCopy(file, None)
    for number in range(50):
        out.write_made(b"".join, TWO_PIECES)
        assert file.tell() >= (number + 1) * 20_000 - 100_000
    out.close()


def test_what_goes_wrong_is_raised() -> None:
    def wrong(pieces: Pieces) -> bytes:
        raise ValueError("no")

    out = ArchiveCopy(io.BytesIO(), None)
    with pytest.raises(ValueError, match="no"):  # noqa: PT012  # by one or the other
        out.write_made(wrong, TWO_PIECES)
        out.close()


def test_blocks_do_not_depend_on_where_bytes_were_cut() -> None:
    data = bytes(range(256)) * (2 * MEGABYTE // 256) + b"rest"
    for cuts in ((), (1,), (MEGABYTE,), (MEGABYTE - 1, MEGABYTE + 1), (2 * MEGABYTE,), range(0, len(data), 100_003)):
        ends = (*cuts, len(data))
        blocks = list(_in_blocks(data[start:end] for start, end in zip((0, *cuts), ends, strict=True)))
        assert list(map(len, blocks)) == [MEGABYTE, MEGABYTE, 4]
        assert b"".join(blocks) == data
    assert list(_in_blocks([data[:MEGABYTE]])) == [data[:MEGABYTE]]
    assert list(_in_blocks([])) == []
