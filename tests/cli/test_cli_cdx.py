"""The indexes beside a WARC file that is rewritten: each line must lead to its record in the new file."""

from __future__ import annotations

import gzip
import io
import json
import random
import zlib
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

from crawl import crawl, response, revisit
from rehref.archives.pieces import ranges_of
from rehref.cli._commands.rewrite import command

SITE = "http://h.example/"


class Entry(NamedTuple):
    """A record, as warcio finds it."""

    uri: str
    offset: int
    length: int
    digest: str


def entries(archive: bytes) -> list[Entry]:
    """The responses and revisits of an archive."""
    found = []
    records = ArchiveIterator(io.BytesIO(archive))
    for record in records:
        uri = record.rec_headers.get_header("WARC-Target-URI")
        digest = record.rec_headers.get_header("WARC-Payload-Digest") or "sha1:-"
        record.content_stream().read()
        offset, length = records.get_record_offset(), records.get_record_length()
        if record.rec_type in ("response", "revisit"):
            found.append(Entry(uri, offset, length, digest))
    return found


def cdxj(archive: bytes, name: str) -> bytes:
    lines = [
        f"example,h)/{entry.uri.removeprefix(SITE)} 20240506070809 "
        + json.dumps(
            {
                "url": entry.uri,
                "digest": entry.digest,
                "length": str(entry.length),
                "offset": str(entry.offset),
                "filename": name,
                "own": "kept",
            }
        )
        for entry in entries(archive)
    ]
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


def classic(archive: bytes, name: str) -> bytes:
    """As Wayback has it (11 columns); digests without their algorithm."""
    lines = [
        f"example,h)/{entry.uri.removeprefix(SITE)} 20240506070809 {entry.uri} text/html 200 {entry.digest[5:]} - - "
        f"{entry.length} {entry.offset} {name}"
        for entry in entries(archive)
    ]
    return (" CDX N b a m s k r M S V g\n" + "".join(f"{line}\n" for line in sorted(lines))).encode()


def wget(archive: bytes, name: str) -> bytes:
    """As wget has it, with 9 columns, an `u` at the end, and no length."""
    lines = [
        f"{entry.uri} 20240506070809 {entry.uri} text/html 200 {entry.digest[5:]} - - {entry.offset} {name} <urn:x>"
        for entry in entries(archive)
    ]
    return (" CDX a b a m s k r M V g u\n" + "".join(f"{line}\n" for line in lines)).encode()


ARCHIVE = crawl(
    [
        response(f"{SITE}a", "<a href=x>x</a>" * 50, number=1),
        response(f"{SITE}b.png", b"png", "image/png", number=2),
        response(f"{SITE}c", "<p>no reference", number=3),
        revisit(f"{SITE}d", WARC_Payload_Digest="sha1:AAAA"),
        response(f"{SITE}e", "<a href=y>y</a>", number=4),
    ]
)
FORMS = [
    ("crawl.cdxj", "out.cdxj", cdxj),
    ("crawl.cdx", "out.cdx", classic),
    ("crawl.cdx", "out.cdx", wget),
    ("crawl.cdxj.gz", "out.cdxj.gz", lambda *of: gzip.compress(cdxj(*of), mtime=0)),
    ("crawl.warc.gz.cdx.gz", "out.warc.gz.cdx.gz", lambda *of: gzip.compress(classic(*of), mtime=0)),
]


def plain(data: bytes) -> bytes:
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "crawl.warc.gz").write_bytes(ARCHIVE)
    return tmp_path / "crawl.warc.gz"


@pytest.mark.parametrize(("name", "new_name", "form"), FORMS)
def test_an_index_is_written_for_the_new_file(run, archive, name, new_name, form):
    (archive.parent / name).write_bytes(form(ARCHIVE, "crawl.warc.gz"))
    out = archive.with_name("out.warc.gz")
    result = run("rewrite", "--cdx", archive, "-o", out)
    assert (result.exit_code, result.stderr) == (0, "rehref: 51 of 51 references changed in 2 of 3 documents\n")
    assert out.read_bytes() != ARCHIVE
    assert plain((archive.parent / new_name).read_bytes()) == plain(form(out.read_bytes(), "out.warc.gz"))
    assert (archive.parent / name).read_bytes() == form(ARCHIVE, "crawl.warc.gz")  # the old one stays
    for entry in entries(out.read_bytes()):
        record = zlib.decompressobj(31).decompress(out.read_bytes()[entry.offset : entry.offset + entry.length])
        assert f"WARC-Target-URI: {entry.uri}\r\n".encode() in record


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_index_is_written_for_an_archive_that_is_rewritten_in_parts(run, tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(command, "rewrite_many", partial(command.rewrite_many, size=5000))
    noise = random.Random(1)
    pages = [f"<a href=a{n}>{noise.randbytes(700).hex()}" for n in range(60)]
    data = crawl(response(f"{SITE}{n}", page, number=n) for n, page in enumerate(pages))
    (tmp_path / "crawl.warc.gz").write_bytes(data)
    assert len(ranges_of(tmp_path / "crawl.warc.gz", len(data), 5000)) > 3
    (tmp_path / "crawl.cdxj").write_bytes(cdxj(data, "crawl.warc.gz"))
    result = run("rewrite", "crawl.warc.gz", "--cdx", "-o", "new.warc.gz", "--jobs", jobs)
    assert (result.exit_code, result.stderr) == (0, "rehref: 60 of 60 references changed in 60 of 60 documents\n")
    assert (tmp_path / "new.cdxj").read_bytes() == cdxj((tmp_path / "new.warc.gz").read_bytes(), "new.warc.gz")
    result = run("rewrite", "crawl.warc.gz", "-o", "other.warc.gz", "--jobs", jobs)
    assert "crawl.cdxj is not carried over: --cdx writes a new one for other.warc.gz\n" in result.stderr
    assert (tmp_path / "other.warc.gz").read_bytes() == (tmp_path / "new.warc.gz").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("crawl.cdxj", "crawl.warc.gz", "new.cdxj", "new.warc.gz", "other.warc.gz")
    ]


