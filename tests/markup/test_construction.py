"""Tree construction takes a number of steps that grows with the source, and no faster, whatever the source is.

Steps are lines of the package that are run: these are counted, no time is measured. What one line could take long for,
looking an element up in a list, is not done at all.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from rehref.markup._source import construction
from rehref.markup._source.construction import formatting
from rehref.markup._source.construction.construct import construct
from rehref.markup._source.construction.stack import (
    Open,
    OpenElement,
)
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup.cores import core
from rehref.markup.parsed import Wanted
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
