"""Texts in Markdown, and how long it may be."""

from __future__ import annotations

import re

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from made_findings import HOSTILE, cells, finding, result, shown_as
from rehref.reports._findings.findings_markdown import code, markdown, prose
from rehref.reports.formats import Presentation
from rehref.reports.terminal import visible


@given(st.text(st.sampled_from("ab `|\\*_[]()<>&~!#\n\t@:/.w$é"), max_size=20))
def test_cells_hold_any_text(text: str) -> None:
    table = f"| a | b |\n|---|---|\n| {code(text)} | {prose(text)} |\n"
    _, (in_code, in_prose) = cells(table)
    if "@" not in text:  # what is like a password is masked
        assert in_code == visible(text)
        assert in_prose.strip() == visible(text).strip()


def test_markdown_makes_no_links_of_addresses() -> None:
    assert prose("see http://h/ and www.h.example") == "see http&#58;//h/ and www&#46;h.example"


def test_markdown_is_no_longer_than_a_summary_may_be() -> None:
    report = result(*(finding(f"é{number}.html") for number in range(1000)))
    text = "".join(markdown(report, Presentation(), longest=20_000))
    assert 19_000 < len(text.encode()) <= 20_000
    assert f"\n{_missing(text)} causes more: too many to show here.\n\n| Findings" in text
    assert text.endswith("| 1,000 | `public/a/b.html` |\n")
    assert "more" not in shown_as("markdown", report)


def _missing(text: str) -> str:
    return f"{1000 - len(re.findall(r'^[|] 1 ', text, re.MULTILINE)):,}"


def test_markdown_has_the_summary_first_and_a_table_for_each_document() -> None:
    report = result(
        finding(suggestion="y.html"),
        finding(code="no-base", suggestion="z", sure=True, line=None),
        finding(document="c.html"),
    )
    text = shown_as("markdown", report, all_places=True)
    assert text.startswith("**rehref**: 2 errors and 1 warning from 2 causes in 2 documents")
    assert re.findall("^### .*", text, re.MULTILINE) == ["### `public/a/b.html`", "### `public/c.html`"]
    head = ["Place", "Reference", "Severity", "Problem", "Suggestion"]
    message = 'there is no file "x.html"'
    assert cells(text) == [
        head,
        ["3:10", "x.html", "error", f"missing-file: {message}", "y.html ?"],
        ["", "x.html", "warning", f"no-base: {message}", "z"],
        head,
        ["3:10", "x.html", "error", f"missing-file: {message}", ""],
        ["Findings", "Severity", "Code", "Causes"],
        ["2", "error", "missing-file", "1"],
        ["1", "warning", "no-base", "1"],
        ["Findings", "Top targets"],
        ["3", "http://h/d/x.html"],
        ["Findings", "Top pages"],
        ["2", "public/a/b.html"],
    ]
    assert shown_as("markdown", result()).count("\n") == 1
    assert shown_as("markdown", result(finding())).count("\n") == 5


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_says_what_documents_say_and_nothing_else(text: str) -> None:
    report = result(finding(text, message=text, suggestion=text, document=text), folder=".")
    written = shown_as("markdown", report)
    row = cells(written)[1]
    assert row[:2] == ["1", f"{visible(text)}:3:10"]
    assert [each.strip() for each in row[2:]] == [
        visible(text).strip(),
        "error",
        f"missing-file: {visible(text)}".strip(),
        f"{visible(text)} ?".strip(),
    ]
    rendered = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(written)
    names = {each.tag for each in html5lib.parse(rendered, namespaceHTMLElements=False).iter()}
    expected = {"html", "head", "body", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td"}
    assert names <= expected
