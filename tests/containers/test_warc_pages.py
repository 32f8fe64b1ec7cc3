"""Pages in records of an archive: what is read and rewritten there is as of the page on its own."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref.uri.resolver import Profile

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
URI = "https://example.org/a/b.html"
URIS = st.sampled_from(
    [URI, "http://example.org", "http://example.org/?q#f", "https://u:secret@h.example/", "file:///a"]
)
RULES: Sequence[Any] = (
    rehref.Absolute(),
    rehref.Absolute(same_document=True, metadata=True),
    rehref.Absolute(base_element="drop"),
    rehref.Relative(),
    lambda link: link.target and link.target.upper(),
    lambda link: None,
)


def in_record(page: bytes, uri: str = URI) -> bytes:
    """A response in a member of its own, with a page in UTF-8."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 9\r\n\r\n" + page
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
        f"WARC-Target-URI: {uri}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 1, mtime=0)


def page_in(record: bytes) -> bytes:
    """The page in such a record."""
    return gzip.decompress(record).split(b"\r\n\r\n", 2)[2][:-4]


def found(links: Sequence[rehref.Link]) -> list[object]:
    """Links, but for what is said of bases and records."""
    return [
        (
            *each._replace(base=None, part=None, date=None, problems=()),
            each.base.uri,
            [one.code for one in each.problems],
        )
        for each in links  # type: ignore[arg-type]
    ]


def assert_read_alike(page: bytes, uri: str, **how: Any) -> None:
    alone = rehref.links(page, url=uri, media_type="text/html", encoding="utf-8", **how)
    links = rehref.links(in_record(page, uri), **how)
    assert found(links) == found(alone)
    assert {(link.part, link.date) for link in links} <= {("urn:uuid:1", "2024-01-02T03:04:05Z")}


def assert_rewritten_alike(page: bytes, uri: str, rule: Any, **how: Any) -> None:
    record = in_record(page, uri)
    alone = rehref.rewrite(page, rule, url=uri, media_type="text/html", encoding="utf-8", **how)
    written = rehref.rewrite(record, rule, **how)
    assert page_in(written) == alone
    assert (written == record) is (alone == page)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("profile", get_args(Profile))
@pytest.mark.parametrize("page", sorted(FIXTURES.glob("*.html")), ids=lambda each: each.stem)
def test_the_pages_of_the_fixtures(page: Path, profile: str) -> None:
    if data := page.read_bytes():
        assert_read_alike(data, URI, profile=profile)
        assert_rewritten_alike(data, URI, RULES[0], profile=profile)


PIECES = st.lists(
    st.sampled_from(
        [
            "<!doctype html>",
            "<html><head>",
            '<meta charset="utf-8">',
            '<meta charset="koi8-r">',
            "<title>é</title>",
            '<base href="/c/">',
            "<base target=_top>",
            '<template><base href="d/"></template>',
            '<a href="x.html">',
            '<a href="#x">',
            '<a href="">',
            '<a href="?q=é">',
            "<a href='//h.example/é'>",
            '<a href="https://u:secret@example.org/">',
            '<a href="a&amp;b">',
            '<a href=" y\n">',
            '<link rel=stylesheet href="s.css">',
            '<link rel="canonical" href="/">',
            '<link rel=preconnect href=" https://cdn.example.net">',
            '<img srcset="a.png 1x, b.png 2x" src=c.png>',
            '<form action=""><input formaction="z">',
            "<style>a { background: url(i.png) }</style>",
            '<p style="background: url(&quot;j.png&quot;)">',
            '<script type="application/ld+json">{"@id": "k", "url": "l"}</script>',
            '<script type="importmap">{"imports": {"a": "./m.js"}}</script>',
            '<iframe srcdoc="<a href=n>">',
            '<object codebase="o/" data="p.svg"></object>',
            '<svg><a xlink:href="#q"/><use href="r.svg#s"/></svg>',
            "<plaintext>",
            "\r\n",
            "\0",
            "text é 漢字",
        ]
    ),
    max_size=8,
)


@given(
    PIECES,
    URIS,
    st.fixed_dictionaries(
        {
            "profile": st.sampled_from(get_args(Profile)),
            "ignore_embedded_base": st.booleans(),
            "scripting": st.booleans(),
            "conditional_comments": st.booleans(),
            "attributes": st.sampled_from([(), ("div@data-x", "a@href=spaces")]),
        }
    ),
)
def test_drawn_pages_are_read_alike(pieces: list[str], uri: str, how: dict[str, Any]) -> None:
    if page := "".join(pieces).encode():
        assert_read_alike(page, uri, **how)


@given(PIECES, URIS, st.sampled_from(RULES), st.sampled_from(get_args(Profile)), st.booleans())
def test_drawn_pages_are_rewritten_alike(
    pieces: list[str], uri: str, rule: Any, profile: str, percent_encode: bool
) -> None:
    if page := "".join(pieces).encode():
        assert_rewritten_alike(page, uri, rule, profile=profile, percent_encode=percent_encode)
