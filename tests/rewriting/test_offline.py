"""`Offline`: what is saved is referred to where it is saved, all else is absolute."""

from __future__ import annotations

import pickle
from html import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rehref
from rehref.rewriting.offline_rule import reached, relative_path

CORES = ("source", "lxml", "html5lib")
URL = "https://h/a/b.html"
SAVED = {
    URL: "a/b.html",
    "https://h/a/c.html": "a/c.html",
    "https://h/d/": "d/index.html",
    "https://h/p.php?id=1": "p.php?id=1",
    "https://h/p.php?id=2": "p.php@id=2.html",
    "https://h/a/x:y": "a/x:y",
    "https://h/50%25": "50%",
    "https://h/n%231": "n#1",
    "https://h/a%20b": "a b",
    "https://h/gr%C3%BC.html": "grü.html",
    "https://cdn.example:8080/i.png": "cdn.example+8080/i.png",
    "https://h/~u": "u/home.html",
    "https://bücher.example": "buch/index.html",
}


def offline(html, rule=None, **options):
    options.setdefault("url", URL)
    return rehref.rewrite(html, rehref.Offline(SAVED) if rule is None else rule, **options)


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("reference", "becomes"),
    [
        ("c.html", "c.html"),
        ("/a/c.html", "c.html"),
        ("https://h/a/c.html#f", "c.html#f"),
        ("HTTPS://H:443/a/../a/%63.html#F", "c.html#F"),
        ("/d/", "../d/index.html"),
        ("../d/#x", "../d/index.html#x"),
        ("/p.php?id=1", "../p.php%3Fid=1"),
        ("/p.php?id=2#%20", "../p.php@id=2.html#%20"),
        ("/p.php?id=3", "https://h/p.php?id=3"),
        ("/a/x:y", "./x:y"),
        ("/50%25", "../50%25"),
        ("/n%231", "../n%231"),
        ("/a%20b", "../a%20b"),
        ("/a b", "../a%20b"),
        ("/grü.html", "../gr%C3%BC.html"),
        ("//cdn.example:8080/i.png", "../cdn.example+8080/i.png"),
        ("/%7Eu", "../u/home.html"),
        ("//xn--bcher-kva.example/", "../buch/index.html"),
        ("//bücher.example/#é", "../buch/index.html#é"),
        ("z.html", "https://h/a/z.html"),
        ("/", "https://h/"),
        ("?q", "https://h/a/b.html?q"),
        ("https://other.example/../x", "https://other.example/../x"),
        ("//other.example/x", "https://other.example/x"),
        ("#x", "#x"),
        ("", ""),
        ("mailto:a@b", "mailto:a@b"),
        ("javascript:x/../y", "javascript:x/../y"),
        ("data:,x", "data:,x"),
        ("urn:x:y", "urn:x:y"),
    ],
)
def test_what_a_reference_becomes(core, reference, becomes):
    document = f'<!DOCTYPE html><html><head></head><body><a href="{escape(reference)}">x</a></body></html>'
    assert [link.reference for link in rehref.links(offline(document, parser=core))] == [becomes]


@pytest.mark.parametrize(
    "reference", ["./c.html", "../a/c.html", "%63.html#f", "../d/./index.html", "../gr%c3%bc.html"]
)
def test_what_leads_there_already_stays_as_it_is_written(reference):
    files = {**SAVED, "https://h/d/index.html": "d/index.html"}
    document = f"<a href='{reference}'>"
    assert offline(document, rehref.Offline(files)) == document


@pytest.mark.parametrize("reference", ["../../a/c.html", "%2e%2e/a/c.html", "..\\a\\c.html", "c.html?"])
def test_what_would_lead_elsewhere_on_a_disk_is_written_anew(reference):
    files = {**SAVED, "https://h/a/c.html?": "a/c.html", "https://h/a/%2e%2e/a/c.html": "a/c.html"}
    assert "'c.html'" in offline(f"<a href='{reference}'>", rehref.Offline(files))


