"""What checking found, for people: excerpts, text, Markdown, the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from growth import assert_proportional
from made_findings import HOSTILE, finding, many, result, shown_as
from rehref.documents.base import Base
from rehref.reports._findings.findings_markdown import code, markdown, prose
from rehref.reports._findings.places_shown import Excerpt, end_column, excerpt, place_in
from rehref.reports.formats import Presentation
from rehref.reports.terminal import COLORED, PLAIN, visible, width
from rehref.reports.words_of_findings import advice, file_path, summary
from rehref.site.findings import Finding, Summary


def at(line: str, reference: str = "x.html", written: str | None = None, encoding: str = "utf-8") -> Finding:
    """A finding whose reference is in that line, as `written`."""
    written = reference if written is None else written
    start = line.index(written)
    return finding(reference, column=start + 1, span=(7, 7 + len(written.encode(encoding))))


# --- places


def test_paths_are_those_of_the_folder_as_it_was_named() -> None:
    assert file_path("public", "a/b.html") == "public/a/b.html"
    assert file_path("./public/", "a.html") == "public/a.html"
    assert file_path(".", "a.html") == "a.html"
    assert file_path("../site", "a.html") == "../site/a.html"
    assert file_path("/", "a.html") == "/a.html"
    assert file_path("public", "") == "public"


@pytest.mark.parametrize(
    ("reference", "written", "encoding", "exact"),
    [
        ("x.html", "x.html", "utf-8", True),
        ("é.html", "é.html", "utf-8", True),
        ("é.html", "é.html", "latin-1", True),
        ("?a&b", "?a&amp;b", "utf-8", True),
        ("é&b", "é&amp;b", "utf-8", True),
        ("é&b", "é&amp;b", "latin-1", True),
        ("é&b", "é&amp;b", "utf-16-le", True),
        ("", "", "utf-8", True),
        ("a(b", r"a\(b", "utf-8", False),  # an escape of CSS
    ],
)
def test_where_a_reference_ends_in_its_line(reference: str, written: str, encoding: str, exact: bool) -> None:
    line = f'\t<a href="{written}"> é'
    found = finding(reference, column=11, span=(50, 50 + len(written.encode(encoding))))
    assert place_in(found, line) == (10, 10 + len(written), exact)
    assert end_column(found, line) == (11 + len(written) if exact else None)


def test_where_a_reference_ends_without_its_line() -> None:
    assert end_column(finding("x.html")) == 16
    assert end_column(finding("")) == 10
    assert end_column(finding("a&b", span=(4, 11))) is None
    assert end_column(finding("é")) is None  # in Latin-1 it might be two characters
    assert end_column(finding("a\nb")) is None
    assert end_column(finding(span=None)) is None
    assert end_column(finding(line=None, column=None)) is None


def test_a_line_that_is_too_short_has_no_place_for_it() -> None:
    assert place_in(finding(column=10), "short") is None
    assert excerpt(finding(column=10), "short", 80) is None
    assert excerpt(finding(column=None), "short", 80) is None


def test_an_excerpt_has_no_indentation_and_no_tabs() -> None:
    line = '\t  <a\thref="x.html">\tx '
    assert excerpt(at(line), line, 80) == Excerpt('<a    href="', "x.html", '">    x')


def test_a_long_line_is_cut_around_the_reference() -> None:
    line = "<p>" + "word " * 500 + '<a href="x.html">' + " word" * 500
    found = excerpt(at(line), line, 60)
    assert found is not None
    before, marked, after = found
    assert marked == "x.html"
    assert before.startswith("…")
    assert before.endswith('word <a href="')
    assert after.startswith('"> word')
    assert after.endswith("…")
    assert width("".join(found)) <= 62


def test_a_long_reference_is_cut_in_the_middle() -> None:
    line = '<a href="' + "abc/" * 500 + 'x.html">'
    found = excerpt(at(line, "abc/" * 500 + "x.html"), line, 60)
    assert found is not None
    assert re.fullmatch("abc/[abc/]+…[abc/]+x.html", found.marked)
    assert width("".join(found)) <= 62


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=60), st.integers(20, 90))
def test_an_excerpt_is_a_part_of_the_line_and_fits(before: str, reference: str, after: str, columns: int) -> None:
    line = before + reference + after
    place = finding(reference, column=len(before) + 1)
    found = excerpt(place, line, columns)
    if found is None:
        assert "@" in line or "&" in line  # a password, or what might be one
        return
    assert width("".join(found)) <= columns + 4  # two wide characters may stand where the cuts are
    assert visible("".join(found)) == "".join(found)
    if "@" not in line and "…" not in "".join(found):
        assert "".join(found).strip() == visible(line.replace("\t", "    ")).strip()


@pytest.mark.parametrize(
    "line",
    [
        '<a href="http://u:secret@h/"><a href="x.html">',
        '<a href="x.html"><a href="http://u:secret@h/">',
        '<a href="http://u&#58;secret@h/"><a href="x.html">',
        '<a href="http://u&colon;secret&commat;h/"><a href="x.html">',
        '<a href="x.html">' + " " * 380 + "http://user:" + "secret" * 9 + "@h/",
        '<a href="x.html">' + "-" * 380 + "http://user:" + "secret" * 9 + "@h/",
        "http://user:" + "secret" * 9 + "@h/" + " " * 380 + '<a href="x.html">',
        "http://user:" + "secret" * 9 + "@h/" + "-" * 380 + '<a href="x.html">',
        "http://user:" + "secret" * 500 + '@h/<a href="x.html">',
        r'{"a": "http:\/\/u:secret\u0040h/", "b": "x.html"}',
        r"a{b:url(http://u\:secret@h/) url(http://u\3asecret\40h/) url(x.html)}",
    ],
)
def test_no_excerpt_shows_a_password(line: str) -> None:
    for columns in (30, 80, 2000):
        found = excerpt(at(line), line, columns)
        assert found is None or "secret" not in "".join(found)


def test_a_reference_with_a_password_is_masked_in_its_excerpt() -> None:
    line = '<a href="http://u:secret@h/x">'
    assert excerpt(at(line, "http://u:secret@h/x"), line, 80) == Excerpt('<a href="', "http://u:***@h/x", '">')
    # where the reference ends is not known: its password must not be split
    escaped = r'<a href="http://u:sec\ret@h/x">'
    assert excerpt(finding("http://u:secret@h/x", column=10, span=(9, 21)), escaped, 80) is None


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


def cells(markdown: str) -> list[list[str]]:
    """The cells of all tables as a reader of Markdown sees them, those of the head too."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    document = html5lib.parse(parser.render(markdown), namespaceHTMLElements=False)
    return [["".join(cell.itertext()) for cell in row] for row in document.iter("tr")]


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


# --- causes


def test_text_has_each_cause_once_with_its_first_place() -> None:
    text = shown_as("text", many(), line_of=lambda document, number: '<script href="gone.html">')
    assert text.startswith(
        "in 530 pages (1,060 places): gone.html  error missing-file  a@href, first p000.html:5:10\n"
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
        "each cause is shown by its first place; --all-places shows all",
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
    text = shown_as("text", result(*sorted(found), finding("once.html"), folder="."))
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


def _missing(text: str) -> str:
    return f"{1000 - len(re.findall(r'^[|] 1 ', text, re.MULTILINE)):,}"
