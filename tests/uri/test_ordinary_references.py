"""Ordinary references against ordinary bases: as `Resolver`, browsers and the problems have them, and as the twin."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref._native import TWIN
from rehref.documents.base import Candidate, establish, establish_within
from rehref.exceptions import ResolutionError
from rehref.uri.ordinary_references import (
    LEVELS,
    Form,
    Ordinary,
    Prefixes,
    classify,
    is_canonical,
    prefixes_of,
)
from rehref.uri.resolver import Profile, Resolver, parse_or_none, prefixes_in

PIECES = (
    "a",
    "page.html",
    "..",
    "../",
    "../../",
    ".",
    "./",
    "/",
    "//",
    "?",
    "?q=/../x",
    "#",
    "#x",
    ":",
    "%41",
    "%2e",
    "%2F",
    "%5c",
    "%00",
    "%",
    "%4",
    " ",
    "\n",
    "é",
    "'",
    "&",
    "|",
    "\\",
    "[",
    "~!$()*+,;=@-_",
    "{x}",
    '<">^`',
    "b c",
    "\x85",
    "\u2028",
    "\U0001f600",
    "\ud800",
    ":8080",
    ":7",
    "http://",
    "https://",
    "http:",
    "ftp:",
    "file:",
    "file:///",
    "mailto:",
    "javascript:",
    "x-y.z+1:",
    "HTTP://",
    "example.org",
    "a-b.example",
    "a--b.example",
    "-a.example",
    "1.2.3.4",
    "a.1",
    "0x1.example",
    "xn--a.example",
    "host",
    ":80",
    "user@",
)
references = st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.text(max_size=8)

OWN = (
    "https://example.org/a/b/c/page.html",
    "https://example.org/a/b/page",
    "https://example.org",
    "https://example.org/",
    "https://example.org/a/?q=1/2",
    "http://user@localhost:8000/a%41//b/",
    "http://example.org:99999/a/b",
    "https://example.org/a/./b/x",
    "https://example.org/.a/b:c/..x/d",
    "https://example.org/é/x",
    "https://example.org/it's/x?'",
    "https://example.org/" + "a/" * (LEVELS + 3) + "x",
    "file:///home/a/b.html",
    "file:///C:/a/b.html",
    "file://host/a/b.html",
    "mailto:someone@example.org",
    "ftp://example.org/a",
    None,
)
BASES = (None, "/other/", "../", "page.html", "https://example.net/x/y/z", "?q", "https://example.org/a/b/c/", "http:")


@given(
    st.sampled_from([own for own in OWN if own is not None]),
    st.sampled_from(["", "#top"]),
    st.sampled_from(get_args(Profile)),
    st.lists(references, max_size=9),
)
def test_many_at_once_give_the_same_as_one_by_one(own: str, end: str, profile: Profile, some: list[str]) -> None:
    resolver = Resolver(own + end, profile)
    one_by_one = [resolver.or_none(reference) for reference in some]
    if None not in one_by_one:
        assert resolver.resolve_all(some) == resolver.resolve_all(iter(some)) == one_by_one
    else:
        with pytest.raises(ResolutionError):
            resolver.resolve_all(some)


@pytest.mark.skipif(TWIN is None, reason="the compiled twin resolves many at once")
def test_the_twin_resolves_the_ordinary_ones_of_many() -> None:
    assert TWIN is not None
    before = Resolver("http://h/a/b?q")._prefixes
    some = ("x.html", "../y", "", "#z", "?z", "/é", "//h/..", "mailto:a", "\ud800", 1)
    targets, odd = TWIN.targets(before, some)
    assert targets[:4] == ["http://h/a/x.html", "http://h/y", "http://h/a/b?q", "http://h/a/b?q#z"]
    assert targets[4:] == ["http://h/a/b?z", "http://h/é", None, None, None, None]
    assert odd == [6, 7, 8, 9]


def test_dot_segments_behind_a_scheme_are_removed_from_many_too() -> None:
    some = [
        "x:a/../b",
        "x:.",
        "mailto:a/..",
        "urn:a/./b",
        "data:a/../b",
        "x:a/../b?q",
        "x:a/../bé",
        "x:/a/../b",
        "mailto:a",
    ]
    for profile in get_args(Profile):
        resolver = Resolver("http://a/b", profile)
        assert resolver.resolve_all(some) == list(map(resolver, some))


def test_only_texts_are_resolved_at_once() -> None:
    resolver = Resolver("http://h/")
    with pytest.raises(TypeError, match="a reference is a str, not int"):
        resolver.resolve_all(["a", 1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="not a str"):
        resolver.resolve_all("ab")
    assert resolver.resolve_all([]) == []


@example("http://a.example", OWN[0], "rfc3986")
@example("//a.example?x", OWN[0], "rfc3986")
@given(references, st.sampled_from(OWN[:-1]), st.sampled_from(get_args(Profile)))
def test_a_base_that_is_an_ordinary_reference_is_the_one_that_the_algorithm_gives(
    reference: str, own: str, profile: Profile
) -> None:
    embedded, outside = Candidate(reference, "embedded", "<base href>"), Candidate(own, "retrieval", "retrieval URI")
    around = establish((outside,), profile)
    assert establish((embedded, outside), profile) == establish_within(around, embedded, profile)


@pytest.mark.parametrize(
    ("reference", "form", "ups", "skip"),
    [
        ("#", "fragment", 0, 0),
        ("#a/../b?c:%41", "fragment", 0, 0),
        ("?", "query", 0, 0),
        ("?a=1&b='#c", "query", 0, 0),
        ("/", "rooted", 0, 0),
        ("/a//b.html?c#d", "rooted", 0, 0),
        ("a", "path", 0, 0),
        ("a.b/c&d/e%20f?/../:#:", "path", 0, 0),
        ("a.", "path", 0, 0),
        (".a", "path", 0, 0),
        ("..a/.b/...", "path", 0, 0),
        ("./.a", "path", 0, 2),
        ("../..a", "path", 1, 3),
        ("/.a/..b", "rooted", 0, 0),
        ("a?b:c", "path", 0, 0),
        ("//example.org", "network", 0, 0),
        ("//example.org/a:b//c?d#e", "network", 0, 0),
        ("./", "path", 0, 2),
        ("./a", "path", 0, 2),
        ("./?q", "path", 0, 2),
        ("../", "path", 1, 3),
        ("../../a#b", "path", 2, 6),
        ("../#b", "path", 1, 3),
        ("http://example.org", "absolute", 0, 0),
        ("https://a-b.example.org/c:d/e?f#g", "absolute", 0, 0),
        ("https://example.org?f", "absolute", 0, 0),
        ("file:///", "absolute", 0, 0),
        ("file:///a//b%20c?d:e#f", "absolute", 0, 0),
        ("app://open", "absolute", 0, 0),
        ("app+x://A_b.~c-1/d:e/.f?g#h", "absolute", 0, 0),
        ("mailto:a@example.org?subject=%20", "opaque", 0, 0),
        ("javascript:void(0)", "opaque", 0, 0),
        ("data:,a/../b", "opaque", 0, 0),
        ("data:,%3Ca%20b=%2fc%5cd%3E", "opaque", 0, 0),
        ("a%2Fb%5c.", "path", 0, 0),
        ("https://example.org/a.b%2f?..", "absolute", 0, 0),
        ("urn:x:y#z", "opaque", 0, 0),
        ("//a.example:8080", "network", 0, 0),
        ("http://a.example:7000/b", "absolute", 0, 0),
        ("http://localhost/", "absolute", 0, 0),
        ("//1.2.3.4/", "network", 0, 0),
        ("http://0.10.255.249:8080/a", "absolute", 0, 0),
        ("http://[::1]/", "absolute", 0, 0),
        ("//[::]", "network", 0, 0),
        ("http://[2001:db8::ff:1]:7000?a", "absolute", 0, 0),
        ("http://[1:2:3:4:5:6:7:8]/", "absolute", 0, 0),
        ("http://[1:2:3::4:5:6]/", "absolute", 0, 0),
    ],
)
def test_what_is_ordinary(reference: str, form: Form, ups: int, skip: int) -> None:
    assert classify(reference) == Ordinary(form, ups, skip)


@pytest.mark.parametrize("reference", ["/a:b", "a/b:c", "./a:b", "../:", "a/:?#"])
def test_a_colon_in_a_relative_path_needs_a_host_in_the_base(reference: str) -> None:
    found = classify(reference)
    assert found is not None
    assert found.colon
    assert prefixes_of("http://h.example/x/y", None).target(reference) is not None
    assert prefixes_of("file:///x/y", None).target(reference) is None


@pytest.mark.parametrize(
    "reference",
    [
        *("", ".", "..", "../..", "a/.", "a/..", "a/../b", "./../a", ".././a", "/.", "/./a", "/../a", "a/.?", "..#"),
        *(
            "//",
            "///a",
            "//a.example:80",
            "//a.example:6000",
            "//a.example/../b",
            ".//a",
            "..//a",
            " a",
            "a ",
            "a\n",
            "a\\b",
            "//[a]",
            "//é.example",
            "//a.example|",
            "//a b.example/",
            "a#b#é",
            "a\ud800é",
            "#a#b",
            "?a#b#c",
        ),
        *("10:30.html", "10:30/a", "A:b", "x:", "x:/a", "x:#a", "x://", "x:///a", "http:a", "file:a"),
        *("x://a/../b", "x://a:1/", "x://u@a/", "x://[a]/", "x://a%41/", "X://a/"),
        *("http://h.example:80/", "http://u@h.example/", "http://H.example/", "HTTP://h.example/"),
        *("http://a--b.example/", "http://-a.example/", "http://a-.example/", "http://a.1/"),
        *("http://1.2.3/", "http://01.2.3.4/", "http://1.2.3.256/", "http://1.2.3.4.5/", "http://1.2.3.4a/"),
        *("http://[]/", "http://[1]/", "http://[1::2/", "http://[::A]/", "http://[::0]/", "http://[1::01]/"),
        *("http://[1::2::3]/", "http://[::1.2.3.4]/", "http://[1:2:3:4:5:6:7::]/", "http://[:1]/", "http://[::12345]/"),
        *(
            "http://a.example./",
            "http://.example/",
            "http://a..example/",
            "http://a.example/b/../c",
            "ftp://a.example/",
        ),
        *(
            "http://a.example|",
            *(
                "file:/a",
                "file://host/a",
                "file:////a",
                "file:///C:/a",
                "file:///./a",
                "file:///a/../b",
                "file:///a..%2fb",
            ),
            "%00",
            "#%00",
            "x:%00",
            "%%00",
            "%2e%",
            "http://a.example%",
        ),
        *("%2e", "a/%2E", "a..%2fb", "../%5C", "x:a%2e", "x:a?b..%2f", "http://a.example/%2f..", "x:..%5c?"),
    ],
)
def test_what_is_not(reference: str) -> None:
    assert classify(reference) is None


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("é", Ordinary("path", beyond=True)),
        ("../ç/日本?ü#ö", Ordinary("path", 1, 3, beyond=True)),
        ("a b", Ordinary("path", faulty=True)),
        ("[a]?b[]=1&{c}^`", Ordinary("path", faulty=True)),
        ("a|b", Ordinary("path", colon=True, faulty=True)),
        ("?a|b", Ordinary("query", faulty=True)),
        ('//a.example/<é">', Ordinary("network", beyond=True, faulty=True)),
        ("a\x85", Ordinary("path", beyond=True, faulty=True)),
        ("\uffff", Ordinary("path", beyond=True, faulty=True)),
        ("\U0001f600", Ordinary("path", beyond=True, faulty=True)),
        ("data:,a b", Ordinary("opaque", faulty=True)),
        ("%", Ordinary("path", faulty=True)),
        ("a%4", Ordinary("path", faulty=True)),
        ("%4g/%%41", Ordinary("path", faulty=True)),
        ("?%", Ordinary("query", faulty=True)),
        ("#%é", Ordinary("fragment", beyond=True, faulty=True)),
        ("http://a.example/%zz", Ordinary("absolute", faulty=True)),
        ("x:100%", Ordinary("opaque", faulty=True)),
    ],
)
def test_what_keeps_other_characters(reference: str, found: Ordinary) -> None:
    assert classify(reference) == found


def test_what_has_problems_but_a_known_target() -> None:
    http = prefixes_of("http://h.example/a/b", None)._replace(iris=True)
    assert http.known("b c") == ("http://h.example/a/b c", True)
    assert http.known("é") == ("http://h.example/a/é", True)
    assert http._replace(fine_iris=True).known("é") == ("http://h.example/a/é", False)
    assert http._replace(iris=False).known("é") == http._replace(canonical=True).known("b c") == (None, False)
    assert http.known("../../../c") == ("http://h.example/c", True)
    assert http._replace(climbs=False).known("../../c") == (None, False)
    assert http.target("b c") is None
    assert prefixes_of("file:///a", None).known("b|c") == (None, False)


def test_octets_that_matter_in_a_path_do_not_behind_it() -> None:
    for behind in ("?%2e%2F%5c", "#%2e%2F%5c"):
        assert all(
            classify(before + behind) for before in ("", "a", "/a", "../a", "http://a.example/", "http://a.example")
        )
    assert classify("x:a#%2e%2F%5c")


def test_what_stands_before_a_target() -> None:
    base = "http://h.example/a/b/c?q"
    folders = ("http://h.example/a/b/", "http://h.example/a/", "http://h.example/")
    before = Prefixes(folders, base, "http://h.example/a/b/c", "http://h.example/", "http:", climbs=True)
    assert prefixes_of(base, base) == before
    assert prefixes_in("whatwg", prefixes_of(base, base)) == prefixes_of(base, base)._replace(canonical=True)
    assert prefixes_in("rfc2396", prefixes_of(base, base)) == prefixes_of(base, base)._replace(query=None, climbs=False)
    assert prefixes_of(base, "http://h.example/").document is None
    root = "http://h.example"
    assert prefixes_of(root, None) == Prefixes((root + "/",), None, root, root + "/", "http:", climbs=True)
    assert prefixes_of("file:///a", None) == Prefixes(("file:///",), None, "file:///a", "file:///", None, climbs=True)
    deep = prefixes_of("http://h.example" + "/a" * 99, None)
    assert len(deep.folders) == LEVELS
    assert not deep.climbs


def test_what_climbs_out_is_not_resolved() -> None:
    found = prefixes_of("http://h.example/a/b", None)
    assert found.target("../c") == "http://h.example/c"
    assert found.target("../../c") is None
    assert found.target("#c") is None


@pytest.mark.parametrize(
    ("reference", "is_ordinary"),
    [
        (lambda many: "../" * many + "a", True),
        (lambda many: "../" * many + "..", False),
        (lambda many: "a/" * many + ".", False),
        (lambda many: "a" * many + "/./" + "a" * many, False),
        (lambda many: "%41" * many + "%00", False),
        (lambda many: "%41" * many + "%", True),
        (lambda many: "http://[" + "1:" * many, False),
        (lambda many: "http://" + "a-" * many, False),
        (lambda many: "http://" + "a." * many + "1", False),
        (lambda many: "x:" + "?" * many + "\\", False),
        (lambda many: "a " * many + "é", True),
    ],
)
def test_a_long_reference_takes_linear_time(reference: Callable[[int], str], is_ordinary: bool) -> None:
    assert (classify(reference(1000)) is not None) is is_ordinary
    assert_proportional(lambda many: partial(classify, reference(many)), 20_000)


urls = st.tuples(
    st.sampled_from(("http://", "https://", "HTTP://", "ftp://", "file:///", "file://")),
    st.sampled_from(("", "example.org", "a.b-c.d", "1.0x1", "a.xn--b", "a_b.org")),
    references,
).map("".join)


@given(urls)
def test_what_is_canonical_is_given_back(url: str) -> None:
    try:
        expected = ada_url.join_url("about:blank", url.replace("\ud800", "\ufffd"))  # as browsers do
    except ValueError:
        expected = None
    assert parse_or_none(url) == expected
    if is_canonical(url):
        assert expected == url


def test_most_are_canonical() -> None:
    for url in (
        *("https://example.org/", "http://a.example.org/b/c.html?d=e&f", "https://example.org/a-b/~c/(d)"),
        *("file:///home/a/b.html", "https://example.org/a%20b"),
    ):
        assert is_canonical(url)
    for url in (
        *("https://example.org", "https://example.org/a/../b", "https://example.org/a/.", "https://example.org/?'"),
        *("https://example.org?/", "mailto:a", "a", "/a", "file:///C:/a", "file:////a", "file:///a/../b", "file://a/b"),
    ):
        assert not is_canonical(url)


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
@given(references)
def test_the_twin_finds_the_same(reference: str) -> None:
    found: Any = TWIN.classify(reference.encode("utf-8", "surrogatepass"))  # type: ignore[union-attr]
    assert classify(reference) == (found and (get_args(Form)[found[0] - 1], *found[1:]))
