"""Transfer encodings: decoding, and the laws of splicing. One test or more for each rule of the three modules."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.containers._mime import quoted_printable, transfer
from rehref.containers.parts import ChangedPart

Splices = list[tuple[int, int, bytes]]

ODD = st.lists(
    st.sampled_from(
        [
            *(b"=3D", b"=C3=A9", b"=", b"=4", b"=zz", b"=\r\n", b"= \t\r\n", b"=\n", b"\r\n", b"\n", b"\r"),
            *(b" ", b"\t", b"a", b"href", b"=0D=0A", b"=0a", b"41", b"D", b"x" * 30, b"x" * 75, b"\xe9", b"--", b"."),
            b"word " * 9,
        ]
    ),
    max_size=30,
).map(b"".join)
"""Bodies that are quoted-printable, more or less."""
NEW = st.lists(
    st.sampled_from([b"http://h/", b"=", b"41", b"\r\n", b"\n", b"\r", b" ", b"\xff", b"y" * 80]), max_size=4
)


@st.composite
def spliced(draw: st.DrawFn, bodies: st.SearchStrategy[bytes], decode: object) -> tuple[bytes, Splices]:
    body = draw(bodies)
    length = len(decode(body))  # type: ignore[operator]
    offsets = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
    pairs = list(zip(offsets[::2], offsets[1::2], strict=False))
    return body, [(start, end, b"".join(draw(NEW))) for start, end in pairs]


def applied(data: bytes, splices: Splices) -> bytes:
    out, at = b"", 0
    for start, end, new in splices:
        out += data[at:start] + new
        at = end
    return out + data[at:]


# --- quoted-printable ---------------------------------------------------------------------------------------------


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


# --- base64 -------------------------------------------------------------------------------------------------------


@st.composite
def base64_bodies(draw: st.DrawFn) -> bytes:
    text = base64.b64encode(draw(st.binary(max_size=200)))
    width = draw(st.sampled_from([4, 7, 60, 76, 1000]))
    line_end: bytes = draw(st.sampled_from([b"\n", b"\r\n", b" \r\n", b"*\n\n"]))
    lines = [text[at : at + width] for at in range(0, len(text), width)]
    before: bytes = draw(st.sampled_from([b"", b"\r\n", b"\n \n", b"!"]))
    after: bytes = draw(st.sampled_from([b"", b"\r\n", b"\n \n", b"!"]))
    cut = draw(st.sampled_from([None, None, -1, -2, -3]))
    return before + line_end.join(lines)[:cut] + after


@given(base64_bodies())
def test_base64_is_read_as_far_as_it_goes(body: bytes) -> None:
    text = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
    text = text[:-1] if len(text) % 4 == 1 else text
    assert transfer.decode_base64(body) == base64.b64decode(text + b"=" * (-len(text) % 4))


@given(spliced(base64_bodies(), transfer.decode_base64))
def test_replaced_base64_decodes_to_what_was_put_in(case: tuple[bytes, Splices]) -> None:
    body, splices = case
    new = applied(transfer.decode_base64(body), splices)
    first = splices[0][0] if splices else 0
    assert transfer.decode_base64(transfer.replace_base64(body, new, first)) == new


def test_lines_before_the_change_stay_and_the_others_are_as_long() -> None:
    data = bytes(range(120))
    text = base64.b64encode(data)
    lines = [text[at : at + 40] for at in range(0, len(text), 40)]
    body = b"\n" + b"\n".join(lines) + b"\n\n"
    new = data[:62] + b"!" + data[62:]
    result = transfer.replace_base64(body, new, 62)
    assert transfer.decode_base64(result) == new
    assert result.startswith(b"\n" + b"\n".join(lines[:2]) + b"\n")
    assert result.endswith(b"\n\n")
    assert [len(line) for line in result.split()] == [40, 40, 40, 40, 4]


def test_a_body_on_one_long_line_stays_on_one() -> None:
    body = base64.b64encode(bytes(300))
    assert transfer.replace_base64(body, bytes(301)) == base64.b64encode(bytes(301))


def test_what_stands_behind_the_padding_stays() -> None:
    assert transfer.replace_base64(b"YQ==\r\nnot base64\r\n", b"b") == b"Yg==\r\nnot base64\r\n"


@pytest.mark.parametrize("body", [b"YQ==\r\nYg==\r\n", b"YQ==b", b"YWI=\n-- \nlist footer", b"=Y"])
def test_more_data_behind_the_padding_must_stay_dead(body: bytes) -> None:
    assert transfer.has_more_base64(body)
    with pytest.raises(transfer.TransferError, match="more data after the padding"):
        transfer.put_back(body, "base64", ChangedPart(b"abc"), b"\r\n")


@pytest.mark.parametrize("body", [b"", b"YQ==", b"YWJj", b"YQ==\r\n", b"YQ=\n=", b"YWI= -- "])
def test_what_else_stands_behind_it_does_not_matter(body: bytes) -> None:
    assert not transfer.has_more_base64(body)
    assert transfer.decode_body(transfer.put_back(body, "base64", ChangedPart(b"abc"), b"\r\n"), "base64") == b"abc"


# --- all of them --------------------------------------------------------------------------------------------------


@given(ODD | base64_bodies(), st.sampled_from(sorted(transfer.KNOWN)))
def test_pieces_are_the_whole(body: bytes, encoding: str) -> None:
    whole = transfer.decode_body(body, encoding)
    assert b"".join(transfer.chunks(b"--" + body + b"--", 2, 2 + len(body), encoding)) == whole


@pytest.mark.parametrize("encoding", sorted(transfer.KNOWN))
def test_pieces_of_what_is_large_are_the_whole_too(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_CHUNK", 7)
    body = b"one=3Dtwo=\r\n three \t \r\nQUJD\r\nREVG\r\n" * 20 + b"y" * 100 + b"=41=42=43 " * 20 + b"z\r\nend"
    pieces = list(transfer.chunks(body, 0, len(body), encoding))
    assert b"".join(pieces) == transfer.decode_body(body, encoding)
    assert len(pieces) > 10 or encoding == "base64"


@pytest.mark.parametrize("encoding", sorted(transfer.KNOWN))
@given(data=st.binary())
def test_without_splices_all_is_encoded_anew(encoding: str, data: bytes) -> None:
    body = transfer.put_back(b"\xff", encoding, ChangedPart(data), b"\r\n")
    assert transfer.decode_body(body, encoding) == data


def test_seven_bits_stay_seven() -> None:
    with pytest.raises(transfer.TransferError, match="7bit"):
        transfer.put_back(b"a", "7bit", ChangedPart(b"\xe9"), b"\n")
    assert transfer.put_back(b"\xe8", "7bit", ChangedPart(b"\xe9"), b"\n") == b"\xe9"
    assert transfer.put_back(b"a", "8bit", ChangedPart(b"\xe9"), b"\n") == b"\xe9"


@pytest.mark.parametrize(
    "body",
    [
        lambda n: b"=" * n,
        lambda n: b" " * n,
        lambda n: b"=3D" * n,
        lambda n: b"x" * n,
        lambda n: b"=\n" * n,
        lambda n: b" \n" * n,
        lambda n: b"\r" * n,
    ],
    ids=["equals", "spaces", "escapes", "one line", "soft breaks", "empty lines", "CR"],
)
def test_long_lines_and_many_splices_take_linear_time(body: Callable[[int], bytes]) -> None:
    def splicing(n: int) -> Callable[[], None]:
        data = body(n)

        def run() -> None:
            length = len(quoted_printable.decode_printable(data))
            splices = [(at, at, b"x") for at in range(0, length, 100)]
            quoted_printable.splice(data, splices)
            transfer.replace_base64(data, b"x" * 1000, 500)

        return run

    assert_proportional(splicing, 2000)
