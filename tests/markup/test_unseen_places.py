"""Which places of a page are in a `template` that nobody sees."""

from __future__ import annotations

import re
from functools import partial

import pytest

from growth import assert_proportional
from rehref.markup._page.unseen_places import inert_places
from rehref.markup.parsed import HTML, IN_TEMPLATE, Place
from rehref.text.encoding import Source

ROOT = "<template shadowrootmode=open>"


SHADOW = f"<div>{ROOT}"


HIDDEN = "<template><img src=x></template>"


def places(markup: str) -> list[Place]:
    """The images of a page, as if all stood in a template."""
    tags = (found.start() for found in re.finditer("<img", markup))
    return [Place("img", HTML, "src", "x", tag + 9, tag + 10, tag, IN_TEMPLATE) for tag in tags]


@pytest.mark.parametrize(
    ("markup", "hidden"),
    [
        (f"<img>{SHADOW}<img></template>{HIDDEN}<img>{HIDDEN}<img>", [2, 4]),
        (
            f"{SHADOW}<template><img>{SHADOW}<img></template><template><img></template><img></template><img>",
            [0, 1, 2, 3],
        ),
        (f"{SHADOW}{SHADOW}{HIDDEN}<img></template>{HIDDEN}</template><img>", [0, 2]),
        (f"{HIDDEN}{SHADOW}<img><template><img>{SHADOW}<img>", [0, 2, 3]),
        (f"</template>{SHADOW}<img></template></template>{HIDDEN}", [1]),
    ],
)
def test_places_in_templates_that_are_no_shadow_roots_are_hidden(markup: str, hidden: list[int]) -> None:
    assert inert_places(places(markup), Source(markup.encode(), "utf-8", 0)) == frozenset(hidden)


@pytest.mark.parametrize("before", ["", SHADOW])
def test_time_grows_with_the_number_of_templates(before: str) -> None:
    def prepare(count: int) -> partial[frozenset[int]]:
        markup = SHADOW + before * count + HIDDEN * count
        return partial(inert_places, places(markup), Source(markup.encode(), "utf-8", 0))

    assert_proportional(prepare, 500)