@pytest.mark.parametrize(("name", "_", "form"), FORMS)
def test_in_place_the_index_is_replaced(run, archive, name, _, form):
    index = archive.with_name(name)
    index.write_bytes(form(ARCHIVE, "crawl.warc.gz"))
    assert run("rewrite", "-q", "--cdx", "--in-place", "--backup", archive).exit_code == 0
    assert plain(index.read_bytes()) == plain(form(archive.read_bytes(), "crawl.warc.gz"))
    assert index.with_name(index.name + ".bak").read_bytes() == form(ARCHIVE, "crawl.warc.gz")
    before = index.read_bytes()
    assert run("rewrite", "-q", "--cdx", "--in-place", archive).exit_code == 0  # nothing more to change
    assert index.read_bytes() == before


def test_without_cdx_a_line_says_so(run, archive):
    index = archive.with_name("crawl.cdxj")
    index.write_bytes(cdxj(ARCHIVE, "crawl.warc.gz"))
    result = run("rewrite", archive, "-o", archive.with_name("out.warc.gz"))
    assert result.exit_code == 0
    assert f"rehref: {index} is not carried over: --cdx writes a new one for out.warc.gz\n" in result.stderr
    assert not archive.with_name("out.cdxj").exists()
    assert "crawl.cdxj" not in run("rewrite", "-q", archive, "-o", archive.with_name("out.warc.gz")).stderr
    result = run("rewrite", "--in-place", archive)
    assert result.exit_code == 0
    assert f"rehref: {index} no longer fits: its offsets are those of the old file; index the" in result.stderr
    assert "crawl.cdxj" not in run("rewrite", "--in-place", archive).stderr  # nothing has changed


def test_what_cannot_be_written_is_reported(run, archive, tmp_path):
    missing = run("rewrite", "--cdx", archive, "-o", tmp_path / "out.warc.gz")
    assert missing.exit_code == 2
    assert "there is no index beside it (.cdxj, .cdx, also .gz); index the archive again" in missing.stderr
    assert (tmp_path / "out.warc.gz").exists()
    (tmp_path / "crawl.cdxj").write_bytes(cdxj(ARCHIVE, "other.warc.gz"))
    other = run("rewrite", "--cdx", archive, "-o", tmp_path / "out.warc.gz")
    assert other.exit_code == 2
    assert "index crawl.cdxj: none of its lines is about crawl.warc.gz; index the archive again" in other.stderr
    assert not (tmp_path / "out.cdxj").exists()
    (tmp_path / "crawl.cdxj").write_bytes(cdxj(ARCHIVE, "crawl.warc.gz").replace(b'"offset": "', b'"offset": "9'))
    lost = run("rewrite", "--cdx", archive, "-o", tmp_path / "out.warc.gz")
    assert lost.exit_code == 2
    assert "none of its lines is about" in lost.stderr
    (tmp_path / "crawl.cdxj").unlink()
    (tmp_path / "crawl.cdx.gz").write_bytes(b"\x1f\x8b broken")
    broken = run("rewrite", "--cdx", archive, "-o", tmp_path / "out.warc.gz")
    assert broken.exit_code == 2
    assert "index crawl.cdx.gz: its compressed data are damaged" in broken.stderr
    assert "Traceback" not in broken.stderr


def test_no_index_of_another_file_is_replaced(run, archive, tmp_path):
    old = cdxj(ARCHIVE, "crawl.warc.gz")
    (tmp_path / "crawl.cdxj").write_bytes(old)
    result = run("rewrite", "--cdx", archive, "-o", tmp_path / "crawl.warc")
    assert result.exit_code == 2
    assert "it would replace that of crawl.warc.gz" in result.stderr
    assert (tmp_path / "crawl.cdxj").read_bytes() == old


def test_no_stale_index_is_copied(run, archive, tmp_path):
    (tmp_path / "site").mkdir()
    site = tmp_path / "site"
    old = cdxj(ARCHIVE, "crawl.warc.gz")
    unchanged = crawl([response(f"{SITE}a", "<p>")])
    (site / "crawl.warc.gz").write_bytes(ARCHIVE)
    (site / "crawl.cdxj").write_bytes(old)
    (site / "same.warc.gz").write_bytes(unchanged)
    (site / "same.cdxj").write_bytes(cdxj(unchanged, "same.warc.gz"))
    (site / "lonely.cdxj").write_bytes(b"x")
    run("rewrite", "-q", "--copy-others", site, "-o", tmp_path / "plain")
    assert sorted(path.name for path in (tmp_path / "plain").iterdir()) == [
        "crawl.warc.gz",
        "lonely.cdxj",
        "same.cdxj",
        "same.warc.gz",
    ]
    run("rewrite", "-q", "--copy-others", "--cdx", site, "-o", tmp_path / "new")
    new = (tmp_path / "new/crawl.warc.gz").read_bytes()
    assert (tmp_path / "new/crawl.cdxj").read_bytes() == cdxj(new, "crawl.warc.gz") != old


def test_cdx_needs_a_file(run, archive):
    assert "goes with -o or --in-place only" in run("rewrite", "--cdx", archive).stderr
