"""The encoding of a style sheet, rule by rule."""

from __future__ import annotations

import pytest

from rehref.text.declared_encoding import LIMIT, sniff_css
from rehref.text.encoding import Sniffed, UnknownEncodingError

CHARSET = b'@charset "windows-1251";'


def name(data: bytes, declared: str | None = None) -> str:
    return sniff_css(data, declared).name


# --- rule 1: the order


def test_first_a_mark_then_what_is_declared_then_charset_then_utf_8() -> None:
    assert sniff_css(b"\xef\xbb\xbf" + CHARSET, "koi8-r") == Sniffed("utf-8", 3, "byte order mark")
    assert sniff_css(b"\xff\xfea\0", "koi8-r") == Sniffed("utf-16le", 2, "byte order mark")
    assert sniff_css(b"\xfe\xff\0a") == Sniffed("utf-16be", 2, "byte order mark")
    assert sniff_css(CHARSET, "KOI8-R") == Sniffed("koi8-r", 0, "declared")
    assert sniff_css(CHARSET) == Sniffed("windows-1251", 0, "@charset")
    assert sniff_css(b"a{}") == sniff_css(b"") == Sniffed("utf-8", 0, "default")


def test_an_unknown_encoding_that_is_declared_is_an_error() -> None:
    with pytest.raises(UnknownEncodingError):
        sniff_css(b"", "utf-9")


def test_what_html_would_look_for_is_nothing_here() -> None:
    assert name(b"<meta charset=koi8-r>") == "utf-8"
    assert name(b"<?xml version='1.0' encoding='koi8-r'?>") == "utf-8"


# --- rule 2: these very bytes


@pytest.mark.parametrize(
    "data",
    [
        *(b" " + CHARSET, CHARSET.upper(), CHARSET.replace(b'"', b"'"), CHARSET.replace(b" ", b"  "), CHARSET[:-1]),
        *(CHARSET.replace(b" ", b"\t"), b'@charset "windows-1251" ;', b'/**/@charset "windows-1251";'),
        *(b'@charset "none";', b'@charset "";', b'@charset "\xff";', b'@charset "windows-\\31 251";'),
        b'@charset "' + b" " * LIMIT + b'windows-1251";',
    ],
)
def test_what_is_no_charset(data: bytes) -> None:
    assert name(data) == "utf-8"


def test_a_label_in_any_case_with_blanks_around() -> None:
    assert name(b'@charset " Shift_JIS\t";a{}') == "shift_jis"
    within = b'@charset "koi8-r' + b" " * (LIMIT - 18) + b'";'
    assert len(within) == LIMIT
    assert name(within) == "koi8-r"


# --- rule 3: UTF-16


@pytest.mark.parametrize("label", [b"utf-16", b"UTF-16BE", b"utf-16le", b"unicode"])
def test_utf_16_means_utf_8(label: bytes) -> None:
    assert sniff_css(b'@charset "' + label + b'";') == Sniffed("utf-8", 0, "@charset")
    assert name(b'@charset "' + label + b'";', "utf-16be") == "utf-16be"
