"""WARC and ARC files read, copied, and written with changes; warcio and fastwarc say whether what we write is right."""

from __future__ import annotations

import gc
import gzip
import hashlib
import io
import re
import tracemalloc
import warnings
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO, cast

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from containers.in_memory import in_memory
from rehref.containers.kinds import ArchiveModule
from rehref.containers.parts import ChangedPart, ChangePart, ContainerOptions, Diagnostic, Limits, Part, WantsDocument
from rehref.documents.base import Candidate, Layers, establish

PAGE = b"<!doctype html>\n<p><a href=x>one</a> " + b"two three " * 100
OUTER = Layers((Candidate("http://outside.example/", "entity", "--entity-base"),), "file:///a.warc", None)
LIMITS = Limits()
WARC = in_memory("warc")
ID = "<urn:uuid:00000000-0000-4000-8000-00000000000{}>"


def wants(essence: str, uri: str) -> bool:
    return essence in ("text/html", "application/xhtml+xml")


def wants_heads(essence: str, uri: str) -> bool:
    return wants(essence, uri) or essence == "message/http"


def leave(part: Part) -> None:
    return None


def mark(part: Part) -> ChangedPart:
    return ChangedPart(part.data + b"<!-- changed -->")


def found(data: bytes, wanted: WantsDocument = wants, limits: Limits = LIMITS) -> list[Part | Diagnostic]:
    return WARC.found(data, ContainerOptions(OUTER, limits), wanted)


def parts(data: bytes, wanted: WantsDocument = wants) -> list[Part]:
    everything = found(data, wanted)
    assert not [each for each in everything if isinstance(each, Diagnostic)]
    return [each for each in everything if isinstance(each, Part)]


def written(
    data: bytes, change: ChangePart = leave, wanted: WantsDocument = wants, *, as_conversion: bool = False
) -> tuple[bytes, list[str]]:
    return WARC.rewritten(data, change, ContainerOptions(OUTER, as_conversion=as_conversion), wanted)


def changed(data: bytes, wanted: WantsDocument = wants, **options: Any) -> bytes:
    out, diagnostics = written(data, mark, wanted, **options)
    assert diagnostics == []
    return out


def accepted(data: bytes, tmp_path: Path) -> None:
    """Have warcio check all digests."""
    file = tmp_path / "checked.warc"
    file.write_bytes(data)
    assert Checker(SimpleNamespace(inputs=[str(file)], verbose=True)).process_all() == 0


def records(data: bytes) -> list[tuple[str, str, bytes]]:
    """Type, target and body of all records, as warcio has them, digests checked."""
    return [
        (each.rec_type, each.rec_headers.get_header("WARC-Target-URI") or "", each.content_stream().read())
        for each in ArchiveIterator(io.BytesIO(data), check_digests="raise")
    ]


def counted(data: bytes) -> int:
    """The number of records that fastwarc finds."""
    warc = pytest.importorskip("fastwarc.warc", reason="needs the package fastwarc")
    return sum(1 for _ in warc.ArchiveIterator(io.BytesIO(data)))


def members(data: bytes) -> list[bytes]:
    """The members of a gzip file, as they are."""
    pieces = []
    while data:
        unpacker = zlib.decompressobj(31)
        unpacker.decompress(data)
        assert unpacker.eof
        pieces.append(data[: len(data) - len(unpacker.unused_data)])
        data = unpacker.unused_data
    return pieces


