"""What a Content Security Policy says of a `<base>`: `base-uri` (documents/_bases/policies_on_bases.py)."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial

import pytest

import rehref
from base_policies import ALLOWED, BASES, PAGE, PLACES, page
from growth import assert_proportional

NONE = "Content-Security-Policy: base-uri 'none'"


def reference(html: str | bytes, **options: object) -> rehref.Link:
    [link] = [link for link in rehref.links(html, url=PAGE, **options) if link.element == "a"]  # type: ignore[arg-type]
    return link


def problems_of_base(html: str, profile: str = "rfc3986") -> list[tuple[str, str]]:
    links = rehref.links(html, url=PAGE, profile=profile)  # type: ignore[arg-type]
    return [(each.code, each.message) for link in links if link.kind == "base" for each in link.problems]


@pytest.mark.parametrize("parser", ["source", "lxml", "html5lib"])
def test_browsers_take_the_bases_that_policies_allow(parser: str) -> None:
    for policy, allowed in ALLOWED.items():
        found = {
            base for base in BASES if reference(page(policy, base), profile="whatwg", parser=parser).base.uri != PAGE
        }
        assert found == allowed, policy


@pytest.mark.parametrize("parser", ["source", "lxml", "html5lib"])
def test_where_a_policy_counts(parser: str) -> None:
    for name, (html, counts) in PLACES.items():
        html = html if "srcdoc" in html else f"{html}<a href=x>"
        if (parser, name) == ("lxml", "in a noscript"):
            counts = True  # its library begins the body there
        assert (reference(html, profile="whatwg", parser=parser).base.uri != PAGE) is counts, name


def test_the_base_says_why_it_is_rejected() -> None:
    base = reference(page("base-uri 'self'", "http://other.example/b/"), profile="whatwg").base
    assert base.uri == PAGE
    [rejected] = base.rejected
    assert rejected.reason == "the Content Security Policy of the document forbids it: base-uri 'self'"


def test_the_profiles_of_the_rfcs_follow_the_author_and_report_the_browser() -> None:
    html = page("base-uri 'none'", "/b/")
    for profile in ("rfc3986", "rfc3986-compat", "rfc2396"):
        link = reference(html, profile=profile)
        assert link.target == "http://pages.example/b/x"
        [problem] = link.problems
        assert (problem.code, "http://pages.example/p/x" in problem.message) == ("browser-differs", True)
    for profile in ("rfc3986", "whatwg"):
        message = (
            "the Content Security Policy of the document forbids it: base-uri 'none'; "
            "browsers take http://pages.example/p/page.html instead"
        )
        assert problems_of_base(html, profile) == [("base-blocked", message)]
    assert problems_of_base(page("base-uri 'self'", "/b/")) == []


def test_what_browsers_read_differently_is_not_rewritten() -> None:
    html = page("base-uri 'none'", "/b/")
    assert "<a href=x>" in rehref.rewrite(html, url=PAGE)
    assert '<a href="http://pages.example/p/x">' in rehref.rewrite(html, url=PAGE, profile="whatwg").replace(
        "<a href=http://pages.example/p/x>", '<a href="http://pages.example/p/x">'
    )


def test_header_fields_have_policies() -> None:
    html = b"<base href=/b/><a href=x>"
    fields = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{NONE}\r\n\r\n".encode()
    assert reference(html, headers=fields, profile="whatwg").base.uri == PAGE
    assert (
        reference(html, headers=fields.replace(b"Policy:", b"Policy-Report-Only:"), profile="whatwg").base.uri != PAGE
    )
    twice = fields.replace(b"\r\n\r\n", b"\r\nContent-Security-Policy: base-uri *\r\n\r\n")
    assert reference(html, headers=twice, profile="whatwg").base.uri == PAGE


def test_records_of_archives_have_policies() -> None:
    for body in ("<base href=/b/><a href=x>", "<iframe srcdoc='<base href=/b/><a href=x>'></iframe>"):
        http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{NONE}\r\n\r\n{body}"
        record = (
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
            f"WARC-Target-URI: {PAGE}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n"
        )
        links = rehref.links(io.BytesIO(record.encode()), profile="whatwg")
        assert [link.target for link in links if link.element == "a"] == ["http://pages.example/p/x"]


def test_many_documents_in_a_page_with_policies_take_linear_time() -> None:
    inner = "<iframe srcdoc='<base href=/b/><a href=x>'></iframe>"

    def prepare(size: int) -> Callable[[], object]:
        return partial(rehref.links, page("base-uri 'none'", "/b/") + inner * size, url=PAGE, profile="whatwg")

    assert_proportional(prepare, 100)
