"""The ids of headings: one test for each rule of `rehref.parsers.markdown.heading_ids`.

`heading_ids.tsv` has 63 headings of one document, and the ids that the tools gave them (github-slugger on mdast,
@docusaurus/utils, Python-Markdown, kramdown, Hugo; GitLab's are by its source text).
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyromark", reason="needs the package pyromark")

from rehref.parsers.markdown.heading_ids import ids_of
from rehref.parsers.markdown.reading import read
from rehref.parsers.markdown_dialects import dialect_named

_LINES = Path(__file__).with_name("heading_ids.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
NAMES = _LINES[0].split("\t")[1:]
ROWS = [line.split("\t") for line in _LINES[1:]]
DOCUMENT = "\n\n".join(f"# {row[0]}".replace("\\t", "\t") for row in ROWS).encode()


def ids(text: bytes, dialect: str) -> list[tuple[str, ...]]:
    return ids_of(dialect, text, read(text, dialect_named(dialect)).headings)


@pytest.mark.parametrize("dialect", NAMES)
def test_the_ids_are_those_of_the_tools(dialect: str) -> None:
    expected = [row[NAMES.index(dialect) + 1].replace("None", "") for row in ROWS]
    found = ids(DOCUMENT, dialect)
    wrong = [
        (row[0], want, got)
        for row, want, got in zip(ROWS, expected, found, strict=True)
        if want not in got and (want or got)
    ]
    assert wrong == []


def test_python_markdown_gives_these_ids() -> None:
    from markdown import Markdown

    parser = Markdown(extensions=["toc", "attr_list"])
    parser.convert(DOCUMENT.decode())
    by_tool = []
    waiting = parser.toc_tokens[::-1]  # type: ignore[attr-defined]
    while waiting:
        token = waiting.pop()
        by_tool.append((token["id"],))
        waiting += token["children"][::-1]
    assert ids(DOCUMENT, "mkdocs") == by_tool


def test_explicit_ids_and_setext_headings() -> None:
    text = b"Wind & Sea {#w}\n===\n\n## A [b](c) ##\n\n### D {: #e .f }\n"
    assert ids(text, "mkdocs") == [("w",), ("a-b",), ("e",)]
    assert ids(text, "hugo") == [("w",), ("a-bc",), ("e",)]
    assert ids(text, "github")[0] == ("wind--sea-w",)
    assert ids(text, "commonmark") == [(), (), ()]


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("mkdocs", "storm gale_1 wind_1 wind gale"),
        ("hugo", "storm gale-1 wind-1 wind gale"),
        ("docusaurus", "storm gale wind wind gale"),
        ("jekyll", "storm gale wind wind gale"),
    ],
)
def test_the_text_of_a_heading_with_an_id_takes_nothing(dialect: str, expected: str) -> None:
    """As Python-Markdown and kramdown do, and Hugo but for an id that comes later."""
    text = b"# Gale {#storm}\n\n## Gale\n\n## Wind\n\n## x {#wind}\n\n## y {#gale}\n"
    assert [id for (id,) in ids(text, dialect)] == expected.split()