@cache
def archive(*, packed: bool = True) -> bytes:
    """A file made by warcio: warcinfo, requests, responses in all codings, a picture, a revisit, a resource."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # warcio's temporary files
        data = _archive(packed=packed)
        gc.collect()
    return data


def _archive(*, packed: bool) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed)
    writer.write_record(writer.create_warcinfo_record("test.warc.gz", {"software": "test"}))

    def write(kind: str, uri: str, payload: bytes, *fields: tuple[str, str], **more: Any) -> None:
        line = "GET / HTTP/1.1" if kind == "request" else "200 OK"
        http = None if "warc_content_type" in more else StatusAndHeaders(line, fields, protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(uri, kind, io.BytesIO(payload), http_headers=http, **more))

    html = ("Content-Type", "text/html; charset=utf-8")
    write("request", "http://example.com/a", b"")
    write("response", "http://example.com/a", PAGE, html, ("Content-Length", str(len(PAGE))), ("Link", "<b>; rel=next"))
    write("response", "http://example.com/pic", b"\x89PNG" + bytes(range(256)), ("Content-Type", "image/png"))
    for name, body in (
        ("gzip", gzip.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("raw", zlib.compress(PAGE)[2:-4]),
    ):
        coding = "deflate" if name == "raw" else name
        write("response", f"http://example.com/{name}", body, html, ("Content-Encoding", coding))
    body = gzip.compress(PAGE)
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    write(
        "response",
        "http://example.com/chunked",
        body,
        *(html, ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")),
    )
    writer.write_record(
        writer.create_revisit_record(
            "http://example.com/again", "sha1:AAAA", "http://example.com/a", "2020-01-01T00:00:00Z"
        )
    )
    write("resource", "http://example.com/res", PAGE, warc_content_type="text/html")
    return out.getvalue()


def record(block: bytes, *fields: str, kind: str = "response", line_end: bytes = b"\r\n", number: int = 1) -> bytes:
    """A WARC record made by hand."""
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: {ID.format(number)}",
        "WARC-Date: 2020-01-01T00:00:00Z",
        *fields,
    ]
    if not any(field.startswith("Content-Length") for field in fields):
        lines.append(f"Content-Length: {len(block)}")
    if not any(field.startswith("Content-Type") for field in fields):
        lines.append("Content-Type: application/http; msgtype=response")
    if not any(field.startswith("WARC-Target-URI") for field in fields):
        lines.append(f"WARC-Target-URI: http://example.com/{number}")
    return b"".join(line.encode() + line_end for line in lines) + line_end + block + b"\r\n\r\n"


def response(body: bytes = PAGE, *fields: str, line_end: bytes = b"\r\n") -> bytes:
    lines = ("HTTP/1.1 200 OK", *(fields or ("Content-Type: text/html",)))
    return b"".join(line.encode() + line_end for line in lines) + line_end + body


# --- recognition


def test_archives_are_recognized_by_their_first_bytes() -> None:
    plain = archive(packed=False)
    arc = b"filedesc://x.arc 0.0.0.0 20200101000000 text/plain 10\n"
    for data in (plain, archive(), gzip.compress(plain), arc, gzip.compress(arc), b"WARC/0.17\nWARC-Type: x\n"):
        assert WARC.module.recognizes(data[:200])
    # compressed, and next to nothing of it: it can only be reported as cut off
    for data in (b"\x1f\x8b\x08", gzip.compress(b""), gzip.compress(plain)[:15], gzip.compress(b"WARC/1")):
        assert WARC.module.recognizes(data)
    for data in (b"", PAGE, gzip.compress(PAGE), b"WARC", b"WARC/x", b"PK\3\4", gzip.compress(b"WARM")):
        assert not WARC.module.recognizes(data[:200])


# --- reading


def test_documents_are_given_decoded_with_type_charset_and_base() -> None:
    first, *others = parts(archive())
    assert first.data == PAGE
    assert (first.media_type, first.encoding) == ("text/html; charset=utf-8", "utf-8")
    assert re.fullmatch("urn:uuid:[-0-9a-f]{36}", first.name)
    assert first.label == f"record <{first.name}>"
    assert first.layers.entity == (
        Candidate("http://example.com/a", "entity", f"WARC-Target-URI of record <{first.name}>"),
        *OUTER.entity,
    )
    assert (first.layers.retrieval, first.layers.default) == ("file:///a.warc", None)
    targets = [part.layers.entity[0].reference.rpartition("/")[2] for part in others]
    assert targets == ["gzip", "deflate", "raw", "chunked", "res"]
    assert [part.data for part in others] == [PAGE] * 5
    assert (others[-1].media_type, others[-1].encoding) == ("text/html", None)


@pytest.mark.parametrize("packed", [False, True])
def test_a_stream_need_not_be_seekable(packed: bool) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self._rest = data

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            size = min(len(buffer), 100)  # never all that is asked for
            piece, self._rest = self._rest[:size], self._rest[size:]
            buffer[: len(piece)] = piece
            return len(piece)

    data = archive(packed=packed)
    out = io.BytesIO()
    assert (
        list(WARC.module.rewrite(cast(BinaryIO, Pipe(data)), out, leave, ContainerOptions(OUTER, LIMITS), wants)) == []
    )
    assert out.getvalue() == data
    assert len(list(WARC.module.read(cast(BinaryIO, Pipe(data)), ContainerOptions(OUTER, LIMITS), wants))) == 6


@pytest.mark.parametrize(
    ("target", "uri"),
    [
        ("<http://example.com/x>", "http://example.com/x"),
        (" http://example.com/a b ", "http://example.com/a b"),
        ("http://example.com/é", "http://example.com/é"),
    ],
)
def test_target_uris_as_they_come(target: str, uri: str) -> None:
    asked = []

    def wanted(essence: str, uri: str) -> bool:
        asked.append((essence, uri))
        return True

    (part,) = parts(record(response(), f"WARC-Target-URI: {target}"), wanted)
    assert part.layers.entity[0].reference == uri
    assert asked == [("text/html", uri)]


def test_a_target_that_is_no_base_is_rejected_with_a_reason() -> None:
    (part,) = parts(record(response(), "WARC-Target-URI: data:,x"))
    base = establish(part.layers.candidates())
    assert base.uri == "http://outside.example/"
    assert base.rejected[0].where == f"WARC-Target-URI of {part.label}"
    (part,) = parts(record(response(), "WARC-Target-URI:"))
    assert part.layers == OUTER


def test_heads_of_lf_alone() -> None:
    data = record(response(line_end=b"\n"), line_end=b"\n")
    assert [part.data for part in parts(data)] == [PAGE]
    assert [part.data for part in parts(changed(data))] == [PAGE + b"<!-- changed -->"]
    assert records(changed(data))[0][2] == PAGE + b"<!-- changed -->"


def test_types_from_elsewhere() -> None:
    cases = [
        (response(PAGE, "X: y"), "text/html"),
        (response(b"p {}", "X: y"), None),
        (response(gzip.compress(PAGE), "Content-Encoding: gzip"), "text/html"),
        (PAGE, "text/html"),
        (response(b"<?xml version='1.0'?><rss/>", "X: y"), None),
    ]
    for block, media_type in cases:
        (part,) = parts(record(block), lambda essence, uri: True)
        assert part.media_type == media_type
    identified = "WARC-Identified-Payload-Type: application/xhtml+xml"
    (part,) = parts(record(response(b"<x/>", "X: y"), identified))
    assert part.media_type == "application/xhtml+xml"
    assert parts(record(response(b"no markup", "X: y"))) == []
    assert parts(record(response(b"<feed>", "X: y"))) == []
    assert len(parts(record(response(b"<feed>", "X: y")), lambda essence, uri: essence == "application/xml")) == 0
    assert len(parts(record(response(b"<feed>", "X: y")), lambda essence, uri: "ml" in essence)) == 1


def test_what_holds_no_document() -> None:
    for kind in ("request", "revisit", "metadata", "warcinfo", "continuation"):
        data = record(response(), kind=kind)
        assert parts(data) == []
        assert changed(data) == data
    assert parts(record(response(b""))) == []


def test_http_heads_that_carry_references_come_before_the_body() -> None:
    data = record(response(PAGE, "Content-Type: text/html", "Location: y", "Link: <z>"))
    head, body = parts(data, wants_heads)
    assert (head.name, head.label) == (body.name, f"headers of {body.label}")
    assert head.data == response(b"", "Content-Type: text/html", "Location: y", "Link: <z>")
    assert (head.media_type, head.layers) == ("message/http", body.layers)
    assert [part.data for part in parts(data)] == [PAGE]
    assert [part.media_type for part in parts(record(response()), wants_heads)] == ["text/html"]
    picture = record(response(b"\0", "Content-Type: image/png", "Link: <z>"))
    assert [part.media_type for part in parts(picture, wants_heads)] == ["message/http"]


@pytest.mark.parametrize("fields", [("Content-Type: text/html",), ("Content-Type: image/png", "Link: <z>")])
def test_segments_are_left_alone(fields: tuple[str, ...]) -> None:
    """Those too of which only the head is wanted."""
    data = record(response(PAGE, *fields), "WARC-Segment-Number: 1")
    out, diagnostics = written(data, mark, wants_heads)
    assert out == data
    assert diagnostics == [f"record {ID.format(1)} at byte 0: it is one segment of several, and is left as it is"]


@pytest.mark.parametrize("wanted", [True, False])
def test_a_segment_is_not_a_capture(wanted: bool) -> None:
    data = record(response(), "WARC-Target-URI: http://h/", "WARC-Segment-Number: 1")
    (found,) = cast(ArchiveModule, WARC.module).captures(io.BytesIO(data), ContainerOptions(), lambda capture: wanted)
    assert isinstance(found, Diagnostic)
    assert found.message == "it is one segment of several, and is left as it is"


# --- identity


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("as_conversion", [False, True])
def test_nothing_changes_unless_something_is_changed(packed: bool, as_conversion: bool) -> None:
    data = archive(packed=packed)
    assert written(data, wanted=wants_heads, as_conversion=as_conversion) == (data, [])
    assert written(data, mark, lambda essence, uri: False) == (data, [])


def test_members_keep_their_bytes() -> None:
    old, new = members(archive()), members(changed(archive()))
    assert len(old) == len(new)
    touched = [number for number, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    assert touched == [2, 4, 5, 6, 7, 9]


def test_a_file_that_is_one_member_gets_one_for_each_record() -> None:
    plain = archive(packed=False)
    out, diagnostics = written(gzip.compress(plain))
    assert diagnostics == []
    assert b"".join(map(gzip.decompress, members(out))) == plain
    assert len(members(out)) == counted(plain) == counted(out) == 10
    out = changed(gzip.compress(plain))
    assert gzip.decompress(out) == changed(plain)
    assert len(members(out)) == 10


def test_members_that_share_a_record_stay() -> None:
    data = archive(packed=False)
    cut = data.index(b"WARC/", 10)
    packed = gzip.compress(data[:50]) + gzip.compress(data[50:cut]) + gzip.compress(b"") + gzip.compress(data[cut:])
    out, diagnostics = written(packed)
    assert diagnostics == []
    assert out.startswith(packed[: packed.index(gzip.compress(b""))])
    assert gzip.decompress(out) == data


def test_empty_members_and_empty_lines_stay() -> None:
    one = gzip.compress(record(response()))
    data = gzip.compress(b"") + one + gzip.compress(b"\r\n") + one + gzip.compress(b"")
    assert written(data) == (data, [])
    plain = b"\n\r\n" + record(response()) + b"\r\n" * 10_000 + record(response())
    assert written(plain) == (plain, [])
    assert len(parts(plain)) == 2


# --- changes


@pytest.mark.parametrize("packed", [False, True])
def test_what_is_written_is_accepted(tmp_path: Path, packed: bool) -> None:
    data = archive(packed=packed)
    out = changed(data)
    accepted(out, tmp_path)
    assert counted(out) == counted(data)
    expected = []
    for kind, uri, body in records(data):
        touched = (kind == "response" and "pic" not in uri) or kind == "resource"
        expected.append((kind, uri, PAGE + b"<!-- changed -->" if touched else body))
    assert records(out) == expected


def test_a_changed_response() -> None:
    body = gzip.compress(PAGE)
    block = response(body, "content-type:text/html", "Content-Encoding: gzip", "X-Odd :  y ", "Content-Length: 5")
    data = record(
        block,
        "WARC-Block-Digest: sha256:" + "a" * 64,
        "WARC-Payload-Digest: md5:" + "A" * 32,
        "WARC-Truncated: length",
        "X-Digest: kept",
    )
    out = changed(data)
    new_body = PAGE + b"<!-- changed -->"
    new_block = response(new_body, "content-type:text/html", "X-Odd :  y ", f"Content-Length: {len(new_body)}")
    assert out == record(
        new_block,
        f"WARC-Block-Digest: sha256:{hashlib.sha256(new_block).hexdigest()}",
        f"WARC-Payload-Digest: md5:{hashlib.md5(new_body).hexdigest().upper()}",
        "WARC-Truncated: length",
        "X-Digest: kept",
    )


def test_a_digest_of_an_unknown_algorithm_is_dropped() -> None:
    out = changed(record(response(), "WARC-Block-Digest: crc32:1234"))
    assert b"Digest" not in out
    assert out.startswith(b"WARC/1.1\r\nWARC-Type: response\r\n")


def test_a_head_that_changes_leaves_the_body_as_it_is_packed(tmp_path: Path) -> None:
    def change(part: Part) -> ChangedPart | None:
        return (
            ChangedPart(part.data.replace(b"Link: <b>", b"Link: <http://example.com/b>"))
            if part.media_type == "message/http"
            else None
        )

    data = archive()
    out, diagnostics = written(data, change, wants_heads)
    assert diagnostics == []
    accepted(out, tmp_path)
    assert [number for number, (a, b) in enumerate(zip(members(data), members(out), strict=True)) if a != b] == [2]
    new = gzip.decompress(members(out)[2])
    assert b"Link: <http://example.com/b>; rel=next\r\n" in new
    assert new.count(PAGE) == 1
    both = changed(data, wants_heads)
    assert b"rel=next\r\n\r\n<!-- changed -->" in gzip.decompress(both)


def test_changes_are_the_same_every_time() -> None:
    data = archive()
    assert changed(data) == changed(data)
    assert changed(data, as_conversion=True) == changed(data, as_conversion=True)


# --- conversions


@pytest.mark.parametrize("packed", [False, True])
def test_conversions_stand_behind_what_they_were_made_from(tmp_path: Path, packed: bool) -> None:
    data = archive(packed=packed)
    out = changed(data, as_conversion=True)
    accepted(out, tmp_path)
    assert counted(out) == counted(data) + 6
    before = None
    left = io.BytesIO()
    for each in ArchiveIterator(io.BytesIO(out), check_digests="raise"):
        get = each.rec_headers.get_header
        if each.rec_type == "conversion":
            assert before is not None
            old = before.rec_headers.get_header
            assert get("WARC-Refers-To") == old("WARC-Record-ID") != get("WARC-Record-ID")
            assert get("WARC-Date") == old("WARC-Date")
            assert get("WARC-Target-URI") == old("WARC-Target-URI")
            assert get("Content-Type").startswith("text/html")
            assert each.content_stream().read() == PAGE + b"<!-- changed -->"
        else:
            before = each
            left.write(each.content_stream().read())
    if packed:
        assert [
            member for member in members(out) if b"WARC-Type: conversion" not in gzip.decompress(member)
        ] == members(data)


def test_of_conversions_the_ids_tell_what_they_hold() -> None:
    ids = set()
    for end in (b"1", b"2"):
        out, _ = written(archive(), lambda part, end=end: ChangedPart(part.data + end), as_conversion=True)  # type: ignore[misc]
        ids |= set(re.findall(rb"WARC-Record-ID: (\S+)\r\nWARC-Refers-To", gzip.decompress(out)))
    assert len(ids) == 12


def test_a_conversion_of_a_whole_file_in_one_member() -> None:
    out = changed(gzip.compress(archive(packed=False)), as_conversion=True)
    assert len(members(out)) == counted(out) == 16


@pytest.mark.parametrize("packed", [False, True])
def test_conversions_are_made_once(packed: bool) -> None:
    data = archive(packed=packed)
    out = changed(data, as_conversion=True)
    assert changed(out, as_conversion=True) == out

    def other(part: Part) -> ChangedPart:
        return ChangedPart(part.data + b"<!-- otherwise -->")

    both, _ = written(out, other, as_conversion=True)
    assert counted(both) == counted(data) + 12
    assert changed(both, as_conversion=True) == both
    assert written(both, other, as_conversion=True)[0] == both
    kinds = [(kind, uri) for kind, uri, _ in records(both)]
    at = kinds.index(("conversion", "http://example.com/a"))
    assert kinds[at - 1 : at + 2] == [
        ("response", "http://example.com/a"),
        *[("conversion", "http://example.com/a")] * 2,
    ]
    ids = re.findall(rb"WARC-Record-ID: (\S+)", gzip.decompress(both) if packed else both)
    assert len(ids) == len(set(ids)) == counted(both)


def test_conversions_of_other_records_and_of_records_without_ids() -> None:
    page = record(response(), line_end=b"\r\n")
    foreign = record(PAGE, "WARC-Refers-To: <urn:x>", "Content-Type: text/html", kind="conversion", number=2)
    out = changed(page + foreign, as_conversion=True)
    assert [kind for kind, _, _ in records(out)] == ["response", "conversion", "conversion"]
    assert out.startswith(page)
    assert out.endswith(foreign)
    assert changed(out, as_conversion=True) == out
    assert changed(foreign, as_conversion=True) == foreign
    nameless = re.sub(rb"WARC-Record-ID: [^\r]+\r\n", b"", page)
    out = changed(nameless, as_conversion=True)
    assert out != nameless
    assert changed(out, as_conversion=True) == out


# --- ARC


def arc(*blocks: tuple[str, bytes], version: int = 1) -> bytes:
    about = b"%d 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n" % version
    data = b"filedesc://test.arc 0.0.0.0 20200101000000 text/plain %d\n%s" % (len(about), about)
    for uri, block in blocks:
        more = "200 CHECKSUM - 77 test.arc " if version == 2 else ""
        data += f"{uri} 1.2.3.4 20200101000000 text/html {more}{len(block)}\n".encode() + block + b"\n"
    return data


@pytest.mark.parametrize("version", [1, 2])
def test_arc(version: int) -> None:
    data = arc(("http://example.com/1", response()), ("http://example.com/a b", PAGE), version=version)
    first, second = parts(data)
    assert (first.data, second.data) == (PAGE, PAGE)
    assert first.layers.entity[0].reference == "http://example.com/1"
    assert second.layers.entity[0].reference == "http://example.com/a b"
    assert first.layers.entity[0].where == f"URL of {first.label}"
    assert first.label == f"record at byte {data.index(b'http://example.com/1')}"
    assert written(data) == (data, [])
    body = PAGE + b"<!-- changed -->"
    expected = arc(("http://example.com/1", response(body)), ("http://example.com/a b", body), version=version)
    assert changed(data) == expected.replace(b"CHECKSUM", b"-")


def test_that_arc_has_no_conversions_is_reported_once() -> None:
    data = arc(*((f"http://example.com/{number}", response()) for number in range(3)))
    out, said = written(data, mark, as_conversion=True)
    assert out == data
    assert said == [
        "an ARC file has no conversion records, and stays as it is; "
        "rewrite its records themselves (without --as-conversion)"
    ]


def test_arc_in_members(suites: Path) -> None:
    data = (suites / "warc" / "example.arc.gz").read_bytes()
    out = changed(data)
    assert [body for _, _, body in records(out)][1] == parts(data)[0].data + b"<!-- changed -->"
    out, diagnostics = written(data, mark, as_conversion=True)
    assert out == data
    assert "no conversion records" in diagnostics[0]


# --- zstd


def zstd_archive(records_: list[bytes], dictionary: bytes = b"", *, packed_dictionary: bool = False) -> bytes:
    zstandard = pytest.importorskip("zstandard", reason="needs the package zstandard")
    options = {"dict_data": zstandard.ZstdCompressionDict(dictionary)} if dictionary else {}
    frame = b""
    if dictionary:
        held = zstandard.ZstdCompressor().compress(dictionary) if packed_dictionary else dictionary
        frame = b"\x5d\x2a\x4d\x18" + len(held).to_bytes(4, "little") + held
    compressor = zstandard.ZstdCompressor(**options)
    return frame + b"".join(map(compressor.compress, records_))


@pytest.mark.parametrize("dictionary", [b"", b"<!doctype html> one two three <a href= WARC-Record-ID " * 10])
@pytest.mark.parametrize("packed_dictionary", [False, True])
def test_zstd(dictionary: bytes, packed_dictionary: bool) -> None:
    plain = [record(response(), number=1), record(b"x", number=2, kind="metadata"), record(response(), number=3)]
    data = zstd_archive(plain, dictionary, packed_dictionary=packed_dictionary)
    assert WARC.module.recognizes(data[:200])
    assert [part.data for part in parts(data)] == [PAGE] * 2
    assert written(data) == (data, [])
    out = changed(data)
    assert [part.data for part in parts(out)] == [PAGE + b"<!-- changed -->"] * 2
    middle = zstd_archive([plain[1]], dictionary)[len(zstd_archive([], dictionary)) :]
    assert middle in out


def test_zstd_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zstd_archive([record(response())])
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    assert WARC.module.recognizes(data[:200])
    assert written(data, mark) == (data, ["it is compressed with zstd; pip install zstandard"])
    assert [str(each) for each in found(data)] == ["it is compressed with zstd; pip install zstandard"]


@pytest.mark.parametrize("has_isal", [True, False])
def test_gzip_is_the_same_with_isal_and_without(monkeypatch: pytest.MonkeyPatch, has_isal: bool) -> None:
    if has_isal:
        pytest.importorskip("isal", reason="needs the package isal")
    else:
        monkeypatch.setitem(__import__("sys").modules, "isal.isal_zlib", None)
        monkeypatch.setitem(__import__("sys").modules, "isal", None)
    plain = [record(response()), record(response())]
    data = b"".join(map(gzip.compress, plain))
    assert written(data) == (data, [])
    out = changed(data)
    assert [part.data for part in parts(out)] == [PAGE + b"<!-- changed -->"] * 2
    assert gzip.decompress(out) == changed(b"".join(plain))
    assert changed(data) == out
    cut_off, diagnostics = written(data[:-9], mark)
    assert cut_off == out[: len(out) // 2] + data[len(data) // 2 : -9]
    assert len(diagnostics) == 1


def test_a_broken_dictionary() -> None:
    data = zstd_archive([record(response())])
    for preamble in (b"\x5d\x2a\x4d\x18\xff\xff\xff\xff", b"\x5d\x2a\x4d\x18\x06\0\0\0\x28\xb5\x2f\xfd\0\0"):
        out, diagnostics = written(preamble + data, mark)
        assert out == preamble + data
        assert "dictionary" in diagnostics[0]


# --- digests


# --- memory


def large_records(size: int, wanted_type: str) -> Iterator[bytes]:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {wanted_type}\r\n\r\n".encode()
    yield record(b"", f"Content-Length: {size + len(head)}", number=1)[:-4] + head
    for _ in range(size >> 20):
        yield b"\0" * (1 << 20)
    yield b"\r\n\r\n"
    yield record(response(), number=2)


@pytest.mark.parametrize("way", ["plain", "members", "one member"])
def test_large_records_pass_by_in_pieces(tmp_path: Path, way: str) -> None:
    size = 50 << 20
    source, target = tmp_path / "large.warc", tmp_path / "out.warc"
    with source.open("wb") as file:
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        for piece in large_records(size, "video/x"):
            if way == "plain":
                file.write(piece)
                continue
            if way == "members" and piece.startswith(b"WARC/") and b"-000000000002>" in piece:
                file.write(packer.flush())
                packer = zlib.compressobj(1, zlib.DEFLATED, 31)
            file.write(packer.compress(piece))
        if way != "plain":
            file.write(packer.flush())
    tracemalloc.start()
    with source.open("rb") as stream, target.open("wb") as out:
        diagnostics = list(WARC.module.rewrite(stream, out, mark, ContainerOptions(OUTER, Limits(size=1 << 20)), wants))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert diagnostics == []
    assert peak < 24 << 20
    with target.open("rb") as stream:
        found = list(WARC.module.read(stream, ContainerOptions(OUTER, LIMITS), wants))
    assert [each.data for each in found if isinstance(each, Part)] == [PAGE + b"<!-- changed -->"]
    with target.open("rb") as stream:
        assert next(iter(ArchiveIterator(stream))).rec_headers.get_header("Content-Length") == str(size + 42)
