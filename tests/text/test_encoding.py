"""Determining the encoding (`encoding`, `prescan`), and reading and writing in it (`charsets` and below)."""

from functools import partial
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from growth import assert_proportional
from rehref.markup import html_encoding
from rehref.markup.html_encoding import prescan, sniff_html
from rehref.text.charsets import decode, decode_with_offsets, first_bytes, is_ascii_compatible
from rehref.text.encoders import encodable, encode, encode_with_references
from rehref.text.encoding import NAMES, Sniffed, UnknownEncodingError, lookup
from suites import listed
from suites.html5lib import ENCODING_LIST
from suites.html5lib import encoding as html5lib_encoding

ALL = sorted(NAMES)
TEXT_ENCODINGS = [name for name in ALL if name != "replacement"]
MULTI_BYTE = ["big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"]


# --- labels


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("UTF-8", "utf-8"),
        (" utf8\n", "utf-8"),
        ("latin1", "windows-1252"),
        ("ISO-8859-1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("ISO-8859-9", "windows-1254"),
        ("gb2312", "gbk"),
        ("ks_c_5601-1987", "euc-kr"),
        ("x-sjis", "shift_jis"),
        ("utf-16", "utf-16le"),
        ("iso-2022-kr", "replacement"),
        ("x-mac-ukrainian", "x-mac-cyrillic"),
        ("utf-7", None),
        ("", None),
        ("utf-8\x0b", None),
        ("\u212aoi8-r", None),  # the Kelvin sign is no k
    ],
)
def test_lookup(label: str, name: str | None) -> None:
    assert lookup(label) == name


def test_every_name_is_its_own_label() -> None:
    assert len(NAMES) == 40
    for name in ALL:
        assert lookup(name) == name


# --- sniffing


def test_byte_order_mark_comes_first() -> None:
    assert sniff_html(b"\xef\xbb\xbfx", "koi8-r") == Sniffed("utf-8", 3, "byte order mark")
    assert sniff_html(b"\xfe\xff\0x", "utf-8") == Sniffed("utf-16be", 2, "byte order mark")
    assert sniff_html(b"\xff\xfex\0", "utf-8") == Sniffed("utf-16le", 2, "byte order mark")


def test_what_the_caller_declares_comes_before_the_document() -> None:
    assert sniff_html(b"<meta charset=koi8-r>", " UTF-8 ") == Sniffed("utf-8", 0, "declared")
    assert sniff_html(b"", "utf-16") == Sniffed("utf-16le", 0, "declared")


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_an_unknown_declared_encoding_is_an_error_in_any_document(data: bytes) -> None:
    with pytest.raises(UnknownEncodingError, match="unknown encoding 'utf-99'"):
        sniff_html(data, "utf-99")


GUESSED = Sniffed("windows-1252", 0, "default", undeclared=True)


def test_a_file_that_says_nothing_is_utf_8_if_it_is_that_throughout() -> None:
    utf_8 = Sniffed("utf-8", 0, "all of it is UTF-8", undeclared=True)
    assert sniff_html(b"") == utf_8
    assert sniff_html(b"<a href=x>") == utf_8
    assert sniff_html("é".encode()) == utf_8
    assert sniff_html("é".encode() + b" \xe9") == GUESSED
    assert sniff_html("é".encode()[:1]) == GUESSED


@pytest.mark.parametrize("data", [b"", "é".encode(), b"\xe9"])
def test_a_response_that_says_nothing_is_windows_1252(data: bytes) -> None:
    assert sniff_html(data, is_response=True) == GUESSED


