"""What checking found, for people: excerpts, text, Markdown, the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from growth import assert_proportional
from made_findings import cells, finding, many, result, shown_as
from rehref.documents.base import Base
from rehref.reports.terminal import COLORED, PLAIN
from rehref.reports.words_of_findings import advice, file_path, summary
from rehref.site.findings import Summary

# --- places


def test_paths_are_those_of_the_folder_as_it_was_named() -> None:
    assert file_path("public", "a/b.html") == "public/a/b.html"
    assert file_path("./public/", "a.html") == "public/a.html"
    assert file_path(".", "a.html") == "a.html"
    assert file_path("../site", "a.html") == "../site/a.html"
    assert file_path("/", "a.html") == "/a.html"
    assert file_path("public", "") == "public"


# --- words and rules


def test_the_summary_is_a_sentence() -> None:
    assert summary(result(finding(), finding(code="orphan")).summary) == (
        "1 error and 1 warning in 2 documents (1,200 links checked, 100 skipped, 0.2 s)"
    )
    assert summary(Summary(1, 1, 1, 0, 0, 0, 12.0)) == "no errors in 1 document (1 link checked, 12.0 s)"
    assert advice(finding(suggestion="y", sure=True)) != advice(finding(suggestion="y"))


# --- text


def source(*lines: str) -> Callable[[str, int], str | None]:
    return lambda document, number: lines[number - 1] if number <= len(lines) else None


def test_text_shows_the_place_the_line_and_what_to_write() -> None:
    lines = source("<html>", "<p>", '<p>漢字\t<a href="x.html">x</a>')
    report = result(finding(column=16, suggestion="y.html", sure=True))
    text = shown_as("text", report, line_of=lines)
    assert shown_as("text", report, line_of=lines, all_places=True) == f"public/a/b.html  1 error\n\n{text}"
    assert text == (
        "public/a/b.html:3:16  error missing-file  a@href\n"
        '    there is no file "x.html"\n'
        '    3 | <p>漢字    <a href="x.html">x</a>\n'
        "      |                     ^^^^^^\n"
        "    → http://h/d/x.html\n"
        "    write instead: y.html\n"
        "\n"
        "1 error in 2 documents (1,200 links checked, 100 skipped, 0.2 s)\n"
    )


def test_all_places_are_grouped_by_document_and_the_summary_is_last() -> None:
    base = Base("http://o/", "embedded", "<base href> at 1:1")
    findings = (
        finding(document="a.html", base=base),
        finding("http://x/", document="a.html", target="http://x/", base=base, code="base-late"),
        finding("", document="a.html", line=4, column=None, target=None, code="no-base"),
        finding("", document="b.html", line=None, column=None, span=None, element="", attribute=None, target=None),
    )
    lines = shown_as("text", result(*findings, folder="."), all_places=True).splitlines()
    assert lines[0] == "a.html  1 error and 2 warnings"
    assert "a.html:3:10  error missing-file  a@href" in lines
    assert "    x.html" in lines  # there is no source line
    assert lines.count("    relative to http://o/  (<base href> at 1:1)") == 1  # nothing is absolute to a base
    assert "    → http://x/" not in lines
    assert "a.html:4  warning no-base  a@href" in lines
    assert '    ""' in lines
    assert "b.html  1 error" in lines
    assert "b.html  error missing-file" in lines
    assert lines[-1] == "2 errors and 2 warnings in 2 documents (1,200 links checked, 100 skipped, 0.2 s)"
    assert shown_as("text", result()) == "no errors in 2 documents (1,200 links checked, 100 skipped, 0.2 s)\n"


def test_an_empty_reference_is_underlined_too() -> None:
    text = shown_as("text", result(finding("", column=10)), line_of=source("", "", '<a href="">'))
    assert '    3 | <a href="">\n      |          ^\n' in text


def test_text_is_folded_except_for_what_is_copied() -> None:
    long = "d/" * 60 + "x.html"
    text = shown_as("text", result(finding(long, document=long, message="word " * 50, suggestion=long)), columns=50)
    assert f"public/{long}:3:10  error" in text
    assert f"perhaps: {long}\n" in text
    assert all(len(line) <= 50 for line in text.splitlines() if "word" in line)


def test_colours_are_only_around_the_text() -> None:
    report = result(finding(suggestion="y"), finding(code="orphan"))
    lines = source("", "", '<a  href="x.html">')
    plain, colored = (shown_as("text", report, line_of=lines, style=style) for style in (PLAIN, COLORED))
    assert "\x1b" not in plain
    assert colored != plain
    assert re.sub(r"\x1b\[\d*m", "", colored) == plain


def test_many_findings_in_one_long_line_take_time_by_their_number() -> None:
    piece = '<a href="x.html"> é '

    def reporting(number: int) -> Callable[[], str]:
        line = piece * number
        findings = result(*(finding(column=10 + len(piece) * at) for at in range(number)))
        return lambda: shown_as("text", findings, line_of=lambda document, number: line)

    assert_proportional(reporting, 200)


# --- Markdown


# --- causes


def test_text_has_each_cause_once_with_its_first_place() -> None:
    text = shown_as("text", many(), line_of=lambda document, number: '<script href="gone.html">')
    assert text.startswith(
        "in 530 pages (1,060 places), 99 % of all: gone.html  error missing-file  a@href, first p000.html:5:10\n"
        '    there is no file "gone.html"\n'
    )
    assert text.count("gone.html  error") == 1
    assert "\np000.html:9:10  error missing-fragment  a@href\n" in text
    assert text.splitlines()[-1].startswith("1,061 errors from 2 causes in 2 documents (")


def test_every_format_for_people_ends_with_counts() -> None:
    report = many(3)
    text = shown_as("text", report)
    assert text[text.index("by code") :].splitlines()[:-1] == [
        "by code",
        "  6  error missing-file, 1 cause",
        "  1  error missing-fragment",
        "top targets",
        "  6  http://h/d/gone.html",
        "top pages",
        "  3  p000.html",
        "  2  p001.html",
        "  2  p002.html",
        "",
        "a cause is one mistake, wherever it is; shown is its first place (--all-places: all)",
    ]
    assert shown_as("github", report).splitlines()[2:-1] == [
        "rehref: 6 × error missing-file, 1 cause",
        "rehref: 1 × error missing-fragment",
        "rehref: 6 × target http://h/d/gone.html",
        "rehref: 3 × page p000.html",
        "rehref: 2 × page p001.html",
        "rehref: 2 × page p002.html",
    ]
    table = cells(shown_as("markdown", report))
    assert table[3:] == [
        ["Findings", "Severity", "Code", "Causes"],
        ["6", "error", "missing-file", "1"],
        ["1", "error", "missing-fragment", "1"],
        ["Findings", "Top targets"],
        ["6", "http://h/d/gone.html"],
        ["Findings", "Top pages"],
        ["3", "p000.html"],
        ["2", "p001.html"],
        ["2", "p002.html"],
    ]


@pytest.mark.parametrize("name", ["text", "github", "markdown"])
def test_one_finding_needs_no_counts(name: str) -> None:
    assert shown_as(name, result(finding())).count("missing-file") <= 2
    assert "Top" not in shown_as(name, result(finding()))


def test_tops_are_ten_and_leave_out_what_is_found_once() -> None:
    found = [finding(f"{number}.html", document=f"{at}.html") for number in range(12) for at in range(2)]
    text = shown_as("text", result(*sorted(found), finding("once.html"), folder="."), all=True)
    top = text[text.index("top targets") : text.index("top pages")].splitlines()
    assert len(top) == 1 + 10
    assert "once" not in "".join(top)


def test_a_host_that_is_not_known_is_not_shown_among_the_targets() -> None:
    found = [finding(document=f"{number}.html", target="https://site.invalid/d/x.html") for number in range(2)]
    assert "top targets\n  2  /d/x.html\n" in shown_as("text", result(*found))


def test_what_is_found_most_comes_first_and_errors_before_warnings() -> None:
    found = [finding("w.html", document=f"{number}.html", code="base-late") for number in range(9)]
    found += [finding("one.html", document="0.html"), *(finding("two.html", document=f"{n}.html") for n in (1, 2))]
    text = shown_as("text", result(*found, folder="."))
    order = [text.index(each) for each in ("two.html  error", '"one.html"', "w.html  warning")]
    assert order == sorted(order)


@pytest.mark.parametrize("name", ["text", "github", "markdown"])
def test_no_more_is_shown_than_asked_for(name: str) -> None:
    report = many(20)
    short = shown_as(name, report, most=1)
    assert "1 cause more not shown (--max-findings 1)" in re.sub("&#([0-9]+);", lambda it: chr(int(it[1])), short)
    assert '"z.html#a"' not in short.replace("&quot;", '"').replace("&#34;", '"')
    assert "1,061 errors" not in short
    assert "41 errors from 2 causes" in short
    places = shown_as(name, report, most=3, all_places=True)
    assert "38 findings more not shown" in places
    assert "not shown" not in shown_as(name, report, most=2)


def test_markdown_has_each_cause_once() -> None:
    report = many()
    assert cells(shown_as("markdown", report))[:2] == [
        ["Pages", "First", "Reference", "Severity", "Problem", "Suggestion"],
        [
            "530 (1,060 places)",
            "p000.html:5:10",
            "gone.html",
            "error",
            'missing-file: there is no file "gone.html"',
            "",
        ],
    ]
