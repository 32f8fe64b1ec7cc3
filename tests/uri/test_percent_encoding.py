"""Percent-encoding (RFC 3987 §3.1): every rule, that what comes out is valid and leads where it led."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rehref.text.encoders import encode_for_urls
from rehref.uri.normalization import percent_encode
from rehref.uri.resolver import parse_or_none
from rehref.uri.validation import violations


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        # 1: what is valid
        ("", ""),
        ("http://h/%7e?a=%2f#!", "http://h/%7e?a=%2f#!"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        # 2: characters
        ("grün/a b.html", "gr%C3%BCn/a%20b.html"),
        ("a?b|c#d#e", "a?b%7Cc#d%23e"),
        ("a%zz%41%", "a%25zz%41%25"),
        ("%%41", "%25%41"),
        ('/{a}[b]`"<>\\^|', "/%7Ba%7D%5Bb%5D%60%22%3C%3E%5C%5E%7C"),
        ("a\ud800", "a%EF%BF%BD"),
        ("\U0001f600", "%F0%9F%98%80"),
        ("http://ü@b:c@h/", "http://%C3%BC%40b:c@h/"),
        # 3: hosts
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("HTTPS://Bücher.example:8080", "HTTPS://xn--bcher-kva.example:8080"),
        ("http://b%C3%BCcher.ü/", "http://xn--bcher-kva.xn--tda/"),
        ("http://b%C3%BCcher.example/ü", "http://b%C3%BCcher.example/%C3%BC"),
        ("foo://bücher.example/", "foo://b%C3%BCcher.example/"),
        ("//bücher.example/", "//b%C3%BCcher.example/"),
        ("http://a b/", "http://a%20b/"),
        ("http://\ufffd/", "http://%EF%BF%BD/"),
        ("http://[::1", "http://%5B%3A:1"),
        ("http://[fe80::1%25eth0]/", "http://%5Bfe80%3A%3A1%25eth0%5D/"),
        ("http://h:8x/", "http://h%3A8x/"),
        # 4: colons
        ("10:30.html", "./10:30.html"),
        ("ü:x", "./%C3%BC:x"),
        ("a/ü:x", "a/%C3%BC:x"),
        # rootless paths
        ("mailto:ü@example.org", "mailto:%C3%BC@example.org"),
    ],
)
def test_rules(text: str, uri: str) -> None:
    assert percent_encode(text) == uri
    assert percent_encode(uri) == uri


def test_the_scheme_of_the_base_decides_about_a_host() -> None:
    assert percent_encode("//bücher.example/", "http") == "//xn--bcher-kva.example/"


def test_queries_in_other_encodings() -> None:
    latin = partial(encode_for_urls, name="windows-1252")
    assert percent_encode("ü?ü€☃#ü", "http", latin) == "%C3%BC?%FC%80%26%239731%3B#%C3%BC"
    assert percent_encode("ü?ü", "ws", latin) == "%C3%BC?%C3%BC"
    assert percent_encode("ü?ü|", "foo", latin) == "%C3%BC?%C3%BC%7C"


PIECES = st.one_of(
    st.sampled_from(
        ["http:", "//", "ftp://", "foo:", "h", "[::1]", ":80", "ü", "ß.", "%41", "%", "%C3", "/", "?", "#"]
    ),
    st.sampled_from(["@", ":", "[", "]", " ", "|", "^", "\ud800", "1a:", "..", "\\", "file:", "%2e", "☃", "\x7f", "'"]),
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)
# what browsers read otherwise than the RFCs, however it is written: backslashes, schemes without slashes
ODD = re.compile(r".*\\|(?:http|ftp|file):(?!//)|[^?#]*///", re.DOTALL).match
BASES = st.sampled_from(["http://h/a/b?c", "foo://h/a", "file:///a/b", "ws://h/"])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("http://[::1]/a b", "http://[::1]/a%20b"),
        ("http://[v1.a]/ ", "http://[v1.a]/%20"),
        ("http://[::1x]/", "http://%5B%3A%3A1x%5D/"),
    ],
)
def test_an_address_in_brackets_stays_and_no_other_brackets_do(text: str, written: str) -> None:
    assert percent_encode(text) == written


@given(TEXTS | st.text(max_size=12))
def test_all_that_comes_out_is_valid(text: str) -> None:
    written = percent_encode(text)
    assert violations(written) == []
    assert percent_encode(written) == written
    if violations(text) == []:
        assert written == text


@given(TEXTS, BASES, st.sampled_from([None, "windows-1252", "shift_jis"]))
@example("http://ü%C3%BC/", "http://h/", None)
def test_browsers_go_where_they_went(text: str, base: str, encoding: str | None) -> None:
    encode = None if encoding is None else partial(encode_for_urls, name=encoding)
    assume(ODD(text) is None)
    before = parse_or_none(text.strip(" "), base, encode)
    after = parse_or_none(percent_encode(text.strip(" "), base.partition(":")[0], encode), base, encode)
    if before is not None:
        assert after is not None
        assert percent_encode(after) == percent_encode(before)
