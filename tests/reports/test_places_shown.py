"""Where a reference is, and its line, as people see them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_findings import at, finding
from rehref.reports._findings.places_shown import Excerpt, end_column, excerpt, folder_of, place_in, shared_folder
from rehref.reports.terminal import visible, width


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


def test_folders_are_one_level_below_what_all_are_in() -> None:
    documents = ["a/b/c/x.html", "a/b/d/e/y.html", "a/b/z.html"]
    above = shared_folder(documents)
    assert above == "a/b/"
    assert [folder_of(document, above) for document in documents] == ["a/b/c/", "a/b/d/", "a/b/"]
    assert shared_folder(["x.html", "a/y.html"]) == ""
    assert folder_of("x.html", "") == "./"
    assert shared_folder(["ab/x.html", "ac/x.html"]) == ""
    assert shared_folder([]) == ""
    urls = ["https://h/a/b.html", "https://h/c/", "https://h/d.html"]
    assert shared_folder(urls) == "https://h/"
    assert [folder_of(url, "https://h/") for url in urls] == ["https://h/a/", "https://h/c/", "https://h/"]
