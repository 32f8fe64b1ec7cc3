"""Revisits of documents that are rewritten in their archive: the replay finds what they refer to, with their links."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

from crawl import DATE, crawl, digest, http, png, record, record_id, response

SITE = "https://h.example/"
PAGE = b"<a href=x>x</a>"
LATER = "2025-01-01T00:00:00Z"


class Found(NamedTuple):
    kind: str
    uri: str
    digest: str
    status: str
    body: bytes
    fields: dict[str, str]


def revisit(uri: str, block: bytes, **fields: str) -> bytes:
    fields = {"Content_Type": "application/http;msgtype=response", **fields}
    return record("revisit", uri, block, number=50, date=LATER, WARC_Profile="http://netpreserve.org/x", **fields)


def rewritten(run: Callable[..., Any], tmp_path: Path, data: bytes, *options: str) -> list[Found]:
    (tmp_path / "in.warc.gz").write_bytes(data)
    result = run("rewrite", *options, tmp_path / "in.warc.gz", "-o", tmp_path / "out.warc.gz")
    assert result.exit_code == 0, result.stderr
    return read((tmp_path / "out.warc.gz").read_bytes())


def read(data: bytes) -> list[Found]:
    found = []
    for each in ArchiveIterator(io.BytesIO(data)):
        if each.rec_type in ("response", "revisit", "resource"):
            head = each.rec_headers
            status = each.http_headers.get_statuscode() if each.http_headers else ""
            body = each.content_stream().read()
            found.append(
                Found(
                    each.rec_type,
                    head.get_header("WARC-Target-URI"),
                    head.get_header("WARC-Payload-Digest") or "",
                    status,
                    body,
                    dict(head.headers),
                )
            )
    return found


REFERS = {
    "id": {"WARC_Refers_To": record_id(1)},
    "date": {"WARC_Refers_To_Target_URI": f"{SITE}a/", "WARC_Refers_To_Date": DATE},
    "digest": {"WARC_Payload_Digest": digest(PAGE)},
}


@pytest.mark.parametrize("refers", REFERS.values(), ids=REFERS)
@pytest.mark.parametrize("status", ["200 OK", "304 Not Modified"])
def test_a_revisit_of_another_uri_becomes_a_response_with_its_own_links(run, tmp_path, refers, status):
    fields = {"WARC_Payload_Digest": digest(PAGE), "WARC_Block_Digest": digest(b""), **refers}
    again = revisit(f"{SITE}b/", http(b"", "text/html", status, ETag="x"), WARC_Truncated="length", **fields)
    first, second = rewritten(run, tmp_path, crawl([response(f"{SITE}a/", PAGE, number=1), again]))
    assert first.body == b"<a href=https://h.example/a/x>x</a>"
    assert (second.kind, second.uri, second.status) == ("response", f"{SITE}b/", "200")
    assert second.body == b"<a href=https://h.example/b/x>x</a>"
    assert second.digest == digest(second.body)
    assert not [name for name in second.fields if name.startswith(("WARC-Refers", "WARC-Profile", "WARC-Truncated"))]
    assert second.fields["WARC-Record-ID"] == record_id(50)


def test_a_revisit_of_the_same_uri_has_the_new_digest(run, tmp_path):
    again = revisit(f"{SITE}a/", http(b"", "text/html"), WARC_Payload_Digest=digest(PAGE), WARC_Refers_To=record_id(1))
    first, second = rewritten(run, tmp_path, crawl([response(f"{SITE}a/", PAGE, number=1), again]))
    assert (second.kind, second.digest) == ("revisit", first.digest)
    assert first.digest == digest(first.body) != digest(PAGE)
    assert second.fields["WARC-Refers-To"] == record_id(1)


def test_the_head_of_a_revisit_of_the_same_uri_fits_the_new_payload(run, tmp_path):
    coded = http(gzip.compress(PAGE), "text/html", Content_Encoding="gzip", Content_Length="9")
    page = record("response", f"{SITE}a/", coded, number=1, Content_Type="application/http")
    block = http(b"", "text/html", Content_Encoding="gzip", Content_Length="9")
    again = revisit(f"{SITE}a/", block, WARC_Refers_To=record_id(1), WARC_Block_Digest=digest(block))
    first, second = rewritten(run, tmp_path, crawl([page, again]))
    head = gzip.decompress((tmp_path / "out.warc.gz").read_bytes()).rpartition(b"HTTP/1.1 200 OK")[2]
    assert head == f"\r\nContent-Type: text/html\r\nContent-Length: {len(first.body)}\r\n\r\n\r\n\r\n".encode()
    assert second.fields["WARC-Block-Digest"] == digest(b"HTTP/1.1 200 OK" + head[:-4])


def test_what_is_not_rewritten_stays(run, tmp_path):
    made = [
        response(f"{SITE}i.png", png(), "image/png", number=1),
        revisit(f"{SITE}j.png", b"", WARC_Payload_Digest=digest(png())),
        revisit(f"{SITE}i.png", b"", WARC_Payload_Digest=digest(png())),
        response(f"{SITE}a", "<a href=https://web.example/>x</a>", number=2),
        revisit(f"{SITE}b", b"", WARC_Refers_To=record_id(2)),
        revisit(f"{SITE}c", b"", WARC_Refers_To=record_id(77)),
    ]
    rewritten(run, tmp_path, crawl(made))
    assert (tmp_path / "out.warc.gz").read_bytes() == crawl(made)


def test_the_uri_of_the_revisit_decides_too(run, tmp_path):
    (tmp_path / "map.csv").write_text(f"{SITE}b/x,https://new.example/\n")
    made = crawl([response(f"{SITE}a/", PAGE, number=1), revisit(f"{SITE}b/", b"", WARC_Refers_To=record_id(1))])
    first, second = rewritten(run, tmp_path, made, "--map", str(tmp_path / "map.csv"))
    assert first.body == PAGE
    assert second.body == b"<a href=https://new.example/>x</a>"


def test_one_that_would_not_change_is_written_out_as_its_original_changes(run, tmp_path):
    (tmp_path / "map.csv").write_text(f"{SITE}a/x,https://new.example/\n")
    made = crawl([response(f"{SITE}a/", PAGE, number=1), revisit(f"{SITE}b/", b"", WARC_Refers_To=record_id(1))])
    first, second = rewritten(run, tmp_path, made, "--map", str(tmp_path / "map.csv"))
    assert first.body == b"<a href=https://new.example/>x</a>"
    assert (second.kind, second.body) == ("response", PAGE)


def test_an_original_that_is_a_resource(run, tmp_path):
    page = record("resource", f"{SITE}a/", PAGE, number=1, Content_Type="text/html")
    _, second = rewritten(run, tmp_path, crawl([page, revisit(f"{SITE}b/", b"", WARC_Refers_To=record_id(1))]))
    assert (second.kind, second.fields["Content-Type"]) == ("resource", "text/html")
    assert second.body == b"<a href=https://h.example/b/x>x</a>"


@pytest.mark.parametrize("packed", [True, False])
def test_originals_in_any_order_and_codings_of_any_kind(run, tmp_path, packed):
    coded = http(gzip.compress(PAGE), "text/html", Content_Encoding="gzip")
    page = record("response", f"{SITE}a/", coded, number=1, Content_Type="application/http")
    again = revisit(f"{SITE}b/", http(b"", "text/html", Content_Encoding="gzip"), WARC_Refers_To=record_id(1))
    made = crawl([again, page])
    second, _ = rewritten(run, tmp_path, made if packed else gzip.decompress(made))
    assert (second.kind, second.body) == ("response", b"<a href=https://h.example/b/x>x</a>")


def test_only_documents_of_the_archive_are_counted(run, tmp_path):
    made = [response(f"{SITE}a/", PAGE, number=1), revisit(f"{SITE}a/", b"", WARC_Payload_Digest=digest(PAGE))]
    made.append(revisit(f"{SITE}b/", b"", WARC_Payload_Digest=digest(PAGE)))
    (tmp_path / "in.warc.gz").write_bytes(crawl(made))
    result = run("rewrite", tmp_path / "in.warc.gz", "-o", tmp_path / "out.warc.gz")
    assert "2 of 2 references changed in 2 of 2 documents" in result.stderr


def test_conversions_leave_revisits_alone(run, tmp_path):
    made = crawl([response(f"{SITE}a/", PAGE, number=1), revisit(f"{SITE}b/", b"", WARC_Refers_To=record_id(1))])
    assert [each.kind for each in rewritten(run, tmp_path, made, "--as-conversion")] == ["response", "revisit"]


def test_an_index_says_what_the_revisit_has_become(run, tmp_path):
    page = response(f"{SITE}a/", PAGE, number=1)
    other = revisit(f"{SITE}b/", http(b"", "text/html"), WARC_Payload_Digest=digest(PAGE))
    same = revisit(f"{SITE}a/", http(b"", "text/html"), WARC_Payload_Digest=digest(PAGE))
    lines, offset = [], len(crawl([]))
    for uri, data, mime in (
        (f"{SITE}a/", page, "text/html"),
        (f"{SITE}b/", other, "warc/revisit"),
        (f"{SITE}a/", same, "warc/revisit"),
    ):
        row = {
            "url": uri,
            "mime": mime,
            "digest": digest(PAGE),
            "offset": str(offset),
            "length": str(len(data)),
            "filename": "in.warc.gz",
        }
        lines.append(f"key 2024 {json.dumps(row)}\n")
        offset += len(data)
    (tmp_path / "in.cdxj").write_text("".join(lines))
    first, second, third = rewritten(run, tmp_path, crawl([page, other, same]), "--cdx")
    rows = [json.loads(line[line.index("{") :]) for line in (tmp_path / "out.cdxj").read_text().splitlines()]
    assert [row["mime"] for row in rows] == ["text/html", "text/html", "warc/revisit"]
    assert [row["digest"] for row in rows] == [first.digest, second.digest, third.digest]
    assert third.digest == first.digest


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_original_may_be_in_another_file_of_a_wacz(run, tmp_path, method):
    page = response(f"{SITE}a/", PAGE, number=1)
    again = revisit(f"{SITE}b/", http(b"", "text/html"), WARC_Payload_Digest=digest(PAGE))
    same = revisit(f"{SITE}a/", http(b"", "text/html"), WARC_Payload_Digest=digest(PAGE))
    with zipfile.ZipFile(tmp_path / "in.wacz", "w", method) as zipped:
        for name, records in (("a", [again, same]), ("b", [page]), ("c", [again])):
            zipped.writestr(f"archive/{name}.warc.gz", crawl(records))
        zipped.writestr("datapackage.json", '{"resources": []}')
    assert run("rewrite", tmp_path / "in.wacz", "-o", tmp_path / "out.wacz").exit_code == 0
    with zipfile.ZipFile(tmp_path / "out.wacz") as zipped:
        found = [read(zipped.read(f"archive/{name}.warc.gz")) for name in "abc"]
    assert [[each.kind for each in records] for records in found] == [
        ["response", "revisit"],
        ["response"],
        ["response"],
    ]
    assert found[0][0].body == found[2][0].body == b"<a href=https://h.example/b/x>x</a>"
    assert found[0][1].digest == found[1][0].digest == digest(b"<a href=https://h.example/a/x>x</a>")
