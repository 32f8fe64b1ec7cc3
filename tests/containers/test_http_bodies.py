"""Bodies without what they were encoded with. A test or more for each rule of the module."""

from __future__ import annotations

import gzip
import sys
import zlib
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.containers.codings import Decoded, codings_of, decode_body, without_codings
from rehref.containers.parts import Limits
from rehref.text.header_fields import Head

PAGE = b"<!doctype html>\n<p>" + b"one two three " * 300 + b"\n"
LIMITS = Limits()


def decoded(body: bytes, *fields: str, limits: Limits = LIMITS) -> Decoded:
    head = "".join(f"{field}\r\n" for field in ("HTTP/1.1 200 OK", *fields)) + "\r\n"
    return decode_body(Head.read(head.encode()), body, limits)


def chunked(data: bytes, size: int = 100, line_end: bytes = b"\r\n", extension: bytes = b"") -> bytes:
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    return (
        b"".join(b"%x%s%s%s%s" % (len(c), extension, line_end, c, line_end) for c in chunks)
        + b"0\r\nTrailer: x\r\n\r\n"
    )


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


def brotli_compressed(data: bytes) -> bytes:
    compressed: bytes = pytest.importorskip("brotli", reason="needs the package brotli").compress(data)
    return compressed


def zstd_compressed(data: bytes) -> bytes:
    module = pytest.importorskip("zstandard", reason="needs the package zstandard")
    compressed: bytes = module.ZstdCompressor().compress(data)
    return compressed


# --- the codings


def test_codings_that_a_value_names() -> None:
    assert codings_of("") == codings_of("identity, ,none") == []
    assert codings_of("GZIP;q=1 , br") == ["gzip", "br"]


def test_codings_are_taken_off_from_the_last() -> None:
    packed = zlib.compress(gzip.compress(b"text"))
    assert without_codings(["gzip", "deflate"], packed, Limits()) == Decoded(b"text")
    assert without_codings([], packed, Limits()) == Decoded(packed)


def test_without_codings_a_body_is_itself() -> None:
    assert decoded(PAGE) == Decoded(PAGE, "")
    assert decoded(PAGE, "Content-Encoding: identity").data == PAGE


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_chunks(size: int) -> None:
    assert decoded(chunked(PAGE, size), "Transfer-Encoding: chunked") == Decoded(PAGE, "")
    assert decoded(chunked(PAGE, size, b"\n", b" ; a=b"), "transfer-encoding: Chunked") == Decoded(PAGE, "")


@pytest.mark.parametrize("name", ["gzip", "x-gzip", "GZip"])
def test_gzip_of_one_member_or_more(name: str) -> None:
    assert decoded(gzip.compress(PAGE), f"Content-Encoding: {name}") == Decoded(PAGE, "")
    assert decoded(gzip.compress(PAGE) * 3, f"Content-Encoding: {name}") == Decoded(PAGE * 3, "")
    assert decoded(gzip.compress(PAGE) + b"\0\0", f"Content-Encoding: {name}") == Decoded(PAGE, "")


def test_deflate_in_the_zlib_format_or_raw() -> None:
    assert decoded(zlib.compress(PAGE), "Content-Encoding: deflate") == Decoded(PAGE, "")
    assert decoded(raw_deflate(PAGE), "Content-Encoding: deflate") == Decoded(PAGE, "")
    assert decoded(raw_deflate(b"short"), "Content-Encoding: deflate") == Decoded(b"short", "")


def test_brotli() -> None:
    assert decoded(brotli_compressed(PAGE), "Content-Encoding: br") == Decoded(PAGE, "")


def test_zstd_of_one_frame_or_more() -> None:
    assert decoded(zstd_compressed(PAGE), "Content-Encoding: zstd") == Decoded(PAGE, "")
    assert decoded(zstd_compressed(PAGE) * 3, "Content-Encoding: zstd") == Decoded(PAGE * 3, "")


def test_several_codings_come_off_in_turn() -> None:
    twice = gzip.compress(zlib.compress(PAGE))
    assert decoded(twice, "Content-Encoding: deflate, gzip").data == PAGE
    assert decoded(twice, "Content-Encoding: deflate", "Content-Encoding: gzip").data == PAGE
    assert decoded(chunked(twice), "Content-Encoding: deflate, gzip", "Transfer-Encoding: chunked").data == PAGE
    assert decoded(chunked(gzip.compress(PAGE)), "Transfer-Encoding: gzip, chunked").data == PAGE


def test_an_empty_body_is_in_any_coding() -> None:
    assert decoded(b"", "Content-Encoding: gzip", "Transfer-Encoding: chunked") == Decoded(b"", "")


@given(st.binary(max_size=300), st.integers(1, 50), st.sampled_from(["", "gzip", "deflate"]))
def test_what_was_encoded_is_decoded(data: bytes, size: int, coding: str) -> None:
    encode = {"": bytes, "gzip": gzip.compress, "deflate": zlib.compress}[coding]
    assert (
        decoded(chunked(encode(data), size), f"Content-Encoding: {coding}", "Transfer-Encoding: chunked").data == data
    )


