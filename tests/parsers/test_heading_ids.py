"""The ids of headings: one test for each rule of `rehref.parsers.markdown.heading_ids`.

`heading_ids.tsv` has 63 headings of one document, and the ids that the tools gave them (github-slugger on mdast,
@docusaurus/utils, Python-Markdown, kramdown, Hugo; GitLab's are by its source text).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("pyromark", reason="needs the package pyromark")

from growth import assert_proportional
from rehref.parsers.markdown.heading_ids import ids_elsewhere, ids_of
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
    text = b"Wind & Sea {#w}\n===\n\n## A [b](c) ##\n\n### D {: #e .f }\n\n# G { #h }\n\n# I{#j}\n\n# K {#l .m} ##\n"
    # as Python-Markdown 3.11, Hugo 0.111 and kramdown 2.4 give them
    assert ids(text, "mkdocs") == [("w",), ("a-b",), ("e",), ("h",), ("ij",), ("l",)]
    assert ids(text, "hugo") == [("w",), ("a-bc",), ("d--e-f-",), ("h",), ("j",), ("l",)]
    assert ids(text, "jekyll") == [("w",), ("a-b",), ("d--e-f-",), ("g--h-",), ("ij",), ("k-l-m",)]
    assert ids(text, "docusaurus")[0] == ("w",)
    assert ids(text, "github")[0] == ("wind--sea-w",)
    assert ids(text, "commonmark") == [()] * 6
    assert ids(b"# A `{b}`", "mkdocs") == ids(b"# A {b}", "hugo") == [("a-b",)]


def test_any_list_of_attributes_may_have_an_id() -> None:
    text = b"* **css**{ #css .x }: {one} {#two three\n\nx\n{: #a #y }\n"
    assert list(ids_elsewhere("mkdocs", text)) == [(9, "css"), (43, "y")]
    assert list(ids_elsewhere("github", text)) == []


def test_numbers_are_counted_on_from_any_id() -> None:
    text = b"# a\n# a_1\n# a\n# a_1\n# a_9\n# a\n# a_9\n# !\n# _1\n# b_%s\n# b_%s\n" % (b"9" * 5000, b"9" * 5000)
    expected = ["a", "a_1", "a_2", "a_3", "a_9", "a_4", "a_10", "_1", "_2", "b_" + "9" * 5000, "b_" + "9" * 5000 + "_1"]
    assert [each for (each,) in ids(text, "mkdocs")] == expected


@pytest.mark.parametrize("dialect", ["hugo", "mkdocs"])
def test_the_time_grows_with_the_headings(dialect: str) -> None:
    def prepare(text: str, piece: str, count: int) -> Callable[[], object]:
        data = text.replace("{}", piece * count).encode()
        return lambda: ids(data, dialect)

    for text, piece in (("# a{}b", " "), ("# a {{{}", "#x "), ("# a{}b", " #"), ("{}", "# a\n")):
        assert_proportional(partial(prepare, text, piece), 2_000)


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
