"""Suffix references: the eight rules, each with what it takes in and what it keeps out."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri.validation import is_valid
from rehref.uri.written_uris import expand_suffix


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("www.w3.org/Addressing/", "http://www.w3.org/Addressing/"),  # RFC 3986 §4.5
        ("www.w3.org", "http://www.w3.org"),
        ("WWW.W3.org", "http://WWW.W3.org"),
        ("example.org?q#s", "http://example.org?q#s"),
        ("example.org#s", "http://example.org#s"),
        ("example.org:8080/x", "http://example.org:8080/x"),
        ("localhost:8000", "http://localhost:8000"),
        ("192.0.2.1/x", "http://192.0.2.1/x"),
        ("[2001:db8::1]:80/", "http://[2001:db8::1]:80/"),
        ("xn--mnchen-3ya.example", "http://xn--mnchen-3ya.example"),
        ("www.index.html", "http://www.index.html"),
        ("setup.py:80/", "http://setup.py:80/"),
        ("ftp.example.org/x", "ftp://ftp.example.org/x"),
        ("FTP.example.org", "ftp://FTP.example.org"),
    ],
)
def test_suffix_references(text: str, uri: str) -> None:
    assert expand_suffix(text) == uri


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/www.w3.org",
        "./www.w3.org",
        "//www.w3.org",
        "?www.w3.org",
        "http://www.w3.org/",
        "mailto:a.b@example.org",
        "me@example.org",
        "example.org:pw@h.example",
        "example",
        "localhost",
        "localhost/x",
        "urn:80.x",
        "example.org:",
        "example.org:80x",
        "example.org:123456",
        "index.html",
        "index.html?q",
        "a.b/c",
        "example.org.",
        "v1.2.3",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "01.1.1.1",
        "[::1",
        "[::g]",
        "photo.JPG#s",
        "e.g",
        "-a.example.org",
        "a-.example.org",
        "a..example.org",
        "a_b.example.org",
        "example.org/a b",
        "example.org/%",
        "example.org/Köln",
        " example.org",
        "example.org\n",
        "a." * 127 + "org",
    ],
)
def test_no_suffix_references(text: str) -> None:
    assert expand_suffix(text) is None


def test_the_scheme_asked_for() -> None:
    assert expand_suffix("www.w3.org", scheme="https") == "https://www.w3.org"
    assert expand_suffix("ftp.example.org", scheme="https") == "ftp://ftp.example.org"


HOSTS = st.from_regex(r"(www\.)?[a-z]{1,4}(-[0-9])?\.(com|org|museum)(:[0-9]{1,5})?", fullmatch=True)
ODD = st.text(alphabet="aw1.-:/[]?#@% ", max_size=12)


@given(HOSTS, st.sampled_from(["", "/", "?", "#"]), st.text(alphabet="aw1.-:/?@", max_size=12))
def test_what_comes_of_it_is_a_uri_with_the_text_at_its_end(host: str, mark: str, rest: str) -> None:
    text = host + (mark and mark + rest)
    assert expand_suffix(text) == f"http://{text}"
    assert is_valid(f"http://{text}", production="URI")


@given(ODD | st.tuples(HOSTS, ODD).map("".join))
def test_whatever_comes_of_a_text_is_a_uri(text: str) -> None:
    uri = expand_suffix(text)
    assert uri is None or (is_valid(uri, production="URI") and uri == f"http://{text}")


@pytest.mark.parametrize("unit", ["a.", "a", "a-", "[", "1."])
def test_hostile_texts_take_linear_time(unit: str) -> None:
    assert expand_suffix(unit * 1000) is None
    assert_proportional(lambda many: partial(expand_suffix, unit * many), 20_000)
