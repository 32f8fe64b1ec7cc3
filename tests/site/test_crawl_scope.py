"""Which pages of a server are in the scope of a crawl, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rehref.site._crawling.crawl_scope import CrawlScope, page_url

DOCS = "https://a.example/docs/"


@pytest.mark.parametrize(
    ("scope", "url", "is_in"),
    [
        ([], f"{DOCS}a.html", True),
        ([], f"{DOCS}a/b/", True),
        ([], DOCS, True),
        ([], "https://a.example/docs", False),
        ([], "https://a.example/docs-old/", False),
        ([], "http://a.example/docs/a", True),
        ([], "https://www.a.example/docs/a", False),
        ([], "https://a.example:8443/docs/a", False),
        (["/"], "https://a.example/x", True),
        (["../en"], "https://a.example/en", True),
        (["../en"], "https://a.example/en/a", True),
        (["../en"], "https://a.example/english", False),
        (["https://b.example/", "."], "https://b.example/x?q", True),
        (["https://b.example/", "."], f"{DOCS}x", True),
        ([], f"{DOCS}a.png", False),
        ([], f"{DOCS}a.css", True),
        ([], f"{DOCS}?a=b.png", True),
    ],
)
def test_what_is_in_scope(scope: Sequence[str], url: str, is_in: bool) -> None:
    assert (url in CrawlScope([f"{DOCS}index.html"], scope)) is is_in


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("HTTPS://A.Example", "https://a.example/"),
        ("https://a.example/\u00e9#x", "https://a.example/%C3%A9"),
        ("ftp://a.example/", None),
        ("https://", None),
        ("a/b", None),
        ("https://me:secret@a.example/", None),
    ],
)
def test_how_a_page_is_called(text: str, url: str | None) -> None:
    assert page_url(text) == url
