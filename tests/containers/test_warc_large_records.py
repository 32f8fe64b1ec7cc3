"""Records of an archive that are too large to be examined as a whole: they are read, left and changed like others."""

from __future__ import annotations

import gzip
import random
from functools import cache

import pytest

from containers.in_memory import in_memory, pages_only
from crawl import http, record, response
from rehref.containers.parts import ChangedPart, ContainerOptions, Diagnostic, Limits, Part
from rehref.containers.streams import AnyBytes
from rehref.text.large_bytes import LargeBytes

WARC = in_memory("warc", pages_only)
PAGE = b"<a href=a>" + random.Random(1).randbytes(5 << 20).hex().encode()
BLOCK = http(PAGE)
BEFORE, BEHIND = response("https://h.example/1", "<a href=1>"), response("https://h.example/3", "<a href=3>")
NAMES = (
    *("a member", "not packed", "one member", "two in a member", "three members"),
    "a member that ends before the empty lines",
)


def plain(packed: bytes) -> bytes:
    return gzip.decompress(packed)


def in_members(data: bytes, *cuts: int) -> bytes:
    """Data as gzip members that end at these offsets."""
    ends = (*cuts, len(data))
    return b"".join(gzip.compress(data[start:end], 1, mtime=0) for start, end in zip((0, *cuts), ends, strict=True))


@cache
def large_record() -> bytes:
    media_type = "application/http; msgtype=response"
    return record("response", "https://h.example/2", BLOCK, number=2, Content_Type=media_type)


@cache
def archive(name: str) -> bytes:
    """The large page between two others, in members or not."""
    packed = large_record()
    large = plain(packed)
    match name:
        case "a member":
            return BEFORE + packed + BEHIND
        case "not packed":
            return plain(BEFORE + packed + BEHIND)
        case "one member":
            return in_members(plain(BEFORE + packed + BEHIND))
        case "two in a member":
            return BEFORE + in_members(large + plain(BEHIND))
        case "three members":
            return BEFORE + in_members(large, 100, 6 << 20) + BEHIND
    return BEFORE + in_members(large, len(large) - 4) + BEHIND


def read(data: bytes, size: int = 256 << 20) -> list[Part | Diagnostic]:
    return WARC.found(data, ContainerOptions(limits=Limits(size)))


def rewritten(data: bytes, new: AnyBytes | None) -> tuple[bytes, list[str]]:
    """The archive with the content of the large page changed."""

    def change(part: Part) -> ChangedPart | None:
        return ChangedPart(new) if new is not None and part.uri.endswith("2") else None

    return WARC.rewritten(data, change)


@pytest.mark.parametrize("name", NAMES)
def test_a_large_page_is_read(name: str) -> None:
    pages = read(archive(name))
    assert [page.data for page in pages if isinstance(page, Part)] == [b"<a href=1>", PAGE, b"<a href=3>"]
    assert len(pages) == 3


@pytest.mark.parametrize("name", NAMES)
def test_a_large_page_that_does_not_change_is_copied(name: str) -> None:
    data = archive(name)
    new, found = rewritten(data, None)
    assert not found
    if "in a member" in name or name == "one member":  # each record gets a member of its own
        assert plain(new) == plain(data)
    else:
        assert new == data


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_a_large_page_is_changed(name: str) -> None:
    data, body = archive(name), PAGE.replace(b"href=a", b"href=https://h.example/a")
    new, found = rewritten(data, body)
    assert not found
    expected = plain(record("response", "https://h.example/2", http(body), number=2, Content_Type="x"))
    expected = expected.replace(b"Content-Type: x\r\n", b"Content-Type: application/http; msgtype=response\r\n", 1)
    content = new if name == "not packed" else plain(new)
    more = b"\r\n\r\n" if "before the empty lines" in name else b""  # the member of these stays
    assert content == plain(BEFORE) + expected + more + plain(BEHIND)


def test_where_a_large_page_is_cut_changes_nothing() -> None:
    body = PAGE.replace(b"href=a", b"href=https://h.example/a")
    pieces = LargeBytes(lambda: iter([body[:7], body[7 : 9 << 20], body[9 << 20 :]]))
    for data in (archive("a member"), archive("not packed")):
        assert rewritten(data, pieces) == rewritten(data, body)


@pytest.mark.parametrize("name", NAMES)
def test_a_large_page_that_is_cut_off_is_reported_and_copied(name: str) -> None:
    data = archive(name)
    for size in (len(data) // 2, len(BEFORE) + 3000):
        pages = read(data[:size])
        assert pages[0] == read(data)[0]
        assert {each.code for each in pages[1:] if isinstance(each, Diagnostic)} == {"truncated"}
        assert not any(isinstance(each, Part) for each in pages[1:])
        new, found = rewritten(data[:size], b"new")
        assert found
        assert all("the file ends within" in each for each in found)
        assert new == data[:size] or name == "one member"


@pytest.mark.parametrize("name", NAMES)
def test_a_large_page_that_is_too_large_is_left(name: str) -> None:
    pages = read(archive(name), 9 << 20)
    assert [each.code for each in pages if isinstance(each, Diagnostic)] == ["too-large"]
    assert [page.data for page in pages if isinstance(page, Part)] == [b"<a href=1>", b"<a href=3>"]


def test_a_large_page_whose_length_is_too_long_ends_at_the_next_record() -> None:
    longer = BLOCK + b"x" * 100
    large = record("response", "https://h.example/2", longer, number=2, Content_Type="application/http")
    cut = in_members(plain(large)[: -len("x" * 100 + "\r\n\r\n")] + b"\r\n\r\n")
    pages = read(BEFORE + cut + BEHIND)
    assert [each.code for each in pages if isinstance(each, Diagnostic)] == ["damaged"]
    assert [page.data for page in pages if isinstance(page, Part)] == [b"<a href=1>", b"<a href=3>"]
    assert rewritten(BEFORE + cut + BEHIND, b"new")[0] == BEFORE + cut + BEHIND
