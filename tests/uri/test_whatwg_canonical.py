"""URLs that are taken for parsed as they stand: ada-url gives back the same."""

from __future__ import annotations

import ada_url
from hypothesis import given
from hypothesis import strategies as st

from rehref.uri.whatwg import parse_or_none

PIECES = (
    "a",
    "b.c",
    "-",
    "--",
    "xn--",
    "0",
    "0x1",
    "1",
    ".",
    "..",
    "/",
    "/.",
    "//",
    "%2e",
    "%41",
    "?",
    "'",
    "#",
    ":",
    "@",
    "A",
    "é",
    "|",
)
urls = st.tuples(
    st.sampled_from(("http://", "https://", "HTTP://", "ftp://", "file:///")),
    st.sampled_from(
        ("example.org", "a.b-c.d", "1.2.3.4", "1.0x1", "a.1", "host", "a.xn--b", "a--b.org", "-a.org", "a_b.org")
    ),
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
).map("".join)


@given(urls)
def test_what_is_canonical_is_given_back(url: str) -> None:
    try:
        expected = ada_url.join_url("about:blank", url)
    except ValueError:
        expected = None
    assert parse_or_none(url) == expected
