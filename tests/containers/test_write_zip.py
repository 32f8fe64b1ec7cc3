"""Zip files written anew: a test or more for each rule of `rehref.containers._zip.write_zip`."""

from __future__ import annotations

import io
import struct
import zipfile
from zipfile import ZIP_DEFLATED, ZIP_STORED

import pytest

from rehref.containers._zip import write_zip as writing
from rehref.containers._zip.write_zip import Writer
from rehref.containers._zip.zip_archive import open_archive, read_member
from rehref.containers.parts import Limits


class Stream(io.RawIOBase):
    """A file that cannot go back: what is written to it gets data descriptors."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:
        self.data += bytes(data)
        return len(data)


NAMES = ("mimetype", "a.html", "é/b", "c")


def made(kind: str) -> bytes:
    out = Stream() if kind == "descriptors" else io.BytesIO()
    if kind == "prefix":
        out.write(b"#!/bin/sh\n" * 9)
    with zipfile.ZipFile(out, "w") as archive:  # type: ignore[arg-type]
        for name, method in zip(NAMES, (ZIP_STORED, ZIP_DEFLATED, ZIP_DEFLATED, ZIP_STORED), strict=True):
            info = zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6))
            info.compress_type, info.external_attr, info.comment = method, 0o600 << 16, b"about " + name.encode()
            with archive.open(info, "w", force_zip64=kind == "zip64") as member:
                member.write(name.encode() * 100)
        archive.writestr("folder/", b"")
        archive.comment = b"a comment"
    data = out.data if isinstance(out, Stream) else out.getvalue()
    return b"moved" + data if kind == "moved" else data


KINDS = ["plain", "descriptors", "prefix", "moved", "zip64"]


def replaced(data: bytes, new: dict[str, bytes], method: int | None = None) -> bytes:
    archive = open_archive(io.BytesIO(data))
    assert archive.diagnostics == ()
    out = io.BytesIO()
    writer = Writer(archive, out)
    for member in archive.files():
        if member.name in new:
            writer.replace(member, io.BytesIO(new[member.name]), method)
    writer.finish()
    return out.getvalue()


# --- nothing replaced


@pytest.mark.parametrize("kind", KINDS)
def test_identity(kind: str):
    data = made(kind)
    assert replaced(data, {}) == data
    for broken in (b"", b"PK", data[:-30], data + b"junk"):
        out = io.BytesIO()
        Writer(open_archive(io.BytesIO(broken)), out).finish()
        assert out.getvalue() == broken


# --- some replaced


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("names", [["a.html"], ["mimetype", "c"], ["é/b"], ["mimetype", "a.html", "é/b", "c"]])
def test_what_is_replaced_and_what_is_not(kind: str, names: list[str]):
    data = made(kind)
    new = {name: b"new " * size for size, name in enumerate(names)}
    written = replaced(data, new)
    before, after = zipfile.ZipFile(io.BytesIO(data)), zipfile.ZipFile(io.BytesIO(written))
    assert after.testzip() is None
    assert after.comment == before.comment
    for old, info in zip(before.infolist(), after.infolist(), strict=True):
        kept = ("filename", "date_time", "external_attr", "compress_type", "comment", "create_system")
        assert [getattr(info, name) for name in kept] == [getattr(old, name) for name in kept]
        assert after.read(info) == new.get(info.filename, before.read(old))
    again = open_archive(io.BytesIO(written))
    assert again.diagnostics == ()
    for member in open_archive(io.BytesIO(data)).files():
        if member.name not in names:
            (same,) = [each for each in again.files() if each.name == member.name]
            assert written[same.start : same.end] == data[member.start : member.end]


def test_a_replaced_member_has_no_descriptor_and_the_others_keep_theirs():
    data = made("descriptors")
    written = replaced(data, {"a.html": b"x"})
    assert written.count(b"PK\x07\x08") == data.count(b"PK\x07\x08") - 1
    (member,) = [each for each in open_archive(io.BytesIO(written)).files() if each.name == "a.html"]
    assert not member.flags & 8
    assert struct.unpack_from("<4s5H3L2H", written, member.start)[6:9] == (member.crc, member.packed, member.size)


def test_gaps_are_kept():
    data = made("plain")
    archive = open_archive(io.BytesIO(data))
    gap = b"nothing of anybody's"
    second = archive.files()[1]
    moved = bytearray(data[: second.start] + gap + data[second.start :])
    at = archive.directory + len(gap)
    for member in archive.members:
        offset = member.start + (len(gap) if member.start >= second.start else 0)
        struct.pack_into("<L", moved, at + 42, offset)
        at += len(member.record)
    struct.pack_into("<L", moved, at + 16, archive.directory + len(gap))
    written = replaced(bytes(moved), {"mimetype": b"short", "c": b"long" * 100})
    assert gap in written
    assert zipfile.ZipFile(io.BytesIO(written)).testzip() is None


def test_another_method():
    written = replaced(made("plain"), {"a.html": b"x" * 1000, "c": b"y" * 1000}, ZIP_STORED)
    methods = {info.filename: info.compress_type for info in zipfile.ZipFile(io.BytesIO(written)).infolist()}
    assert methods == {"mimetype": 0, "a.html": 0, "é/b": 8, "c": 0, "folder/": 0}


# --- ZIP64


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_fit_into_32_bits_goes_into_zip64_fields(kind: str, monkeypatch: pytest.MonkeyPatch):
    data = made(kind)
    monkeypatch.setattr(writing, "FULL", 0x80)  # as if these few bytes were four gigabytes
    archive = open_archive(io.BytesIO(data))
    out = io.BytesIO()
    writer = Writer(archive, out)
    writer.replace(archive.files()[0], io.BytesIO(b"new " * 100))
    writer.finish()
    written = out.getvalue()
    start = written.index(b"PK\x01\x02")
    fields = struct.unpack_from("<4s6H3L5H2L", written, start)
    extra = written[start + 46 + fields[10] :][: fields[11]]
    assert (fields[2], fields[8], fields[9]) == (45, 0x80, 0x80)
    first = archive.files()[0]
    offset = () if first.start == archive.shift else (first.start - archive.shift,)
    wide = struct.pack("<2Q", 400, 400) + b"".join(struct.pack("<Q", each) for each in offset if each >= 0x80)
    assert extra == struct.pack("<HH", 1, len(wide)) + wide
    assert struct.pack("<HH2Q", 1, 16, 400, 400) in written[: first.start + 80]
    end64 = written.rindex(b"PK\x06\x06")
    assert struct.unpack_from("<QQ", written, end64 + 40)[1] == start - archive.shift
    assert struct.unpack_from("<Q", written, written.rindex(b"PK\x06\x07") + 8) == (end64 - archive.shift,)


def test_what_only_looks_like_a_zip64_end_record_is_copied():
    data = made("plain")
    end = data.rindex(b"PK\x05\x06")
    between = b"PK\x06\x06" + struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    data = data[:end] + between + data[end:]
    archive = open_archive(io.BytesIO(data))
    assert archive.is_sound
    out = io.BytesIO()
    writer = Writer(archive, out)
    writer.replace(archive.files()[1], io.BytesIO(b"new"))
    writer.finish()
    assert between in out.getvalue()
    again = open_archive(io.BytesIO(out.getvalue()))
    assert again.is_sound
    assert read_member(again, again.files()[1], Limits()).data == b"new"


def test_the_offset_of_a_member_that_is_not_there_stays():
    data = made("zip64")
    archive = open_archive(io.BytesIO(data))
    last = archive.members[-1]
    extra = struct.pack("<HHQ", 1, 8, (1 << 64) - 1)
    record = bytearray(last.record + extra)
    struct.pack_into("<H", record, 30, len(extra))
    struct.pack_into("<L", record, 42, 0xFFFF_FFFF)
    end = archive.directory_end
    tail = bytearray(data[end:])
    struct.pack_into("<L", tail, tail.rindex(b"PK\x05\x06") + 12, end - archive.directory + len(extra))
    data = data[: end - len(last.record)] + bytes(record) + bytes(tail)
    archive = open_archive(io.BytesIO(data))
    assert archive.is_sound
    assert archive.members[-1].start == (1 << 64) - 1
    out = io.BytesIO()
    writer = Writer(archive, out)
    writer.replace(archive.files()[0], io.BytesIO(b"longer " * 1000))
    writer.finish()
    again = open_archive(io.BytesIO(out.getvalue()))
    assert again.members[-1].start == archive.members[-1].start


def test_extra_fields_that_leave_no_room_for_zip64_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writing, "_LONGEST_EXTRA", 40)
    full = struct.pack("<HH", 7, 16) + bytes(16)
    wide = struct.pack("<HH2Q", 1, 16, 5, 6)
    assert writing._with_zip64(full, (5, 6)) == wide + full
    assert writing._with_zip64(full + b"x", (5, 6)) == wide
    assert writing._with_zip64(full + b"x", ()) == full + b"x"
