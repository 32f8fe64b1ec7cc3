"""Candidates of srcset that browsers drop, against a transcription of the HTML Standard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.site._pages.image_candidates import dropped
from rehref.uri.syntaxes import SYNTAXES

WHITE = "\t\n\f\r "


def tokens(text: str) -> list[str]:
    """HTML Standard, "parse a srcset attribute", step 8: the descriptor tokenizer, up to the end of a candidate."""
    found, current, state = [], "", "in descriptor"
    for c in [*text, None]:
        if state == "in parens":
            current += c or ""
            if c is None:
                found.append(current)
            state = "in descriptor" if c == ")" else state
            continue
        if c is None or c == "," or c in WHITE:
            found += [current] if current else []
            current = ""
            if c == ",":
                break
            continue
        current += c
        state = "in parens" if c == "(" else state
    return found


def survives(descriptors: list[str]) -> tuple[str, float] | None:
    """The descriptor parser, step by step; what is left is a width or a density."""
    width = density = height = None
    for descriptor in descriptors:
        body, last = descriptor[:-1], descriptor[-1]
        is_integer = re.fullmatch("[0-9]+", body) is not None
        is_float = re.fullmatch(r"-?([0-9]+|[0-9]*\.[0-9]+)([eE][+-]?[0-9]+)?", body) is not None
        if last == "w" and is_integer:
            if width is not None or density is not None or int(body) == 0:
                return None
            width = float(int(body))
        elif last == "x" and is_float:
            if width is not None or density is not None or height is not None or float(body) < 0:
                return None
            density = float(body)
        elif last == "h" and is_integer:
            if height is not None or density is not None or int(body) == 0:
                return None
            height = int(body)
        else:
            return None
    if height is not None and width is None:
        return None
    return ("w", width) if width is not None else ("x", 1.0 if density is None else density)


def standard_dropped(value: str) -> set[int]:
    """Where the candidates begin that are dropped."""
    gone, before = set(), set()
    for start, end, *_ in SYNTAXES["srcset"].find(value):
        left = survives([] if value[end : end + 1] == "," else tokens(value[end:]))
        if left is None or left in before:
            gone.add(start)
        else:
            before.add(left)
    return gone


@given(st.lists(st.sampled_from([*"ab,, ()019.-exwhq", "1x", "2w", "3h", " ", ", "])).map("".join))
@example("a 1x, b 1x")
@example("a 10w 20h, b 20h 10w, c 10h")
@example("a (1x), b 1x)")
def test_what_is_dropped_agrees_with_the_standard(value: str) -> None:
    assert set(dropped(value)) == standard_dropped(value)


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("", []),
        ("a.png", []),
        ("a.png 1x, b.png 2x", []),
        ("a.png, b.png 1.5x, c.png 2e0x", []),
        ("a.png 100w, b.png 200w 300h", []),
        ("a.png 1x, b.png 1x", ["b.png"]),
        ("a.png, b.png", ["b.png"]),
        ("a.png, b.png 1.0x", ["b.png"]),
        ("a.png 100w, b.png 0100w", ["b.png"]),
        ("a.png 100w, b.png 1x", []),  # only the width of the screen tells
        ("my photo.png 1x, b.png 2x", ["my"]),
        ("a.png 2, b.png 2px, c.png x, d.png 1X", ["a.png", "b.png", "c.png", "d.png"]),
        ("a.png 0w, b.png -1x, c.png +1x, d.png 1.x, e.png 1.5w", ["a.png", "b.png", "c.png", "d.png", "e.png"]),
        ("a.png 0x", []),
        ("a.png 100w 2x, b.png 2x 3x, c.png 100h, d.png 9w 9w", ["a.png", "b.png", "c.png", "d.png"]),
        ("a.png 2x, b.png zoom(2, 3), c.png 2x", ["b.png", "c.png"]),
    ],
)
def test_examples_of_what_is_dropped(value: str, urls: list[str]) -> None:
    names = {each.start: each.text for each in SYNTAXES["srcset"].find(value)}
    assert [names[start] for start in dropped(value)] == urls


def test_why_it_is_dropped() -> None:
    assert dropped("my photo.png 1x")[0] == "'photo.png' is neither a width (100w) nor a density (2x)"
    assert dropped("a 1x, b")[6] == "'a', before it, has the same density (1x, the default)"
    assert dropped("a 1x 2x")[0] == "it has two descriptors in x"
    assert dropped("a 1w 2x")[0] == "it has a density (x) beside a width or a height"
    assert dropped("a 1h")[0] == "it has a height (h) without a width (w)"
    assert len(dropped("a " + "b" * 1000)[0]) < 100


@pytest.mark.parametrize("unit", ["a 1x,", "a (", "a () ", "a ((,", "1", "a 1w 1h ", ". e"])
def test_hostile_descriptors_take_linear_time(unit: str) -> None:
    def reading(n: int) -> Callable[[], object]:
        value = "a " + unit * n
        return lambda: dropped(value)

    assert_proportional(reading, 2000)
