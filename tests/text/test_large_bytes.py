"""Questions about bytes of any length, answered block by block."""

from __future__ import annotations

import pytest

from rehref.text.large_bytes import contains_in_any_case, is_utf_8

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


def test_a_word_is_found_wherever_it_is() -> None:
    for at in (0, 1, BLOCK - 4, BLOCK - 3, BLOCK - 2, BLOCK - 1, BLOCK, 2 * BLOCK - 2):
        data = bytearray(2 * BLOCK + 3)
        assert not contains_in_any_case(bytes(data), b"word")
        data[at : at + 4] = b"WorD"
        assert contains_in_any_case(bytes(data), b"word")
        assert not contains_in_any_case(bytes(data[: at + 3]), b"word")
    assert not contains_in_any_case(b"", b"word")