def test_a_base_element_no_longer_redirects_what_is_local():
    document = "<base href='/d/' target=t><a href='/a/c.html'></a><img src='i.png'><a href='#x'></a><a href=''></a>"
    rest = (
        "<a href='c.html'></a><img src='https://h/d/i.png'><a href='../d/index.html#x'></a>"
        "<a href='../d/index.html'></a>"
    )
    assert offline(document) == f"<base href='' target=t>{rest}"
    dropped = offline(document, rehref.Offline(SAVED, base_element="drop"))
    assert dropped == f"<base target=t>{rest}"
    with pytest.raises(ValueError, match="base_element"):
        rehref.Offline(SAVED, base_element="keep")  # type: ignore[arg-type]


def test_lists_style_sheets_and_drawings():
    assert offline("<img srcset='/a/c.html 1x, /z 2x, /p.php?id=1 3x'>") == (
        "<img srcset='c.html 1x, https://h/z 2x, ../p.php%3Fid=1 3x'>"
    )
    sheet = "@import '/a/c.html'; a{b:url(/p.php?id=1);c:url(#d)}"
    assert offline(sheet, media_type="text/css") == "@import 'c.html'; a{b:url(../p.php%3Fid=1);c:url(#d)}"
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' xml:base='{}'>"
        "<image xlink:href='{}'/><use href='#u'/><a href='{}'/></svg>"
    )
    before, after = (
        svg.format("/d/", "/a/c.html", "z"),
        svg.format("", "c.html", "https://h/a/z"),
    )  # browsers ignore xml:base
    assert offline(before.encode(), media_type="image/svg+xml").decode() == after


def test_a_document_in_a_document_has_its_file():
    assert offline("<iframe srcdoc=\"<img src='/p.php?id=1'>\">") == ("<iframe srcdoc=\"<img src='../p.php%3Fid=1'>\">")


def test_metadata_and_what_is_relative_to_a_codebase_say_where_things_are_on_the_web():
    document = "<meta property='og:image' content='c.html'><applet codebase='/a/' archive='c.html'></applet>"
    assert offline(document, rehref.Offline(SAVED, metadata=True)) == (
        "<meta property='og:image' content='https://h/a/c.html'>"
        "<applet codebase='https://h/a/' archive='https://h/a/c.html'></applet>"
    )


def test_what_browsers_read_otherwise_means_what_they_read():
    assert offline("<img src='\\d\\'><img src='\\img\\z.png'>") == (
        "<img src='../d/index.html'><img src='https://h/img/z.png'>"
    )


def test_a_document_that_is_not_saved_becomes_absolute():
    assert offline("<a href='c.html'></a>", url="https://h/a/not-saved.html") == "<a href='https://h/a/c.html'></a>"
    rule = rehref.Offline(SAVED, at="x/y/z.html")
    assert offline("<a href='c.html'></a>", rule, url="https://h/a/not-saved.html") == ("<a href='../../a/c.html'></a>")


def test_no_file_uri_is_written():
    rule = rehref.Offline({"file:///m/c.html": "c.html"}, at="b.html")
    document = "<base href=e/><a href=../c.html></a><a href=d.html></a>"
    assert offline(document, rule, url="file:///m/b.html") == '<base href=""><a href=c.html></a><a href=d.html></a>'


def test_a_rule_before_it():
    table = rehref.Mapping({"https://old/*": "https://h/", "https://h/a/c.html": "https://other/c"})
    rule = rehref.Offline(SAVED, first=table)
    assert offline("<a href='//old/d/'></a><a href='//old/z'></a><a href='c.html'></a>", rule) == (
        "<a href='../d/index.html'></a><a href='https://h/z'></a><a href='https://other/c'></a>"
    )