# --- heads that say what is not so


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "UTF-8", "none", "x-made-up"])
def test_text_is_not_coded_whatever_its_head_says(coding: str) -> None:
    for page in (PAGE, b"\xef\xbb\xbfp { color: red }", "<p>été".encode("latin-1"), b"\x1b$B<p>"):
        assert decoded(page, f"Content-Encoding: {coding}").data == page


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "br", "zstd", "x-made-up", "gzip, br"])
@pytest.mark.parametrize(
    "beginning",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0\0\x10JFIF",
        b"GIF89a",
        b"RIFF\x24\0\0\0WEBPVP",
        b"wOF2\0\1\0\0",
        b"%PDF-1.7\n%\xe2\xe3",
        b"\0\0\1\0\1\0",
        b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom",
    ],
)
def test_neither_is_an_image_or_the_like(coding: str, beginning: bytes) -> None:
    data = beginning + bytes(range(256)) * 8
    assert decoded(data, f"Content-Encoding: {coding}") == Decoded(data)


def test_what_does_not_begin_with_a_chunk_header_is_not_chunked() -> None:
    assert decoded(PAGE, "Transfer-Encoding: chunked") == Decoded(PAGE, "")
    assert decoded(gzip.compress(PAGE), "Transfer-Encoding: chunked", "Content-Encoding: gzip").data == PAGE


# --- what cannot be read


def test_a_wrong_chunk_header_behind_the_first() -> None:
    found = decoded(b"3\r\n<p>\r\nrubbish\r\n", "Transfer-Encoding: chunked")
    assert found == Decoded(None, "there is no chunk header at byte 8 of the body")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_broken_data(coding: str) -> None:
    beginning = {"gzip": b"\x1f\x8b\x08\0", "zstd": b"\x28\xb5\x2f\xfd"}.get(coding, b"")
    assert decoded(beginning + b"\xff\x00" * 40, f"Content-Encoding: {coding}").data is None


def test_a_wrong_checksum() -> None:
    packed = gzip.compress(PAGE)
    assert decoded(packed[:-8] + b"\0" * 8, "Content-Encoding: gzip").data is None


def test_other_data_of_an_unknown_coding() -> None:
    assert decoded(b"\0\1\2", "Content-Encoding: x-made-up") == Decoded(None, "the coding 'x-made-up' is unknown")


# --- too short


def test_what_is_there_of_a_body_that_ends_too_early_is_read() -> None:
    for body in (chunked(PAGE)[:-50], chunked(PAGE, 10_000)[:-200], chunked(PAGE)[:-23]):
        found = decoded(body, "Transfer-Encoding: chunked")
        assert found.data
        assert PAGE.startswith(found.data)
        assert "too early" in found.note
    for coding, packed in (("gzip", gzip.compress(PAGE)), ("deflate", zlib.compress(PAGE))):
        found = decoded(packed[:-10], f"Content-Encoding: {coding}")
        assert found.data is not None
        assert PAGE.startswith(found.data)
        assert "too early" in found.note


def test_the_same_of_brotli_and_zstd() -> None:
    for coding, packed in (("br", brotli_compressed(PAGE)), ("zstd", zstd_compressed(PAGE))):
        found = decoded(packed[:-3], f"Content-Encoding: {coding}")
        assert found.data is not None
        assert PAGE.startswith(found.data)
        assert "too early" in found.note


# --- bounds


def bombs(size: int) -> dict[str, bytes]:
    zeros = b"\0" * size
    return {
        "gzip": gzip.compress(zeros),
        "deflate": zlib.compress(zeros),
        "gzip, gzip": gzip.compress(gzip.compress(zeros)),
    }


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
def test_a_bomb_is_not_unpacked(coding: str) -> None:
    bomb = bombs(1 << 20)[coding]
    assert (
        decoded(bomb, f"Content-Encoding: {coding}", limits=Limits(free=1000)).note
        == "unpacks to more than 200 times its size"
    )
    assert (
        decoded(bomb, f"Content-Encoding: {coding}", limits=Limits(size=1000)).note
        == "unpacks to more than 1,000 bytes"
    )
    assert decoded(bomb, f"Content-Encoding: {coding}").data == b"\0" * (1 << 20)


def test_a_bomb_of_brotli_or_zstd_is_not_unpacked() -> None:
    zeros = b"\0" * (1 << 22)
    for coding, bomb in (("br", brotli_compressed(zeros)), ("zstd", zstd_compressed(zeros))):
        assert decoded(bomb, f"Content-Encoding: {coding}", limits=Limits(free=1000)).data is None
        assert decoded(bomb, f"Content-Encoding: {coding}").data == zeros


def test_many_small_members_take_linear_time() -> None:
    member = gzip.compress(b"")
    assert decoded(member * 8000, "Content-Encoding: gzip") == Decoded(b"", "")
    assert_proportional(lambda n: partial(decoded, member * n, "Content-Encoding: gzip"), 1000)


# --- packages


@pytest.mark.parametrize(
    ("coding", "package", "begins"), [("br", "brotli", b"\0"), ("zstd", "zstandard", b"\x28\xb5\x2f\xfd\0")]
)
def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, coding: str, package: str, begins: bytes
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert decoded(begins, f"Content-Encoding: {coding}") == Decoded(
        None,
        f"the coding {coding} needs the package {package}: pip install {package}",
    )


# --- the head
