"""How far elements with an attribute reach (markup/_page/extents.py)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.markup._page.extents import html_extents, xml_extents
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

NAMES = frozenset({"no"})
HREF = re.compile(r"href='?(\w+)")


def inside(text: str, *, xml: bool = False) -> str:
    """The `href`s that stand in an element with the attribute."""
    units = SourceText(Source(text))
    found = xml_extents(units, NAMES) if xml else html_extents(units, NAMES, scripting=False)
    return "".join(
        href[1] for href in HREF.finditer(text) if any(start <= href.start() < end for start, end, _ in found)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a href=1><a no href=2><a href=3>", "2"),
        ("<div no><a href=1><div><a href=2></div><a href=3></div><a href=4>", "123"),
        ("<p no><a href=1></a><p><a href=2>", "1"),
        ("<p no><a href=1></a><div><a href=2>", "1"),
        ("<ul><li no><a href=1></a><li><a href=2></a></ul>", "1"),
        ("<dl no><dt><a href=1></a><dd><a href=2></a></dl><a href=3>", "12"),
        ("<table><tr no><td><a href=1></a><tr><td><a href=2></a></table>", "1"),
        ("<img no href=1><a href=2>", "1"),
        ("<p><br no href=1><a href=2>", "1"),
        ("<link no href=1><link href=2>", "1"),
        ("<body no><a href=1></body><a href=2>", "12"),
        ("<link href=1><body><p><body no><a href=2>", "2"),
        ("<html no><link href=1><p><a href=2>", "12"),
        ("<svg no><a href=1 /></svg><a href=2>", "1"),
        ("<svg><a no href=1 /><a href=2 /></svg>", "1"),
        ("<div no><p><a href=1></div></span><a href=2>", "1"),
        ("<!-- <div no> --><a href=1><title><div no></title><a href=2>", ""),
        ("<script no>'href=1'</script><a href=2>", "1"),
        ("<DIV NO=x><a href=1></DIV><a href=2>", "1"),
        ("<div no><template><a href=1></div><a href=2></template><a href=3></div><a href=4>", "123"),
        ("<select no><option><a href=1></select><a href=2>", "1"),
        ("<nothing no><a href=1></nothing><a href=2>", "1"),
        ("<div no><a href=1", "1"),
        ("<div no", ""),
        ("", ""),
    ],
)
def test_html(text: str, expected: str) -> None:
    assert inside(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<x><p no=''><a href=1 /><a t='' href=2 /></p><a href=3 /></x>", "12"),
        ("<x><p no='' href=1 /><a href=2 /></x>", "1"),
        ("<x><p no=''><p><a href=1 /></p><a href=2 /></p><a href=3 /></x>", "12"),
        ("<x><p no=''><q><a href=1 /></p><a href=2 /></x>", "1"),
        ("<x><p no=''></q><a href=1 /></p><a href=2 /></x>", "1"),
        ("<x><!-- <p no=''> --><a href=1 /><![CDATA[<p no=''>]]><a href=2 /></x>", ""),
        ("<x><P NO=''><a href=1 /></P></x>", ""),
        ("<x><p no=''><a href=1 /></x>", "1"),
        ("<x no=''><a href=1 />", "1"),
        ("<x no='' <a href=1 />", ""),
    ],
)
def test_xml(text: str, expected: str) -> None:
    assert inside(re.sub(r"href=(\w)", r"href='\1'", text), xml=True) == expected


def test_values() -> None:
    for text, extents in (
        ("<p no='a&amp;b'>", html_extents(SourceText(Source("<p no='a&amp;b'>")), NAMES, scripting=False)),
        ("<p no='a&amp;b'>", xml_extents(SourceText(Source("<p no='a&amp;b'>")), NAMES)),
    ):
        assert extents == [(0, len(text), "a&b")]


PIECES = st.sampled_from(
    [
        *("<div no>", "<div>", "</div>", "<p no>", "<p>", "</p>", "<ul>", "<li no>", "<li>", "</ul>", "<section no>"),
        *("</section>", "<h1 no>", "</h1>", "<br no>", "<dl>", "<dt no>", "<dd>", "</dl>", "x", "<img href=H>"),
    ]
)


@given(st.lists(PIECES, max_size=25))
def test_elements_reach_as_far_as_in_the_tree(pieces: list[str]) -> None:
    """What is no formatting element, and in no table, stands in the tree where it stands in the source."""
    numbers = iter(range(1000))
    text = "".join(piece.replace("H", f"h{next(numbers)}") for piece in ["<body>", *pieces])
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    ignored = {each.get("href") for element in tree.iter() if element.get("no") is not None for each in element.iter()}
    found = html_extents(SourceText(Source(text)), NAMES, scripting=False)
    here = {href[1] for href in HREF.finditer(text) if any(start <= href.start() < end for start, end, _ in found)}
    assert here == ignored - {None}


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "<div no>" * n,
        lambda n: "<i no>" * n,
        lambda n: "<p no><a href=x>" * n,
        lambda n: "<b no>x</b>" * n,
        lambda n: "<x no=''>" * n + "</y>" * n,
        lambda n: "<x no='' " * n,
    ],
)
def test_time_is_linear(text: Callable[[int], str]) -> None:
    def of_html(n: int) -> Callable[[], object]:
        return partial(html_extents, SourceText(Source(text(n))), NAMES, scripting=False)

    def of_xml(n: int) -> Callable[[], object]:
        return partial(xml_extents, SourceText(Source(text(n))), NAMES)

    assert_proportional(of_html, 200)
    assert_proportional(of_xml, 200)
