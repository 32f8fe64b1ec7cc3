"""What a file is, by its name and how it begins. One test or more for each rule of the module."""

from __future__ import annotations

import gzip

import pytest

import rehref
from rehref.documents.media_types import Beginning, FileName, MediaType

HTML, XML, CSS, TEXT = "text/html", "application/xml", "text/css", "text/plain"
OTHER, ASK = (None, False), (None, True)


def told(name: str) -> tuple[MediaType | None, bool]:
    """Return the type that a name tells, and whether the content decides."""
    found = FileName.of(name)
    return found.media_type, found.is_open


def type_of_file(name: str, head: bytes) -> str | None:
    """Return the type of a file."""
    return Beginning(head).media_type_named(FileName.of(name))


# --- names that tell


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.html", HTML),
        ("A.HTM", HTML),
        ("a.css", CSS),
        ("a.xht", "application/xhtml+xml"),
        ("a.txt", TEXT),
        ("manifest.json", "application/manifest+json"),
        ("a.json", OTHER),
        ("a.PNG", OTHER),
        ("a.min.js", OTHER),
        ("a.woff2", OTHER),
        ("a.tar.gz", OTHER),
        ("a.md", "text/markdown"),
    ],
)
def test_the_end_of_a_name_tells(name: str, expected: object) -> None:
    assert told(name) == (expected if isinstance(expected, tuple) else (expected, False))


# --- what mirrors put behind names


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("main.css?v=1.2", "main.css"),
        ("index.html@p=1", "index.html"),
        ("style.css,v", "style.css"),
        ("a.html.1", "a.html"),
        ("a.html.orig", "a.html"),
        ("a.html.1.ORIG", "a.html"),
        ("a.html?x=1.2", "a.html"),
        ("@x.html", "@x.html"),
        ("?x", "?x"),
        (".1", ".1"),
        ("a.12345", "a.12345"),
    ],
)
def test_what_stands_before(name: str, before: str) -> None:
    assert FileName.of(name).stem == before


@pytest.mark.parametrize("name", ["a.js?v=1.html5", "a.png.1", "a.js,v", "a.js@v=2", "icon@2x.png", "a.pdf?page=3"])
def test_what_is_no_document_by_what_stands_before_is_not_opened(name: str) -> None:
    assert told(name) == OTHER


@pytest.mark.parametrize(
    "name",
    [
        *("index.php?title=File:Foo.png", "view.php?img=a.png", "go?u=x.js", "view.php?img=a", "search?q=a.css"),
        *(
            "download.php?n=a.pdf",
            "a.php?x=y.zip",
            "index.php@title=File%3AFoo.png",
            "feed?f=a.xml",
            "a.php?f=b.tar.gz",
        ),
        *("a.php?f=b.txt", "go@u=x.js"),
    ],
)
def test_the_end_of_a_query_does_not_tell(name: str) -> None:
    assert told(name) == ASK
    assert type_of_file(name, b"<!doctype html>") == HTML
    assert type_of_file(name, b"\x89PNG\r\n\x1a\n\0") is None


@pytest.mark.parametrize("name", ["photo.png", "photo.png?w=1.html5", "icon@2x.png", "a,b.png", "me@x.js", "?x.png"])
def test_where_there_is_no_query_or_what_stands_before_tells_nothing_is_opened(name: str) -> None:
    assert told(name) == OTHER


def test_a_text_behind_a_query_is_what_it_is_named() -> None:
    assert type_of_file("go?u=x.css", b"a { b: url(c) }") == CSS
    assert type_of_file("go?u=x.js", b"var x") == TEXT


@pytest.mark.parametrize("name", ["me@example.html", "a,b.html", "page.php?x=1.html", "index.html?x=1.html"])
def test_an_end_that_nothing_contradicts_tells(name: str) -> None:
    assert told(name) == (HTML, False)


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("main.css?v=1.2", b"a { b: c }", CSS),
        ("main.css?v=1.2", b"<!doctype html>", HTML),
        ("main.css?v=1.2", b"\x89PNG\r\n\x1a\n\0", None),
        ("index.html@p=1", b"no tag at all", HTML),
        ("index.html?feed=rss2", b"<?xml version='1.0'?><rss>", XML),
        ("a.svg?1", b"<?xml version='1.0'?><svg/>", "image/svg+xml"),
        ("a.xhtml?1", b"<html xmlns='http://www.w3.org/1999/xhtml'>", "application/xhtml+xml"),
        ("style.css,v", b"a { b: url(c) }", CSS),
        ("a.html.1", b"x", HTML),
        ("a.html.orig", b"", HTML),
        ("a.js?u=b.html", b"var x", TEXT),
        ("a.js?u=b.html", b"<html>", HTML),
        ("main.css?u=b.html", b"a {}", CSS),
        ("a.html?i=b.png", b"\x89PNG\0", None),
    ],
)
def test_the_content_decides_behind_a_tail(name: str, head: bytes, expected: str | None) -> None:
    assert told(name) == ASK
    assert type_of_file(name, head) == expected


