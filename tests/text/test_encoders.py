"""The Standard's encoders for queries of URLs: one test for each rule of `rehref.text.encoders`."""

from __future__ import annotations

import pytest

from rehref.text.encoders import encode, encode_for_urls
from rehref.text.encoding import NAMES


@pytest.mark.parametrize("name", sorted(NAMES - {"replacement", "utf-16le", "utf-16be"}))
def test_ascii_is_ascii_and_no_character_is_a_reference(name: str) -> None:
    assert encode_for_urls("a?b=\\~", name) == b"a?b=\\~"
    assert encode_for_urls("", name) == b""


@pytest.mark.parametrize(
    ("name", "text", "data"),
    [
        ("shift_jis", "¥‾−能", b"\\~\x81|\x94\\"),
        ("euc-jp", "¥‾−能", b"\\~\xa1\xdd\xc7\xbd"),
        ("iso-2022-jp", "¥a‾能−ｱ~", b'\x1b(J\\a~\x1b$BG=!]%"\x1b(B~'),
        ("iso-2022-jp", "¥\\", b"\x1b(J\\\x1b(B\\"),
        ("iso-2022-jp", "¥", b"\x1b(J\\\x1b(B"),
        ("gb18030", "\ue78d\ue864\ue7c7€é💩", b"\xa6\xd9\xfe\xa0\x81\x35\xf4\x37\xa2\xe3\xa8\xa6\x94\x39\xda\x33"),
        ("gbk", "\ue78d€", b"\xa6\xd9\x80"),
        ("big5", "十能", b"\xa4Q\xaf\xe0"),
        ("windows-1252", "é€", b"\xe9\x80"),
        ("x-user-defined", "a\uf780\uf7e4\uf7ff", b"a\x80\xe4\xff"),
    ],
)
def test_what_browsers_write(name: str, text: str, data: bytes) -> None:
    assert encode_for_urls(text, name) == data


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("euc-jp", "¡"),  # JIS X 0212
        ("big5", "㗎"),  # Hong Kong's extensions
        ("shift_jis", "\ue000"),
        ("gb18030", "\ue5e5"),
        ("gbk", "💩"),
        ("iso-2022-jp", "\x1b"),
        ("iso-2022-jp", "é"),
        ("windows-1252", "北"),
        ("x-user-defined", "\x80"),
        ("x-user-defined", "€"),
        ("x-user-defined", "\uf77f"),
    ],
)
def test_what_an_encoder_lacks(name: str, text: str) -> None:
    assert encode_for_urls(text, name) is None
    assert encode_for_urls(f"a{text}b", name) is None


def test_it_is_not_what_documents_are_written_in() -> None:
    assert encode("¡", "euc-jp") is not None
    assert encode("¥", "shift_jis") is None
