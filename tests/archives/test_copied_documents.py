"""Documents as files, without what told browsers how to read them; in every core."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.archives._copies.copied_documents import OfflineFile, _in_base64, offline_file, text_file
from rehref.containers.parts import Part
from rehref.documents.base import Candidate, Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_page
from rehref.text.encoding import Source, lookup

SAVED = {"http://h/a.css": "h/a.css", "http://h/i.png": "h/i.png"}
BOM = b"\xef\xbb\xbf"
CORES = ("source", "lxml", "html5lib")


def part(data: bytes, media_type: str | None = "text/html", charset: str | None = None) -> Part:
    return Part("n", "l", data, media_type, lookup(charset or ""), Layers((Candidate("http://h/p", "entity", "x"),)))


def made(data: bytes, media_type: str = "text/html", charset: str | None = None, core: str = "source") -> OfflineFile:
    return offline_file(part(data, media_type, charset), SAVED.get, "h/p.html", ReadOptions(parser=core))


@pytest.mark.parametrize("core", CORES)
def test_what_refuses_to_load_files_goes(core: str) -> None:
    page = (
        b'<!DOCTYPE html><html><head><meta http-equiv="CONTENT-Security-Policy " content="default-src https:">'
        b'<meta http-equiv="refresh" content="1;url=a.css">'
        b'<link rel="stylesheet" href="a.css" integrity="x" crossorigin="">'
        b'</head><body><img crossorigin="anonymous" src="i.png"></body></html>'
    )
    assert made(page, core=core).data.replace(b"\n", b"") == (
        b'<!DOCTYPE html><html><head><meta content="default-src https:">'
        b'<meta http-equiv="refresh" content="1;url=a.css"><link rel="stylesheet" href="a.css">'
        b'</head><body><img src="i.png"></body></html>'
    )


def test_style_sheets_have_no_hashes_of_saved_files() -> None:
    sheet = b"@import url('/a.css' integrity('sha256-x'));p{background:url('/b' integrity('sha256-y'))}"
    expected = b"@import url('a.css' integrity(''));p{background:url('http://h/b' integrity('sha256-y'))}"
    assert made(sheet, "text/css").data == expected


def test_an_import_map_has_no_hashes_of_saved_files() -> None:
    page = b'<script type=importmap>{"integrity": {"/a.css": "sha256-x", "/b.js": "sha256-y"}}</script>'
    assert made(page).data == (
        b'<script type=importmap>{"integrity": {"./a.css": "", "http://h/b.js": "sha256-y"}}</script>'
    )


@pytest.mark.parametrize("core", CORES)
def test_a_charset_that_stood_outside_is_kept(core: str) -> None:
    assert BOM + "ä".encode() in made("<p>ä".encode("latin-1"), charset="latin1", core=core).data.replace(
        b"<html><head></head><body><p>", b""
    ).replace(b"<p>", b"")


@pytest.mark.parametrize(
    ("data", "media_type", "charset", "file"),
    [
        (b"<p>a", "text/html", "latin1", b"<p>a"),
        ("<meta charset=utf-8>ä".encode(), "text/html", "utf-8", "<meta charset=utf-8>ä".encode()),
        ("<meta charset=utf-8>ä".encode("latin-1"), "text/html", "latin1", BOM + "<meta charset=utf-8>ä".encode()),
        ("\ufeff<p>ä".encode(), "text/html", "latin1", "\ufeff<p>ä".encode()),
        ("\ufeff<p>ä".encode("utf-16le"), "text/html", None, "\ufeff<p>ä".encode("utf-16le")),
        ("<p>ä".encode("latin-1"), "text/html", None, BOM + "<p>ä".encode()),
        ("<p>a".encode("utf-16le"), "text/html", "utf-16", BOM + b"<p>a"),
        ("<p>ä".encode("utf-16be"), "text/html", "utf-16be", BOM + "<p>ä".encode()),
        ("p { content: 'ä' }".encode("utf-16le"), "text/css", "utf-16le", BOM + "p { content: 'ä' }".encode()),
        (b"\x89PNG\0\xff", "text/html", None, b"\x89PNG\0\xff"),
        (b"p { content: '\xe4' }", "text/css", "latin1", BOM + "p { content: 'ä' }".encode()),
        ("p { content: 'ä' }".encode(), "text/css", None, "p { content: 'ä' }".encode()),
        (b"<x>\xe4</x>", "application/xml", "latin1", BOM + "<x>ä</x>".encode()),
        ("<x>ä</x>".encode(), "application/xml", None, "<x>ä</x>".encode()),
    ],
)
def test_a_file_is_read_as_it_was_meant(data: bytes, media_type: str, charset: str | None, file: bytes) -> None:
    assert made(data, media_type, charset).data == file


@pytest.mark.parametrize(
    ("data", "media_type", "charset", "file"),
    [
        (b"'\xe4'", "application/javascript", "latin1", BOM + "'ä'".encode()),
        (b"\xe4", "text/plain", "latin1", BOM + "ä".encode()),
        (b"\xe4", "text/plain", None, b"\xe4"),
        ("a=1".encode("utf-16le"), "text/javascript", "utf-16", BOM + b"a=1"),
        ("\ufeffa".encode("utf-16be"), "text/plain", "utf-16be", "\ufeffa".encode("utf-16be")),
        (b"\xe4", "text/plain", "no such", b"\xe4"),
        (b"\xe4\0", "text/plain", "latin1", b"\xe4\0"),
        (b"\x89PNG\xff", "image/png", "latin1", b"\x89PNG\xff"),
    ],
)
def test_text_is_read_as_it_was_meant(data: bytes, media_type: str, charset: str | None, file: bytes) -> None:
    assert text_file(part(data, media_type, charset)) == file


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title> A &amp;\n B </title>", "A & B"),
        ("<TITLE lang=de>Größe</title>", "Größe"),
        ("<title></title>", ""),
        ("<p>", ""),
        (f"<title>{'x' * 5000}</title>", "x" * 200),
    ],
)
def test_titles(page: str, title: str) -> None:
    assert made(page.encode(), charset="utf-8").title == title


PIECES = (
    *("<!DOCTYPE html>", "<!doctype html ", "<!--", "-->", "--!>", "<!-->", "<!", "<?x", ">", "</", "<", "&", "x", " "),
    *("<p>", "<p ", "title='", "'", '="', '"', "<img src=/x onerror='", "</p>", "<html", "<html>", "<head>", "<svg>"),
    *("<title>", "</title>", "<script>", "</script>", "<textarea>", "<template>", "<noscript>", "<![CDATA["),
)


@given(st.lists(st.sampled_from(PIECES), max_size=7).map("".join))
def test_what_is_put_into_a_head_adds_only_itself(page: str) -> None:
    added = read_page(Source(page.encode(), "utf-8")).with_in_head('<link rel="added" title="\'>"/>')
    assert isinstance(added, bytes)
    elements = _elements(added)
    assert elements.count(("link", "added")) == 1
    assert [each for each in elements if each != ("link", "added")] == _elements(page.encode())


def _elements(page: bytes) -> list[tuple[str, str | None]]:
    """The elements of a page, by html5lib: the name of each, and its `rel`."""
    from html5lib import HTMLParser
    from html5lib.treebuilders import getTreeBuilder

    tree = HTMLParser(getTreeBuilder("etree"), namespaceHTMLElements=False).parse(page, transport_encoding="utf-8")
    return [(each.tag, each.get("rel")) for each in tree.iter() if isinstance(each.tag, str)]  # no comments


@pytest.mark.parametrize(
    "sheet", ["a{background:url(x.png)}", "@import 'x';a{b:url(\"x.png\")}", "a{b:url(#x)url(x.png)}"]
)
def test_references_in_base64_are_counted(sheet: str) -> None:
    packed = b64encode(sheet.encode()).decode()
    found = _in_base64("link", f"data:text/css;base64,{packed}")
    assert found == ["x.png"]
    assert _in_base64("img", f"data:text/css;base64,{packed}") == []
    assert _in_base64("link", f"data:text/css,{sheet}") == _in_base64("link", "data:text/css;base64,&") == []
