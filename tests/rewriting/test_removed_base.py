"""What has a scheme and no host, once no element names a base any more: one test for each rule, and the laws."""

from __future__ import annotations

from itertools import product

import pytest

import rehref
from rehref.uri.resolver import PROFILES

OWN = ("file:///h/i/j", "file://o/h/", "x:/a/b", "x://h/a/b", "http://h/a/b", "urn:/a")
BASES = ("ftp://g/", "https://g/p/", "http://o", "file:///k/", "file://q/r/", "x:/c/d", "X://y/z/", "//o/", "../k/")
REFERENCES = (
    *("file:/b/../c", "file:b/../c", "file:?q", "file:#f", "FILE:/b c/..", "file:\\b\\..\\c", "file:///b/../c"),
    *("x:/../b", "x:../b", "x:b", "x:?q", "X:/./b", "x:/.//b", " x:/../b ", "x://y/../b", "urn:../b", "mailto:x"),
    *("http:g", "https:/g/../h", "ftp:b", "c/../d", "?q", "#f"),
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("base_element", ["empty", "drop"])
@pytest.mark.parametrize("profile", PROFILES)
def test_absolutizing_twice_is_once_and_browsers_go_where_they_went(profile, base_element):
    rule = rehref.Absolute(base_element=base_element)
    for own, base in product(OWN, BASES):
        html = f'<base href="{base}">' + "".join(f'<a href="{reference}"></a>' for reference in REFERENCES)
        once = rehref.rewrite(html, rule, url=own, profile=profile)
        assert rehref.rewrite(once, rule, url=own, profile=profile) == once, (own, base)
        before, after = (
            [link.target for link in rehref.links(text, url=own, profile="whatwg") if link.kind != "base"]
            for text in (html, once)
        )
        assert before == after, (own, base)


@pytest.mark.parametrize(
    ("profile", "own", "base", "before", "after"),
    [
        # the scheme of the base, and of the document
        ("rfc3986", "file:///h/", "ftp://g/", "file:/b/../c", "file:/c"),
        ("rfc3986-compat", "file:///h/", "ftp://g/", "file:/b/../c", "file:///c"),
        ("whatwg", "x:/a/b", "https://g/", "x:/../b", "x:/b"),
        # what browsers would read against the document's host, or folder
        ("rfc3986", "file://o/h/", "ftp://g/", "file:/b", "file:///b"),
        ("rfc3986", "file:///h/", "ftp://g/", "file:b", "file:///b"),
        # what browsers and the profile read otherwise afterwards stays
        ("rfc3986-compat", "x://h/a/b", "https://g/", "x:/../b", "x:/../b"),
        # another scheme than the document's, or a host: it stands for itself
        ("rfc3986", "http://h/", "ftp://g/", "file:/b/../c", "file:/b/../c"),
        ("rfc3986", "file:///h/", "ftp://g/", "file:///b/../c", "file:///b/../c"),
    ],
)
def test_what_is_written(profile, own, base, before, after):
    html = '<base href="{}"><a href="{}">'.format
    for rule, gone in (("empty", '<base href=""><a href="{}">'), ("drop", '<a href="{}">')):
        absolute = rehref.Absolute(base_element=rule)
        assert rehref.rewrite(html(base, before), absolute, url=own, profile=profile) == gone.format(after)
        assert rehref.rewrite(gone.format(after), absolute, url=own, profile=profile) == gone.format(after)


def test_what_is_relative_to_a_codebase_keeps_it():
    html = '<object codebase="https:g" archive="?x&para "></object>'
    for base_element in ("empty", "drop"):
        rule = rehref.Absolute(base_element=base_element)
        for profile in PROFILES:
            once = rehref.rewrite(html, rule, url="http://a%2Fb/", profile=profile)
            assert rehref.rewrite(once, rule, url="http://a%2Fb/", profile=profile) == once
            assert profile == "rfc2396" or once == html


def test_an_at_base_stays_and_what_stands_for_itself_below_it():
    data = '<base href="http://o/"><script type="application/ld+json">{"@context": {"@base": "ftp://g/"}, "@id": "%s"}'
    rule = rehref.Absolute(base_element="drop", metadata=True)
    once = rehref.rewrite(data % "file:/b/../c", rule, url="file:///h/", profile="rfc3986-compat")
    assert "file:/b/../c" in once
    assert rehref.rewrite(once, rule, url="file:///h/", profile="rfc3986-compat") == once


@pytest.mark.parametrize(
    ("profile", "own", "html"),
    [
        # browsers, and the profile, read no URL there; without the base they do, and nothing could be written
        ("whatwg", "http://h/", '<base href="x:/c/"><a href="http:?q">'),
        # with `rfc3986-compat` the base is `x://h/a/b`; browsers read none there, but they do without it
        ("rfc3986-compat", "x://h/a/b", '<base href="x:"><a href="c">'),
    ],
)
def test_what_led_nowhere_may_lead_somewhere_afterwards(profile, own, html):
    """Not a law, but a limit: a second run is not idle."""
    rule = rehref.Absolute(base_element="drop")
    once = rehref.rewrite(html, rule, url=own, profile=profile)
    assert once == html[html.index("<a") :]
    assert rehref.rewrite(once, rule, url=own, profile=profile) != once


@pytest.mark.parametrize("base_element", ["empty", "drop"])
@pytest.mark.parametrize("reference", ["/\\", "/\\\\"])
def test_what_browsers_read_no_url_in_gets_no_target_that_they_would_read(base_element, reference):
    """To browsers it is `//`, which has no host; `https://h.example/\\` has one."""
    html = f'<base href="/c/d"><a href="{reference}">'
    once = rehref.rewrite(html, rehref.Absolute(base_element=base_element), url="https://h.example/")
    assert f'<a href="{reference}">' in once


def test_no_tag_comes_about_where_the_element_was():
    html = '<<base href="/x/">script>alert(1)</script><a href="b"></a>'
    once = rehref.rewrite(html, rehref.Absolute(base_element="drop"), url="https://h.example/")
    assert once == '<<base>script>alert(1)</script><a href="https://h.example/x/b"></a>'
