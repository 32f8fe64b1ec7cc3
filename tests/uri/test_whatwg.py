"""The browser's profile: the URL test data of web-platform-tests, and queries in other encodings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.exceptions import ResolutionError
from rehref.text.encoders import encode_for_urls
from rehref.uri import _whatwg as whatwg
from rehref.uri._whatwg import domain_to_ascii
from rehref.uri.normalization import comparison_key
from rehref.uri.resolver import PROFILES, Resolver, parse_or_none
from suites.url import resolved

BASE = "http://h/a/b"


def test_every_case_with_a_base(suites: Path) -> None:
    result = resolved(suites)
    assert result.cases > 300
    assert sorted(result.failed) == []


def test_a_lone_surrogate_is_a_replacement_character() -> None:
    assert whatwg.resolve("http://h/", "a\ud800b") == "http://h/a%EF%BF%BDb"
    with pytest.raises(ResolutionError):
        whatwg.resolve("http://h/", "http://[\ud800")


def encoder(codec: str) -> whatwg.Encode:
    def encode(text: str) -> bytes | None:
        try:
            return text.encode(codec)
        except UnicodeEncodeError:
            return None

    return encode


LATIN_1 = encoder("cp1252")
SHIFT_JIS = encoder("cp932")
ISO_2022_JP = encoder("iso2022_jp")


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("?é", "http://h/a/b?%E9"),
        ("é?é#é", "http://h/a/%C3%A9?%E9#%C3%A9"),  # the query only
        ("é#?é", "http://h/a/%C3%A9#?%C3%A9"),
        ("?é?é", "http://h/a/b?%E9?%E9"),
        ("?€", "http://h/a/b?%80"),
        ("?a b\"<>'&é", "http://h/a/b?a%20b%22%3C%3E%27&%E9"),
        ("?%C3é%", "http://h/a/b?%C3%E9%"),
        (" ?é\n\té \x01", "http://h/a/b?%E9%E9"),
        ("//ü.example?é", "http://xn--tda.example/?%E9"),
        ("//h2\\x?é", "http://h2/x?%E9"),
        ("http:?é", "http://h/a/b?%E9"),
        ("HTTPS://h?é", "https://h/?%E9"),
        ("ftp://h/?é", "ftp://h/?%E9"),
        ("file:///x?é", "file:///x?%E9"),
        ("é", "http://h/a/%C3%A9"),
        ("?", "http://h/a/b?"),
    ],
)
def test_a_query_is_written_in_the_encoding(reference: str, target: str) -> None:
    assert whatwg.resolve(BASE, reference, LATIN_1) == target
    assert Resolver(BASE, "whatwg", LATIN_1)(reference) == target


@pytest.mark.parametrize("reference", ["ws://h/?é", "wss://h/?é", "foo://h/?é", "mailto:x?é", "javascript:x?é"])
def test_for_some_schemes_it_is_utf_8(reference: str) -> None:
    assert whatwg.resolve(BASE, reference, LATIN_1) == reference.replace("é", "%C3%A9")
    assert whatwg.resolve("foo://h/x", "?é", LATIN_1) == "foo://h/x?%C3%A9"
    assert whatwg.resolve("ws://h/x", "?é", LATIN_1) == "ws://h/x?%C3%A9"


def test_what_the_encoding_lacks_is_a_character_reference() -> None:
    assert whatwg.resolve(BASE, "?北é💩北", LATIN_1) == ("http://h/a/b?%26%2321271%3B%E9%26%23128169%3B%26%2321271%3B")
    assert whatwg.resolve(BASE, "?é\ud800", LATIN_1) == "http://h/a/b?%E9%26%2365533%3B"


def test_bytes_that_are_ascii_characters_stay_what_they_are() -> None:
    assert whatwg.resolve(BASE, "?十&能", SHIFT_JIS) == "http://h/a/b?%8F\\&%94\\"


def test_an_encoding_with_shift_states_begins_and_ends_each_run() -> None:
    assert whatwg.resolve(BASE, "?能x😀能", ISO_2022_JP) == ("http://h/a/b?%1B$BG=%1B(Bx%26%23128512%3B%1B$BG=%1B(B")

    # such an encoding may lack controls: they could be taken for a shift
    def without_shifts(text: str) -> bytes | None:
        return None if "\x1b" in text else LATIN_1(text)

    assert whatwg.resolve(BASE, "?\x1b☃", without_shifts) == "http://h/a/b?%26%2365533%3B%26%239731%3B"


def test_what_such_an_encoding_lacks_does_not_end_a_run() -> None:

    def encode(text: str) -> bytes | None:
        return encode_for_urls(text, "iso-2022-jp")

    # in ISO-2022-JP's state "Roman", which ends with the text: the URL Standard uses one encoder for a whole query
    assert whatwg.resolve(BASE, "?¥€", encode) == "http://h/a/b?%1B(J\\%26%238364%3B%1B(B"
    assert whatwg.resolve(BASE, "?¥a€b能€", encode) == ("http://h/a/b?%1B(J\\a%26%238364%3Bb%1B$BG=%1B(B%26%238364%3B")
    assert whatwg.encoded_query("¥\n€", encode) == "%1B(J\\%0A%26%238364%3B%1B(B"


def test_without_an_encoder_and_in_other_profiles_nothing_changes() -> None:
    assert whatwg.resolve(BASE, "?é") == "http://h/a/b?%C3%A9"
    for profile in PROFILES:
        if profile != "whatwg":
            assert Resolver(BASE, profile, LATIN_1)("?é") == Resolver(BASE, profile)("?é")


def test_failure_is_failure_in_any_encoding() -> None:
    with pytest.raises(ResolutionError) as raised:
        whatwg.resolve(BASE, "http://[?é", LATIN_1)
    assert raised.value.reference == "http://[?é"
    assert parse_or_none("http://[?é", BASE, LATIN_1) is None
    assert parse_or_none("?é", encode=LATIN_1) is None
    assert parse_or_none("http://h?é", encode=LATIN_1) == "http://h/?%E9"


@given(
    st.text(st.sampled_from("aé北/\\?#:.[ \t%&'\x00\ud800")), st.sampled_from(["http://h/a?b", "foo:x", "ws://h", "x"])
)
def test_utf_8_as_an_encoding_gives_what_the_parser_gives(reference: str, base: str) -> None:
    utf_8 = encoder("utf-8")
    assert parse_or_none(reference, base, utf_8) == parse_or_none(reference, base)
    assert parse_or_none("http:" + reference, base, utf_8) == parse_or_none("http:" + reference, base)


def test_what_idna_cannot_write_stays() -> None:
    assert domain_to_ascii("xn--\ufffd.example") is None
    assert comparison_key("http://\ud800/") == "http://%EF%BF%BD/"
    assert comparison_key("http://%EF%BF%BD.example/") == "http://%EF%BF%BD.example/"