META = [
    (b"<meta charset=utf-8>", "utf-8", "<meta charset> at byte 0"),
    (b"<!doctype html>\n<html><head><META CHARSET = 'KOI8-R' />", "koi8-r", "<meta charset> at byte 28"),
    (b"<meta/charset=utf-8/>", None, ""),  # the slash belongs to the unquoted value
    (b"<meta/charset='utf-8'/>", "utf-8", "<meta charset> at byte 0"),
    (b"<meta charset=utf-8", None, ""),  # cut off
    (b"<meta charset='utf-8>", None, ""),
    (b"<metax charset=utf-8>", None, ""),
    (b"<meta>charset=utf-8", None, ""),
    (b"<meta charset=nonsense><meta charset=big5>", "big5", "<meta charset> at byte 23"),
    (b"<meta charset=utf-8 charset=big5>", "utf-8", "<meta charset> at byte 0"),
    (b"<meta x=y =charset=big5 charset=utf-8>", "utf-8", "<meta charset> at byte 0"),
    (b"<meta charset=utf-16be>", "utf-8", "<meta charset> at byte 0"),
    (b"<meta charset=utf-16>", "utf-8", "<meta charset> at byte 0"),
    (b"<meta charset=x-user-defined>", "windows-1252", "<meta charset> at byte 0"),
    (b"<meta http-equiv=Content-Type content='text/html; CharSet=big5'>", "big5", "<meta http-equiv> at byte 0"),
    (b"<meta content='text/html;charset=big5' http-equiv=content-type>", "big5", "<meta http-equiv> at byte 0"),
    (b"<meta http-equiv=content-type content=charset=big5;x>", "big5", "<meta http-equiv> at byte 0"),
    (b"<meta http-equiv=content-type content='charset = \"big5\"'>", "big5", "<meta http-equiv> at byte 0"),
    (b"<meta http-equiv=content-type content='charset=\"big5'>", None, ""),
    (b"<meta http-equiv=content-type content='charset=;'>", None, ""),
    (b"<meta http-equiv=content-type content='charset charset=big5'>", "big5", "<meta http-equiv> at byte 0"),
    (b"<meta http-equiv=content-type content=text/html>", None, ""),
    (b"<meta http-equiv=refresh content='text/html;charset=big5'>", None, ""),
    (b"<meta content='text/html;charset=big5'>", None, ""),
    (b"<meta http-equiv=content-type content='charset=big5' charset=koi8-r>", "koi8-r", "<meta charset> at byte 0"),
    (b"<meta charset=koi8-r http-equiv=content-type content='charset=big5'>", "koi8-r", "<meta charset> at byte 0"),
    (b"<meta charset=bad http-equiv=content-type content='charset=big5'>", "big5", "<meta http-equiv> at byte 0"),
    (b"<!--<meta charset=big5>--><meta charset=utf-8>", "utf-8", "<meta charset> at byte 26"),
    (b"<!--><meta charset=utf-8>", "utf-8", "<meta charset> at byte 5"),
    (b"<!--<meta charset=utf-8>", None, ""),
    (b"<a title='<meta charset=big5>'><meta charset=utf-8>", "utf-8", "<meta charset> at byte 31"),
    (b"</a title='<meta charset=big5>'><meta charset=utf-8>", "utf-8", "<meta charset> at byte 32"),
    (b"<a<meta charset=big5><meta charset=utf-8>", "utf-8", "<meta charset> at byte 21"),
    (b"<?x <meta charset=big5><meta charset=utf-8>", "utf-8", "<meta charset> at byte 23"),
    (b"<!x <meta charset=big5><meta charset=utf-8>", "utf-8", "<meta charset> at byte 23"),
    (b"</ <meta charset=big5><meta charset=utf-8>", "utf-8", "<meta charset> at byte 22"),
    (b"< <meta charset=utf-8>", "utf-8", "<meta charset> at byte 2"),
    (b"<meta charset=iso-2022-kr>", "replacement", "<meta charset> at byte 0"),
    (b"<?xml version='1.0' encoding='koi8-r'?>", "koi8-r", "XML declaration"),
    (b'<?xml version="1.0" encoding = "utf-16"?><a', "utf-8", "XML declaration"),
    (b"<?xml version='1.0' encoding='koi8-r'?><meta charset=big5>", "big5", "<meta charset> at byte 39"),
    (b"<?xml version='1.0' encoding='nonsense'?>", None, ""),
    (b"<?xml version='1.0' encoding x encoding='koi8-r'?>", None, ""),
    (b" <?xml version='1.0' encoding='koi8-r'?>", None, ""),
    (b"<?xml version='1.0'", None, ""),
    ("<?xml version='1.0'?>".encode("utf-16-le"), "utf-16le", "XML declaration in UTF-16"),
    ("<?xml version='1.0'?>".encode("utf-16-be"), "utf-16be", "XML declaration in UTF-16"),
    ("<?xml ?>".encode("utf-16-le") + b"<meta charset=koi8-r>", "utf-16le", "XML declaration in UTF-16"),
]


