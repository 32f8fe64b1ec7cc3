"""The records in a WACZ: a test or more for each rule of `wacz`, `correcting` and `moved_records`."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from containers.in_memory import in_memory, pages_only
from crawl import digest, http, unpacked_record
from patience import PATIENCE
from rehref.containers._zip.wacz import recognizes, rewrite
from rehref.containers.parts import ChangedPart, ContainerOptions, Limits, Part
from rehref.documents.base import establish

WACZ = in_memory("wacz", pages_only)
PAGES = {"https://h.example/a/": b"<p><a href='x'>1</a>" * 40, "https://h.example/b": b"<p><a href='y'>2</a>"}


def sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def record(kind: str, number: int, uri: str, block: bytes, **fields: str) -> bytes:
    media_type = "application/http; msgtype=" + ("response" if kind == "response" else "request")
    return unpacked_record(kind, uri, block, number=number, Content_Type=media_type, **fields)


def warc(*, packed: bool = True, digests: bool = True) -> tuple[bytes, list[tuple[str, int, int, bytes]]]:
    """A WARC file of a request and a response for each page, and of each response URI, offset, length and payload."""
    data, index = b"", []
    for number, (uri, page) in enumerate(PAGES.items()):
        request = record("request", 2 * number, uri, b"GET / HTTP/1.1\r\n\r\n")
        block = http(page, Content_Length=str(len(page)))
        fields = {"WARC_Payload_Digest": digest(page)} if digests else {}
        response = record("response", 2 * number + 1, uri, block, **fields)
        if packed:
            request, response = gzip.compress(request, mtime=0), gzip.compress(response, mtime=0)
        index.append((uri, len(data) + len(request), len(response), page))
        data += request + response
    return data, index


def line(entry: tuple[str, int, int, bytes], data: bytes, filename: str, *, numbers: bool = False) -> str:
    uri, offset, length, page = entry
    about = {
        "url": uri,
        "digest": digest(page),
        "length": length if numbers else str(length),
        "offset": offset if numbers else str(offset),
        "filename": filename,
        "recordDigest": sha256(data[offset : offset + length]),
        "note": 'x\\"offset": 1',
    }
    return f"example,h)/{offset} 20240101000000 {json.dumps(about)}\n"


def wacz(files: Mapping[str, bytes], *, signed: bool = False, deflated: tuple[str, ...] = ()) -> bytes:
    resources = [
        {"name": name.rpartition("/")[2], "path": name, "hash": sha256(data), "bytes": len(data)}
        for name, data in files.items()
    ]
    package = json.dumps(
        {"profile": "data-package", "resources": resources, "wacz_version": "1.1.1", "é": "kept "}, indent=3
    )
    digest: dict[str, object] = {"path": "datapackage.json", "hash": sha256(package.encode())}
    if signed:
        digest["signedData"] = {"hash": digest["hash"], "signature": "x"}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        extra = {"datapackage.json": package.encode(), "datapackage-digest.json": json.dumps(digest, indent=1).encode()}
        for name, data in {**files, **extra}.items():
            info = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
            info.compress_type = (
                zipfile.ZIP_DEFLATED if name.endswith("json") or name in deflated else zipfile.ZIP_STORED
            )
            archive.writestr(info, data)
    return out.getvalue()


def files_of(
    *, packed: bool = True, zipnum: bool = True, digests: bool = True, numbers: bool = False
) -> dict[str, bytes]:
    name = "data.warc.gz" if packed else "data.warc"
    data, index = warc(packed=packed, digests=digests)
    lines = [line(entry, data, name, numbers=numbers) for entry in index]
    files = {f"archive/{name}": data, "pages/pages.jsonl": b'{"format": "json-pages-1.0", "id": "pages"}\n'}
    if not zipnum:
        return {**files, "indexes/index.cdx": "".join(lines).encode()}
    blocks = [gzip.compress(text.encode(), mtime=0) for text in lines]
    secondary = '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n'
    offset = 0
    for text, block in zip(lines, blocks, strict=True):
        about = {"offset": offset, "length": len(block), "digest": sha256(block)}
        secondary += " ".join(text.split(" ")[:2]) + f" {json.dumps(about)}\n"
        offset += len(block)
    return {**files, "indexes/index.idx": secondary.encode(), "indexes/index.cdx.gz": b"".join(blocks)}


def absolute(part: Part) -> ChangedPart | None:
    """Change the first page and leave the other."""
    return ChangedPart(part.data.replace(b"'x'", b"'https://h.example/a/x'")) if b"'x'" in part.data else None


def rewritten(data: bytes, change=absolute, limits: Limits | None = None) -> tuple[bytes, list[str]]:
    return WACZ.rewritten(data, change, ContainerOptions(limits=limits or Limits()))


def inside(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def check(data: bytes) -> list[dict[str, str]]:
    """Make sure that all a WACZ says of itself is right; gives what its index says of the records."""
    files = inside(data)
    package = json.loads(files["datapackage.json"])
    for resource in package["resources"]:
        content = files[resource["path"]]
        assert (resource["hash"], resource["bytes"]) == (sha256(content), len(content))
    assert json.loads(files["datapackage-digest.json"])["hash"] == sha256(files["datapackage.json"])
    index = files.get("indexes/index.cdx", b"")
    if "indexes/index.idx" in files:
        for text in files["indexes/index.idx"].decode().splitlines()[1:]:
            key, about = text.split(" {")[0], json.loads(text[text.index("{") :])
            block = files["indexes/index.cdx.gz"][about["offset"] : about["offset"] + about["length"]]
            assert about["digest"] == sha256(block)
            assert gzip.decompress(block).decode().startswith(key)
            index += gzip.decompress(block)
        assert index == gzip.decompress(files["indexes/index.cdx.gz"])
    entries = [json.loads(text[text.index("{") :]) for text in index.decode().splitlines()]
    for entry in entries:
        raw = files["archive/" + entry["filename"]][int(entry["offset"]) :][: int(entry["length"])]
        assert entry["recordDigest"] == sha256(raw)
        text = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        assert text.startswith(b"WARC/1.1\r\nWARC-Type: response")
        assert entry["url"].encode() in text
        payload = text.split(b"\r\n\r\n", 2)[2].removesuffix(b"\r\n\r\n")
        assert entry["digest"] == digest(payload)
    return entries


SHAPES = [
    {},
    {"packed": False},
    {"zipnum": False},
    {"packed": False, "zipnum": False, "numbers": True},
    {"digests": False},
    {"numbers": True},
]


def test_recognition():
    assert recognizes(b"PK", io.BytesIO(wacz(files_of())))
    assert not recognizes(b"PK", io.BytesIO(wacz({"data/x.csv": b"1"})))
    assert not recognizes(b"PK", io.BytesIO(b"PK"))


def test_the_records_are_read():
    files = files_of()
    parts = WACZ.parts(wacz(files))
    assert [(part.data, part.media_type) for part in parts] == [(page, "text/html") for page in PAGES.values()]
    base = establish(parts[0].layers.candidates())
    name = "urn:uuid:00000000-0000-0000-0000-000000000001"
    assert (base.uri, base.origin, base.where) == (
        "https://h.example/a/",
        "entity",
        f"WARC-Target-URI of record <{name}>",
    )
    assert (parts[0].name, parts[0].label) == (name, f"record <{name}>")
    more = {**files, "archive/more.warc": warc(packed=False)[0]}
    labels = [part.label for part in WACZ.parts(wacz(more))]
    assert labels[0] == f"record <{name}> of archive/data.warc.gz"
    assert labels[2] == f"record <{name}> of archive/more.warc"


@pytest.mark.parametrize("shape", SHAPES)
def test_identity(shape: dict[str, bool]):
    data = wacz(files_of(**shape), signed=True)
    check(data)
    assert rewritten(data, lambda part: None) == (data, [])


@pytest.mark.parametrize("shape", SHAPES)
def test_all_that_speaks_of_a_changed_file_is_corrected(shape: dict[str, bool]):
    data = wacz(files_of(**shape))
    before = check(data)
    new, said = rewritten(data)
    assert said == []
    after = check(new)
    assert len(after) == 2
    assert (after[0]["digest"], after[0]["offset"]) != (before[0]["digest"], before[1]["offset"])
    assert after[1]["offset"] != before[1]["offset"]
    # what did not change is told as before, and so are all other members
    assert (after[1]["digest"], after[1]["recordDigest"]) == (before[1]["digest"], before[1]["recordDigest"])
    moved = {"offset", "length", "digest", "recordDigest"}
    for old, entry in zip(before, after, strict=True):
        assert {name: entry[name] for name in old if name not in moved} == {
            name: old[name] for name in old if name not in moved
        }
        assert [type(value) for value in entry.values()] == [type(value) for value in old.values()]
    pages = [part.data for part in WACZ.parts(new)]
    assert pages[0].count(b"'https://h.example/a/x'") == 40
    assert rewritten(new) == (new, [])


def test_the_rest_of_the_package_is_left_as_it_is_written():
    data = wacz(files_of())
    old, new = inside(data)["datapackage.json"].decode(), inside(rewritten(data)[0])["datapackage.json"].decode()
    assert [text for text in old.splitlines() if '"hash"' not in text and '"bytes"' not in text] == [
        text for text in new.splitlines() if '"hash"' not in text and '"bytes"' not in text
    ]
    assert inside(rewritten(data)[0])["pages/pages.jsonl"] == inside(data)["pages/pages.jsonl"]


def test_a_file_that_does_not_change_stays():
    files = {**files_of(), "archive/other.warc": b"WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n"}
    data = wacz(files)
    assert inside(rewritten(data)[0])["archive/other.warc"] == files["archive/other.warc"]


def test_what_is_read_in_parts_is_stored():
    data = wacz(files_of(), deflated=("archive/data.warc.gz", "indexes/index.cdx.gz", "indexes/index.idx"))
    new, said = rewritten(data)
    assert said == []
    check(new)
    with zipfile.ZipFile(io.BytesIO(new)) as archive:
        methods = {info.filename: info.compress_type for info in archive.infolist()}
    assert (methods["archive/data.warc.gz"], methods["indexes/index.cdx.gz"], methods["indexes/index.idx"]) == (0, 0, 8)


def test_a_signature_is_taken_out():
    new, said = rewritten(wacz(files_of(), signed=True))
    assert said == [
        "file datapackage-digest.json: the signature is no longer valid, and was removed; sign the WACZ again"
    ]
    check(new)
    options = ContainerOptions(limits=Limits())
    (only,) = rewrite(io.BytesIO(wacz(files_of(), signed=True)), io.BytesIO(), absolute, options, pages_only)
    assert only.harmless
    assert "signedData" not in json.loads(inside(new)["datapackage-digest.json"])


# --- bad input


def test_an_index_that_cannot_be_corrected_is_reported():
    files = files_of()
    cut = {**files, "indexes/index.cdx.gz": files["indexes/index.cdx.gz"][:-9]}
    assert rewritten(wacz(cut))[1] == [
        "file indexes/index.cdx.gz: it ends within a compressed block; index the archive again",
    ]
    broken = {**files, "indexes/index.cdx.gz": b"\x1f\x8b rubbish"}
    assert (
        "file indexes/index.cdx.gz: its compressed data are damaged; index the archive again"
        in rewritten(wacz(broken))[1]
    )
    bomb = {**files, "indexes/index.cdx.gz": gzip.compress(bytes(1_000_000))}
    said = rewritten(wacz(bomb), limits=Limits(free=5000))[1]
    assert "file indexes/index.cdx.gz: unpacks to more than 200 times its size; index the archive again" in said


def test_lines_of_records_that_are_not_there_stay():
    files = files_of(zipnum=False)
    lines = files["indexes/index.cdx"] + b"no JSON\n\n" + b'x 1 {"filename": "data.warc.gz", "offset": "7"}\n'
    lines += b'y 1 {"filename": "other.warc.gz", "offset": "0"}'
    new, said = rewritten(wacz({**files, "indexes/index.cdx": lines}))
    assert said == [
        "file indexes/index.cdx: 1 lines are about missing records; they stay as they are; index the archive again"
    ]
    assert inside(new)["indexes/index.cdx"].split(b"\n", 2)[2] == lines.split(b"\n", 2)[2]


@pytest.mark.parametrize("package", [b"", b"[]", b"{}", b'{"resources": 5}', b"\xff"])
def test_a_package_that_cannot_be_read(package: bytes):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in {**files_of(), "datapackage.json": package}.items():
            archive.writestr(name, data)
    new, said = rewritten(out.getvalue())
    assert said == ["file datapackage.json: cannot be read, and its hashes are no longer right"]
    assert inside(new)["datapackage.json"] == package


def test_a_wacz_cut_off_is_copied():
    data = wacz(files_of())
    assert rewritten(data[:-30])[0] == data[:-30]


# --- the parts


def test_a_damaged_directory_is_reported_and_copied(fixtures: Path):
    data = (fixtures / "containers" / "pages.wacz").read_bytes()
    data = data[:2771] + data[2773:]
    out, said = rewritten(data, lambda part: ChangedPart(b"x"))
    what = "the zip file's directory claims 5 members, and 4 were found; none is changed"
    assert said[0] == f"a damaged WACZ: {what}"
    assert out == data


@pytest.mark.parametrize(
    ("value", "what"),
    [("[" * 100_000 + "]" * 100_000, "its hash is no longer right"), ("1" * 5000, "its signature is no longer valid")],
)
def test_a_signature_that_cannot_be_read_strictly_stays_and_is_reported(value, what):
    data = wacz(files_of(), signed=True)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    digest = files["datapackage-digest.json"].replace(b'"signature": "x"', b'"signature": ' + value.encode())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {**files, "datapackage-digest.json": digest}.items():
            archive.writestr(name, content)
    new, said = rewritten(out.getvalue())
    assert inside(new)["datapackage-digest.json"] == digest
    assert any(f"cannot be read, and {what}" in each for each in map(str, said))


# --- what others say of it


def test_the_validator_of_py_wacz_accepts_it(tmp_path: Path):
    pytest.importorskip("wacz", reason="needs the package wacz")
    file = tmp_path / "new.wacz"
    file.write_bytes(rewritten(wacz(files_of()))[0])
    command = [sys.executable, "-m", "wacz", "validate", "-f", str(file)]  # it leaves files open
    said = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert "Validation succeeded" in said.stdout


def test_the_indexer_of_py_wacz_says_the_same(tmp_path: Path):
    indexer = pytest.importorskip("cdxj_indexer.main", reason="needs the package cdxj-indexer")
    files = inside(rewritten(wacz(files_of(zipnum=False)))[0])
    file = tmp_path / "data.warc.gz"
    file.write_bytes(files["archive/data.warc.gz"])
    out = io.StringIO()
    indexer.CDXJIndexer(out, [str(file)], fields="referrer", records="response", digest_records=True).process_all()
    theirs = [json.loads(text[text.index("{") :]) for text in out.getvalue().splitlines()]
    ours = [json.loads(text[text.index("{") :]) for text in files["indexes/index.cdx"].decode().splitlines()]
    names = ("url", "offset", "length", "digest", "recordDigest", "filename")
    assert [[entry[name] for name in names] for entry in ours] == [[entry[name] for name in names] for entry in theirs]