# --- content


_TAGS = (
    *("!DOCTYPE HTML", "HTML", "HEAD", "SCRIPT", "IFRAME", "H1", "DIV", "FONT", "TABLE", "A", "STYLE", "TITLE"),
    *("B", "BODY", "BR", "P"),
)


@pytest.mark.parametrize("tag", _TAGS)
def test_the_patterns_of_the_standard(tag: str) -> None:
    for written in (tag, tag.lower()):
        assert Beginning(f"\n\t <{written}>".encode()).media_type == HTML
        assert Beginning(f"<{written} x".encode()).media_type == HTML
        assert Beginning(f"<{written}x".encode()).media_type == TEXT
        assert Beginning(f"x<{written}>".encode()).media_type == TEXT


@pytest.mark.parametrize("name", ["LICENSE", "page.php?id=1", "a.asp", "a.ASPX", "a.jsp", "a.cgi", "3.14", "a.", "x.y"])
def test_where_no_name_tells_the_content_does(name: str) -> None:
    assert told(name) == ASK
    assert type_of_file(name, b"<!DOCTYPE html>") == HTML
    assert type_of_file(name, b"<?xml version='1.0'?><feed/>") == XML
    assert type_of_file(name, b"The MIT License <b>") == TEXT
    assert type_of_file(name, b"<?php echo '<html>'; ?>") == TEXT
    assert type_of_file(name, b"") == TEXT
    assert type_of_file(name, b"GIF89a\0") is None


@pytest.mark.parametrize("byte", [*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
def test_a_binary_data_byte_in_the_header(byte: int) -> None:
    assert Beginning(b"x" * 1444 + bytes([byte])).media_type is None
    assert Beginning(b"x" * 1445 + bytes([byte])).media_type == TEXT


def test_plain_text_is_no_document_of_a_folder() -> None:
    assert [MediaType.of(each).is_found for each in (HTML, CSS, TEXT, None)] == [True, True, False, False]


# --- beyond the Standard


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\xef\xbb\xbf<p>", HTML),
        ("\ufeff<html>".encode("utf-16-le"), HTML),
        ("\ufeff<html>".encode("utf-16-be"), HTML),
        ("\ufeffhello".encode("utf-16-le"), TEXT),
        (b"<!-- saved from url=(0016)http://h/ --><html>", HTML),
        (b"<!--x--><html>", HTML),
        (b"<body\nclass=x>", HTML),
        (b"<rss version='2.0'>", XML),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html>\n<html lang='en'>", HTML),
    ],
)
def test_what_else_is_known(head: bytes, expected: str) -> None:
    assert Beginning(head).media_type == expected


# --- gzip


@pytest.mark.parametrize("name", ["a.html.gz", "A.HTM.GZ", "a.xhtml.gz", "a.svgz", "a.svg.gz"])
def test_gzipped_pages_are_documents_by_name(name: str) -> None:
    assert MediaType.of(FileName.of(name).media_type).is_found


@pytest.mark.parametrize("name", ["a.css.gz", "sitemap.xml.gz", "a.gz", "a.js.gz", "a.txt.gz"])
def test_other_gzipped_files_are_none(name: str) -> None:
    assert told(name) == OTHER


def test_what_is_inside_of_gzipped_data_is_asked() -> None:
    assert type_of_file("page.php?id=1", gzip.compress(b"<html>" + b"x" * 100_000)[:4096]) == HTML
    assert type_of_file("page.php?id=1", gzip.compress(b"\0\0")) is None
    assert type_of_file("page.php?id=1", b"\x1f\x8bnothing") is None


# --- what was kept


@pytest.mark.parametrize(
    "name", ["a.html~", "a.html.bak", "a.html.bak.1", "LICENSE~", "a.php?x=1.bak", "a?x.bak.1", "a?x~"]
)
def test_what_was_kept_is_no_document(name: str) -> None:
    assert told(name) == OTHER


# --- what is no document whatever its name

