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


OF_PAGE = {"external": True}
OF_CRAWL = {"external": True, "recursive": True}


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({}, "nothing is fetched unasked"),
        ({**OF_CRAWL, "scope": ["mailto:x"]}, "is not an http or https URL"),
        ({**OF_CRAWL, "depth": -1}, "is not a possible number"),
        ({**OF_CRAWL, "max_pages": 0}, "is not a possible number"),
        ({**OF_PAGE, "depth": 3}, "depth: needs recursive"),
        ({**OF_PAGE, "scope": ["/"]}, "scope: needs recursive"),
        ({**OF_PAGE, "orphans": True}, "orphans: needs all pages of the site; say rec"),
        ({**OF_PAGE, "sitemap": True}, "sitemap: needs all pages of the site; say rec"),
        ({**OF_PAGE, "site_url": "https://b.example/"}, "site_url: is about a folder"),
        ({**OF_PAGE, "files": ["a.html"]}, "files: is about a folder"),
    ],
)
def test_what_makes_no_sense_for_a_page_is_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        rehref.check("https://a.example/", **options)


def test_a_page_with_a_password_is_refused() -> None:
    with pytest.raises(ValueError, match="has a user name in it"):
        rehref.check("https://me:secret@a.example/", external=True)


@pytest.mark.parametrize(
    ("option", "value", "what"),
    [
        ("recursive", True, "is about pages of a server"),
        ("cache", "web.sqlite", "cache: goes with external only"),
        ("accept", ["200"], "accept: goes with external only"),
        ("timeout", 3, "timeout: goes with external only"),
    ],
)
def test_what_makes_no_sense_for_a_folder_is_refused(option: str, value: object, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        rehref.check(".", **{option: value})
