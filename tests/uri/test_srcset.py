"""srcset against a literal transcription of the HTML Standard, and the examples people fall over."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri._syntaxes import srcset

WHITE = "\t\n\f\r "


def standard(value: str) -> list[tuple[int, str]]:
    """HTML Standard, "parse a srcset attribute", step by step: where each URL begins, and the URL."""
    position, end = 0, len(value)
    candidates: list[tuple[int, str]] = []
    while True:
        while position < end and value[position] in WHITE + ",":  # step 4
            position += 1
        if position == end:  # step 5
            return candidates
        start = position
        while position < end and value[position] not in WHITE:  # step 6
            position += 1
        url = value[start:position]
        if url.endswith(","):  # step 8
            candidates.append((start, url.rstrip(",")))
            continue
        candidates.append((start, url))
        state = "after descriptor"  # the descriptor tokenizer, white space skipped
        while position < end:
            c = value[position]
            if state == "in parens":
                state = "in descriptor" if c == ")" else state
            elif state == "after descriptor":
                if c not in WHITE:
                    state = "in descriptor"
                    continue
            elif c in WHITE:
                state = "after descriptor"
            elif c == ",":
                position += 1
                break
            elif c == "(":
                state = "in parens"
            position += 1


@given(st.text(alphabet=" \t\n\f\r,,,()ab1x", max_size=40))
@example("a (b,c(d),e f)g, h")
@example("a,( b, c")
def test_agrees_with_the_standard(value: str) -> None:
    assert [(found.start, found.text) for found in srcset.find(value)] == standard(value)


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("", []),
        (" , ,, ", []),
        ("a.png", ["a.png"]),
        ("a.png 1x, b.png 2x", ["a.png", "b.png"]),
        ("\n  a.png 100w,\n  b.png 200w\n", ["a.png", "b.png"]),
        ("w_100,h_100/a.png 1x,w_2,h_2/b.png 2x", ["w_100,h_100/a.png", "w_2,h_2/b.png"]),
        ("data:image/png;base64,AAAA 1x, b.png 2x", ["data:image/png;base64,AAAA", "b.png"]),
        ("a.png,b.png", ["a.png,b.png"]),
        ("a.png, b.png", ["a.png", "b.png"]),
        ("a.png,,, b.png", ["a.png", "b.png"]),
        ("data:, x", ["data:", "x"]),
        ("a.png 1x,b.png 2x", ["a.png", "b.png"]),
        ("a.png (x, y), b.png", ["a.png", "b.png"]),
        ("a.png ((x), y), b.png", ["a.png", "y)", "b.png"]),
        ("a.png (x, b.png 2x", ["a.png"]),
        ("a.png 1q, b.png -1w 7h 7h", ["a.png", "b.png"]),
        ("a\u00a0b 1x", ["a\u00a0b"]),
    ],
)
def test_examples(value: str, urls: list[str]) -> None:
    assert [found.text for found in srcset.find(value)] == urls


def test_spans() -> None:
    value = " ,a.png,, b.png 2x"
    assert [value[found.start : found.end] for found in srcset.find(value)] == ["a.png", "b.png"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a b", "a%20b"),
        (" a\n", "a"),
        ("a\tb\nc", "abc"),
        (",,a,b,", "./,,a,b%2C"),
        (",", "%2C"),
        ("", "#"),
        ("data:image/svg+xml,<svg>", "data:image/svg+xml,<svg>"),
    ],
)
def test_write(text: str, written: str) -> None:
    assert srcset.write(text, "") == written


@pytest.mark.parametrize("unit", [",", " ", "a,", "a ,", "a (", "a () ", "a ()),", "(", ", (", "a\u3000"])
def test_hostile_values_take_linear_time(unit: str) -> None:
    def reading(n: int) -> Callable[[], object]:
        value = unit * n
        return lambda: (srcset.find(value), srcset.write(value, ""))

    assert_proportional(reading, 2000)