BEGINNINGS = {
    "a PNG image": b"\x89PNG\r\n\x1a\n",
    "a JPEG image": b"\xff\xd8\xff\xe0",
    "a GIF image": b"GIF89a",
    "a WebP image": b"RIFF\x10\0\0\0WEBPVP8 ",
    "a BMP image": b"BM\x10\0\0\0",
    "a Windows icon": b"\0\0\1\0\1",
    "a PDF file": b"%PDF-1.4 ",
    "a PostScript file": b"%!PS-Adobe-3.0 ",
    "a zip file": b"PK\3\4",
    "a RAR archive": b"Rar!\x1a\x07\0",
    "an Ogg file": b"OggS\0",
    "a WebM or Matroska file": b"\x1aE\xdf\xa3",
    "a MIDI file": b"MThd\0\0\0\6",
    "a WAVE file": b"RIFF\x10\0\0\0WAVE",
    "an AVI film": b"RIFF\x10\0\0\0AVI ",
    "an AIFF file": b"FORM\0\0\0\1AIFF",
    "an AU file": b".snd\0\0\0",
    "an MP3 file": b"ID3\3\0\0",
    "an MP4, AVIF or HEIC file": b"\0\0\0\x18ftypmp42",
    "a TrueType font": b"\0\1\0\0\0",
    "an OpenType font": b"OTTO\0\1",
    "a collection of TrueType fonts": b"ttcf\0\1",
    "a WOFF font": b"wOF2\0\1",
    "an Embedded OpenType font": b"abcdefgh\1\0\2\0" + b"x" * 22 + b"LP",
}


@pytest.mark.parametrize(("name", "begins"), list(BEGINNINGS.items()))
def test_the_patterns_of_what_is_no_document(name: str, begins: bytes) -> None:
    data = begins + b"<a href=x>"
    assert Beginning(data).no_document == name
    assert Beginning(begins).no_document == name
    assert Beginning(data).media_type is None
    for file in ("a.html", "a.css", "a.svg", "a.txt", "page.php?id=1", "a"):
        assert type_of_file(file, data) is None


@pytest.mark.parametrize("begins", BEGINNINGS.values())
def test_they_stand_at_the_very_beginning(begins: bytes) -> None:
    assert Beginning(b" " + begins).no_document is None
    assert Beginning(b"<p>" + begins).no_document is None


@pytest.mark.parametrize("text", [b"BMI <a href=x>", b"ID3 tags", b"OTTO <p>", b"wOFF", b".snd", b"RIFF....WAVE"])
def test_letters_are_not_enough(text: bytes) -> None:
    assert Beginning(text).no_document is None
    assert Beginning(text + b"x" * 1445 + b"\0").no_document is None


@pytest.mark.parametrize("mark", ["utf-16", "utf-16-be", "utf-16-le", "utf-8-sig", "utf-8"])
def test_markup_in_unicode_is_none_of_these(mark: str) -> None:
    assert Beginning("<!doctype html>".encode(mark)).no_document is None


def test_what_is_gzipped_is_not_known_by_that() -> None:
    assert Beginning(b"\x1f\x8b\x08\0").no_document is None


@pytest.mark.parametrize("name", ["w?z.md", "Why not?.md", "v1.2?.md", "a@b.md", "n?.ipynb", "Who, me?.mdx"])
def test_a_question_in_the_title_of_a_source_is_no_query(name: str) -> None:
    found = FileName.of(name).media_type
    assert found in ("text/markdown", "application/x-ipynb+json")
    assert type_of_file(name, b"<h1 align=center>Title</h1>") == found


def test_a_source_behind_a_query_is_told_by_its_content() -> None:
    assert told("view?file=a.md") == ASK
    assert type_of_file("view?file=a.md", b"# Title") == "text/markdown"
    assert type_of_file("view?file=a.md", b"<!doctype html>") == HTML


@pytest.mark.parametrize(
    ("before", "media_type"),
    [
        ("<!-- > --><!DOCTYPE html>", "text/html"),
        ("<!DOCTYPE html PUBLIC 'a' 'b'><?x y?>", "text/html"),
        ("<?x a>b?>", "text/html"),
        ("<!DOCTYPE html SYSTEM 'a>b'>", "text/html"),
        ("<!DOCTYPE html [<!ENTITY x ']'>]>", "text/html"),
    ],
)
def test_an_html_element_after_a_declaration_makes_html(before: str, media_type: str) -> None:
    (page,) = rehref.iter_pages(f"<?xml version='1.0'?>{before}<html><body></html>".encode(), url="http://h.example/")
    assert page.media_type == media_type
