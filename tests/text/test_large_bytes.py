"""Questions about bytes of any length, answered block by block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref._native import TWIN
from rehref.text import large_bytes
from rehref.text.large_bytes import (
    LargeBytes,
    contains_in_any_case,
    find_in_any_case,
    is_utf_8,
)

BLOCK = 1 << 20


@pytest.mark.parametrize("data", [b"", b"a", "é".encode(), b"\xe9", b"a\xc3", b"\xed\xa0\x80", "😀".encode()])
@pytest.mark.parametrize("before", [0, 1, 2, 3, 4, BLOCK - 1])
def test_utf_8_is_recognized(data: bytes, before: int) -> None:
    for whole in (b"x" * before + data, b"x" * (BLOCK - before) + data, b"x" * (BLOCK - before) + data + b"x"):
        try:
            whole.decode("utf-8")
            valid = True
        except UnicodeDecodeError:
            valid = False
        assert is_utf_8(whole) == valid


@pytest.mark.parametrize("twin", [None, TWIN])
def test_a_word_is_found_wherever_it_is(monkeypatch: pytest.MonkeyPatch, twin: object) -> None:
    monkeypatch.setattr(large_bytes, "TWIN", twin)
    for at in (0, 1, BLOCK - 4, BLOCK - 3, BLOCK - 2, BLOCK - 1, BLOCK, 2 * BLOCK - 2):
        data = bytearray(2 * BLOCK + 3)
        assert not contains_in_any_case(bytes(data), b"word")
        data[at : at + 4] = b"WorD"
        assert contains_in_any_case(bytes(data), b"word")
        assert contains_in_any_case(bytes(data), b"w", b"word", b"a long word")
        assert not contains_in_any_case(bytes(data[: at + 3]), b"word")
    assert not contains_in_any_case(b"", b"word")


def test_large_bytes_are_made_whenever_they_are_needed() -> None:
    content = LargeBytes(lambda: iter([b"ab", b"", b"c"]))
    for _ in range(2):
        assert list(content) == [b"ab", b"", b"c"]
        assert bytes(content) == b"abc"
        assert len(content) == 3


@pytest.mark.parametrize("twin", [None, TWIN])
def test_a_text_is_found_in_any_case(monkeypatch: pytest.MonkeyPatch, twin: object) -> None:
    monkeypatch.setattr(large_bytes, "TWIN", twin)
    data = b"<<MeTa <\xcdeta <met<meta"
    found = [find_in_any_case(data, b"<meta", start) for start in range(len(data) + 2)]
    assert found == [1] * 2 + [17] * 16 + [-1] * 6
    assert find_in_any_case(b"", b"<meta", 0) == -1


@given(
    st.text(alphabet="aA[zZ{@\x00\xe9", max_size=100),
    st.text(alphabet="az[{@", min_size=1, max_size=6),
    st.integers(0, 9),
)
def test_a_text_is_found_where_lower_case_has_it(text: str, word: str, start: int) -> None:
    data = text.encode("latin-1")
    assert find_in_any_case(data, word.encode(), start) == data.lower().find(word.encode(), start)


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
def test_what_the_twin_cannot_search_is_an_error() -> None:
    for text, start in ((b"", 0), (b"<", -1)):
        with pytest.raises(ValueError, match="must not be empty"):
            find_in_any_case(b"<meta", text, start)
