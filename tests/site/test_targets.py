"""One document as the checker reads it (site/_pages/site_page.py), and where it leads (site/_pages/targets.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_parts import context_of

from rehref.documents.link import Link
from rehref.documents.reading import read_document
from rehref.markup.html_encoding import sniff_html
from rehref.site._pages.targets import Targets, Used, is_odd
from rehref.site._pages.written import noticed

FILE = "file:///srv/www/"
HTTP = "https://example.org/docs/"


def nothing_found(uri: str) -> tuple[object, ...]:
    """What stands in for a locator where only that matters which leads out of the site."""
    return None, "", "", True


def page_of(markup: str | bytes, path: str = "a/b/page.html", uri: str = FILE, **options: Any) -> Any:
    data = markup if isinstance(markup, bytes) else markup.encode()
    return context_of(uri, nothing_found, **options).page(path, data)


def used_by(page: Any) -> Used:
    return Targets(page.context).of(page)


def by_value(used: Used) -> dict[str, str]:
    """The targets that are to be judged, by the values of ordinary places."""
    return {value: target for value, _, target in used.judged()}


def links_of(page: Any, data: bytes) -> list[Link]:
    """The same links, the long way."""
    context = page.context
    media_type, layers = context.files.types.of(page.path), context.layers_of(page.path)
    return list(read_document(data, media_type, None, layers, context.options.how).links())


NAMED = (
    "<p id=a><a name=b><A NAME='c' id=d href=x><svg><g id=e /></svg><math id=f></math>"
    "<template><p id=g></p></template><meta name=h><map name=i></map><div name=j><p id=''><p id=a>"
)


def test_ids_are_names_in_any_namespace_but_not_in_a_template() -> None:
    page = page_of(NAMED)
    assert page.names == set("abcdef")
    assert page.name_table.maps == {"i"}
    assert [page.parsed.places[number][3] for number in page.name_table.doubles] == ["a"]


def test_ids_of_svg_and_xhtml_are_names() -> None:
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><g id='x'/><a name='no' xml:id='y'/></svg>"
    assert page_of(svg, "i.svg").names == {"x", "y"}
    xhtml = b"<html xmlns='http://www.w3.org/1999/xhtml'><body><p id='x'/><a name='y'/></body></html>"
    assert page_of(xhtml, "i.xhtml").names == {"x", "y"}
    assert page_of(b"<feed><id id='z'>x</id></feed>", "i.xml").names == frozenset()


@pytest.mark.parametrize("uri", [FILE, HTTP])
def test_targets_are_paths_on_the_site_and_uris_elsewhere(uri: str) -> None:
    page = page_of(
        "<a href=x.html#y><a href=../c/><a href='../../?q'><a href=./d><a href=/e><a href=//h.example/f><a href=g%20h>"
        f"<a href=' k '><a href='{uri}m'><a href=mailto:n@h.example><img src=o.png>",
        uri=uri,
    )
    used = used_by(page)
    found = by_value(used)
    assert {
        value: found[value] for value in ("x.html#y", "../c/", "../../?q", "./d", "g%20h", "k", "o.png", uri + "m")
    } == {
        "x.html#y": "/a/b/x.html#y",
        "../c/": "/a/c/",
        "../../?q": "/?q",
        "./d": "/a/b/d",
        "g%20h": "/a/b/g%20h",
        "k": "/a/b/k",
        "o.png": "/a/b/o.png",
        uri + "m": "/m",
    }
    assert used.others == []
    assert (used.links, used.skipped) == (11, 3)


def test_a_path_that_leaves_the_site_is_reported_unless_the_host_is_named() -> None:
    def locate(uri: str) -> tuple[object, ...]:
        return None, "escapes-site", "", True

    page = context_of(HTTP, locate).page("a.html", b"<a href=/x><a href=//example.org/y><a href=https://example.org/z>")
    used = used_by(page)
    assert list(by_value(used).values()) == ["https://example.org/x"]
    assert used.skipped == 2


@pytest.mark.parametrize(
    "markup",
    [
        "<base href='../'>",
        "<base target=_top><base href='/docs/x/'>",
        "<base href='https://example.org/docs/q/r?s'>",
        "<base href='https://elsewhere.example/docs/'>",
        "<base href='HTTPS://example.org/docs/x/../'>",
        "<base href='data:,x'>",
        "<base href='%C3%A9/é/'>",
        "<template><base href=no/></template>",
    ],
)
@pytest.mark.parametrize("ignore", [False, True])
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"])
def test_the_base_is_that_of_links(markup: str, ignore: bool, profile: str) -> None:
    data = (markup + "<a href=x><a href=../y><a href='#z'><a href='?q'><a href=/docs/w><img src='a/./b'>").encode()
    page = page_of(data, uri=HTTP, ignore_embedded_base=ignore, profile=profile)
    assert_like_links(page, data)


def assert_like_links(page: Any, data: bytes) -> None:
    """Every reference leads to where `links` has it lead, and each is counted once."""
    links = links_of(page, data)
    used = used_by(page)
    assert used.links == len(links)
    expected = {(link.reference, link.target) for link in links if link.target is not None}
    uri = page.context.uri
    for value, target in by_value(used).items():
        assert (value, uri + target[1:] if target.startswith("/") else target) in expected
    on_site = {
        link.reference
        for link in links
        if link.kind == "hyperlink"
        and link.target is not None
        and link.target.startswith(uri)
        and not link.target.startswith((uri + page.own[1:] + "#",))
        and link.target != uri + page.own[1:]
    }
    assert on_site <= {*by_value(used), *(other.reference.text for other in used.others)}
    odd = {
        link.reference for link in links if is_odd(noticed(page.context, link.reference, link.target, link.problems))
    }
    assert odd == used.odd | {other.reference.text for other in used.others if other.odd}


SEGMENTS = st.sampled_from(
    ["a", "b.html", "..", ".", "", "é", "%C3%A9", "x y", "a:b", "#f", "?q=1", "//h", "http://h/", "&amp;", "\n", "|"]
)


@given(
    st.lists(st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join), max_size=12),
    st.sampled_from(["", "<base href='../c/'>", "<base href='//h/'>", "<base>"]),
    st.sampled_from([FILE, HTTP, "http://[::1]/x%20y/"]),
)
def test_targets_are_those_of_links(references: Iterable[str], base: str, uri: str) -> None:
    data = "".join([base, "<p id=f>", *(f'<a href="{reference}">' for reference in references)]).encode()
    assert_like_links(page_of(data, uri=uri), data)


def test_an_encoding_other_than_utf_8_is_heeded() -> None:
    data = "<meta charset=windows-1252><a href='x?é'><a href='é.html'><p id=é><a href='#é'><a href='#%C3%A9'>".encode(
        "cp1252"
    )
    page = page_of(data)
    used = used_by(page)
    assert list(by_value(used).values()) == ["/a/b/x?é", "/a/b/é.html"]
    assert used.wrong == {}


@pytest.mark.parametrize(
    "head",
    [
        b'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="UTF-8">',
        b"<!doctype html><html><head><meta charset=utf-8>",
        b'<meta charset="utf-8" />',
        b'<html><meta charset="utf-8x">',
        b'<!DOCTYPE html><!-- --><meta charset="utf-8">',
        b'\xef\xbb\xbf<meta charset="utf-8">',
        b'<html data-x="<meta charset=latin1>"><meta charset="utf-8">',
        b"",
    ],
)
def test_the_encoding_is_what_sniffing_gives(head: bytes) -> None:
    page = page_of(head + b'<a href="\xe9">')
    head += b"\xe9"
    assert page.is_utf8 is (sniff_html(head).name == "utf-8")


@pytest.mark.parametrize(
    ("markup", "missing"),
    [
        ("<a href='#no'>", ["no"]),
        ("<a href='page.html#no'>", []),  # judged with all others
        ("<p id=x><a href='#x'><a href='#'><a href=''><a href='#top'><a href='#TOP'>", []),
        ("<meta charset=utf-8><p id='é'><a href='#%C3%A9'><a href='#é'>", []),
        ("<p id='a b'><a href='#a b'>", []),
        ("<a href='#:~:text=x'><a href='#no:~:text=x'>", ["no"]),
        ("<template><img usemap='#no'><svg><use href='#no' fill='url(#no)' /></svg></template>", []),
        ("<img usemap='#m'><map name=m></map><img usemap='#no'><p id=no>", ["no"]),
        ("<svg><g id=g /><use href='#g' fill='url(#no)' /></svg>", ["no"]),
        ("<style>p{fill:url(#no)}</style>", ["no"]),
        ("<iframe srcdoc='<a href=#no>'></iframe>", []),
    ],
)
def test_fragments_of_the_document_itself_are_looked_up(markup: str, missing: list[str]) -> None:
    used = used_by(page_of(markup))
    wrong = [value.partition("#")[2].partition(":~:")[0] for value in used.wrong]
    wrong += [other.reference.text[1:] for other in used.others if other.verdict is not None]
    assert wrong == missing


@pytest.mark.parametrize(
    ("markup", "skipped"),
    [
        ("<p itemtype=https://x.example/>", 1),
        ("<base href=x/>", 1),
        ("<p itemid=x>", 1),
        ('<script type=application/ld+json>{"@id": "#x"}</script>', 1),
        ("<meta property=og:image content=x.png>", 0),
        ("<img src=''>", 0),
        ("<a href=javascript:x><a href=data:,x>", 2),
    ],
)
def test_names_and_statements_are_not_checked(markup: str, skipped: int) -> None:
    used = used_by(page_of(markup))
    assert used.skipped == skipped


def test_fragments_in_style_sheets_and_feeds_are_not_looked_up() -> None:
    assert used_by(page_of(b"a{b:url(#c)}", "x.css")).skipped == 1
    used = used_by(page_of(b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='#x'/></feed>", "x.atom"))
    assert (used.links, used.wrong, [other.verdict for other in used.others]) == (1, {}, [])


def test_what_other_pages_came_to_is_remembered_by_folder() -> None:
    context = context_of(FILE, nothing_found)
    targets = Targets(context)
    markup = b"<a href=./x><a href=/srv/www/y><a href='?q'>"
    first = targets.of(context.page("a/1.html", markup))
    second = targets.of(context.page("a/2.html", markup))
    third = targets.of(context.page("b/3.html", markup))
    assert list(by_value(first).values()) == ["/a/x", "/y", "/a/1.html?q"]
    assert list(by_value(second).values()) == ["/a/x", "/y", "/a/2.html?q"]
    assert list(by_value(third).values()) == ["/b/x", "/y", "/b/3.html?q"]
