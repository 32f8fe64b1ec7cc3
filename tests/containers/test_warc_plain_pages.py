"""Plain pages of archives (`plain_pages`): what is read and rewritten in the short way is as in the usual one."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, get_args
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref._native import TWIN
from rehref.collections.processing import documents_inside
from rehref.containers.parts import ContainerOptions, Diagnostic, Limits
from rehref.containers.registry import Container, of_media_type
from rehref.containers.warc import documents
from rehref.containers.warc.plain_pages import PlainPage
from rehref.documents.document import Document
from rehref.options import ReadOptions
from rehref.reports.formats import Presentation, in_pieces, links_format
from rehref.rewriting.containers import RewriteCounts, rewrite_container
from rehref.uri.resolver import Profile

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
URI = "https://example.org/a/b.html"
HTML = b"Content-Type: text/html; charset=utf-8"
PAGE = '<a href="x.html">é</a><img src="../i.png" srcset="a.png 1x, /b.png 2x">'.encode()
needs_twin = pytest.mark.skipif(TWIN is None, reason="the twin is not compiled")


def response(
    page: bytes = PAGE,
    fields: tuple[bytes, ...] = (HTML,),
    uri: str = URI,
    record: tuple[bytes, ...] = (b"WARC-Record-ID: <urn:uuid:1>",),
    media_type: bytes = b"application/http; msgtype=response",
) -> bytes:
    """A response record in a member of its own."""
    block = b"\r\n".join((b"HTTP/1.1 200 OK", *fields, b"", page))
    lines = (
        b"WARC/1.1",
        b"WARC-Type: response",
        *record,
        b"WARC-Target-URI: " + uri.encode(),
        b"Content-Type: " + media_type,
        b"Content-Length: %d" % len(block),
    )
    return gzip.compress(b"\r\n".join((*lines, b"", block, b"\r\n")), 1, mtime=0)


def container(data: bytes, limits: Limits | None = None) -> Container:
    kind = of_media_type("application/warc")
    assert kind is not None
    return Container(kind, BytesIO(data), ContainerOptions(limits=limits or Limits()))


def sources(data: bytes, how: ReadOptions | None = None, limits: Limits | None = None) -> list[Any]:
    """What the links of each document are read from."""
    found = documents_inside(container(data, limits), how or ReadOptions())
    return [each if isinstance(each, Diagnostic) else each.source for each in found]


def reported(data: bytes, how: ReadOptions, form: str) -> list[object]:
    """What is reported of each document in a format, and what a program sees of it."""
    shown = links_format(form, Presentation())
    found: list[object] = []
    for each in documents_inside(container(data), how):
        if isinstance(each, Diagnostic):
            found.append(each)
            continue
        written = shown.written("x.warc.gz", each.source, each.where)
        text = shown.document("x.warc.gz", each.document.base, each.links, each.where)
        found += [
            b"".join(in_pieces(written[0])) if written is not None else text.encode("utf-8", "backslashreplace"),
            text,
            len(each.links),
            each.document.bases,
            each.document.source,
            each.document.reader,
            each.document.guessed,
            each.document.encode,
            each.part,
        ]
    return found


def reported_both_ways(data: bytes, how: ReadOptions | None = None, form: str = "jsonl") -> list[list[object]]:
    how = how or ReadOptions()
    with mock.patch.object(documents, "plain_pages", return_value=None):
        usual = reported(data, how, form)
    return [reported(data, how, form), usual]


@needs_twin
@pytest.mark.parametrize(
    "data",
    [
        response(),
        response(uri="http://example.org/"),
        response(uri=f"{URI}?q=1#part"),
        response(media_type=b"application/http"),
        response(fields=(b"content-type:TEXT/HTML;charset=UTF-8", b"Server: x")),
        response(page=b'<!doctype html><meta charset="utf-8"><a href=x>', fields=(b"Content-Type: text/html",)),
        response(page=b"<a href=x>\xff<a href=\xe9>"),
        response(
            page=b"<a href=x rel=next><a href=' y' rel='a\"b'><a href=z rel=&amp;>",
            record=(b"WARC-Record-ID: <urn:uuid:1>", b"WARC-Date: 2024-01-02T03:04:05Z"),
        ),
        response(page=b'<script type="application/ld+json">{"@id": "x"}</script><a href=" y&amp;z">'),
    ],
)
def test_a_plain_page_is_read_in_the_short_way(data: bytes) -> None:
    assert [type(each) for each in sources(data)] == [PlainPage]
    for profile in get_args(Profile):
        short, usual = reported_both_ways(data, ReadOptions(profile=profile))
        assert short == usual
        assert len(short) > 1


@needs_twin
@pytest.mark.parametrize(
    ("data", "how"),
    [
        (response(fields=(HTML, b"Content-Encoding: gzip"), page=gzip.compress(PAGE)), ReadOptions()),
        (response(fields=(HTML, b"Transfer-Encoding: chunked")), ReadOptions()),
        (response(fields=(b"Content-Type: text/html",)), ReadOptions()),
        (response(fields=(b"Content-Type: text/html; charset=koi8-r",)), ReadOptions()),
        (response(fields=(b"Content-Type: text/html; charset=none",)), ReadOptions()),
        (response(page=b"\xef\xbb\xbf" + PAGE), ReadOptions()),
        (response(page=b'<base href="/"><a href=x>'), ReadOptions()),
        (response(uri="https://example.org/\xe9"), ReadOptions()),
        (response(uri="https://EXAMPLE.org/"), ReadOptions()),
        (response(uri="https://example.org/a'b"), ReadOptions()),
        (response(uri="mailto:x"), ReadOptions()),
        (response(record=()), ReadOptions()),
        (response(), ReadOptions(parser="lxml")),
    ],
)
def test_any_other_is_read_in_the_usual_way(data: bytes, how: ReadOptions) -> None:
    assert [type(each) for each in sources(data, how)] == [Document]


@needs_twin
def test_a_head_that_carries_references_is_read_too() -> None:
    data = response(fields=(HTML, b"Link: <style.css>; rel=stylesheet"))
    assert [type(each) for each in sources(data)] == [Document, Document]


@needs_twin
def test_an_empty_page_and_one_that_is_too_large_are_no_documents() -> None:
    assert sources(response(page=b"")) == []
    large = sources(response(page=PAGE * 100), limits=Limits(size=1000))
    assert [type(each) for each in large] == [Diagnostic]
    assert sources(response(record=(b"WARC-Record-ID: <urn:uuid:1>", b"WARC-Segment-Number: 1"))) != []


@needs_twin
def test_a_base_that_is_ignored_does_not_matter() -> None:
    data, how = response(page=b'<base href="/"><a href=x>'), ReadOptions(ignore_embedded_base=True)
    assert [type(each) for each in sources(data, how)] == [PlainPage]
    short, usual = reported_both_ways(data, how)
    assert short == usual


@needs_twin
def test_a_page_is_a_part_only_while_its_record_is_the_current_one() -> None:
    odd = response(page=b'<a href="&eacute;">')
    for page in sources(odd + odd):
        with pytest.raises(RuntimeError, match="before the next record"):
            page.read_part()
        assert [link.target for link in page.document.links()] == ["https://example.org/a/é"]


@pytest.mark.sampled(3)
@needs_twin
@pytest.mark.parametrize("ignores_base", [False, True])
@pytest.mark.parametrize("charset", [b"", b"; charset=utf-8", b"; charset=windows-1252"])
def test_every_page_of_the_fixtures_in_a_record(charset: bytes, ignores_base: bool) -> None:
    pages = sorted(FIXTURES.glob("*.html"))
    data = b"".join(response(page.read_bytes(), (b"Content-Type: text/html" + charset,)) for page in pages)
    how = ReadOptions(ignore_embedded_base=ignores_base)
    found = sources(data, how)
    assert len(found) == len(pages)
    if ignores_base and charset == b"; charset=utf-8":
        assert sum(isinstance(each, PlainPage) for each in found) > 20
    short, usual = reported_both_ways(data, how)
    assert short == usual


@needs_twin
@pytest.mark.parametrize("form", ["json", "csv", "table"])
def test_every_archive_of_the_fixtures(form: str) -> None:
    for path in sorted((FIXTURES / "containers").glob("*.warc*")):
        short, usual = reported_both_ways(path.read_bytes(), form=form)
        assert short == usual, path


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
FIELDS = st.lists(
    st.sampled_from(
        [
            HTML,
            HTML,
            b"Content-Type: text/html",
            b'Content-Type: text/html; charset="UTF-8"',
            b"Content-Type: application/xhtml+xml",
            b"Content-Type:",
            b"Server: x",
            b"Link: <y>; rel=next",
            b"Location: z",
            b"Content-Encoding: identity",
            b"X: y\r\n folded",
        ]
    ),
    max_size=3,
)
URIS = st.sampled_from(
    [URI, "http://example.org", "http://example.org/?q#f", "https://u:secret@h.example/", "x", "file:///a"]
)


@needs_twin
@given(
    PIECES,
    st.lists(st.tuples(FIELDS, URIS), min_size=1, max_size=3),
    st.builds(
        ReadOptions,
        profile=st.sampled_from(["rfc3986", "rfc3986-compat", "whatwg"]),
        ignore_embedded_base=st.booleans(),
        scripting=st.booleans(),
        strict_uris=st.booleans(),
        conditional_comments=st.booleans(),
        attributes=st.sampled_from([(), ("div@data-x", "a@href=spaces")]),
    ),
)
def test_both_ways_report_the_same(pieces: list[str], records: list[tuple[list[bytes], str]], how: ReadOptions) -> None:
    page = "".join(pieces).encode()
    short, usual = reported_both_ways(b"".join(response(page, tuple(fields), uri) for fields, uri in records), how)
    assert short == usual


# --- rewriting


DIGESTS = (
    b"WARC-Record-ID: <urn:uuid:1>",
    b"WARC-Date: 2024-01-02T03:04:05Z",
    b"WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    b"WARC-Payload-Digest: sha256:" + b"0" * 64,
)
RULES: Sequence[Any] = (
    rehref.Absolute(),
    rehref.Absolute(same_document=True, metadata=True),
    rehref.Absolute(base_element="drop"),
    rehref.Template("http://h/{timestamp}mp_/{uri}"),
    rehref.Relative(),
    lambda link: link.target and link.target.upper(),
    lambda link: None,
)


def rewritten(data: bytes, rule: Any, how: ReadOptions, *, percent_encode: bool = False) -> list[object]:
    """The new archive, the counts and the diagnostics."""
    out, counts = BytesIO(), RewriteCounts()
    rewriting = rewrite_container(container(data), out, rule, how, counts, guarded=True, percent_encode=percent_encode)
    return [list(rewriting), counts, out.getvalue()]


def both_ways(data: bytes, rule: Any, how: ReadOptions | None = None, **more: bool) -> list[list[object]]:
    how = how or ReadOptions()
    with mock.patch.object(documents, "plain_pages", return_value=None):
        usual = rewritten(data, rule, how, **more)
    return [rewritten(data, rule, how, **more), usual]


@needs_twin
@pytest.mark.parametrize("rule", RULES)
def test_a_plain_page(rule: Any) -> None:
    data = response(PAGE, (HTML, b"Content-Length: 9", b"Content-MD5: x"), record=DIGESTS)
    with mock.patch.object(documents, "CurrentRecord", side_effect=AssertionError("not in the short way")):
        short = rewritten(data, rule, ReadOptions())
    assert short == both_ways(data, rule)[1]
    assert (short[2] == data) is (rule is RULES[-1])


@pytest.mark.sampled(3)
@needs_twin
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ignores_base", [False, True])
def test_every_page_of_the_fixtures_is_rewritten_alike(rule: Any, ignores_base: bool) -> None:
    pages = sorted(FIXTURES.glob("*.html"))
    data = b"".join(response(page.read_bytes(), record=DIGESTS) for page in pages)
    short, usual = both_ways(data, rule, ReadOptions(ignore_embedded_base=ignores_base))
    assert short == usual


@needs_twin
def test_an_exception_of_a_rule_is_reported() -> None:
    def fails(link: rehref.Link) -> str:
        raise ValueError(link.reference)

    short, usual = both_ways(response(), fails)
    assert short == usual
    assert "ValueError: x.html" in str(short[0])


@needs_twin
@given(
    PIECES,
    st.lists(st.tuples(FIELDS, URIS), min_size=1, max_size=3),
    st.sampled_from(RULES),
    st.sampled_from(["rfc3986", "rfc3986-compat", "whatwg"]),
    st.booleans(),
)
def test_both_ways_write_the_same(
    pieces: list[str], records: list[tuple[list[bytes], str]], rule: Any, profile: Any, percent_encode: bool
) -> None:
    page = "".join(pieces).encode()
    data = b"".join(response(page, tuple(fields), uri, DIGESTS) for fields, uri in records)
    short, usual = both_ways(data, rule, ReadOptions(profile=profile), percent_encode=percent_encode)
    assert short == usual


@needs_twin
def test_conversions_are_made_in_the_usual_way() -> None:
    kind = container(response()).kind
    options = ContainerOptions(as_conversion=True)
    out = BytesIO()
    list(
        rewrite_container(Container(kind, BytesIO(response()), options), out, RULES[0], ReadOptions(), RewriteCounts())
    )
    links = rehref.links(out.getvalue())
    old, new = links[:4], links[4:]
    assert [link.reference for link in new] == [link.target for link in old]
