"""Tree construction takes a number of steps that grows with the source, and no faster, whatever the source is.

Steps are lines of the package that are run: these are counted, no time is measured. What one line could take long for,
looking an element up in a list, is not done at all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.markup._source import construction
from rehref.markup._source.construction import formatting
from rehref.markup._source.construction.construct import construct
from rehref.markup._source.construction.stack import (
    AROUND_ITEMS,
    BUTTON_SCOPE,
    LIST_ITEM_SCOPE,
    SCOPE,
    SPECIAL,
    TABLE_SCOPE,
    Open,
    OpenElement,
)
from rehref.markup._source.names_of_html import SPECIAL_HTML
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, MATHML, SVG, Wanted
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

CORE = core()

WANTED = Wanted(frozenset({"href", "background"}))
NUMBER = 100

# what stands before, what is repeated, and what then is, as often
SHAPES = [
    ("", "<a><div>", ""),
    ("", "<b><div></b>", ""),
    ("", "<b><i></b>", ""),
    ("", "<b><div>", "</b>"),
    ("<b>", "<div>", "</b>"),
    ("<b>", "<y>", "<div></b>"),
    ("", "<nobr><div>", ""),
    ("<nobr><object>", "<y>", "</nobr>"),
    ("<nobr><object>", "<y>", "<nobr></nobr>"),
    ("<b><object>", "<y>", "</b>"),
    ("<b id=0>", "<div>", "<b></b></b></b></b>"),
    ("", "<applet><b>", ""),
    ("", "<applet><b>", "</applet>"),
    ("", "<div>", "<li></li>"),
    ("", "<div>", "<dd></dd>"),
    ("<ul><li><ul>", "<y>", "</li>"),
    ("<x><div>", "<y>", "</x>"),
    ("<p><button>", "<y>", "<div></div>"),
    ("<p><button>", "<y>", "</p>"),
    ("<h1><object>", "<y>", "</h1>"),
    ("<ruby><object>", "<y>", "<rp></rp>"),
    ("<select><object>", "<y>", "<option></option>"),
    ("<select><object>", "<y>", "<input>"),
    ("<select><object>", "<y>", "<hr>"),
    ("<object>", "<y>", "</body>"),
    ("", "<y>", "<table></table>"),
    ("", "<y>", "<template></template>"),
    ("", "<table><td><b>", ""),
    ("<table><td><div>", "<y>", "</tr></tbody></td></caption>"),
    ("<div><svg><desc><svg>", "<g>", "</div>"),
    ("<svg><x><desc><div><svg>", "<g>", "</x>"),
    ("", "<svg><desc><a>", "</x>"),
    ("", "<form><svg><desc></form>", "</desc>"),
    ("<form>", "<y>", "</form><form>"),
    ("<p><b id=1><b id=2><b id=3><b id=4>", "<p>x", ""),
]


def looked_up(node: OpenElement, other: object) -> bool:
    raise AssertionError("an element is looked up in a list")


def steps(source: str) -> int:
    """How many lines of the package it takes to construct a source."""
    package = str(Path(construction.__file__).parent)
    counted = 0

    def in_package(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return in_package

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        return in_package if frame.f_code.co_filename.startswith(package) else None

    collector = PlaceCollector(SourceText(Source(source)), WANTED)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        construct(collector)
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("before", "unit", "then"), SHAPES, ids=lambda part: part or "-")
def test_four_times_the_source_takes_four_times_the_steps(
    before: str, unit: str, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formatting, "MOST", 10)  # so that so short a source comes to it
    monkeypatch.setattr(OpenElement, "__eq__", looked_up, raising=False)
    one, four = (steps(before + unit * number + then * number) for number in (NUMBER, 4 * NUMBER))
    assert one < four < 4.4 * one


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("before", "unit", "then"), SHAPES, ids=lambda part: part or "-")
def test_far_inside_all_that_the_last_reference_is_found(before: str, unit: str, then: str) -> None:
    html = "<select><select></select>" + before + unit * 2_000 + then * 2_000 + "<a href=z>"
    assert CORE.parse(Source(html), WANTED).places[-1][3] == "z"


# ------------------------------------------------------------------------------------- formatting elements


def opened_again(html: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The formatting elements that are opened again, by the values of their first attributes."""
    again: list[str] = []
    push = Open.push

    def pushed(stack: Open, node: OpenElement) -> None:
        if node.row is not None:
            again.append(node.attributes[0][1])
        push(stack, node)

    monkeypatch.setattr(Open, "push", pushed)
    construct(PlaceCollector(SourceText(Source(html)), WANTED))
    return again


def numbered(count: int) -> str:
    return "".join(f"<b id={number}>" for number in range(count))


def test_of_more_formatting_elements_than_a_row_has_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "MOST", 3)
    assert opened_again("<p>" + numbered(5) + "</p>x", monkeypatch) == ["2", "3", "4"]


def test_a_row_is_what_stands_after_a_marker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "MOST", 3)
    html = "<p>" + numbered(3) + "<object><p><i id=5></p>y</object></p>x"
    assert opened_again(html, monkeypatch) == ["5", "0", "1", "2"]


def test_ordinarily_each_paragraph_opens_them_all_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(opened_again("<p>" + numbered(500) + "<p>x" * 100, monkeypatch)) == 500 * 100


