"""Where a saved page came from, as the tool that saved it says. One test or more for each rule of the module."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref.files._saved_from import LOOKED_AT, saved_from

MARK = "<!-- saved from url=(0023)https://example.org/a/b -->"
SINGLE = (
    '<!DOCTYPE html> <html lang="en" style="a: url(x>y)"><!--\n Page saved with SingleFile \n'
    " url: https://example.org/a/b?c#d \n saved date: Sun Nov 22 2026 08:00:00 GMT+0000 \n--><meta charset=utf-8>"
)
HTTRACK = (
    '<!DOCTYPE html>\n<html lang="en">\n\n<!-- Mirrored from example.org:8080/b.html?x=1 by HTTrack Website Copier/3.x '
    "[XR&CO'2014], Sun, 22 Nov 2026 08:03:53 GMT -->\n<!-- Added by HTTrack --><meta charset=utf-8><head>"
)
MONOLITH = (
    "<!-- Saved from https://example.org/ at 2026-11-22T08:00:00Z using monolith v2.10.1 -->\n<!DOCTYPE html><html>"
)


def told(page: str | bytes) -> tuple[str, str] | None:
    """The URI and where it stands."""
    found = saved_from(page)
    return None if found is None else (found.reference, found.where)


# --- the tools


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (f"<!DOCTYPE html>\n{MARK}\n<html>", ("https://example.org/a/b", "saved-from comment at 2:1")),
        (f"{MARK}<html>", ("https://example.org/a/b", "saved-from comment at 1:1")),
        (SINGLE, ("https://example.org/a/b?c#d", "SingleFile comment at 1:53")),
        (
            SINGLE.replace("Page saved with", "Archive processed by"),
            ("https://example.org/a/b?c#d", "SingleFile comment at 1:53"),
        ),
        (HTTRACK, ("http://example.org:8080/b.html?x=1", "HTTrack comment at 4:1")),
        (MONOLITH, ("https://example.org/", "monolith comment at 1:1")),
    ],
)
def test_what_the_tools_write(page: str, expected: tuple[str, str]) -> None:
    for source in (page, page.encode(), b"\xef\xbb\xbf" + page.encode(), ("\ufeff" + page).encode("utf-16-le")):
        assert told(source) == expected
    assert told(page.replace("\n", "\r\n")) == expected


# --- where it stands


@pytest.mark.parametrize(
    "before",
    [
        "<?xml version='1.0'?>\n",
        "<!-- BEGIN: Head -->",
        "<!DOCTYPE html><html><head>",
        "<html data-x='>' class=\"a>\">",
    ],
)
def test_what_may_stand_before(before: str) -> None:
    assert told(before + MARK) is not None


@pytest.mark.parametrize("before", ["<p>", "text", "<body>", "<script>", "<meta charset=utf-8>", "<html x='", "<!-- "])
def test_behind_anything_of_the_page_it_is_part_of_that(before: str) -> None:
    assert told(before + MARK) is None or before == "<!-- "
    assert told(f"<html>{before}<title></title>{MARK}") is None


def test_the_first_counts() -> None:
    assert told(MARK + MONOLITH) == ("https://example.org/a/b", "saved-from comment at 1:1")


def test_no_more_than_the_beginning_is_looked_at() -> None:
    assert told(" " * (LOOKED_AT - len(MARK)) + MARK) is not None
    assert told(" " * (LOOKED_AT - len(MARK) + 1) + MARK) is None
    assert told(b"<!-- " + "é".encode() * LOOKED_AT + b"-->") is None


@pytest.mark.parametrize(
    "page",
    ["<html " + "'" * LOOKED_AT, "<!--" * LOOKED_AT, "<!-- Page saved with SingleFile" + "\n" * LOOKED_AT + "-->"],
)
def test_hostile_pages_tell_nothing(page: str) -> None:
    assert told(page) is None


@given(st.text() | st.binary())
def test_nothing_is_raised(page: str | bytes) -> None:
    saved_from(page)


# --- what counts


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- saved from url=(0013)about:internet -->",
        "<!-- saved from url=(0020)file:///C:/Users/a/x -->",
        "<!-- Mirrored from file:///x by HTTrack -->",
        "<!-- Saved from local source at 2026-11-22T08:00:00Z using monolith v2.10.1 -->",
        "<!-- saved from url=() -->",
        "<!-- Mirrored from x -->",
        "<!-- Page saved with SingleFile -->",
    ],
)
def test_what_does_not_count(comment: str) -> None:
    assert told(comment) is None
    assert told(comment + MARK) == ("https://example.org/a/b", f"saved-from comment at 1:{len(comment) + 1}")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_httrack_may_name_a_scheme(scheme: str) -> None:
    assert told(f"<!-- Mirrored from {scheme}://h/a by HTTrack -->") == (f"{scheme}://h/a", "HTTrack comment at 1:1")


# --- the retrieval URI


def test_it_is_the_retrieval_uri(tmp_path: Path) -> None:
    page = f"<!DOCTYPE html>\n{MARK}\n<a href=c>".encode()
    file = tmp_path / "page.html"
    file.write_bytes(page)
    for source in (page, page.decode(), file):
        (link,) = rehref.links(source)
        assert link.target == "https://example.org/a/c"
        assert (link.base.origin, link.base.where, link.base.local) == ("retrieval", "saved-from comment at 2:1", False)
    assert rehref.rewrite(file) == page.replace(b"<a href=c>", b"<a href=https://example.org/a/c>")


def test_it_comes_after_what_is_given_and_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"{MARK}<a href=c>", encoding="ascii")
    assert rehref.links(file, url="http://h/")[0].target == "http://h/c"
    assert rehref.links(file, entity_base="http://h/")[0].target == "http://h/c"
    assert rehref.links(file, default_base="http://h/")[0].target == "https://example.org/a/c"
    assert rehref.links(file, ignore_saved_from=True)[0].target == f"file://{tmp_path}/c"
    assert rehref.links(f"{MARK}<a href=c>", ignore_saved_from=True)[0].target is None


def test_in_a_container_the_container_tells() -> None:
    message = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{MARK}<a href=c>".encode()
    assert [link.target for link in rehref.links(message, url="http://h/")] == ["http://h/c"]


def test_a_base_element_goes_before_it() -> None:
    (_, link) = rehref.links(f"{MARK}<base href=../x/><a href=c>")
    assert link.target == "https://example.org/x/c"


@pytest.mark.parametrize(
    "before",
    [
        "<!DOCTYPE html SYSTEM 'a'>",
        "<!DOCTYPE html '>",
        "<html title='>'>",
        "<!-- a --!>",
        "<![CDATA[ a ]]>",
        "<!-->",
        "<!--->",
        "<!=>",
        "</ >",
        "</p>",
    ],
)
def test_what_precedes_the_comment_is_read_as_browsers_do(before: str) -> None:
    found = told(before + MARK)
    assert found is not None
    assert found[0] == "https://example.org/a/b"
