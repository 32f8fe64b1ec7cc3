"""Bodies in quoted-printable: read, and changed in places."""

from __future__ import annotations

import quopri
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from containers.spliced_bodies import LONG, ODD, Splices, applied, spliced
from growth import assert_proportional
from rehref.containers._mime import quoted_printable


@pytest.mark.parametrize(
    ("body", "decoded"),
    [
        (b"a=3Db=3db", b"a=b=b"),
        (b"one=\r\ntwo= \t\nthree=", b"onetwothree"),
        (b"end \t\r\nend\t \nend ", b"end\r\nend\nend"),
        (b"a =", b"a "),
        (b"100=% =zz =4 ==41 =", b"100=% =zz =4 =A "),
        (b"a\rb", b"a\rb"),
        (b"=3=\r\nD", b"=3D"),
        (b"\xe9", b"\xe9"),
        (b"", b""),
    ],
)
def test_quoted_printable_is_read(body: bytes, decoded: bytes) -> None:
    assert quoted_printable.decode_printable(body) == decoded


@given(st.binary())
def test_what_is_encoded_is_decoded_again_here_and_elsewhere(data: bytes) -> None:
    for line_end in (b"\r\n", b"\n"):
        encoded = quoted_printable.encode_printable(data, line_end)
        assert quoted_printable.decode_printable(encoded) == data
        assert quopri.decodestring(encoded) == data
        assert max(map(len, re.split(rb"\r?\n", encoded))) <= 76


@given(spliced(ODD, quoted_printable.decode_printable))
def test_splicing_the_encoded_body_is_splicing_the_decoded_one(case: tuple[bytes, Splices]) -> None:
    body, splices = case
    result = quoted_printable.splice(body, splices)
    assert quoted_printable.decode_printable(result) == applied(quoted_printable.decode_printable(body), splices)


@given(ODD)
def test_without_splices_nothing_changes(body: bytes) -> None:
    assert quoted_printable.splice(body, []) == body


@given(st.lists(ODD.map(lambda line: line.replace(b"\n", b"")), min_size=1, max_size=8), st.data())
def test_lines_that_no_splice_touches_stay(lines: list[bytes], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(lines) - 1))
    before = b"".join(line + b"\n" for line in lines[:number])
    after = b"".join(line + b"\n" for line in lines[number + 1 :])
    body = before + b"a hreF=3D\r\n" + after
    start = len(quoted_printable.decode_printable(before)) + 2
    result = quoted_printable.splice(body, [(start, start + 4, b"SRC")])
    assert result == before + b"a SRC=3D\r\n" + after


def test_a_touched_line_keeps_its_escapes_and_its_soft_break() -> None:
    body = b"un=74ouched=\r\n<a href=3d=22x=22>=2E=\r\nun=74ouched\r\n"
    at = quoted_printable.decode_printable(body).index(b'x"')
    assert quoted_printable.splice(body, [(at, at + 1, b"http://h/x")]) == (
        b"un=74ouched=\r\n<a href=3d=22http://h/x=22>=2E=\r\nun=74ouched\r\n"
    )


def test_a_line_that_gets_too_long_is_folded_where_no_escape_is() -> None:
    body = b"x" * 70 + b"@=3D=3D=3D tail=\nmore\n"
    result = quoted_printable.splice(body, [(70, 71, b"1234")])
    assert result == b"x" * 70 + b"1234=\n=3D=3D=3D tail=\nmore\n"


def test_white_space_that_comes_to_stand_at_the_end_of_a_line_is_escaped() -> None:
    assert quoted_printable.splice(b"a b\r\nc", [(2, 3, b"")]) == b"a=20\r\nc"
    assert quoted_printable.splice(b"a b=\r\nc", [(2, 3, b"")]) == b"a =\r\nc"


def test_line_ends_are_written_as_those_of_the_body_or_as_octets() -> None:
    assert quoted_printable.splice(b"a\r\nb", [(1, 1, b"\r\n1\n2")]) == b"a\r\n1=0A2\r\nb"
    assert quoted_printable.splice(b"a\nb", [(1, 1, b"\r\n1\n2")]) == b"a=0D\n1\n2\nb"
    assert quoted_printable.splice(b"ab", [(1, 1, b"\n")], b"\n") == b"a\nb"


def test_a_stray_escape_gets_no_meaning_by_what_is_put_beside_it() -> None:
    result = quoted_printable.splice(b"a=zz", [(2, 4, b"41")])
    assert result == b"a=3D41"
    assert quoted_printable.decode_printable(result) == b"a=41"


def test_a_soft_break_at_the_very_end_takes_nothing_with_it() -> None:
    assert quoted_printable.splice(b"a =", [(2, 2, b"b")]) == b"a b"
    assert quoted_printable.splice(b"a =", [(0, 1, b"b")]) == b"b=20"
    assert quoted_printable.splice(b"a =\n", [(2, 2, b"b")]) == b"a =\nb"


def test_a_line_end_may_be_replaced() -> None:
    assert quoted_printable.splice(b"one\r\ntwo\r\n", [(2, 6, b"-")]) == b"on-wo\r\n"
    assert quoted_printable.splice(b"one\r\ntwo\r\n", [(10, 10, b"end")]) == b"one\r\ntwo\r\nend"


def test_line_ends_are_those_of_the_first_line() -> None:
    assert [quoted_printable.line_end_of(data) for data in (b"a\r\nb\n", b"a\nb\r\n", b"a", b"\n")] == [
        b"\r\n",
        b"\n",
        b"\r\n",
        b"\n",
    ]


@pytest.mark.parametrize("body", LONG.values(), ids=LONG)
def test_long_lines_and_many_splices_take_linear_time(body: Callable[[int], bytes]) -> None:
    def splicing(n: int) -> Callable[[], None]:
        data = body(n)

        def run() -> None:
            length = len(quoted_printable.decode_printable(data))
            splices = [(at, at, b"x") for at in range(0, length, 100)]
            quoted_printable.splice(data, splices)

        return run

    assert_proportional(splicing, 2000)
