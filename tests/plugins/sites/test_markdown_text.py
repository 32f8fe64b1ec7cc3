"""In which lines of a Markdown text references are written (plugins/sites/_markdown_text.py)."""

from __future__ import annotations

from functools import partial

import pytest

from growth import assert_proportional
from rehref.plugins.sites._markdown_text import references_by_line


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[x](a.md)", {"a.md": (1,)}),
        ("\n\n![x](<a b.png> 'title')", {"a b.png": (3,)}),
        ('[x]( a.md "a (title)" )', {"a.md": (1,)}),
        ("[x](my page.md)", {"my page.md": (1,)}),
        ("[x](a_(b).md)", {"a_(b).md": (1,)}),
        (r"[x](a\_b\).md)", {"a_b).md": (1,)}),
        ("[x](a.md?b=1&amp;c=2)", {"a.md?b=1&c=2": (1,)}),
        ("[x]()", {"": (1,)}),
        ("[a](x.md) [b](y.md)\n[c](x.md)", {"x.md": (1, 2), "y.md": (1,)}),
        ("[x]: a.md\n[y]: <b.md> 'title'\n[z]:\n  c.md", {"a.md": (1,), "b.md": (2,), "c.md": (4,)}),
        ("<https://a.example/>", {"https://a.example/": (1,)}),
        ("text\n<a href='a.html'>\n<img src=b.png srcset='c.png 2x'>", {"a.html": (2,), "b.png": (3,), "c.png": (3,)}),
        ("[two\nlines](a.md)", {"a.md": (2,)}),
    ],
)
def test_references(text: str, found: dict[str, tuple[int, ...]]) -> None:
    assert references_by_line(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "`[x](a.md)`",
        "``a ` [x](a.md)``",
        "```\n[x](a.md)\n```",
        "~~~~ md\n[x](a.md)\n~~~\n[x](a.md)\n~~~~",
        "- ```\n  [x](a.md)\n  ```",
        "> ```\n> <a href=a.md>\n> ```",
        "```\n[x](a.md)",
        "a.md, and (a.md), and [a.md]",
    ],
)
def test_code_and_text_have_none(text: str) -> None:
    assert references_by_line(text) == {}


def test_behind_code_lines_are_right() -> None:
    assert references_by_line("```\ncode\n```\r\n`x` [x](a.md)\n") == {"a.md": (4,)}


@pytest.mark.parametrize("piece", ["](", "[x](", "](((", "`", "<a:", "[x]: ", "](\\", "``` `", "[x](a.md) `b`\n"])
def test_time_grows_with_the_text(piece: str) -> None:
    assert_proportional(lambda size: partial(references_by_line, piece * size), 10_000)
