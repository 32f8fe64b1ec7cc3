"""Zip files read without trust: a test or more for each rule of `rehref.containers._zip.directory` and `archive`."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from growth import assert_proportional
from rehref.containers._zip.zip_archive import ZipArchive, open_archive, read_member, stored_file, stream
from rehref.containers.parts import Limits


def made(files: dict[str, bytes], *, comment: bytes = b"", prefix: bytes = b"") -> bytes:
    out = io.BytesIO()
    out.write(prefix)
    with zipfile.ZipFile(out, "w") as archive:
        for number, (name, data) in enumerate(files.items()):
            archive.writestr(name, data, zipfile.ZIP_DEFLATED if number % 2 else zipfile.ZIP_STORED)
        archive.comment = comment
    return out.getvalue()


def opened(data: bytes) -> ZipArchive:
    return open_archive(io.BytesIO(data))


def contents(data: bytes, limits: Limits | None = None) -> dict[str, bytes | str]:
    archive = opened(data)
    found = {member.name: read_member(archive, member, limits or Limits()) for member in archive.files()}
    return {name: unpacked.why if unpacked.data is None else unpacked.data for name, unpacked in found.items()}


def diagnostics(data: bytes) -> list[str]:
    return [str(diagnostic) for diagnostic in opened(data).diagnostics]


FILES = {"a": b"A" * 500, "b/c.html": b"<p>" * 500, "b/é": b"", "d/": b""}
PLAIN = made(FILES)
END = PLAIN.rindex(b"PK\x05\x06")
DIRECTORY = PLAIN.index(b"PK\x01\x02")


def patched(offset: int, new: bytes, data: bytes = PLAIN) -> bytes:
    return data[:offset] + new + data[offset + len(new) :]


@pytest.mark.parametrize(
    "data", [PLAIN, made(FILES, prefix=b"#!/bin/sh\n" * 9), made(FILES, comment=b"x" * 65535), PLAIN + b"junk"]
)
def test_members_are_those_of_the_directory(data: bytes):
    assert contents(data) == {name: content for name, content in FILES.items() if name != "d/"}
    assert diagnostics(data) == []


def test_what_stands_before_moves_everything():
    assert contents(b"some prefix" + PLAIN)["a"] == FILES["a"]
    assert opened(b"some prefix" + PLAIN).shift == 11


def test_a_comment_may_look_like_an_end_record():
    comment = b"PK\x05\x06" + bytes(30)
    data = PLAIN[:-2] + struct.pack("<H", len(comment)) + comment
    assert contents(data)["a"] == FILES["a"]


def test_zip64():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, archive.open(zipfile.ZipInfo("big"), "w", force_zip64=True) as member:
        member.write(b"big")
    data = out.getvalue()
    start, end = data.index(b"PK\x01\x02"), data.rindex(b"PK\x05\x06")
    # the directory of a large archive: its record, its end record and where that is
    extra = struct.pack("<HHQQQ", 1, 24, 3, 3, 0)
    record = bytearray(data[start:end])
    struct.pack_into("<LL", record, 20, 0xFFFFFFFF, 0xFFFFFFFF)
    struct.pack_into("<H", record, 30, len(extra))
    struct.pack_into("<L", record, 42, 0xFFFFFFFF)
    large = bytes(record[: 46 + 3]) + extra
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(large), start)
    where = struct.pack("<4sLQL", b"PK\x06\x07", 0, start + len(large), 1)
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    data = data[:start] + large + end64 + where + last
    assert zipfile.ZipFile(io.BytesIO(data)).read("big") == b"big"
    assert contents(data) == {"big": b"big"}
    assert opened(data).is_sound


@pytest.mark.parametrize("data", [b"", b"PK", b"<p>", PLAIN[: END - 10], PLAIN[:100], PLAIN[:-30]], ids=range(6))
def test_without_a_directory_there_are_no_members(data: bytes):
    assert contents(data) == {}
    assert diagnostics(data) == ["the zip file's directory is missing: the file is cut off, or is not a zip file"]


def test_a_directory_that_is_not_there():
    # the one before the end record counts, as if something stood before the archive
    assert {diagnostic.partition(": ")[2] for diagnostic in diagnostics(patched(END + 16, struct.pack("<L", 5)))} == {
        "there is no member where the zip file's directory says"
    }
    assert diagnostics(patched(END + 12, struct.pack("<L", 9999))) == ["the zip file's directory is too large"]
    assert diagnostics(patched(END + 12, struct.pack("<2L", 7, 7))) == [
        "the zip file's directory is not where the end record says"
    ]
    assert diagnostics(patched(END + 4, b"\1\0")) == ["the zip file is one volume of several; such files are not read"]


def test_an_empty_file():
    assert contents(made({})) == {}


@pytest.mark.parametrize("name", ["../a", "a/../../b", "/etc/passwd", "a\\..\\b", "C:x", "..", "a/..", "a\x1fb"])
def test_a_name_that_leads_out_is_not_read(name: str):
    data = made({"ok": b"1", name.replace("\\", "/"): b"2"}).replace(name.replace("\\", "/").encode(), name.encode())
    assert contents(data) == {"ok": b"1"}
    assert diagnostics(data) == [f"file {name!r}: its name leads out of the zip file"]


@pytest.mark.parametrize("name", ["..a", "a..b/c", "...", "a/.b"])
def test_dots_in_names_are_only_dots(name: str):
    assert contents(made({name: b"x"})) == {name: b"x"}


def test_what_is_encrypted_or_packed_by_another_method_is_not_read():
    encrypted = patched(DIRECTORY + 8, b"\1\0")
    assert diagnostics(encrypted) == ["file 'a': it is encrypted"]
    assert set(contents(encrypted)) == {"b/c.html", "b/é"}
    assert diagnostics(patched(DIRECTORY + 10, b"\x0c\0")) == [
        "file 'a': it is compressed by method 12, which is not read"
    ]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_members_of_the_same_name_the_first_is_read():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", b"1")
        archive.writestr("a", b"2")
    assert contents(out.getvalue()) == {"a": b"1"}
    assert diagnostics(out.getvalue()) == ["file 'a': another of the same name comes before it"]


def test_a_member_and_the_directory_must_agree():
    assert diagnostics(patched(30, b"z")) == ["file 'a': its own header has another name than the zip file's directory"]
    assert diagnostics(patched(0, b"XX")) == ["file 'a': there is no member where the zip file's directory says"]
    beyond = patched(DIRECTORY + 42, struct.pack("<L", 0xFFFFFF))
    assert diagnostics(beyond) == ["file 'a': there is no member where the zip file's directory says"]
    assert diagnostics(patched(DIRECTORY + 20, struct.pack("<2L", 1 << 30, 1 << 30)))[0] == (
        "file 'a': it reaches beyond the zip file's data"
    )
    assert diagnostics(patched(DIRECTORY + 24, struct.pack("<L", 9))) == [
        "file 'a': its length is not what the zip file's directory says"
    ]


def test_members_that_overlap_are_not_read():
    inner = made({"x": b"X"})
    local = inner[: inner.index(b"PK\x01\x02")]
    data = made({"x": b"\0" + local, "y": b"Y"})
    at = data.index(local, 1)
    first = data.index(b"PK\x01\x02")
    record = bytearray(inner[inner.index(b"PK\x01\x02") : inner.rindex(b"PK\x05\x06")])
    struct.pack_into("<L", record, 42, at)
    overlapping = data[: data.rindex(b"PK\x05\x06")] + bytes(record)
    count, size, offset = 3, len(overlapping) - first, first
    overlapping += struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size, offset, 0)
    assert sorted(contents(overlapping)) == ["y"]
    assert diagnostics(overlapping) == [
        "file 'x': it overlaps with another member",
        "file 'x': another of the same name comes before it",
    ]


def test_a_million_members_that_are_only_claimed():
    data = patched(END + 8, struct.pack("<2H", 16960, 16960))  # 1,000,000 modulo 65,536
    assert diagnostics(data) == ["the zip file's directory claims 16,960 members, and 4 were found; none is changed"]
    assert contents(data)["a"] == FILES["a"]
    assert not opened(data).is_sound


def test_too_many_members_are_not_read():
    record = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    directory = record * 100_001
    data = directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), 0, 0)
    assert diagnostics(data) == ["the zip file has more than 100,000 members"]


def test_a_directory_that_reaches_into_the_end_record_ends_before_it():
    for missing in (1, 2, 30):  # bytes of the last record's name, or of all of it
        data = PLAIN[: END - missing] + PLAIN[END:]
        archive = opened(data)
        assert archive.directory_end == END - missing
        assert not archive.is_sound
        assert diagnostics(data)[0] == ("the zip file's directory claims 4 members, and 3 were found; none is changed")
        assert contents(data)["a"] == FILES["a"]


def test_what_is_not_there_overlaps_with_nothing():
    last = PLAIN.rindex(b"PK\x01\x02")
    data = patched(last + 42, struct.pack("<L", PLAIN.index(b"b/c.html")))
    assert diagnostics(data) == ["file 'd/': there is no member where the zip file's directory says"]
    assert contents(data) == contents(PLAIN)


def test_no_offset_is_too_large():
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 4, 4, END - DIRECTORY, (1 << 64) - 1)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, END, 1)
    data = PLAIN[:END] + end64 + locator + patched(END + 16, b"\xff" * 4)[END:]
    assert diagnostics(data) == ["the zip file's directory is not where the end record says"]


def test_many_members_of_which_none_can_be_read_take_few_lines():
    data = made({f"../{number}": b"" for number in range(100)})
    said = diagnostics(data)
    assert len(said) == 21
    assert said[-1] == "80 more, up to file '../99': its name leads out of the zip file"


def test_a_bomb_is_not_unpacked():
    data = made({"x": b"", "bomb": bytes(5_000_000)})
    assert contents(data, Limits(free=1000))["bomb"] == "unpacks to more than 200 times its size"
    assert contents(data, Limits(size=1 << 20))["bomb"] == "unpacks to more than 1 MB"
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    liar = patched(second + 24, struct.pack("<L", 10), data)
    assert contents(liar)["bomb"] == "it unpacks to more than the zip file's directory says"


def test_length_and_checksum_must_be_right():
    packed = PLAIN.index(b"b/c.html") + 8
    assert contents(patched(packed, b"\xff\xff"))["b/c.html"] == "its compressed data are damaged"
    assert contents(patched(packed, zlib.compress(b"x", wbits=-15)))["b/c.html"] == "its data end too early"
    assert contents(patched(40, b"B"))["a"] == "its checksum is wrong"


def test_streams():
    archive = opened(PLAIN)
    stored, deflated, *_ = archive.files()
    assert stream(archive, stored, Limits()).read() == FILES["a"]
    assert stream(archive, deflated, Limits()).read() == FILES["b/c.html"]
    assert len(stream(archive, deflated, Limits(free=100, ratio=2)).read()) == max(100, deflated.packed * 2)
    with stored_file(archive, stored) as file:
        assert (file.seek(-3, 2), file.tell(), file.read(), file.read(1)) == (497, 497, b"AAA", b"")
        assert file.seek(0) == 0
        assert file.read(2) == b"AA"


# --- nothing raises


@settings(max_examples=examples(200))
@given(
    st.lists(st.tuples(st.integers(0, len(PLAIN) - 1), st.binary(min_size=1, max_size=4)), max_size=6),
    st.integers(0, len(PLAIN)),
)
def test_nothing_raises_on_damage(changes: list[tuple[int, bytes]], cut: int):
    data = PLAIN
    for at, new in changes:
        data = patched(at, new, data)
    contents(data)
    contents(data[:cut])


def test_hostile_ends_take_linear_time():
    assert_proportional(lambda n: partial(opened, b"PK\x05\x06" * n), 2000)