def test_there_is_a_bound_to_how_many_are_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "AGAIN", 0)
    html = "<p>" + numbered(100) + "<p>x" * 1_000
    assert len(html) - 100 < len(opened_again(html, monkeypatch)) <= len(html)


# ------------------------------------------------------------------------------------------------ the stack

_MARKERS = {"applet", "caption", "html", "table", "td", "th", "marquee", "object", "template"}
_FOREIGN_MARKERS = {(SVG, "desc"), (SVG, "title"), (SVG, "foreignObject"), (MATHML, "mi"), (MATHML, "annotation-xml")}
_KINDS = [
    *((HTML, name) for name in ("div", "p", "li", "ul", "y", "b", "nobr", "button", "table", "object", "form", "td")),
    *((SVG, name) for name in ("svg", "g", "desc", "foreignObject")),
    *((MATHML, name) for name in ("math", "mi", "g")),
]
_NAMES = ("div", "p", "li", "y", "b", "nobr", "table", "object")


def stops(node: OpenElement, scope: int) -> bool:
    """Whether an element is in the way, as the Standard lists them."""
    namespace, name = node.key
    if node.key in _FOREIGN_MARKERS:
        return scope != TABLE_SCOPE
    if namespace != HTML:
        return False
    return {
        SCOPE: name in _MARKERS,
        LIST_ITEM_SCOPE: name in _MARKERS | {"ol", "ul"},
        BUTTON_SCOPE: name in _MARKERS | {"button"},
        TABLE_SCOPE: name in {"html", "table", "template"},
        SPECIAL: name in SPECIAL_HTML,
        AROUND_ITEMS: name in SPECIAL_HTML - {"address", "div", "p"},
    }[scope]


def looked_for(nodes: list[OpenElement], name: str, scope: int) -> bool:
    """The Standard's way to ask what is in scope: along the stack."""
    for node in reversed(nodes):
        if node.is_html(name):
            return True
        if stops(node, scope):
            return False
    return False


def in_foreign(nodes: list[OpenElement], name: str) -> OpenElement | None:
    """What an end tag in foreign content closes there: looked for along the stack."""
    for node in reversed(nodes):
        if node.namespace == HTML:
            return None
        if node.name.lower() == name:
            return node
    return None


def chain(stack: Open) -> Iterator[OpenElement]:
    """The open elements, from the top."""
    node: OpenElement | None = stack.current
    while node is not None and node.is_open:
        yield node
        node = node.below


@given(
    st.lists(st.sampled_from(_KINDS), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1_000)), min_size=5, max_size=60),
)
def test_what_is_known_of_the_stack_is_what_is_found_along_it(
    kinds: list[tuple[str, str]], acts: list[tuple[int, int]]
) -> None:
    stack = Open()
    nodes = [OpenElement(HTML, "html")]
    stack.push(nodes[0])
    for act, draw in acts:
        blocks = [node for node in nodes[1:] if node.namespace == HTML and node.name in SPECIAL_HTML]
        loose = [node for node in nodes[1:] if node.key in ((HTML, "form"), (HTML, "b"), (HTML, "nobr"))]
        if act < 4:
            nodes.append(OpenElement(*kinds[draw % len(kinds)]))
            stack.push(nodes[-1])
        elif act == 4 and len(nodes) > 1:
            assert stack.pop() is nodes.pop()
        elif act == 5 and loose:
            node = loose[draw % len(loose)]
            nodes.remove(node)
            stack.remove(node)
        elif act > 5 and blocks:
            block = blocks[draw % len(blocks)]
            node = OpenElement(HTML, "nobr" if draw % 2 else "b")
            nodes.insert(nodes.index(block) + 1, node)
            stack.insert_above(block, node)

        assert list(chain(stack)) == nodes[::-1]
        assert all(below.place < above.place for below, above in pairwise(nodes))
        assert stack.second is (nodes[1] if len(nodes) > 1 else None)
        for scope in (SCOPE, LIST_ITEM_SCOPE, BUTTON_SCOPE, TABLE_SCOPE, SPECIAL, AROUND_ITEMS):
            for name in _NAMES:
                assert stack.in_scope((name,), scope) == looked_for(nodes, name, scope)
        for number, node in enumerate(nodes[1:], 1):
            assert stack.node_in_scope(node) == (not any(stops(above, SCOPE) for above in nodes[number + 1 :]))
            special = next((above for above in nodes[number + 1 :] if stops(above, SPECIAL)), None)
            assert stack.special_above(node) is special
        if nodes[-1].namespace != HTML:
            for name in ("svg", "g", "desc", "foreignobject", "math", "mi"):
                assert stack.foreign(name) is in_foreign(nodes, name)


def test_what_is_between_foreign_elements_is_in_the_way_only_while_it_is_open() -> None:
    stack = Open()
    svg, desc, form, inner = (
        OpenElement(SVG, "svg"),
        OpenElement(SVG, "desc"),
        OpenElement(HTML, "form"),
        OpenElement(SVG, "svg"),
    )
    for node in (OpenElement(HTML, "html"), svg, desc, form, inner):
        stack.push(node)
    assert (stack.foreign("desc"), stack.foreign("svg")) == (None, inner)
    stack.remove(form)
    assert (stack.foreign("desc"), stack.foreign("svg")) == (desc, inner)
    stack.pop_to(desc)
    assert stack.current is svg
