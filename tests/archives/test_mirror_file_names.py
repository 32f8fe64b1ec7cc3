"""Mirrors: which file a URI was saved as, which URI a file was saved from."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref.archives._copies.mirror_file_names import Mirror, Root, authority_of
from rehref.rewriting.offline_rule import comparable

# what GNU Wget 1.21.3 calls them: the path and query of a URI, for Unix, for Windows
WGET = [
    ("/", "index.html", "index.html"),
    ("/d/", "d/index.html", "d/index.html"),
    ("/d/?x=1", "d/index.html?x=1", "d/index.html@x=1"),
    ("/50%25.html", "50%.html", "50%.html"),
    ("/UP.html", "UP.html", "UP.html"),
    ("/a%20b.html", "a b.html", "a b.html"),
    ("/a%2Fb.html", "a%2Fb.html", "a%2Fb.html"),
    ("/a:b.html", "a:b.html", "a%3Ab.html"),
    ("/about", "about", "about"),
    ("/b%5Cc.html", "b\\c.html", "b%5Cc.html"),
    ("/e//f.html", "e/f.html", "e/f.html"),
    ("/grü.html", "grü.html", "grü.html"),
    ("/%C3%89.html", "É.html", "É.html"),
    ("/n%231.html", "n#1.html", "n#1.html"),
    ("/p.php?", "p.php?", "p.php@"),
    ("/p.php?id=1", "p.php?id=1", "p.php@id=1"),
    ("/p.php?id=2&x=a%2Fb", "p.php?id=2&x=a%2Fb", "p.php@id=2&x=a%2Fb"),
    ("/p.php?id=%C3%89", "p.php?id=É", "p.php@id=É"),
    ("/p.php?q=a%26b", "p.php?q=a&b", "p.php@q=a&b"),
    ("/p.php?x=<y>|z", "p.php?x=<y>|z", "p.php@x=%3Cy%3E%7Cz"),
    ("/pl+us.html?a=b+c", "pl+us.html?a=b+c", "pl+us.html@a=b+c"),
    ("/q'uo\"te.html", "q'uo\"te.html", "q'uo%22te.html"),
    ("/q.php?u=http://h/x?y", "q.php?u=http:%2F%2Fh%2Fx?y", "q.php@u=http%3A%2F%2Fh%2Fx%3Fy"),
    ("/semi;x.html", "semi;x.html", "semi;x.html"),
    ("/star*.html", "star*.html", "star%2A.html"),
    ("/tab%09.html", "tab%09.html", "tab%09.html"),
    ("/x%3Fy.html", "x?y.html", "x%3Fy.html"),
    ("/%7Eu.html", "~u.html", "~u.html"),
]


@pytest.mark.parametrize(("path", "unix", "windows"), WGET)
def test_names_that_wget_makes_are_found(path, unix, windows):
    for number, name in enumerate((unix, windows)):
        for ending in ("", ".html"):
            mirror = Mirror([f"h.example/{name}{ending}"], [Root("https://h.example/", "h.example/")])
            uri = comparable("https://h.example" + path)
            assert mirror(uri) == f"h.example/{name}{ending}", number
            assert mirror(uri.replace("https:", "http:")) == f"h.example/{name}{ending}"
            assert mirror(comparable("https://other.example" + path)) is None
            assert mirror(uri + "x") is None


def test_high_controls_may_be_escaped():
    # where the locale is no UTF-8
    name = os.fsdecode(b"\xc3%89.html")
    assert Mirror([name], [Root("https://h/", "")])("https://h/%C3%89.html") == name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/ä.html", "%C3%A4.html"),
        ("/ä/", "%C3%A4/index.html"),
        ("/p.php?id=%C3%89", "p.php?id=%C3%89.html"),
        ("/a:ä?x=1", "a%3A%C3%A4@x=1.html"),
    ],
)
def test_names_that_wget_makes_in_ascii_are_found(path, name):
    mirror = Mirror([name], [Root("https://h/", "")])
    assert mirror(comparable("https://h" + path)) == name
    assert mirror(comparable(mirror.uri_of(name).removesuffix(".html"))) == name


def test_a_style_sheet_that_a_folder_answers_with_is_found():
    mirror = Mirror(["fonts/index.html.css"], [Root("https://h/", "")])
    assert mirror("https://h/fonts/") == "fonts/index.html.css"
    assert mirror("https://h/other/") is None


def test_the_nearest_name_goes_first():
    files = ["a", "a.html", "a/index.html", "s.css", "s.php?v=1.css", "x.css", "b.html", "b/index.html", "c/index.htm"]
    mirror = Mirror(files, [Root("https://h/", "")], {"https://h/told": "x.css", "https://h/a.html": "b.html"})
    asked = ("a", "a/", "a.html", "s.css", "s.php?v=1", "x", "b", "b/", "c", "told", "z", "", "a?q", "c/x")
    found = [mirror(f"https://h/{path}") for path in asked]
    assert found == [
        *("a", "a/index.html", "b.html", "s.css", "s.php?v=1.css", None, "b.html", "b/index.html", "c/index.htm"),
        *("x.css", None, None, None, None),
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("page.php?id=1", "page681a.html"),
        ("page.php?q=a%26b&r=/x", "page4864.html"),
        ("d/?page=2", "d/index4658.html"),
        ("page.php?", "paged41d.php"),
        ("style.css?v=1", "style3860.css"),
        ("style3860.css?v=1", "style3860.css"),
        ("feed?kind=rss", "feedeb1f.html"),
        ("page.php?id=2", None),
        ("style3860.css?v=2", None),
    ],
)
def test_names_that_httrack_makes_are_found(path, name):
    names = ("page681a.html", "page4864.html", "d/index4658.html", "paged41d.php", "style3860.css", "feedeb1f.html")
    mirror = Mirror(names, [Root("https://h/", "")], converted=["page681a.html"])
    assert mirror(comparable("https://h/" + path)) == name


def test_where_no_name_has_a_query_none_matters():
    files, root = ["s.css", "d/index.html"], [Root("https://h/", "")]
    asked = ("s.css?v=1", "d/?x", "none.css?v=1", "s.css?v=1?w")
    assert [Mirror(files, root)(f"https://h/{path}") for path in asked] == ["s.css", "d/index.html", None, "s.css"]
    for other in ("p.php?id=1", "d/p.php@id=1.html"):
        assert [Mirror([*files, other], root)(f"https://h/{path}") for path in asked] == [None] * 4
    assert [Mirror(files, root, converted=["d/index.html"])(f"https://h/{path}") for path in asked] == [None] * 4


def test_roots_may_lie_deep():
    mirror = Mirror(["x.html", "cdn/y.png"], [Root("https://h/a/b/", ""), Root("https://cdn.example:8080/", "cdn/")])
    assert mirror("https://h/a/b/x.html") == "x.html"
    assert mirror("https://h/x.html") is None
    assert mirror("https://cdn.example:8080/y.png") == "cdn/y.png"
    assert mirror("https://cdn.example/y.png") is None


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("h/a/b.html", "https://h/a/b.html"),
        ("h/a/index.html", "https://h/a/"),
        ("h/index.html", "https://h/"),
        ("h/p.php?id=1", "https://h/p.php?id=1"),
        ("h/index.html?x", "https://h/?x"),
        ("h/p.php@id=1&x=a b", "https://h/p.php?id=1&x=a%20b"),
        ("h/i@2x.html", "https://h/i@2x.html"),
        ("h/50%", "https://h/50%25"),
        ("h/n#1", "https://h/n%231"),
        ("h/a%2Fb/x.html", "https://h/a%2Fb/x.html"),
        ("h/a%2Fb/index.html", "https://h/a%2Fb/"),
        ("h/50%2F%25%2f", "https://h/50%2F%2525%252f"),
        ("h/tab%09.html", "https://h/tab%09.html"),
        ("h/c%3Ad.html", "https://h/c:d.html"),
        ("h/a%2Bb.html", "https://h/a%252Bb.html"),
        ("h/w%5Cx%3Fy.html", "https://h/w%5Cx%3Fy.html"),
        ("h/p.php?u=http:%2F%2Fh%2F", "https://h/p.php?u=http:%2F%2Fh%2F"),
        (os.fsdecode(b"h/\xc3%89.html"), "https://h/%C3%89.html"),
        ("elsewhere/x", None),
    ],
)
def test_the_uri_of_a_file(path, uri):
    mirror = Mirror([path], [Root("https://h/", "h/")])
    assert mirror.uri_of(path) == uri
    assert uri is None or mirror(comparable(uri)) == path


@pytest.mark.parametrize(
    ("path", "others", "uri"),
    [
        ("list.html", ["list?p=2.html"], "list"),
        ("list.html", ["list@p=2.html"], "list"),
        ("d/list.html", ["d/list?p=2.html"], "d/list"),
        ("c%3Ad.html", ["c%3Ad@p=2.html"], "c:d"),
        ("p.php.html", ["p.php?id=1.html"], "p.php"),
        ("s.php.css", ["s.php?v=1.css"], "s.php"),
        # nothing tells it, or something tells that it was not
        ("list.html", [], "list.html"),
        ("list.html", ["d/list?p=2.html"], "list.html"),
        ("list.html", ["list?p=2"], "list.html"),
        ("list.html", ["list?p=2.html", "list.html?p=3.html"], "list.html"),
        ("list.html", ["list?p=2.html", "list"], "list.html"),
        ("list.htm", ["list?p=2.html"], "list.htm"),
        ("index.html", ["index?p=2.html"], ""),
    ],
)
def test_whether_an_ending_was_added_names_beside_it_tell(path, others, uri):
    mirror = Mirror([f"h/{name}" for name in (path, *others)], [Root("https://h/", "h/")])
    assert mirror.uri_of(f"h/{path}") == f"https://h/{uri}"
    assert mirror(f"https://h/{uri}") == f"h/{path}"


@pytest.mark.parametrize(
    ("folder", "authority"),
    [
        ("example.org", "example.org"),
        ("example.org:8080", "example.org:8080"),
        ("example.org+8080", "example.org:8080"),
        ("127.0.0.1:1234", "127.0.0.1:1234"),
        ("localhost", "localhost"),
        ("localhost:80", "localhost:80"),
        ("example.org_8080", "example.org:8080"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("bücher.example", "bücher.example"),
        ("a-b.co.uk", "a-b.co.uk"),
        ("v1.2", None),
        ("img", None),
        (".git", None),
        ("hts-cache", None),
        ("a b.org", None),
        ("-a.org", None),
    ],
)
def test_which_folders_are_hosts(folder, authority):
    assert authority_of(folder) == authority


_segments = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=5).filter(
    lambda name: name not in (".", "..")
)


@given(st.lists(_segments, min_size=1, max_size=3))
def test_a_file_is_found_by_the_uri_that_its_path_spells(segments):
    path = "/".join(segments)
    mirror = Mirror([path], [Root("https://h/", "")])
    uri = rehref.resolve("https://h/", "/" + "/".join(_spelt(segment) for segment in segments))
    assert mirror(comparable(uri)) == path


def _spelt(segment: str) -> str:
    return "".join(f"%{byte:02X}" for byte in os.fsencode(segment))
