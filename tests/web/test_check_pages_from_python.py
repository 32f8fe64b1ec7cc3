"""`rehref.check` with the URL of a page."""

from __future__ import annotations

from typing import Any

import pytest

import rehref
from web.servers import pages, serving

INDEX = '<!DOCTYPE html><title>T</title><a href="a">a</a><a href="gone">gone</a>'
PAGE = '<!DOCTYPE html><title>T</title><a href="#no">gone</a>'


def found(url: str, **options: Any) -> list[tuple[str, str]]:
    result = rehref.check(url, external=True, allow_private=True, no_cache=True, **options)
    return [(finding.document.removeprefix(url), finding.code) for finding in result.findings]


def test_a_page_is_checked_and_with_recursive_those_that_it_leads_to() -> None:
    with serving(pages(index=INDEX, a=PAGE)) as server:
        assert found(server.url) == [("", "web-not-found")]
        assert found(server.url, recursive=True) == [("", "web-not-found"), ("a", "missing-fragment")]
        assert found(server.url, recursive=True, depth=0) == [("", "web-not-found")]


def test_what_was_checked_is_the_url() -> None:
    with serving(pages(index=INDEX)) as server:
        assert rehref.check(server.url, external=True, allow_private=True).folder == server.url


@pytest.mark.parametrize(
    ("arguments", "options", "what"),
    [
        ("https://a.example/", {}, "nothing is fetched unasked"),
        (
            "https://a.example/",
            {"external": True, "recursive": True, "scope": ["mailto:x"]},
            "is not an http or https URL",
        ),
        (
            "https://a.example/",
            {"external": True, "recursive": True, "depth": -1},
            "is not a possible number",
        ),
        (
            "https://a.example/",
            {"external": True, "recursive": True, "max_pages": 0},
            "is not a possible number",
        ),
        ("https://me:secret@a.example/", {"external": True}, "has a user name in it"),
        ("https://a.example/", {"external": True, "depth": 3}, "depth: needs recursive"),
        ("https://a.example/", {"external": True, "scope": ["/"]}, "scope: needs recursive"),
        ("https://a.example/", {"external": True, "orphans": True}, "orphans: needs all pages of the site; say rec"),
        ("https://a.example/", {"external": True, "sitemap": True}, "sitemap: needs all pages of the site; say rec"),
        ("https://a.example/", {"external": True, "site_url": "https://b.example/"}, "site_url: is about a folder"),
        ("https://a.example/", {"external": True, "files": ["a.html"]}, "files: is about a folder"),
        (".", {"recursive": True}, "is about pages of a server"),
        (".", {"cache": "web.sqlite"}, "cache: goes with external only"),
        (".", {"accept": ["200"]}, "accept: goes with external only"),
        (".", {"timeout": 3}, "timeout: goes with external only"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: str, options: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        rehref.check(arguments, **options)
