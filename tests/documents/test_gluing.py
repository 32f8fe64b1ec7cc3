"""References resolved many at once: the same comes of them as of each on its own."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.base import Candidate, establish
from rehref.documents.gluing import LEVELS, glue
from rehref.documents.resolving import Against

DOCUMENTS = (
    "https://example.org/a/b/c/page.html",
    "https://example.org/a/b/page",
    "https://example.org",
    "https://example.org/",
    "https://example.org/a/?q=1/2",
    r"https://example.org/a\1\g<0>/x",
    "file:///home/a/b.html",
    "https://example.org/a/./b/x",
    "mailto:someone@example.org",
    "https://example.org/" + "a/" * 12 + "x",
)
BASES = (None, "/other/", "../", "page.html", "https://example.net/x/y/z", "?q", "https://example.org/a/b/c/")
PIECES = (
    "a",
    "page.html",
    "page",
    "..",
    "../",
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
    "%",
    " ",
    "é",
)

references = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


def both_ways(own: str, base: str | None, values: list[str]) -> tuple[list[object], list[object]]:
    """What comes of the values if they are learned, and what comes of them one by one."""
    outside = (Candidate(own, "retrieval", "retrieval URI"),)
    candidates = outside if base is None else (Candidate(base, "embedded", "<base href>"), *outside)
    found = establish(candidates)
    document = establish(outside).uri
    learned = Against(found, document, candidates, "rfc3986", None)
    learned.learn(values)
    single = Against(found, document, candidates, "rfc3986", None)
    return [learned[value] for value in values], [single[value] for value in values]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("own", DOCUMENTS)
def test_what_is_learned_is_what_comes_of_each(own: str, base: str | None) -> None:
    values = list({"".join(pieces) for length in range(3) for pieces in product(PIECES, repeat=length)})
    learned, single = both_ways(own, base, values)
    assert learned == single


@given(st.sampled_from(DOCUMENTS), st.sampled_from(BASES), st.lists(references | st.text(max_size=8), max_size=20))
def test_law(own: str, base: str | None, values: list[str]) -> None:
    learned, single = both_ways(own, base, values)
    assert learned == single


def test_most_references_are_glued() -> None:
    folders = [f"https://example.org/{'x/' * up}" for up in range(LEVELS, 0, -1)]
    texts, targets = glue(["a.html", "../b/c.html#d", "../../e?f", "#g", "a.html"], folders, "https://example.org/doc")
    assert texts == ["a.html", "../b/c.html#d", "../../e?f", "#g"]
    assert targets == [
        folders[0] + "a.html",
        folders[1] + "b/c.html#d",
        folders[2] + "e?f",
        "https://example.org/doc#g",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/a",
        "//a",
        "?q",
        "./a",
        "a/../b",
        "a/./b",
        "a/..",
        "..",
        "../",
        "a b",
        " a",
        "a ",
        "a:b",
        "é",
        "a%20b",
        "#a#b",
        "a&b",
        ".",
    ],
)
def test_what_may_need_more_is_left(text: str) -> None:
    assert glue([text], ["https://example.org/"], "https://example.org/x") == ([], [])


def test_a_line_end_in_a_reference_does_no_harm() -> None:
    texts, targets = glue(["a\nb", "c"], ["https://example.org/"], None)
    assert (texts, targets) == (["c"], ["https://example.org/c"])
