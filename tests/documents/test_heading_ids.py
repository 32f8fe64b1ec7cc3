"""The ids of headings: one test for each rule of `rehref.documents._markdown.heading_ids`.

`heading_ids.tsv` has 63 headings of one document, and the ids that the tools gave them (github-slugger on mdast,
@docusaurus/utils, Python-Markdown, kramdown, Hugo 0.111 and 0.168; GitLab's are by its source text).
`heading_ids_of_sites.tsv` has those of another page, as VitePress 1.6, Starlight 0.36, mdBook 0.5, HonKit 6.1
(`gitbook`), pandoc 3.9 (`quarto`), `@nuxtjs/mdc` 0.23 (`nuxt`) and Docsify's `slugify` gave them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("pyromark", reason="needs the package pyromark")


from growth import assert_proportional
from rehref.documents._markdown.dialects import dialect_named
from rehref.documents._markdown.heading_ids import id_splice, ids_elsewhere, ids_of
from rehref.documents._markdown.read_markdown import read

TABLES = [
    [line.split("\t") for line in Path(__file__).with_name(name).read_text(encoding="utf-8").rstrip("\n").split("\n")]
    for name in ("heading_ids.tsv", "heading_ids_of_sites.tsv")
]
DOCUMENTS = ["\n\n".join(f"## {row[0]}".replace("\\t", "\t") for row in rows).encode() for _, *rows in TABLES]
DOCUMENT = DOCUMENTS[0]


def ids(text: bytes, dialect: str) -> list[tuple[str, ...]]:
    return ids_of(dialect, text, read(text, dialect_named(dialect)).headings)


@pytest.mark.parametrize(("table", "dialect"), [(number, name) for number in (0, 1) for name in TABLES[number][0][1:]])
def test_the_ids_are_those_of_the_tools(table: int, dialect: str) -> None:
    names, *rows = TABLES[table]
    expected = [row[names.index(dialect)].replace("None", "") for row in rows]
    found = ids(DOCUMENTS[table], dialect.partition(" ")[0])
    wrong = [
        (row[0], want, got)
        for row, want, got in zip(rows, expected, found, strict=True)
        if want not in got and (want or got)
    ]
    assert wrong == []


def test_the_ids_of_zola_and_docsify() -> None:
    """Zola's by its source text and that of the crate slug."""
    text = "# A - B!\n\n# Ünï\n\n# x {#Own}\n\n# A b\n\n# What’s new\n\n# 2 x_y\n"
    assert ids(b"## a b :id=C d\n\n## `x`: y\n", "docsify") == [("c",), ("x-y",)]
    expected = [("a-b",), ("uni", "n"), ("Own",), ("a-b-1",), ("whats-new", "what-s-new"), ("2-x-y",)]
    assert ids(text.encode(), "zola") == expected


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
    text = b"Wind & Sea {#w}\n---\n\n## A [b](c) ##\n\n### D {: #e .f }\n\n# G { #h }\n\n# I{#j}\n\n# K {#l .m} ##\n"
    # as Python-Markdown 3.11, Hugo 0.111 and kramdown 2.4 give them
    assert ids(text, "mkdocs") == [("w",), ("a-b",), ("e",), ("h",), ("ij",), ("l",)]
    assert ids(text, "hugo") == [("w",), ("a-bc", "a-b"), ("d--e-f-",), ("h",), ("j",), ("l",)]
    assert ids(text, "jekyll") == [("w",), ("a-b",), ("d--e-f-",), ("g--h-",), ("ij",), ("k-l-m",)]
    assert ids(text, "docusaurus")[0] == ("w",)
    assert ids(text, "github")[0] == ("wind--sea-w",)
    assert ids(text, "commonmark") == [()] * 6
    assert ids(b"# A `{b}`", "mkdocs") == ids(b"# A {b}", "hugo") == [("a-b",)]


def test_new_hugo_makes_ids_of_what_is_shown() -> None:
    text = b"# a -- b\n\n# `c -- d` 2&ndash;4\n\n# An ![img](x.png) <b>z</b>\n\n# _e_ {.f}\n"
    by_hugo_0_168 = ["a--b", "c----d-24", "an-img-z", "e"]
    assert [new for new, found in zip(by_hugo_0_168, ids(text, "hugo"), strict=True) if new not in found] == []


def test_docusaurus_reads_an_id_in_a_comment() -> None:
    text = b"## a {/* #b */}\n\n## a {/*#c*/}\n"
    assert ids(text, "docusaurus") == [("b",), ("c",)]


def test_docusaurus_shows_no_id_of_a_heading_of_level_1() -> None:
    assert ids(b"# a\n\n## a\n\nb {#c}\n===\n", "docusaurus") == [(), ("a-1",), ()]


