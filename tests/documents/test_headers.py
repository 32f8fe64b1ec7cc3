"""The head of an HTTP message as a document: a test or more for each rule, and the laws of rewriting."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from growth import assert_proportional
from rehref.documents._formats.headers import read
from rehref.documents.base import Base, Candidate, Layers
from rehref.documents.link import Link
from rehref.rewriting.built_in_rules import Absolute, Relative
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.mapping import Mapping
from rehref.text.encoding import Source
from rehref.text.header_fields import Head

URL = "http://h.example/d/p"
HEAD = (
    b'HTTP/1.1 301 Moved\r\nLink: <s.css>; rel=preload, </f?a,b>; anchor="#n"; title="<x>"\r\n'
    b"Location: next\r\nRefresh: 5; url='r'\r\nContent-Location: en.html\r\n\r\nLocation: body\r\n"
)


def links(head: bytes | str, url: str | None = URL, **layers) -> list[Link]:
    return list(read(Source(head), Layers(retrieval=url, **layers)).links())


def rewrite(head: bytes | str, rule, url: str | None = URL) -> bytes | str:
    return rewrite_document(read(Source(head), Layers(retrieval=url)), rule).data


# --- what is found


def test_the_references_their_kinds_and_targets():
    assert [(link.reference, link.attribute, link.kind, link.target) for link in links(HEAD)] == [
        ("s.css", "Link", "header", "http://h.example/d/s.css"),
        ("/f?a,b", "Link", "header", "http://h.example/f?a,b"),
        ("#n", "Link", "header", "http://h.example/d/p#n"),
        ("next", "Location", "header", "http://h.example/d/next"),
        ("r", "Refresh", "header", "http://h.example/d/r"),
        ("en.html", "Content-Location", "metadata", "http://h.example/d/en.html"),
    ]


@pytest.mark.parametrize(
    ("field", "references", "kind"),
    [
        (b"SourceMap: a.js.map", ["a.js.map"], "header"),
        (b'Speculation-Rules: "/r.json", "a\\"b";x="no" , token, "open', ["/r.json", 'a"b'], "header"),
        (b'Reporting-Endpoints: main="/m", other = "o?a;b,c";p="no", n=1', ["/m", "o?a;b,c"], "form"),
        (
            b"Content-Security-Policy: img-src a; Report-URI /r https://o.example/s; report-uri no, report-uri t",
            ["/r", "https://o.example/s", "t"],
            "form",
        ),
        (b"content-security-policy-report-only: report-uri /r;", ["/r"], "form"),
        (b"Content-Security-Policy: default-src /a; report-to x", [], ""),
    ],
)
def test_what_browsers_ask_and_send(field, references, kind):
    found = links(field + b"\r\n\r\n")
    assert [link.reference for link in found] == references
    assert {link.kind for link in found} <= {kind}
    data = rewrite(field + b"\r\n\r\n", lambda link: link.reference)
    assert data == field + b"\r\n\r\n"


def test_what_is_written_there_ends_nothing():
    head = b'Reporting-Endpoints: a="x", b="y"\r\nContent-Security-Policy: report-uri x y; img-src z\r\n\r\n'
    made = rehref.rewrite(head, lambda link: link.reference + '";, \\', url=URL, media_type="message/http")
    assert [link.reference for link in links(made)] == [
        "x%22;,%20\\",
        "y%22;,%20\\",
        'x"%3B%2C%20\\',
        'y"%3B%2C%20\\',
    ]


@pytest.mark.parametrize(
    ("head", "has"),
    [
        (b"Link: <a>\n\n", True),
        (b"Server: a\n\n", False),
        (b"Content-Security-Policy: img-src a\n\n", False),
        (b"Content-Security-Policy: img-src a\nContent-Security-Policy: Report-URI b\n\n", True),
        (b"Content-Security-Policy: img-src a\nSourceMap: a\n\n", True),
    ],
)
def test_a_policy_without_reports_has_no_references(head, has):
    assert Head.read(head).has_references is has


def test_other_fields_have_none():
    assert links(b"Server: <x>\r\nX-Location: y\r\nLinks: <z>\r\n\r\n") == []


# --- the base


def test_the_base_is_what_stands_outside():
    assert {link.base for link in links(HEAD)} == {Base(URL, "retrieval", "retrieval URI")}
    entity = (Candidate("/e/", "entity", "entity base"),)
    assert links(b"Location: x\n\n", entity=entity)[0].target == "http://h.example/e/x"
    assert links(b"Location: x\n\n", None)[0].target is None


def test_an_anchor_is_no_base_for_the_target():
    first, second = links(b'Link: <x>; anchor="http://o.example/y/z"\r\n\r\n')
    assert (first.target, second.target) == ("http://h.example/d/x", "http://o.example/y/z")


# --- places


def test_spans_and_positions():
    for link in links(HEAD):
        assert link.span is not None
        start, end = link.span
        assert HEAD[start:end].decode() == link.reference
        line = HEAD.count(b"\n", 0, start) + 1
        assert (link.line, link.column) == (line, start - HEAD.rfind(b"\n", 0, start))


def test_values_are_utf_8_or_latin_1():
    utf, latin = links("Location: é/ü\r\n".encode() + b"Link: <\xe9>; title=x, <z>\r\n\r\n")[:2]
    assert (utf.reference, utf.column, utf.span) == ("é/ü", 11, (10, 15))
    assert latin.reference == "é"
    behind = links("Link: <é>, <b>\r\n\r\n".encode())[1]
    assert (behind.span, behind.column) == ((13, 14), 13)


def test_a_folded_field_keeps_its_positions():
    head = "X: y\r\nLink: <é>,\r\n\t<b>\r\nLocation: c\r\n\r\n".encode()
    assert [(link.reference, link.line, link.column) for link in links(head)] == [
        ("é", 2, 8),
        ("b", 3, 3),
        ("c", 4, 11),
    ]
    span = links(head)[1].span
    assert span is not None
    assert head[slice(*span)] == b"b"


def test_a_text_has_spans_in_characters():
    head = "X: é\nLocation: é\nLink: <\udc80>, <b>\n\n"
    found = links(head)
    assert [head[slice(*link.span)] for link in found if link.span] == ["é", "\udc80", "b"]
    assert rewrite(head, Mapping(lambda link: "n" if link.reference == "b" else None)) == head.replace("<b>", "<n>")


def test_nothing_behind_the_empty_line_is_looked_at():
    assert "body" not in [link.reference for link in links(HEAD)]
    assert links(b"\r\nLocation: x\r\n") == []
    assert [link.reference for link in links(b"location:\tx")] == ["x"]


# --- writing


def test_only_the_reference_is_replaced():
    assert rewrite(HEAD, Absolute()) == (
        b'HTTP/1.1 301 Moved\r\nLink: <http://h.example/d/s.css>; rel=preload, <http://h.example/f?a,b>; anchor="#n"; '
        b"title=\"<x>\"\r\nLocation: http://h.example/d/next\r\nRefresh: 5; url='http://h.example/d/r'\r\n"
        b"Content-Location: en.html\r\n\r\nLocation: body\r\n"
    )


@pytest.mark.parametrize(
    ("head", "written"),
    [
        (b"Location: x\n\n", b"Location: a%C3%A9%0D%0AX:%20y>,;\"'\\\n\n"),
        (b"Link: <x>\n\n", b"Link: <a%C3%A9%0D%0AX:%20y%3E,;%22'\\>\n\n"),
        (b'Link: <y>; anchor="x"\n\n', b'Link: <y>; anchor="a%C3%A9%0D%0AX:%20y%3E,;%22\'\\\\"\n\n'),
        (b"Link: <y>; anchor=x\n\n", b'Link: <y>; anchor="a%C3%A9%0D%0AX:%20y%3E,;%22\'\\\\"\n\n'),
        (b'Refresh: 1; url="x"\n\n', b'Refresh: 1; url="a%C3%A9%0D%0AX:%20y>,;%22\'\\"\n\n'),
    ],
)
def test_no_reference_ends_a_field_or_begins_another(head: bytes, written: bytes):
    new = "aé\r\nX: y>,;\"'\\"
    assert rewrite(head, lambda link: new if link.reference == "x" else None) == written


def test_a_lone_surrogate_is_written_as_what_stands_for_it():
    assert rewrite(b"Location: x\n\n", lambda link: "\udc80") == b"Location: %EF%BF%BD\n\n"


def test_content_location_is_never_rewritten():
    head = b"Content-Location: x\n\n"
    rules = (Absolute(), Absolute(metadata=True), Relative(), Mapping({"http://h.example/d/x": "http://o.example/"}))
    assert {rewrite(head, rule) for rule in rules} == {head}


# --- the laws

HEADS = st.lists(
    st.one_of(
        st.sampled_from(
            [b"HTTP/1.1 200 OK", b"", b"Link: <a>, <b>; anchor=c", b"Location: x", b" <folded>", b"\xff: x"]
        ),
        st.binary(max_size=20).map(lambda value: b"Link: <" + value),
        st.text(max_size=10).map(lambda value: b"location: " + value.encode("utf-8", "replace")),
        st.text(max_size=10).map(lambda value: b"Refresh:0;" + value.encode("utf-8", "replace")),
    ),
    max_size=6,
).map(b"\r\n".join)


@given(HEADS)
def test_identity_and_spans(head: bytes):
    assert rewrite(head, lambda link: None) is head
    last = 0
    for link in links(head):
        assert link.span is not None
        assert last <= link.span[0] <= link.span[1] <= len(head)
        last = link.span[1]


@given(HEADS)
def test_absolute_is_idempotent_and_read_again(head: bytes):
    once = rewrite(head, Absolute())
    assert rewrite(once, Absolute()) == once
    assert len(links(once)) == len(links(head))


def test_a_long_head_takes_linear_time():
    def reading(first: bytes, again: bytes, n: int) -> Callable[[], object]:
        head = first + again * n
        return lambda: (links(head), rewrite(head, lambda link: "y"))

    for first, again in ((b"Link: ", b"<\xc3\xa9>,\r\n "), (b"", b"Location: x\r\n"), (b"Link:", b"\n ")):
        assert_proportional(partial(reading, first, again), 200)
