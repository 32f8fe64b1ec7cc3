"""Transfer encodings: decoding, and the laws of splicing base64."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from containers.spliced_bodies import LONG, ODD, Splices, applied, spliced
from growth import assert_proportional
from rehref.containers._mime import transfer
from rehref.containers.parts import ChangedPart


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


@pytest.mark.parametrize("body", LONG.values(), ids=LONG)
def test_what_is_replaced_takes_linear_time(body: Callable[[int], bytes]) -> None:
    def splicing(n: int) -> Callable[[], None]:
        data = body(n)

        def run() -> None:
            transfer.replace_base64(data, b"x" * 1000, 500)

        return run

    assert_proportional(splicing, 2000)
