"""WARC and ARC files with damage: it is told, skipped, and nothing is lost; plain records; samples of the suites."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zlib
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from containers.damaged_records import ID, PAGE, SIZE, WARC, copied, packed, record, seen, unpacked
from containers.in_memory import pages_only
from growth import assert_proportional
from rehref.containers.parts import ContainerOptions, Diagnostic, Limits, Part
from rehref.documents.base import establish


def agrees(data: bytes, names: str, *said: str) -> None:
    """Hold what is read, and what is said when it is copied, to what is expected; the copy is the same bytes."""
    found, diagnostics = seen(data)
    assert found == list(names)
    assert len(diagnostics) == len(said), diagnostics
    for diagnostic, expected in zip(diagnostics, said, strict=True):
        assert expected in diagnostic
    assert copied(data) == (data, diagnostics)


# --- lengths that are wrong


@pytest.mark.parametrize("length", [0, SIZE - 40, SIZE + 40, SIZE + 1000, 10**7, 10**17])
def test_a_wrong_length_costs_one_record(length: int) -> None:
    data = record(1) + record(2, length) + record(3)
    where = f"record <{ID.format(2)}> at byte {len(record(1))}: "
    agrees(data, "13", where + ("its Content-Length is wrong" if length < SIZE + 50 else "the file ends within it"))


@pytest.mark.parametrize("length", [0, SIZE - 40, SIZE + 40, SIZE + 1000])
def test_a_wrong_length_in_members(length: int) -> None:
    data = packed(record(1), record(2, length), record(3))
    where = f"record <{ID.format(2)}> at byte {len(packed(record(1)))}: its Content-Length is wrong"
    agrees(data, "13", where)


def test_a_wrong_length_in_members_beyond_what_is_looked_at() -> None:
    agrees(packed(record(1), record(2, 10**8), record(3)), "13", f"<{ID.format(2)}>")


@pytest.mark.parametrize("length", ["", "-1", "1e3", "9" * 30, "x"])
def test_a_length_that_is_no_number(length: str) -> None:
    data = record(1) + record(2, length) + record(3)
    agrees(data, "13", f"<{ID.format(2)}> at byte {len(record(1))}: it has no valid length")


def test_another_record_in_a_block_is_part_of_it() -> None:
    inner = record(9)
    data = record(1, body=PAGE + inner) + record(2)
    assert seen(data) == (["1", "2"], [])
    assert seen(packed(data)) == (["1", "2"], [])


# --- what is no record


@pytest.mark.parametrize("junk", [b"rubbish\n" * 3, b"\0" * 5000, b"WARC/9\n", b"WARC/1.0\r\nno end", b"x" * 2_000_000])
def test_rubbish_between_records(junk: bytes) -> None:
    data = record(1) + junk + b"\n" + record(2)
    found, diagnostics = seen(data)
    assert found[-1] == "2"
    assert len(diagnostics) >= 1
    assert copied(data) == (data, diagnostics)
    agrees(b"<html>no archive at all", "", "byte 0: these bytes are not a record")
    agrees(b"", "")


def test_rubbish_in_a_member_and_between_members() -> None:
    first = packed(record(1))
    agrees(first + packed(b"rubbish") + packed(record(2)), "12", f"byte {len(first)}: these bytes are not a record")
    agrees(first + b"rubbish" + packed(record(2)), "12", f"byte {len(first)}: these bytes are not a gzip member")
    agrees(first + b"\0" * (1 << 21), "1", f"byte {len(first)}: these bytes are not a gzip member")
    agrees(first + b"\0" * 5000 + b"x", "1", f"byte {len(first)}: these bytes are not a gzip member")
    agrees(first + b"\x1f", "1", f"byte {len(first)}: these bytes are not a gzip member")


@pytest.mark.parametrize("size", [1, 2, 3, 511, 5000, 300_000, 1 << 20])
def test_padding_behind_the_last_member_is_ignored(size: int) -> None:  # as gzip does
    agrees(packed(record(1)) + packed(record(2)) + b"\0" * size, "12")
    agrees(packed(record(1)) + packed(b"") + b"\0" * size, "1")


def test_what_only_looks_like_a_member_is_skipped() -> None:
    first = packed(record(1))
    junk = b"\x1f\x8b\x08" + b"rubbish" + b"\x1f\x8b\x08" * 5 + gzip.compress(b"no record")
    agrees(first + junk + packed(record(2)), "12", f"byte {len(first)}: ")


# --- broken members


def test_a_broken_member_costs_one_record() -> None:
    first, second, third = packed(record(1)), packed(record(2)), packed(record(3))
    for at in (12, len(second) // 2, len(second) - 6):
        broken = second[:at] + bytes([second[at] ^ 0x55]) + second[at + 1 :]
        found, diagnostics = seen(first + broken + third)
        assert found == ["1", "3"]
        assert f"at byte {len(first)}: " in diagnostics[0] or diagnostics[0].startswith(f"byte {len(first)}: ")
        assert copied(first + broken + third) == (first + broken + third, diagnostics)
    agrees(first + second[:40] + third, "13", f"byte {len(first)}: ")


@pytest.mark.parametrize("cut", [1, 8, 9, 60])
def test_a_file_that_ends_within_a_member(cut: int) -> None:
    data = packed(record(1), record(2))
    found, diagnostics = seen(data[:-cut])
    assert found == ["1"]
    assert "the file ends within a gzip member" in diagnostics[0]
    assert copied(data[:-cut]) == (data[:-cut], diagnostics)


def test_a_member_that_holds_the_magic_number_is_read_whole() -> None:
    stored = [gzip.compress(record(number, body=PAGE + b"\x1f\x8b\x08" * 3), 0, mtime=0) for number in (1, 2)]
    data = b"".join(stored)
    assert data.count(b"\x1f\x8b\x08") == 8
    assert seen(data) == (["1", "2"], [])
    assert copied(data) == (data, [])


def test_the_magic_number_in_the_name_within_a_member() -> None:
    named = io.BytesIO()
    with gzip.GzipFile("\x1f\x8b\x08" * 400, "wb", fileobj=named, mtime=0) as file:
        file.write(record(1))
    data = named.getvalue() + packed(record(2))
    assert data.count(b"\x1f\x8b\x08") == 402
    agrees(data, "12")


@pytest.mark.parametrize("size", [4, 8])
def test_bytes_after_a_member_that_are_like_its_end(size: int) -> None:
    first = packed(record(1))
    behind = b"rubbish" + first[-size:]  # the size of the content, and its check sum
    agrees(first + behind + packed(record(2)), "12", f"byte {len(first)}: these bytes are not a gzip member")
    agrees(first + behind, "1", f"byte {len(first)}: these bytes are not a gzip member")


@pytest.mark.parametrize("at", range(-8, 0))
def test_a_member_with_a_wrong_check_sum_or_size(at: int) -> None:
    first, second = packed(record(1)), bytearray(packed(record(2)))
    second[at] ^= 1
    agrees(first + second + packed(record(3)), "13", f"byte {len(first)}: its gzip data are damaged")


def test_damage_soon_after_a_record_is_named_rather_than_its_length() -> None:
    noise = PAGE + Random(1).randbytes(100_000)
    arc = b"http://example.com/ 192.0.2.1 20200102030405 text/html 3\n" + noise
    for damaged_record in (record(2, 3, body=noise), arc):
        first, second = packed(record(1)), bytearray(packed(damaged_record))
        second[-5] ^= 1
        agrees(first + second + packed(record(3)), "13", f"byte {len(first)}: its gzip data are damaged")


class Slow(io.RawIOBase):
    """A stream that gives fewer bytes than it is asked for."""

    def __init__(self, data: bytes) -> None:
        self._data, self._random = io.BytesIO(data), Random(1)

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, self._random.choice([1, 100, 5000, 70_000, 300_000])))


def test_however_much_a_stream_gives_at_once() -> None:
    random = Random(1)
    noise = random.randbytes(1 << 21)
    sizes = [0, 900, 1000, 1100, 65_000, 65_536, 66_000, 262_144, 1 << 20, (1 << 20) + 1, 1 << 21]
    records = [record(number % 10, body=PAGE + noise[:size]) for number, size in enumerate(sizes)]
    data = b"".join(gzip.compress(each, level, mtime=0) for level in (0, 6) for each in records)
    read = WARC.module.read(Slow(data), ContainerOptions(), pages_only)  # type: ignore[arg-type]
    found = [part.data for part in read if isinstance(part, Part)]
    assert found == [PAGE + noise[:size] for size in sizes] * 2
    out = io.BytesIO()
    assert list(WARC.module.rewrite(Slow(data), out, lambda part: None, ContainerOptions(), pages_only)) == []  # type: ignore[arg-type]
    assert out.getvalue() == data


def test_what_a_member_holds_before_it_is_broken_is_known() -> None:
    body = PAGE + Random(1).randbytes(20_000)
    data = bytearray(packed(record(1, body=body), record(2)))
    end = data.rindex(b"\x1f\x8b\x08")
    data[end - 8] ^= 1  # the check sum, at the end of what is fed at once
    found, diagnostics = seen(bytes(data))
    assert found == ["2"]
    assert len(diagnostics) == 1
    assert ID.format(1) in diagnostics[0]
    assert "damaged" in diagnostics[0] or "broken" in diagnostics[0]
    assert copied(bytes(data))[0] == bytes(data)


@pytest.mark.parametrize("size", [700, 1100, 1600, 2500, 3900])
def test_a_small_member_that_is_cut_short_keeps_its_name(size: int) -> None:
    """What follows it is a good member; the unpacker must not take it for the rest."""
    words = Random(1).choices([b"<p>some ", b"text ", b"<a href=x>", b"more ", b"of it "], k=12_000)
    member = packed(record(1, body=PAGE + b"".join(words)))
    good = packed(record(2), record(3))
    assert len(member) > size
    found, diagnostics = seen(member[:size] + good)
    assert found == ["2", "3"]
    assert len(diagnostics) == 1
    assert ID.format(1) in diagnostics[0]
    assert copied(member[:size] + good)[0] == member[:size] + good


def test_a_file_that_ends_within_a_record() -> None:
    data = record(1) + record(2)
    agrees(data[:-100], "1", f"record <{ID.format(2)}> at byte {len(record(1))}: the file ends within it")
    agrees(data[:-4], "12")
    agrees(data[: len(record(1)) + 20], "1", f"byte {len(record(1))}: the file ends within it")


def test_damage_in_a_file_that_is_one_member() -> None:
    noise = Random(1).randbytes(100_000)
    plain = b"".join(record(number, body=PAGE + noise) for number in range(1, 6))
    whole = packed(plain)
    at = len(whole) // 2
    data = whole[:at] + b"\xff" * 30 + whole[at + 30 :] + packed(record(7))
    found, diagnostics = seen(data)
    assert found[0] == "1"
    assert found[-1] == "7"
    assert diagnostics
    out, said = copied(data)
    assert said == diagnostics
    assert out.endswith(packed(record(7)))
    assert whole[-100:] in out  # what could not be unpacked
    assert zlib.decompressobj(31).decompress(out) == record(1, body=PAGE + noise)


def test_changes_go_on_around_damage() -> None:
    first, third = packed(record(1)), packed(record(3))
    broken = packed(record(2))[:-20]
    out, diagnostics = copied(first + broken + third, change=b"<!-- -->")
    assert len(diagnostics) == 1
    assert broken in out
    assert unpacked(out[: out.index(broken)]).endswith(b"<!-- -->\r\n\r\n")
    assert unpacked(out[out.index(broken) + len(broken) :]).endswith(b"<!-- -->\r\n\r\n")


# --- bodies that cannot be read


def test_a_body_that_cannot_be_decoded_stays() -> None:
    broken = record(2, body=b"\x1f\x8b\x08" + b"\xff" * 50, http="Content-Encoding: gzip\r\n")
    agrees(
        record(1) + broken + record(3),
        "13",
        f"record <{ID.format(2)}> at byte {len(record(1))}: its data in the coding gzip",
    )
    early = record(2, body=gzip.compress(PAGE)[:-20], http="Content-Encoding: gzip\r\n")
    agrees(record(1) + early + record(3), "123", "the body ends too early")


# --- bounds


def test_bombs_stay_packed() -> None:
    bomb = record(2, body=b"<p>" + b"\0" * 30_000_000)
    data = packed(record(1), bomb, record(3))
    tracemalloc.start()
    agrees(data, "13", f"record <{ID.format(2)}> at byte {len(packed(record(1)))}: unpacks to more than 200 times")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24 << 20


def test_a_coded_body_that_is_a_bomb() -> None:
    bomb = record(2, body=gzip.compress(b"<p>" + b"\0" * 30_000_000), http="Content-Encoding: gzip\r\n")
    agrees(record(1) + bomb + record(3), "13", "unpacks to more than 200 times its size")
    agrees(packed(record(1), bomb, record(3)), "13", "unpacks to more than 200 times its size")


def test_what_is_larger_than_the_limit_is_reported_if_it_is_wanted() -> None:
    data = record(1, body=b"<p>" * 1000) + record(2)
    limits = Limits(size=2000)
    found, diagnostics = seen(data, limits)
    assert found == ["2"]
    assert diagnostics == [f"record <{ID.format(1)}> at byte 0: unpacks to more than 2,000 bytes"]
    assert copied(data, limits) == (data, diagnostics)


def test_many_small_members_take_linear_time() -> None:
    whole = record(1, body=PAGE * 500)
    data = b"".join(packed(whole[at : at + 4]) for at in range(0, len(whole), 4)) + packed(record(2))
    agrees(data, "12")
    members = [packed(whole[at : at + 4]) for at in range(0, len(whole), 4)]
    assert_proportional(lambda n: partial(seen, b"".join(members[:n])), len(members) // 8)


@pytest.mark.slow
def test_adversarial_text_takes_linear_time() -> None:
    line = b"http://a" + b" 12345678901234" * 500 + b" x\n"
    for piece in (line, b"WARC/1.0\n", b"a:b\n", b"\n" * 100, b"\x1f\x8b\x08\0"):
        first = b"WARC/1.0\n" if piece == b"a:b\n" else b""
        for head in (b"", b"filedesc://x 0.0.0.0 20200101000000 text/plain 0\n\n", packed(record(1))):
            size = 10 if piece == line else 400
            assert_proportional(lambda n, before=head + first, again=piece: partial(seen, before + again * n), size)


# --- laws

DAMAGE = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 60),
        st.binary(max_size=40) | st.sampled_from([b"WARC/1.0\r\n", b"\x1f\x8b\x08\0"]),
    ),
    min_size=1,
    max_size=4,
)


def damaged(data: bytes, damage: list[tuple[float, int, bytes]]) -> bytes:
    for where, size, new in damage:
        at = int(where * len(data))
        data = data[:at] + new + data[at + size :]
    return data


@given(DAMAGE)
def test_whatever_the_damage_a_plain_file_is_copied_as_it_is(damage: list[tuple[float, int, bytes]]) -> None:
    data = damaged(b"".join(record(number) for number in range(5)), damage)
    out, diagnostics = copied(data)
    assert out == data
    assert seen(data)[1] == diagnostics
    assert copied(data, change=b"<!-- -->")[1] == diagnostics


@given(DAMAGE)
def test_whatever_the_damage_members_are_copied_as_they_are(damage: list[tuple[float, int, bytes]]) -> None:
    data = damaged(packed(*(record(number) for number in range(5))), damage)
    out, diagnostics = copied(data)
    assert out == data
    assert seen(data)[1] == diagnostics
    assert copied(data, change=b"<!-- -->")[1] == diagnostics


@given(st.integers(1, 4), st.data())  # the first says that the file is compressed at all
def test_damage_to_one_member_leaves_the_others(number: int, draw: st.DataObject) -> None:
    members = [packed(record(each)) for each in range(5)]
    damage = draw.draw(DAMAGE)
    members[number] = damaged(members[number], damage)
    found, _ = seen(b"".join(members))
    assert [each for each in found if each != str(number)] == [str(each) for each in range(5) if each != number]


@given(st.lists(st.integers(1, 400), max_size=30), st.booleans())
def test_however_a_file_is_cut_into_members(sizes: list[int], compress: bool) -> None:
    plain = b"".join(record(number) for number in range(3))
    pieces = []
    rest = plain
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]
    data = packed(*pieces, rest) if rest else packed(*pieces)
    out, _ = copied(data)
    assert unpacked(out) == plain


@given(st.binary(max_size=200))
def test_nothing_raises_on_content(data: bytes) -> None:
    for each in (
        data,
        b"WARC/1.0\r\n" + data,
        b"filedesc:" + data,
        b"\x1f\x8b\x08" + data,
        packed(data),
        b"\x28\xb5\x2f\xfd" + data,
    ):
        assert copied(each)[1] == seen(each)[1]


# --- the samples of the suites


BASES = {
    "example-bad-non-chunked.warc.gz": ["http://example.com/"],
    "example-digest.warc": [],
    "example-iana.org-chunked.warc": ["http://www.iana.org/"],
    "example-trunc.warc": [],
    "example-wget-bad-target-uri.warc.gz": ["http://example.com/"],
    "example-wrong-chunks.warc.gz": ["http://example.com/"],
    "example.arc.gz": ["http://example.com/"],
    "example.warc": ["http://example.com/"],
    "example.warc.gz": ["http://example.com/"],
}
TROUBLES = {"example-trunc.warc": 1}
REMADE = ("example-bad-non-chunked.warc.gz", "example-wrong-chunks.warc.gz")
"""Files whose records do not begin and end where members do."""


def test_the_samples(suites: Path) -> None:
    files = sorted(path for path in (suites / "warc").iterdir() if ".warc" in path.name or ".arc" in path.name)
    assert [path.name for path in files] == sorted(BASES)
    for path in files:
        data = path.read_bytes()
        everything = WARC.found(data)
        bases = [establish(each.layers.candidates()) for each in everything if isinstance(each, Part)]
        assert [base.uri for base in bases] == BASES[path.name]
        assert all(base.origin == "entity" for base in bases)
        assert sum(isinstance(each, Diagnostic) for each in everything) == TROUBLES.get(path.name, 0)
        out, _ = copied(data)
        if path.name in REMADE:
            assert unpacked(out) == unpacked(data)
        else:
            assert out == data


def test_the_samples_have_as_many_records_as_others_find(suites: Path) -> None:
    warc = pytest.importorskip("fastwarc.warc", reason="needs the package fastwarc")
    for name in BASES:
        data = (suites / "warc" / name).read_bytes()
        out, _ = copied(data, change=b"<!-- -->")
        if name in TROUBLES or name.endswith(".arc.gz"):
            continue  # fastwarc reads neither
        expected = sum(1 for _ in warc.ArchiveIterator(io.BytesIO(data)))
        assert sum(1 for _ in warc.ArchiveIterator(io.BytesIO(out))) == expected
