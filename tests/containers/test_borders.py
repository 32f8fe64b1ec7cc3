"""Where an archive is divided: no record is lost or doubled at a border, whatever it holds."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import zlib
from functools import cache
from pathlib import Path
from uuid import UUID

import pytest

from crawl import response
from rehref.archives.links_of_many import documents_of, file_at, process
from rehref.archives.pieces import ranges_of
from rehref.archives.rewriting_files import RewriteOptions, rewrite_file
from rehref.containers._warc.borders import border, record_border
from rehref.containers.parts import Diagnostic
from rehref.containers.streams import ByteRange
from rehref.documents.options import SourceOptions
from rehref.rewriting.built_in_rules import Template

HOW = SourceOptions(url="https://archive.example/")


def record(number: int, body: bytes, media_type: str = "text/html") -> bytes:
    return gzip.decompress(response(f"https://h.example/{number}", body, media_type, number=number))


def page(number: int, noise: random.Random) -> bytes:
    filling = noise.randbytes(noise.randrange(4000)).hex()
    return f'<!doctype html><a href="/a{number}">{filling}</a><img src=b{number}.png>'.encode()


def archive(count: int, seed: int = 1) -> bytes:
    noise = random.Random(seed)
    return b"".join(gzip.compress(record(number, page(number, noise)), mtime=0) for number in range(count))


def stored(data: bytes) -> bytes:
    """A gzip member that holds its data as they are."""
    packer = zlib.compressobj(0, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def borders(data: bytes, step: int) -> list[int]:
    file = io.BytesIO(data)
    found = {0, len(data), *(border(file, offset, len(data)) for offset in range(step, len(data), step))}
    return sorted(found)


def ranges(data: bytes, step: int) -> list[ByteRange]:
    found = borders(data, step)
    return [ByteRange(*pair) for pair in itertools.pairwise(found)]


CASES = {
    "a member for each record": lambda: archive(300),
    "an archive in an archive": lambda: b"".join(
        (
            archive(40, 2),
            stored(record(99, archive(400, 3), "application/octet-stream")),
            archive(60, 4),
        )
    ),
    "something broken": lambda: archive(80, 5) + b"\x1f\x8b\x08\0 nothing" + b"x" * 5000 + archive(80, 6),
    "something broken just before a border": lambda: archive(40, 5) + b"\x1f\x8b\x08\0x" + archive(80, 6),
    "several records in a member": lambda: b"".join(
        gzip.compress(
            b"".join(record(10 * number + each, page(number, random.Random(number))) for each in range(7)), mtime=0
        )
        for number in range(200)
    ),
    "cut off": lambda: archive(200, 7)[:-77],
}


@cache
def case(name: str) -> bytes:
    return CASES[name]()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("step", [70_000, 8191])
def test_all_pieces_give_the_rows_of_the_whole(tmp_path: Path, name: str, step: int) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(case(name))
    told: list[Diagnostic] = []
    whole = list(process(file, HOW, on_diagnostic=told.append))
    pieces = ranges(case(name), step)
    assert len(pieces) > 2
    again: list[Diagnostic] = []
    assert [row for each in pieces for row in process(file, HOW, within=each, on_diagnostic=again.append)] == whole
    assert again == told


def test_what_is_broken_before_a_border_is_reported_as_in_the_whole(tmp_path: Path) -> None:
    data = case("something broken just before a border")
    file = tmp_path / "a.warc.gz"
    file.write_bytes(data)
    at = border(io.BytesIO(data), len(archive(40, 5)), len(data))
    assert at == len(archive(40, 5)) + 5
    told: list[Diagnostic] = []
    whole = list(process(file, HOW, on_diagnostic=told.append))
    again: list[Diagnostic] = []
    pieces = (ByteRange(0, at), ByteRange(at, len(data)))
    assert [row for each in pieces for row in process(file, HOW, within=each, on_diagnostic=again.append)] == whole
    assert again == told
    assert len(told) == 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
def test_all_pieces_rewritten_are_the_whole_rewritten(tmp_path: Path, name: str) -> None:
    file, new = tmp_path / "a.warc.gz", tmp_path / "new"
    file.write_bytes(case(name))
    wanted = RewriteOptions(Template("https://r.example/{timestamp}/{uri}"))
    whole = rewrite_file(file, new, wanted, HOW).counts
    expected = new.read_bytes()
    assert whole.changed > 0
    found, changed = b"", 0
    for each in ranges(case(name), 50_000):
        changed += rewrite_file(file, new, wanted, HOW, within=each).counts.changed
        found += new.read_bytes()
    assert (found, changed) == (expected, whole.changed)


def test_what_only_looks_like_a_member_is_no_border() -> None:
    data = case("an archive in an archive")
    before, after = len(archive(40, 2)), len(data) - len(archive(60, 4))
    inside = [each for each in borders(data, 20_000) if before < each < after]
    assert inside == []


def test_one_large_member_has_no_border() -> None:
    noise = random.Random(1)
    data = gzip.compress(b"".join(record(number, page(number, noise)) for number in range(200)))
    assert borders(data, 1000) == [0, len(data)]


def test_a_border_is_the_same_for_whoever_asks() -> None:
    data = case("a member for each record")
    file = io.BytesIO(data)
    found = borders(data, 5000)
    for first, second in itertools.pairwise(found):
        assert border(file, first, len(data)) == first
        assert border(file, first + 1, len(data)) <= second


def test_records_without_ids_are_called_by_where_they_stand_in_the_whole(tmp_path: Path) -> None:
    body = b"<a href=x>"
    line = b"http://h.example/ 127.0.0.1 20240102030405 text/html %d\n"
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body + b" " * 3000
    first = gzip.compress(b"filedesc://x 0.0.0.0 20240102030405 text/plain 2\n1\n\n", mtime=0)
    noise = random.Random(1)
    members = [
        gzip.compress(line % (len(http) + 4000) + http + noise.randbytes(2000).hex().encode() + b"\n", mtime=0)
        for _ in range(80)
    ]
    file = tmp_path / "a.arc.gz"
    file.write_bytes(first + b"".join(members))
    whole = [row.record for row in process(file, HOW)]
    assert len(set(whole)) == 80
    pieces = ranges(file.read_bytes(), 50_000)
    assert len(pieces) > 1
    assert [row.record for each in pieces for row in process(file, HOW, within=each)] == whole


def test_a_row_says_what_its_object_in_json_says(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(archive(1))
    row = next(process(file, HOW))
    assert (row.document, row.container, row.record) == (str(file), "warc", f"urn:uuid:{UUID(int=0)}")
    assert (row.page, row.reference, row.target) == ("https://h.example/0", "/a0", "https://h.example/a0")
    assert row.base["origin"] == "entity"
    documents = list(documents_of(file_at(str(file), HOW), HOW))
    assert len(documents) == 1


# --- archives that are not compressed


def plain(count: int, seed: int = 1) -> bytes:
    noise = random.Random(seed)
    return b"".join(record(number, page(number, noise)) for number in range(count))


def arc(count: int) -> bytes:
    noise = random.Random(1)
    records = [b"filedesc://x 0.0.0.0 20240102030405 text/plain 2\n1\n\n"]
    for number in range(count):
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(number, noise)
        records.append(b"http://h.example/ 127.0.0.1 20240102030405 text/html %d\n%s\n" % (len(http), http))
    return b"".join(records)


def conversions(count: int) -> bytes:
    noise = random.Random(1)
    records = []
    for number in range(count):
        records.append(record(number, page(number, noise)))
        for other in range(3):
            block = noise.randbytes(1500).hex().encode()
            records.append(
                f"WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:{9 * number + other + 9999:032x}>\r\n"
                f"WARC-Refers-To: <urn:uuid:{number:032x}>\r\nContent-Type: text/plain\r\n"
                f"Content-Length: {len(block)}\r\n\r\n".encode()
                + block
                + b"\r\n\r\n"
            )
    return b"".join(records)


PLAIN = {
    "records": lambda: plain(300),
    "ARC": lambda: arc(200),
    "conversions": lambda: conversions(60),
    "empty lines": lambda: b"".join(record(n, page(n, random.Random(n))) + b"\r\n" * (n % 12) for n in range(200)),
    "many empty lines": lambda: plain(100) + b"\r\n" * 5000 + plain(100, 2),
    "something broken": lambda: plain(150) + b"nothing " * 500 + plain(150, 2),
    "cut off": lambda: plain(200)[:-77],
    "a large record": lambda: plain(60) + record(99, b"<a href=x>" + b"x" * (9 << 20)) + plain(60, 2),
    "an archive in an archive": lambda: (
        plain(60) + record(99, plain(200, 3), "application/octet-stream") + plain(60, 2)
    ),
}


@cache
def unpacked(name: str) -> bytes:
    return PLAIN[name]()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PLAIN)
def test_pieces_of_what_is_not_compressed_give_what_the_whole_gives(tmp_path: Path, name: str) -> None:
    file, new = tmp_path / "a.warc", tmp_path / "new"
    file.write_bytes(unpacked(name))
    told: list[Diagnostic] = []
    whole = list(process(file, HOW, on_diagnostic=told.append))
    pieces = ranges_of(file, len(unpacked(name)), 40_000)
    assert len(pieces) > 3
    assert pieces[-1].end == len(unpacked(name))
    again: list[Diagnostic] = []
    assert [row for each in pieces for row in process(file, HOW, within=each, on_diagnostic=again.append)] == whole
    assert again == told
    wanted = RewriteOptions(Template("https://r.example/{timestamp}/{uri}"), as_conversion=name == "conversions")
    rewrite_file(file, new, wanted, HOW)
    expected, found = new.read_bytes(), b""
    assert expected != unpacked(name)
    for each in pieces:
        rewrite_file(file, new, wanted, HOW, within=each)
        found += new.read_bytes()
    assert found == expected


def test_what_is_broken_is_not_divided_from_there_on() -> None:
    data = unpacked("something broken")
    broken = data.index(b"nothing ")
    file = io.BytesIO(data)
    assert record_border(file, 0, broken - 100_000, len(data)) < broken
    assert record_border(file, 0, broken + 1, len(data)) == len(data)
    inside = unpacked("an archive in an archive")
    start, end = len(plain(60)), len(inside) - len(plain(60, 2))
    assert record_border(io.BytesIO(inside), 0, start + 1, len(inside)) == end