def test_kramdown_reads_an_id_on_the_next_line() -> None:
    """As kramdown 2.4 does: such a heading takes no number."""
    text = b"# a\n{: #b .c}\n\n# a\n{: .d}\n\na\n-\n{:#e}\n\n# a\n\n{: #f}\n"
    assert ids(text, "jekyll") == [("b",), ("a",), ("e",), ("a-1",)]
    assert ids(text.replace(b"\n", b"\r\n"), "jekyll") == ids(text, "jekyll")
    assert ids(text, "mkdocs")[0] == ("a",)
    heading = read(text, dialect_named("jekyll")).headings[0]
    start, end, new = id_splice("jekyll", text, heading, "g") or (0, 0, b"")
    assert text[:start] + new + text[end:] == text.replace(b"#b", b"#g")


def test_python_markdown_wants_no_space_behind_the_marks() -> None:
    text = b"a\n\n#b\n\n##c [d](e) ##\n\n    \n\n    #f\n\n```\n\n#g\n```\n"
    assert ids(text, "mkdocs") == [("b",), ("c-d",)]
    assert ids(text, "github") == []
    (found,) = read(text, dialect_named("mkdocs")).destinations
    assert text[found.start : found.end] == b"e"


def test_a_plugin_may_explain_what_no_definition_does() -> None:
    assert ids(b"# The [`File`][files.File] API\n", "mkdocs") == [("the-filefilesfile-api", "the-file-api")]


@pytest.mark.parametrize("dialect", ["mkdocs", "jekyll"])
def test_a_block_of_html_is_an_element(dialect: str) -> None:
    """As in Python-Markdown 3.11 and kramdown 2.4."""
    text = b"<div>\n\n# a\n\n<div></div>\n[b](c)\n</div>\n# d\n\n```\n<p>\n```\n# e\n\n<p>f</p>\n# g\n"
    assert ids(text, dialect) == [("d",), ("e",), ("g",)]
    assert ids(text, "github")[0] == ("a",)
    found = read(text, dialect_named(dialect))
    assert found.destinations == []
    assert b"".join(text[start:end] for start, end in found.html).startswith(b"<div>\n\n# a")
    text = b"<div markdown='1'>\n# a\n</div>\n# b\n\n<div id=c markdown=\"0\">\n\n# d\n\n</div>\n\n<p>\n\n# e\n"
    assert ids(text, dialect) == [("a",), ("b",), ("e",)]


def test_any_list_of_attributes_may_have_an_id() -> None:
    text = b"* **css**{ #css .x }: {one} {#two three\n\nx\n{: #a #y }\n"
    assert list(ids_elsewhere("mkdocs", text)) == [(9, "css"), (43, "y")]
    assert list(ids_elsewhere("github", text)) == []


def test_lines_of_code_may_have_ids() -> None:
    """In Hugo, with `anchorlinenos`, which its configuration may have."""
    text = (
        b"```go {linenos=table,lineanchors=lamp}\na\nb\n```\n\n```go\n# x\n```\n\n"
        b'{{< highlight go "lineAnchors=x,linenostart=8" >}}\na\n{{< /highlight >}}\n'
    )
    expected = ["lamp-1", "lamp-2", "x-8", "x-9"]
    assert [id for _, id in ids_elsewhere("hugo", text)] == expected
    assert [id for _, id in ids_elsewhere("hugo", b"~~~c {lineanchors=a}\nb")] == ["a-1"]


def test_labels_of_cells_are_ids() -> None:
    text = b"```{python}\n#| label: fig-x\n```\n\n![](a.png){#fig-y}\n"
    assert [id for _, id in ids_elsewhere("quarto", text)] == ["fig-y", "fig-x"]


def test_numbers_are_counted_on_from_any_id() -> None:
    text = b"# a\n# a_1\n# a\n# a_1\n# a_9\n# a\n# a_9\n# !\n# _1\n# b_%s\n# b_%s\n" % (b"9" * 5000, b"9" * 5000)
    expected = ["a", "a_1", "a_2", "a_3", "a_9", "a_4", "a_10", "_1", "_2", "b_" + "9" * 5000, "b_" + "9" * 5000 + "_1"]
    assert [each for (each,) in ids(text, "mkdocs")] == expected


@pytest.mark.parametrize("dialect", ["hugo", "mkdocs"])
def test_the_time_grows_with_the_headings(dialect: str) -> None:
    def prepare(text: str, piece: str, count: int) -> Callable[[], object]:
        data = text.replace("{}", piece * count).encode()
        return lambda: ids(data, dialect)

    nested = ("{}", "<p>\n"), ("{}", "<p></p>"), ("{}", "<p>\n</p>\n"), ("{}", "```\n"), ("{}", "# {{ a "), ("{}", "-")
    for text, piece in (("# a{}b", " "), ("# a {{{}", "#x "), ("# a{}b", " #"), ("{}", "# a\n"), *nested):
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
    text = b"## Gale {#storm}\n\n## Gale\n\n## Wind\n\n## x {#wind}\n\n## y {#gale}\n"
    assert [id for (id,) in ids(text, dialect)] == expected.split()
