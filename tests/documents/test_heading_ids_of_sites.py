"""The ids of headings in sources of sites: as VitePress 1.6, Starlight 0.36 and mdBook 0.5 gave them in one page each.

`heading_ids_of_sites.tsv` has the headings of that page, and their ids.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyromark", reason="needs the package pyromark")

from growth import assert_proportional
from rehref.documents._markdown.dialects import dialect_named
from rehref.documents._markdown.events import is_whole
from rehref.documents._markdown.heading_ids import ids_of
from rehref.documents._markdown.read_markdown import read

_LINES = Path(__file__).with_name("heading_ids_of_sites.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
NAMES = _LINES[0].split("\t")[1:]
ROWS = [line.split("\t") for line in _LINES[1:]]
DOCUMENT = "\n\n".join(f"## {row[0]}".replace("\\t", "\t") for row in ROWS).encode()
NEW = ("vitepress", "starlight", "mdbook", "zola")


def ids(text: str, dialect: str) -> list[tuple[str, ...]]:
    data = text.encode()
    return ids_of(dialect, data, read(data, dialect_named(dialect)).headings)


@pytest.mark.parametrize("dialect", NAMES)
def test_the_ids_are_those_that_generators_gave(dialect: str) -> None:
    expected = [row[NAMES.index(dialect) + 1] for row in ROWS]
    found = ids(DOCUMENT.decode(), dialect)
    assert [row[0] for row, want, got in zip(ROWS, expected, found, strict=True) if want not in got] == []
    assert max(map(len, found)) <= 3


def test_zola() -> None:
    """By the source texts of Zola and its crate `slug`; not run."""
    text = "# A - B!\n\n# Ünï\n\n# x {#Own}\n\n# A b\n\n# What’s new\n\n# 2 x_y\n"
    assert ids(text, "zola") == [("a-b",), ("uni", "n"), ("Own",), ("a-b-1",), ("whats-new", "what-s-new"), ("2-x-y",)]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("vitepress", "<!--@include: ./a.md-->"),
        ("vitepress", "<Team />"),
        ("vitepress", "  <Team>\n"),
        ("starlight", "<Steps kind='x'/>"),
        ("mdbook", "{{#include a.md}}"),
        ("zola", "{{ youtube(id='x') }}"),
        ("zola", "{% quote() %}"),
    ],
)
def test_what_puts_content_into_a_page(dialect: str, text: str) -> None:
    assert not is_whole(f"# A\n\n{text}\n".encode(), dialect_named(dialect))
    assert is_whole(f"# A\n\n```\n{text}\n```\n".encode(), dialect_named(dialect))
    assert is_whole(b"# A <Badge text='1' />\n\n<Badge/> x\n", dialect_named(dialect))


@pytest.mark.parametrize("dialect", NEW)
def test_time_is_proportional(dialect: str) -> None:
    def prepare(size: int) -> object:
        data = ("## a *b* `c` -- :x: & {#\n\n" * size).encode()
        headings = read(data, dialect_named(dialect)).headings
        return lambda: ids_of(dialect, data, headings)

    assert_proportional(prepare, 300)  # type: ignore[arg-type]