def test_files_may_be_a_function():
    asked = []

    def find(uri: str) -> str | None:
        asked.append(uri)
        return "q/c" if uri == "https://h/a/c.html" else None

    assert offline("<a href='HTTPS://h/a/c.html#f'></a>", rehref.Offline(find, at="r")) == "<a href='q/c#f'></a>"
    assert asked == ["https://h/a/c.html"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../x", "", "a//b", "a/", "."])
def test_paths_that_leave_the_folder_are_refused(path):
    with pytest.raises(ValueError, match="not a path below"):
        rehref.Offline({"https://h/": path})
    with pytest.raises(ValueError, match="not a path below"):
        rehref.Offline({}, at=path)


def test_it_can_be_sent_to_another_process():
    rule = pickle.loads(pickle.dumps(rehref.Offline(SAVED)))
    assert offline("<a href='/d/'></a>", rule) == "<a href='../d/index.html'></a>"


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<link rel="x" href="/a/c.html" integrity="y" crossorigin="">', '<link rel="x" href="c.html">'),
        ('<link integrity="y" rel="x" href="./c.html">', '<link rel="x" href="./c.html">'),
        ('<script crossorigin="anonymous" src="c.html"></script>', '<script src="c.html"></script>'),
        (
            '<script crossorigin="anonymous" integrity="y" src="https://o/z"></script>',
            '<script crossorigin="anonymous" integrity="y" src="https://o/z"></script>',
        ),
        ('<img crossorigin="" src="z">', '<img crossorigin="" src="https://h/a/z">'),
        ('<meta http-equiv="Content-Security-Policy" content="x">', '<meta content="x">'),
        ('<meta http-equiv="refresh" content="1;url=/a/c.html">', '<meta http-equiv="refresh" content="1;url=c.html">'),
    ],
)
def test_what_keeps_a_browser_from_loading_what_is_saved_goes(core, before, after):
    written = offline(f"<!DOCTYPE html><html><head>{before}", parser=core)
    assert after in written
    assert before == after or before not in written


def test_what_was_rewritten_already_stays():
    """A document on one host, in a folder for each host, whose references to the other host lead to its folder."""
    files = {"https://h/a/b.html": "h/a/b.html", "https://cdn.example/x": "cdn.example/x"}
    document = "<img src='../../cdn.example/x#f'><img src='../../cdn.example/y'>"
    assert offline(document, rehref.Offline(files)) == (
        "<img src='../../cdn.example/x#f'><img src='https://h/cdn.example/y'>"
    )
    based = "<base href='../a/b.html'>" + document
    assert "'../../cdn.example/x#f'" in offline(based, rehref.Offline(files))
    elsewhere = "<base href='/z/'>" + document
    assert "'https://h/cdn.example/x#f'" in offline(elsewhere, rehref.Offline(files))


_names = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=4).filter(
    lambda name: name not in (".", "..")
)
_paths = st.lists(_names, min_size=1, max_size=4).map("/".join)


@given(_paths, _paths)
def test_a_relative_path_leads_where_it_should(own, path):
    written = relative_path(own, path)
    assert reached(written, own) == path
    # and so does the RFC's own algorithm, in a folder that it does not leave
    base = rehref.resolve("file:///root/", relative_path("x", own))
    meant = rehref.resolve("file:///root/", relative_path("x", path))
    assert rehref.resolve(base, written) == meant
    assert rehref.normalize(rehref.resolve(base, written, "whatwg")) == rehref.normalize(meant)


@given(_paths, _paths)
@example("0", "u")
def test_rewriting_twice_is_rewriting_once(own, path):
    rule = rehref.Offline({"https://h/t": path}, at=own)
    # the second is on another host: no path that is saved may be its own
    once = rehref.rewrite("<a href='/t'></a><a href='//o/u'></a>", rule, url="https://h/s")
    assert (
        rehref.rewrite(
            once,
            rehref.Offline({"https://h/" + relative_path("x", path): path}, at=own),
            url=("https://h/" + relative_path("x", own)),
        )
        == once
    )
