"""Fragments of pages that servers sent: with the page's own base, and the encoding of the response."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref
from checking.made_web import Servers
from rehref.web.model import Question

A = "https://a.example"
Codes = Callable[..., list[str]]


@pytest.fixture
def codes(tmp_path: Path) -> Codes:
    """The codes that are found about links to these URLs."""

    def of(*urls: str, **options: Any) -> list[str]:
        (tmp_path / "index.html").write_text("".join(f'<a href="{url}">x</a>' for url in urls), "utf-8")
        return [one.code for one in rehref.check(tmp_path, external=True, **options).findings]

    return of


@pytest.mark.parametrize(
    ("body", "fragment"),
    [
        ("<p id=x>", "x"),
        ("<a name=x>", "x"),
        ("<p id='ä'>", "%C3%A4"),
        ("<svg><g id=x></svg>", "x"),
        ("<p>", "top"),
        ("<script>1</script>", "!/route"),
        ("<p id=user-content-x><script>1</script>", "x"),
        ("<script>1</script>", "L10-L20"),
        ("<script>1</script>", "issuecomment-123456"),
        ("<base href=/other/><p id=x>", "x"),
    ],
)
def test_fragments_that_are_there(codes: Codes, servers: Servers, body: str, fragment: str) -> None:
    servers.page(f"{A}/p", body)
    assert codes(f"{A}/p#{fragment}") == []


@pytest.mark.parametrize(
    ("body", "fragment"),
    [
        ("<p id=y>", "x"),
        ("<template><p id=x></template>", "x"),
        ("<p>", "!/route"),
        ("<p id=user-content-x>", "x"),
        ("<p>", "L10"),
        ("<script>1</script>", "Lost"),
        ("<!-- <p id=x> -->", "x"),
    ],
)
def test_fragments_that_are_not(codes: Codes, servers: Servers, body: str, fragment: str) -> None:
    servers.page(f"{A}/p", body)
    assert codes(f"{A}/p#{fragment}") == ["missing-fragment"]


@pytest.mark.parametrize(
    ("data", "media_type", "is_there"),
    [
        ("<p id='ä'>".encode("latin-1"), "text/html; charset=iso-8859-1", True),
        ("<p id='ä'>".encode("latin-1"), "text/html; charset=utf-8", False),
        ("<p id='ä'>".encode(), "text/html;charset=UTF-8", True),
        ("<meta charset=utf-8><p id='ä'>".encode(), "text/html", True),
        ("<p id='ä'>".encode("utf-16"), "text/html; charset=utf-8", True),
        ("<meta charset=utf-8><p id='ä'>".encode(), "text/html; charset=none-such", True),
        ("<p id='ä'>".encode(), "text/html; charset=utf_8_sig", False),  # which Python knows, and no browser
        ("<p id='ä'>".encode(), "text/html", False),  # nothing says it: browsers read windows-1252
        ("<p id='ä'>".encode("latin-1"), "text/html", True),
    ],
)
def test_the_encoding_is_that_of_the_response(
    codes: Codes, servers: Servers, data: bytes, media_type: str, *, is_there: bool
) -> None:
    servers.page(f"{A}/p", data, media_type)
    assert codes(f"{A}/p#%C3%A4") == ([] if is_there else ["missing-fragment"])


@pytest.mark.parametrize(
    ("media_type", "is_looked_at"),
    [
        ("text/html", True),
        ("application/xhtml+xml", True),
        ("image/svg+xml", True),
        ("application/pdf", False),
        ("text/plain", False),
        ("image/png", False),
        ("application/json", False),
    ],
)
def test_only_documents_that_browsers_show_have_fragments(
    codes: Codes, servers: Servers, media_type: str, *, is_looked_at: bool
) -> None:
    servers.page(f"{A}/p", "<svg xmlns='http://www.w3.org/2000/svg'/>", media_type)
    assert codes(f"{A}/p#x") == (["missing-fragment"] if is_looked_at else [])


@pytest.mark.parametrize(
    ("data", "is_there"),
    [(b"<p id=y>", False), (b"\x89PNG\r\n\x1a\n<p id=y>", True), (b"<?xml version='1.0'?><r/>", True)],
)
def test_without_a_type_only_what_looks_like_html_has_fragments(
    codes: Codes, servers: Servers, data: bytes, *, is_there: bool
) -> None:
    servers.page(f"{A}/p", data, "")
    assert codes(f"{A}/p#x") == ([] if is_there else ["missing-fragment"])


def test_the_encoding_that_is_asked_for_is_that_of_the_own_pages(tmp_path: Path, servers: Servers) -> None:
    servers.page(f"{A}/p", "<p id='ä'>".encode(), "text/html; charset=utf-8")
    (tmp_path / "index.html").write_bytes(f"<a href='{A}/p#ä'>x</a>".encode("latin-1"))
    assert rehref.check(tmp_path, external=True, encoding="latin-1").findings == ()


REFRESH = "<base href='/sub/'><meta http-equiv=refresh content='0; url=../new.html'>"
KEEPS = "<script>location.replace('../new.html' + location.hash)</script>"


def test_a_page_that_sends_browsers_on_does_so_from_its_own_base(codes: Codes, servers: Servers) -> None:
    servers.page(f"{A}/old/p", REFRESH + KEEPS)
    servers.page(f"{A}/new.html", "<p id=x>")
    assert codes(f"{A}/old/p#x", f"{A}/old/p#gone") == ["missing-fragment"]
    assert servers.asked == [Question(f"{A}/old/p", needs_body=True), Question(f"{A}/new.html", needs_body=True)]


def test_one_that_drops_the_fragment_is_not_followed(codes: Codes, servers: Servers) -> None:
    servers.page(f"{A}/old/p", REFRESH)
    assert codes(f"{A}/old/p#x") == ["missing-fragment"]
    assert servers.urls == [f"{A}/old/p"]


def test_pages_that_send_browsers_on_to_each_other_end(codes: Codes, servers: Servers) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        servers.page(f"{A}/{one}", f"<meta http-equiv=refresh content='0; url={other}'>{KEEPS}")
    assert codes(f"{A}/a#x") == ["missing-fragment"]
    assert servers.urls == [f"{A}/a", f"{A}/b"]


@pytest.mark.parametrize("target", ["http://[bad/", "https://", "ftp://h/", "http://a b/", "//[", "http://:0/"])
def test_what_browsers_are_sent_on_to_need_not_be_a_url(codes: Codes, servers: Servers, target: str) -> None:
    servers.page(f"{A}/old", f"<meta http-equiv=refresh content='0;url={target}'><script>location.hash</script>")
    assert codes(f"{A}/old#x") == []
    assert [question.url for question in servers.asked if question.url.startswith(A)] == [f"{A}/old"]
    assert len(servers.asked) < 3


@pytest.mark.parametrize(("most", "asked"), [(10, 4), (1, 2), (0, 1)])
def test_an_endless_series_of_pages_ends(codes: Codes, servers: Servers, most: int, asked: int) -> None:
    for number in range(100):
        servers.page(f"{A}/{number}", f"<meta http-equiv=refresh content='0; url={number + 1}'>{KEEPS}")
    assert codes(f"{A}/0#x", max_redirects=most) == []
    assert len(servers.asked) == asked


@pytest.mark.parametrize(
    ("to", "options"),
    [
        (f"{A}/new", {"exclude": ["/new"]}),
        ("https://own.example/p", {"site_url": "https://own.example/"}),
        ("https://also.example/p", {"site_url": "https://own.example/", "own_hosts": ["also.example"]}),
        (f"{A}/new", {"remap": ["/new=/other"]}),
    ],
)
def test_browsers_are_not_followed_to_what_is_not_asked_about(
    codes: Codes, servers: Servers, to: str, options: dict[str, Any]
) -> None:
    servers.page(f"{A}/old", f"<meta http-equiv=refresh content='0; url={to}'>{KEEPS}")
    assert codes(f"{A}/old#x", **options) == []
    assert servers.urls == [f"{A}/old"]


def test_a_page_that_is_not_there_has_no_second_finding(codes: Codes, servers: Servers) -> None:
    assert codes(f"{A}/gone#x") == ["web-not-found"]
