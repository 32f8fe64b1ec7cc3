"""Comparison (RFC 3986 §6.2.2, §6.2.3, and what single schemes say): which URIs are the same, in which profile."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from growth import assert_proportional
from rehref.uri import normalization
from rehref.uri.normalization import comparison_key, equivalent
from rehref.uri.resolver import PROFILES, Profile
from rehref.uri.whatwg import domain_to_ascii, parse_or_none

SAME = [
    ("HTTP://Example.ORG:80/%61", "http://example.org/a"),
    ("http://h", "http://h/"),
    ("http://h?q", "http://h/?q"),
    ("http://h:/a/./b/../c", "http://h/a/c"),
    # IDNA: U-labels, A-labels, percent-encoded UTF-8 (RFC 3986 §3.2.2)
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example", "http://XN--BCHER-KVA.example:80/"),
    ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ("https://anna@faß.example/", "https://anna@xn--fa-hia.example:443/"),
    ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
    # IRIs and what they map to (RFC 3987 §3.1)
    ("http://h/grün?ü#ü", "http://h/gr%c3%bcn?%C3%BC#%C3%BC"),
    ("http://h/a b", "http://h/a%20b"),
]
SAME_BY_RFC = [
    # RFC 8089 §2, appendix B
    ("file:///x", "file://localhost/x"),
    ("file:/x", "FILE://LOCALHOST/x"),
    # RFC 6068 §2, RFC 5321 §2.4
    ("mailto:Anna@Example.ORG", "mailto:Anna@example.org"),
    ("MAILTO:a@Bücher.example,b@H?subject=x", "mailto:a@xn--bcher-kva.example,b@h?subject=x"),
    # RFC 4516 §2
    ("ldap://Dir.example:389", "ldap://dir.example/"),
    ("ldap://dir.example:389/dc=example", "ldap://dir.example/dc=example"),
    # RFC 4248 §2
    ("telnet://anna@h:23/", "telnet://anna@h"),
    # RFC 8141 §3.2
    ("urn:example:a123,z456", "URN:EXAMPLE:a123,z456"),
    ("urn:example:a123,z456", "urn:example:a123,z456?+abc"),
    ("urn:example:a123,z456", "urn:example:a123,z456?=xyz"),
    ("urn:example:a123,z456", "urn:example:a123,z456#789"),
    ("urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"),
    # no URN: there is no namespace identifier (RFC 8141 §2)
    ("urn:/.", "urn:/"),
    ("urn:/%41?x", "urn:/A?x"),
]
OTHER = [
    ("http://h/", "http://h/?"),
    ("http://h/", "https://h/"),
    ("http://h/A", "http://h/a"),
    ("http://h/a%2Fb", "http://h/a/b"),
    ("http://bücher.example/", "http://bucher.example/"),
    ("foo://bücher.example/", "foo://xn--bcher-kva.example/"),  # nobody says that DNS knows this host
    ("http://b%FCcher.example/", "http://bücher.example/"),  # no UTF-8
    ("file://server/x", "file:///x"),
    ("mailto:anna@h", "mailto:Anna@h"),
    ("mailto:a%40B@h", "mailto:a%40b@h"),
    # RFC 8141 §3.2
    ("urn:example:a123,z456", "urn:example:a123,z456/foo"),
    ("urn:example:a123,z456", "urn:example:A123,z456"),
    ("urn:example:a123%2Cz456", "urn:example:a123,z456"),
    ("urn:example:a%2Db", "urn:example:a-b"),
    ("", "http://h/"),
]


@pytest.mark.parametrize(("one", "other"), [*SAME, *SAME_BY_RFC])
def test_the_same(one: str, other: str) -> None:
    assert rehref.equivalent(one, other)
    assert rehref.equivalent(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_not_the_same(one: str, other: str) -> None:
    assert not rehref.equivalent(one, other)


@pytest.mark.parametrize(("one", "other"), [pair for pair in SAME if "%61" not in pair[0] and "%c3" not in pair[1]])
def test_the_same_for_browsers(one: str, other: str) -> None:
    assert equivalent(one, other, "whatwg")
    assert comparison_key(one, "whatwg") == parse_or_none(one)


def test_browsers_decode_no_escapes() -> None:
    assert not equivalent("http://h/%61", "http://h/a", "whatwg")
    assert equivalent("http://h/%2e/b", "http://h/b", "whatwg")
    assert equivalent("http://0x7f.1/", "http://127.0.0.1/", "whatwg")
    assert not equivalent("http://0x7f.1/", "http://127.0.0.1/")
    assert comparison_key("no URL", "whatwg") == "no URL"


def test_what_idna_cannot_write_stays() -> None:
    assert domain_to_ascii("xn--\ufffd.example") is None
    assert comparison_key("http://\ud800/") == "http://%EF%BF%BD/"
    assert comparison_key("http://%EF%BF%BD.example/") == "http://%EF%BF%BD.example/"


PIECES = st.sampled_from(
    [
        *("http:", "HTTP://", "//", "H", "ü.é", "%C3%BC", "%ff", ":80", ":", "/", "a/../", "%2e", "%7E", "?", "#", "@"),
        *("mailto:", "URN:", "urn:X:", "?+r", "file:", "localhost", "[::1]", "xn--", "\ud800", "ldap://", ",", "%"),
        ".",
    ]
)


@given(st.lists(PIECES, max_size=8).map("".join), st.sampled_from(PROFILES))
@example("mailto:a@ü%2C@b", "rfc3986")
@example("URN://HTTP://", "rfc3986")
@example("ldap://http:ü.é", "rfc3986")
@example("ftp://a%20ü.é", "rfc3986")
def test_a_key_is_its_own_key(text: str, profile: Profile) -> None:
    key = comparison_key(text, profile)
    assert comparison_key(key, profile) == key
    assert equivalent(text, key, profile)


@given(st.lists(PIECES, max_size=8).map("".join))
@example("urn:/.")
@example("urn:x:%7E")
def test_what_is_normalized_is_the_same(uri: str) -> None:
    assert equivalent(uri, rehref.normalize(uri))


LIKE_NORMAL = st.lists(
    st.sampled_from(["a", "-", "/", "%2F", "%C3%BC", ":", "@", "80", "~", "A"])
    | st.sampled_from(["a", "-", ".", "/", "%2", "%41", "%2F", "%c3", "?", "#", ":", "@", "80", "%7E", "[", "A"]),
    max_size=8,
).flatmap(lambda pieces: st.sampled_from(["", "/", "/a"]).map(lambda path: f"http://a.b{path}" + "".join(pieces)))


@given(LIKE_NORMAL)
@settings(max_examples=examples(500))
def test_what_is_known_to_be_normal_is(text: str) -> None:
    if normalization._IS_NORMAL(text):
        assert normalization.normalize(text) == text


@pytest.mark.parametrize(
    ("before", "unit", "behind"), [("http://", "a.", ""), ("http://", "a", ""), ("http://a.b", "/%2F", "%")]
)
def test_to_know_what_is_normal_takes_linear_time(before: str, unit: str, behind: str) -> None:
    assert normalization._IS_NORMAL(before + unit * 1000 + behind) is None
    assert_proportional(lambda many: partial(normalization._IS_NORMAL, before + unit * many + behind), 10_000)