@pytest.mark.parametrize(("data", "name", "why"), META)
def test_prescan(data: bytes, name: str | None, why: str) -> None:
    expected = GUESSED if name is None else Sniffed(name, 0, why)
    assert sniff_html(data, is_response=True) == expected


def test_the_prescan_looks_at_1024_bytes() -> None:
    declaration = b"<?xml version='1.0' encoding='koi8-r' "
    assert sniff_html(declaration + b"?>".rjust(1024 - len(declaration)), is_response=True).name == "koi8-r"
    assert sniff_html(declaration + b"?>".rjust(1025 - len(declaration)), is_response=True) == GUESSED


# --- a meta anywhere ("changing the encoding while parsing")

FAR = b"<!--" + b"x" * 1024 + b"-->"
META_UTF_8 = b"<meta charset=utf-8>"


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"<head><title>x</title>",
        b"<head><script>if (a < b) '<meta charset=koi8-r>'</script>",
        b"<head><style><meta charset=koi8-r></style>",
        b"<head><title><meta charset=koi8-r></title>",
        b"<!-- <meta charset=koi8-r> --!>",
        b"<a b/c='>'<meta charset=koi8-r>",
        b"<meta charset=nonsense>",
        b"<meta name=charset content=koi8-r>",
        b"<meta name=a content='charset=koi8-r'>",
        b"<meta http-equiv=refresh content='0; charset=koi8-r'>",
        b'<meta name=description content="It\'s > 3">',
        b"<noscript>",
        b"<template>",
        b"<body><p>x",
        b"</head>",
        b"<svg><g>",  # which it breaks out of
        b"<svg><title>",
        b"<table><tr>",
        b"<select><option>",
        b"<?xml version='1.0' encoding='koi8-r'?>",
    ],
)
@pytest.mark.parametrize("far", [b"", FAR])
def test_a_meta_counts_wherever_it_is_processed(before: bytes, far: bytes) -> None:
    data = before + far + META_UTF_8 + b"<meta charset=big5>"
    at = data.index(META_UTF_8)
    assert sniff_html(data) == Sniffed("utf-8", 0, f"<meta charset> at byte {at}")


@pytest.mark.parametrize(
    "around",
    [
        (b"<!--", b"-->"),
        (b"<script>", b"</script>"),
        (b"<style>", b"</style>"),
        (b"<title>", b"</title>"),
        (b"<textarea>", b"</textarea>"),
        (b"<xmp>", b"</xmp>"),
        (b"<iframe>", b"</iframe>"),
        (b"<noframes>", b"</noframes>"),
        (b"<plaintext>", b""),
        (b"<svg><![CDATA[", b"]]></svg>"),
        (b"<frameset>", b"</frameset>"),
        (b"<a title='", b"'>"),
        (b"<x", b">"),
    ],
)
def test_a_meta_that_is_none_does_not_count(around: tuple[bytes, bytes]) -> None:
    before, behind = around
    assert sniff_html(FAR + before + META_UTF_8 + behind + b"<meta charset=koi8-r") == Sniffed(
        "utf-8", 0, "all of it is UTF-8", undeclared=True
    )
    expected = "windows-1252" if before in (b"<plaintext>", b"<frameset>") else "koi8-r"
    data = FAR + before + META_UTF_8 + behind + b"<meta charset=koi8-r>"
    assert sniff_html(data, is_response=True).name == expected


@pytest.mark.parametrize(
    ("meta", "name"),
    [
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset='&#117;tf-8'>", "utf-8"),
        (b"<meta http-equiv=Content-Type content='text/html; &#99;harset=big5'>", "big5"),
        (b"<meta content='text/html; charset=big5' http-equiv=content-type>", "big5"),
        (b"<meta charset=bad http-equiv=content-type content='charset=big5'>", "big5"),
        (b"<meta charset=koi8-r http-equiv=content-type content='charset=big5'>", "koi8-r"),
        (b"<meta content='>charset=big5; <' http-equiv=content-type>", "big5"),
        (b"<meta a<b charset=big5>", "big5"),
        (b"<META\nCHARSET=Big5/>", None),
    ],
)
def test_what_a_late_meta_names(meta: bytes, name: str | None) -> None:
    assert sniff_html(FAR + meta).name == (name or "utf-8")
    assert sniff_html(FAR + meta).undeclared == (name is None)


