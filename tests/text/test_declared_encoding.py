"""The encoding of an XML document, and of a style sheet, rule by rule (text/encoding.py)."""

from __future__ import annotations

import pytest

from rehref.markup.cores import core
from rehref.markup.parsed import XmlWanted
from rehref.text.encoding import LIMIT, Sniffed, Source, UnknownEncodingError, sniff_css, sniff_xml

CHARSET = b'@charset "windows-1251";'
DECLARATION = '<?xml version="1.0" encoding="{}"?><a/>'


@pytest.mark.parametrize(
    ("data", "declared", "expected"),
    [
        (b"\xef\xbb\xbf<a/>", "latin1", Sniffed("utf-8", 3, "byte order mark")),
        (b"\xff\xfe<\0", None, Sniffed("utf-16le", 2, "byte order mark")),
        (b"\xfe\xff\0<", None, Sniffed("utf-16be", 2, "byte order mark")),
        (DECLARATION.format("koi8-r").encode(), "latin1", Sniffed("windows-1252", 0, "declared")),
        (DECLARATION.format("koi8-r").encode(), None, Sniffed("koi8-r", 0, "XML declaration")),
        (DECLARATION.replace('"', "'").format("Shift_JIS").encode(), None, Sniffed("shift_jis", 0, "XML declaration")),
        (
            DECLARATION.replace("=", "\n = \t").format("latin1").encode(),
            None,
            Sniffed("windows-1252", 0, "XML declaration"),
        ),
        (DECLARATION.format("UTF-16").encode(), None, Sniffed("utf-8", 0, "default")),
        (DECLARATION.format("no-such").encode(), None, Sniffed("utf-8", 0, "default")),
        (b" " + DECLARATION.format("koi8-r").encode(), None, Sniffed("utf-8", 0, "default")),
        (b"<?xml version='1.0'?><a encoding='koi8-r'/>", None, Sniffed("utf-8", 0, "default")),
        ("<?xml".encode("utf-16-le"), None, Sniffed("utf-16le", 0, "UTF-16 without a byte order mark")),
        ("<a/>".encode("utf-16-be"), None, Sniffed("utf-16be", 0, "UTF-16 without a byte order mark")),
        (b"", None, Sniffed("utf-8", 0, "default")),
    ],
)
def test_sniff_xml(data: bytes, declared: str | None, expected: Sniffed):
    assert sniff_xml(data, declared) == expected


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be", "utf-32", "cp037"])
def test_what_is_recognised_but_not_read_gives_nothing_and_stays(encoding: str):
    data = "<?xml version='1.0'?><a href='b'/>".encode(encoding)
    sniffed = sniff_xml(data)
    assert sniffed.name == "replacement"
    assert sniffed.why.endswith("which is not read")
    parsed = core().parse_xml(Source(data, sniffed.name, sniffed.bom), XmlWanted(frozenset({"href"})))
    assert parsed.places == []
    assert parsed.apply([]) is data


def test_an_unknown_encoding_that_is_declared_by_the_caller():
    with pytest.raises(UnknownEncodingError):
        sniff_xml(b"<a/>", "no-such")


def test_a_long_beginning_is_not_searched_twice():
    assert sniff_xml(b"<?xml " + b" encoding" * 100_000).name == "utf-8"


# --- the order of style sheets


def name(data: bytes, declared: str | None = None) -> str:
    return sniff_css(data, declared).name


def test_first_a_mark_then_what_is_declared_then_charset_then_utf_8() -> None:
    assert sniff_css(b"\xef\xbb\xbf" + CHARSET, "koi8-r") == Sniffed("utf-8", 3, "byte order mark")
    assert sniff_css(b"\xff\xfea\0", "koi8-r") == Sniffed("utf-16le", 2, "byte order mark")
    assert sniff_css(b"\xfe\xff\0a") == Sniffed("utf-16be", 2, "byte order mark")
    assert sniff_css(CHARSET, "KOI8-R") == Sniffed("koi8-r", 0, "declared")
    assert sniff_css(CHARSET) == Sniffed("windows-1251", 0, "@charset")
    assert sniff_css(b"a{}") == sniff_css(b"") == Sniffed("utf-8", 0, "default")


def test_an_unknown_encoding_that_is_declared_for_a_style_sheet_is_an_error() -> None:
    with pytest.raises(UnknownEncodingError):
        sniff_css(b"", "utf-9")


def test_what_html_would_look_for_is_nothing_here() -> None:
    assert name(b"<meta charset=koi8-r>") == "utf-8"
    assert name(b"<?xml version='1.0' encoding='koi8-r'?>") == "utf-8"


# --- these very bytes


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


@pytest.mark.parametrize("label", [b"utf-16", b"UTF-16BE", b"utf-16le", b"unicode"])
def test_utf_16_means_utf_8(label: bytes) -> None:
    assert sniff_css(b'@charset "' + label + b'";') == Sniffed("utf-8", 0, "@charset")
    assert name(b'@charset "' + label + b'";', "utf-16be") == "utf-16be"
