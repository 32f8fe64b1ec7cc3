"""Documents as files, without what told browsers how to read them; in every core."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.archives._copies.copied_documents import OfflineFile, _in_base64, offline_file, text_file
from rehref.archives._copies.remaining import CopiedFile, Remaining
from rehref.archives._copies.without_network import has_policy, without_network
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


def scripts_that_fetch(page: str) -> int:
    """How many scripts of a page fetch a saved file."""
    remaining = Remaining()
    remaining.look_at_page(page.encode(), CopiedFile("https://h.example/", "text/html", lambda _: "a.json"))
    return remaining.fetching


FETCHES = "fetch('a.json')"


@pytest.mark.parametrize(
    ("page", "count"),
    [
        (f"<script>{FETCHES}</script>", 1),
        (f"<!-- <script>{FETCHES}</script> -->", 0),
        (f"<script src=https://web.example/a.js>{FETCHES}</script>", 0),
        (f"<script type=application/json>{FETCHES}</script>", 0),
        (f"<script>'<!--'</script><script>{FETCHES}</script>", 1),
        (f'<p title="<script>{FETCHES}</script>">', 0),
        (f"<textarea><script>{FETCHES}</script></textarea>", 0),
        (f"<title><script>{FETCHES}</script></title>", 0),
        (f"<iframe><script>{FETCHES}</script></iframe>", 0),
        (f"<template><script>{FETCHES}</script></template>", 0),
        (f"<svg><![CDATA[<script>{FETCHES}</script>]]></svg>", 0),
        (f"<script-x>{FETCHES}</script-x>", 0),
        (f"<p title='<!--'><script>{FETCHES}</script>", 1),
        (f"<style>/*<!--*/</style><script>{FETCHES}</script>", 1),
        (f"<!-- --!><script>{FETCHES}</script>", 1),
        (f"<script>'</script-x>'; {FETCHES}</script>", 1),
        (f"<script><!-- <script> </script> {FETCHES} --></script>", 1),
        (f"<script data-x=a'b>{FETCHES}</script>", 1),
        (f"<script data-x='{'z' * 2001}'>{FETCHES}</script>", 1),
        (f"<script title=' src=http://x'>{FETCHES}</script>", 1),
        (f"<script src='&#104;ttps://web.example/a.js'>{FETCHES}</script>", 0),
        (f"<script type='application/jso&#110;'>{FETCHES}</script>", 0),
        (f"<svg><script type=application/json /></svg><script>{FETCHES}</script>", 1),
    ],
)
def test_only_what_is_a_script_fetches(page: str, count: int) -> None:
    assert scripts_that_fetch(page) == count


SVG = "<svg xmlns='http://www.w3.org/2000/svg' {}>{}</svg>"


@pytest.mark.parametrize(
    ("data", "runs"),
    [
        (SVG.format("", "<script>x()</script>"), True),
        (SVG.format("onload='x()'", ""), True),
        (SVG.format("", "<!-- <script>x()</script> --><![CDATA[<script>]]><?x <script> ?>"), False),
        (SVG.format("desc=\" onload='x()'\"", ""), False),
        (SVG.format("", "<text> onload='x()'</text>"), False),
        (SVG.format("", "<text>javascript: is no language</text>"), False),
        (SVG.format("", "<a href='x?javascript:'/>"), False),
        ("<rss><script>x</script></rss>", False),
        (SVG.format("", "<a href='java&#115;cript:x()'/>"), True),
        (SVG.format("desc='&lt;!--'", "<script>x()</script>"), True),
        (SVG.format("", "<a><set attributeName='href' to=' javascript:x()'/></a>"), True),
        (SVG.format("", "<a><animate attributeName='href' values='#a;javascript:x()'/></a>"), True),
        (SVG.format("", "<a href='x;javascript:'/>"), False),
        (SVG.format("", "<script type='application/json'>{}</script>"), False),
        ("<feed><m:a xmlns:m='http://www.w3.org/1998/Math/MathML' onclick='x()'/></feed>", True),
        ("<feed><a onclick='x()' href='javascript:x()'/></feed>", False),
    ],
)
def test_only_what_runs_in_xml_counts(data: str, runs: bool) -> None:
    remaining = Remaining()
    remaining.look_at_xml(data.encode())
    assert remaining.scripted_xml == runs


XHTML = "<html xmlns='http://www.w3.org/1999/xhtml'>{}<body/></html>"


@pytest.mark.parametrize(
    "page",
    [
        XHTML.format("<head></head>"),
        XHTML.format("<head/>"),
        "<!-- > --><?x y?><!DOCTYPE html>" + XHTML.format("<!-- x --><head class='a'><title/></head>"),
        XHTML.format("<head title='>'></head>"),
        XHTML.format("<?x y?><head></head>"),
        "<?x a>b?>" + XHTML.format("<head></head>"),
        "<!DOCTYPE html SYSTEM 'a>b'>" + XHTML.format("<head></head>"),
        "<!DOCTYPE html [<!ENTITY x 'y'>]>" + XHTML.format("<head></head>"),
        "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:head></h:head><h:body/></h:html>",
    ],
)
def test_the_policy_is_the_first_child_of_the_head(page: str) -> None:
    from lxml import etree

    new = without_network(page.encode(), "utf-8", is_xml=True)
    assert has_policy(new)
    first = next(iter(_parsed(new).iter("{*}head")))[0]
    assert etree.QName(first).localname == "meta"


def _parsed(page: bytes):  # type: ignore[no-untyped-def]
    """The document element; a page that is not well-formed has an empty one."""
    from lxml import etree

    try:
        return etree.fromstring(page, etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        return etree.fromstring(b"<html><head><wrong/></head></html>")


@pytest.mark.parametrize(
    "before",
    [
        "",
        "<!-- > -->",
        "<!-->",
        "<!-- a --!>",
        "<?x?>",
        "<![CDATA[a]]>",
        "</ a>",
        "</>",
    ],
)
def test_a_page_with_a_policy_is_read_in_the_same_mode(before: str) -> None:
    new = without_network(f"{before}<!DOCTYPE html><p>".encode(), "utf-8", is_xml=False)
    assert new.startswith(f"{before}<!DOCTYPE html><meta".encode())


@pytest.mark.parametrize("before", ["", "\ufeff", "<!DOCTYPE html>", "\n<!-- a -->", "</ a>"])
@pytest.mark.parametrize(
    "cut_off",
    [
        *("<img src=/x onerror='", "<img src=/x onerror=", "<img src=/x ", "<p", "</p", "<a title='>", "<", "</", "<!"),
        *("<?", "<!-", "<!--", "<!-- > ", "<!-- --", "<!-- --!", "<!DOCTYPE html", "<!DOCTYPE html '", "<![CDATA["),
    ],
)
def test_a_policy_completes_nothing_that_the_end_of_the_page_cuts_off(before: str, cut_off: str) -> None:
    policy = without_network(b"", "utf-8", is_xml=False).decode()
    new = without_network(f"{before}{cut_off}".encode(), "utf-8", is_xml=False).decode()
    assert new == before + policy + cut_off


def test_a_policy_is_behind_what_ends_with_the_page() -> None:
    for page in ("<!DOCTYPE html>", "<!-- a -->", "<!-->", "<!-- a --!>", "</ a>", "<?x>"):
        assert without_network(page.encode(), "utf-8", is_xml=False).decode().startswith(f"{page}<meta")


def test_a_policy_is_in_the_encoding_of_the_page() -> None:
    policy = without_network(b"", "utf-8", is_xml=False)
    comment = b"<!-- \x1b$B\x2d\x2d\x3e\x30\x1b(B -->"  # two characters, in whose bytes is the end of a comment
    assert without_network(comment + b"<p>", "iso-2022-jp", is_xml=False) == comment + policy + b"<p>"
    broken = "\ufeff<p>x".encode("utf-16-le") + b"\x00\xdc"
    new = without_network(broken, "utf-16le", is_xml=False)
    assert new == broken[:2] + policy.decode().encode("utf-16-le") + broken[2:]


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