def test_what_the_caller_declares_goes_before_a_late_meta() -> None:
    assert sniff_html(FAR + META_UTF_8, "koi8-r") == Sniffed("koi8-r", 0, "declared")
    assert sniff_html(b"\xef\xbb\xbf" + FAR + b"<meta charset=koi8-r>").why == "byte order mark"


PIECES = [
    *(b"<meta charset=big5>", b"<meta http-equiv=content-type content=charset=koi8-r>", b"<META a=1 ", b"<meta/"),
    *(b"<title>", b"</title>", b"<script>", b"</script>", b"<!--", b"-->", b"--!>", b"<svg>", b"<![CDATA[", b"]]>"),
    *(
        b"<template>",
        b"<frameset>",
        b"<p>",
        b"<a b=",
        b"'",
        b'"',
        b">",
        b"<",
        b"x" * 300,
        b"&#99;harset=big5",
        b"<style ",
    ),
    *(b"<b/c=", b"charset=utf-8>", b"<noscript>", b"<plaintext>", b"</", b"<?", b"</style>", b"<table>", b"<select>"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_shortcuts_find_what_reading_all_of_it_finds(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    whole = html_encoding._processed(data)
    assert html_encoding.first_meta(data) == whole
    expected = whole or prescan(data)
    assert sniff_html(data, is_response=True) == (
        GUESSED if expected is None else Sniffed(expected.name, 0, expected.why)
    )


@given(st.lists(st.sampled_from([b"<", b"meta", b" charset=", b"'", b'"', b"=", b">", b"/", b"--", b"!", b"utf-8"])))
def test_prescan_never_raises(pieces: list[bytes]) -> None:
    assert sniff_html(b"".join(pieces)).name in NAMES


def test_html5lib_suite(suites: Path) -> None:
    result = html5lib_encoding(suites)
    assert result.cases == 82
    assert result.failed == listed(ENCODING_LIST).keys()


# --- decoding: what the Standard says where Python's codecs differ


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("utf-8", b"a\xe2\x82b\xf0\x9f\x98\xff\xc0\xafc\xed\xa0\x80", "a?b????c???".replace("?", "\ufffd")),
        ("utf-8", b"\xe2\x82", "\ufffd"),
        ("windows-1252", b"\x80\x81\x8d\x9d\xff", "\u20ac\x81\x8d\x9d\xff"),
        ("windows-1253", b"\x81\xaa\xd2", "\x81\ufffd\ufffd"),
        ("windows-1255", b"\xca\xd9", "\u05ba\ufffd"),
        ("windows-874", b"\x80\x81\xa1\xdb", "\u20ac\x81\u0e01\ufffd"),
        ("iso-8859-6", b"\x81\xa1", "\x81\ufffd"),
        ("iso-8859-8-i", b"\xe0\xa1", "\u05d0\ufffd"),
        ("koi8-u", b"\xae\xbe", "\u045e\u040e"),
        ("macintosh", b"\xdb\xf0", "\u20ac\uf8ff"),
        ("x-mac-cyrillic", b"\xff", "\u20ac"),
        ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
        ("replacement", b"abc", "\ufffd"),
        ("replacement", b"", ""),
        ("shift_jis", b"\x5c\x7e\x80\xa0\xb1\xfd", "\\~\x80\ufffd\uff71\ufffd"),
        ("shift_jis", b"\x83\x65\x87\x40\xf0\x40", "テ①\ue000"),
        ("shift_jis", b"\x81'\x81\xff\x81A\x81", "\ufffd'\ufffd、\ufffd"),
        ("shift_jis", b"\x85A", "\ufffdA"),
        ("euc-jp", b"\xa4\xa2\xa1\xc1\xad\xa1\x8e\xb1\x8f\xb0\xa1", "あ～①ｱ丂"),
        ("euc-jp", b"\xa4<\xa4\x80\x8f\xa1<\x8f", "\ufffd<\ufffd\ufffd<\ufffd"),
        ("euc-kr", b"\xb0\xa1\x81A\xa2\xe6", "가갂€"),
        ("euc-kr", b"\xb0'\xb0\x80\xc9\xa1\xffa", "\ufffd'\ufffd\ufffd\ufffda"),
        ("gbk", b"\x80\xc4\xe3\xa3\xa0", "€你\u3000"),
        ("gbk", b"\x81\x30\x81\x30", "\x80"),
        ("gb18030", b"\xa6\xd9\xa8\xbc\x81\x35\xf4\x37\x90\x30\x81\x30", "\ufe10\u1e3f\ue7c7\U00010000"),
        ("gb18030", b"\x81\x30\x81'\x81\x30'", "\ufffd0\ufffd'\ufffd0'"),
        ("gb18030", b"\x84\x32\x84\x32", "\ufffd"),
        ("gb18030", b"\x81\x30\x81", "\ufffd"),
        ("gb18030", b"\x81\x30", "\ufffd"),
        ("big5", b"\xa4\x40\x88\x62\xa3\xe1\x87\xdf\x8e\x69", "一\u00ca\u0304€\u9fcb箸"),
        ("big5", b"\xa4'\x81\x40\x80\xff", "\ufffd'\ufffd@\ufffd\ufffd"),
        ("iso-2022-jp", b"a\x1b$BF|K\\\x1b(J\\~\x1b(I1\x1b(Bz", "a日本\u00a5\u203eｱz"),
        ("iso-2022-jp", b"\x1b$B\x1b(Ba", "\ufffda"),  # an empty shift
        ("iso-2022-jp", b"\x1b$BF\x1b(Ba\x0e\x80", "\ufffda\ufffd\ufffd"),
        ("iso-2022-jp", b"\x1b$BF\n\x1b(B\x1b[x\x1b", "\ufffd\ufffd[x\ufffd"),
        ("iso-2022-jp", b"\x1b$BF", "\ufffd"),
        ("utf-16le", b"a\0\x3d\xd8\x00\xde\0\xd8b\0\0\xdcc", "a\U0001f600\ufffdb\ufffd\ufffd"),
        ("utf-16be", b"\0a\xd8\x3d\xde\0\xd8\0\0b\xdc\0c", "a\U0001f600\ufffdb\ufffd\ufffd"),
        ("utf-16le", b"\0\xd8a", "\ufffd"),
    ],
)
def test_decode(name: str, data: bytes, text: str) -> None:
    assert decode(data, name) == text


@pytest.mark.parametrize("name", [name for name in ALL if is_ascii_compatible(name)])
def test_an_ascii_byte_is_never_swallowed(name: str) -> None:
    for lead, quote in product(range(0x80, 0x100), b"\"'<>&= "):
        assert decode(bytes((lead, quote)), name).endswith(chr(quote))
        assert decode(bytes((lead, lead, quote)), name).endswith(chr(quote))


def test_ascii_compatible() -> None:
    assert {name for name in ALL if not is_ascii_compatible(name)} == {
        "utf-16le",
        "utf-16be",
        "iso-2022-jp",
        "replacement",
    }


# --- laws


def bytes_for(name: str) -> st.SearchStrategy[bytes]:
    """Bytes with many of those that mean something special."""
    pieces = [b"<", b"'", b"0", b"9", b"@", b"A", b"~", b"\x7f", b"\0", b"\n"]
    special = b"\x80\x81\x84\x8e\x8f\xa0\xa1\xa2\xb7\xd8\xdc\xdf\xe0\xed\xf0\xf4\xfc\xfd\xfe\xff"
    pieces += [bytes([byte]) for byte in special]
    if name == "iso-2022-jp":
        pieces += [b"\x1b", b"\x1b(B", b"\x1b$B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"F|", b"\x0e"]
    return st.lists(st.sampled_from(pieces) | st.binary(max_size=2)).map(b"".join)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_offsets_agree_with_decode(name: str, data: st.DataObject) -> None:
    raw = data.draw(bytes_for(name))
    text, offsets = decode_with_offsets(raw, name)
    assert text == decode(raw, name)
    assert len(offsets) == len(text) + 1
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(raw)
    assert offsets[0] == 0 or text == ""


@pytest.mark.parametrize("name", [*MULTI_BYTE, "utf-8"])
@settings(max_examples=examples(40))
@given(data=st.data())
def test_first_bytes_have_the_characters_of_the_text_and_its_lines(name: str, data: st.DataObject) -> None:
    raw = data.draw(bytes_for(name))
    first, (_, offsets) = first_bytes(raw, name), decode_with_offsets(raw, name)
    assert len(first) == len(raw)
    assert [byte for byte in first if byte in b"\r\n"] == [byte for byte in raw if byte in b"\r\n"]
    for offset in offsets:
        continued = sum(0x80 <= byte < 0xC0 for byte in first[:offset])
        assert offset - continued == sum(other < offset for other in offsets)


CHARACTERS = st.one_of(
    st.characters(codec="ascii"),
    st.characters(min_codepoint=0xA0, max_codepoint=0x5FF),
    st.characters(min_codepoint=0x3000, max_codepoint=0x9FFF),
    st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3),
    st.characters(codec="utf-8"),
)


@pytest.mark.parametrize("name", TEXT_ENCODINGS)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_what_encode_writes_decode_reads(name: str, data: st.DataObject) -> None:
    text = data.draw(st.text(CHARACTERS))
    parts = [character for character in text if encodable(character, name)]
    raw = encode("".join(parts), name)
    assert raw is not None
    assert decode(raw, name) == "".join(parts)
    assert encodable(text, name) == (len(parts) == len(text))
    if name != "iso-2022-jp":  # there a character may be told only by the escape sequence before it
        decoded, offsets = decode_with_offsets(raw, name)
        slices = [raw[start:end] for start, end in pairwise(offsets)]
        assert [decode(piece, name) for piece in slices] == list(decoded)


@pytest.mark.parametrize("name", TEXT_ENCODINGS)
@settings(max_examples=examples(40))
@given(text=st.text(CHARACTERS))
def test_references_say_what_the_encoding_cannot(name: str, text: str) -> None:
    expected = "".join(char if encodable(char, name) else f"&#{ord(char)};" for char in text)
    assert decode(encode_with_references(text, name), name) == expected


@pytest.mark.parametrize("name", MULTI_BYTE)
def test_every_unit_of_two_bytes_reads_back_or_is_an_error(name: str) -> None:
    for lead, trail in product(range(0x81, 0xFF), range(0x40, 0xFF)):
        text = decode(bytes((lead, trail)), name)
        assert "\ufffd" in text or encodable(text, name) or len(text) == 2


@pytest.mark.parametrize(
    ("name", "text", "data"),
    [
        ("windows-1252", "é\x81", b"\xe9\x81"),
        ("windows-1252", "\u0416", None),
        ("windows-1253", "\ufffd", None),
        ("shift_jis", "纊∪", b"\xfa\x5c\x81\xbe"),  # IBM's extension before NEC's, JIS before both
        ("shift_jis", "¥", None),  # the Standard writes a backslash
        ("big5", "═十", b"\xf9\xf9\xa4\x51"),  # §5, index Big5 pointer
        ("gbk", "€", b"\x80"),
        ("gbk", "\U0001f600", None),
        ("gb18030", "€\U0001f600\ue7c7", b"\xa2\xe3\x94\x39\xfc\x36\x81\x35\xf4\x37"),
        ("iso-2022-jp", "a日b本", b"a\x1b$BF|\x1b(Bb\x1b$BK\\\x1b(B"),
        ("iso-2022-jp", "\x1b", None),
        ("utf-16le", "a", b"a\0"),
        ("utf-16be", "a", b"\0a"),
        ("utf-8", "\ud800", None),
        ("utf-16le", "\ud800", None),
        ("replacement", "a", None),
        ("replacement", "", b""),
    ],
)
def test_encode(name: str, text: str, data: bytes | None) -> None:
    assert encode(text, name) == data
    assert encodable(text, name) == (data is not None)


def test_nothing_can_be_said_in_replacement_so_it_is_utf_8() -> None:
    assert encode_with_references("é\ud800", "replacement") == "é&#55296;".encode()


@pytest.mark.parametrize("name", ["utf-8", "gb18030", "euc-jp", "utf-16le", "iso-2022-jp"])
def test_time_is_linear(name: str) -> None:
    assert_proportional(lambda n: partial(decode_with_offsets, b"\x81\x30\xfe\x1b" * n, name), 2000)
