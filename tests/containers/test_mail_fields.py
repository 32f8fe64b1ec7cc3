"""Header fields of messages: what they are, their URIs, and their parameters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.containers._mime import mail_fields as header_fields


def parsed(text: bytes) -> header_fields.HeaderFields:
    return header_fields.parse_fields(text, 0, len(text))


def test_header_fields_end_with_an_empty_line_or_before_what_is_none() -> None:
    for text, body, ended in [
        (b"A: 1\r\n b\r\n\r\nbody", b"body", True),
        (b"A: 1\n\nbody", b"body", True),
        (b"A: 1\nbody\n", b"body\n", False),
        (b"A: 1\n--b: 1\n", b"--b: 1\n", False),
        (b"A: 1", b"", False),
        (b"\nbody", b"body", True),
        (b"", b"", False),
    ]:
        found = parsed(text)
        assert (text[found.body :], found.ended) == (body, ended)


def test_the_first_of_a_name_counts_whatever_its_case() -> None:
    data = b"content-ID: <1>\nOther: x\nContent-Id: <2>\n\n"
    found = parsed(data)
    assert (header_fields.identifier(data, found.spans["content-id"]), found.total) == ("1", 3)
    assert list(found.spans) == ["content-id"]


@pytest.mark.parametrize(
    ("written", "uri"),
    [
        ("http://h/a", "http://h/a"),
        (" <http://h/a> ", "http://h/a"),
        ('"http://h/a"', "http://h/a"),
        ("http://h/a/\r\n\tb/\r\n c", "http://h/a/b/c"),
        ("file:///C:/My Documents/a.htm", "file:///C:/My%20Documents/a.htm"),
        ("=?utf-8?Q?http=3A//h/=C3=A9?=\n =?utf-8?B?L2I=?=", "http://h/é/b"),
        ("=?nonsense?Q?a?=", "a"),
        ("", ""),
    ],
)
def test_uris_are_unfolded_and_decoded(written: str, uri: str) -> None:
    data = b"Content-Location: " + written.encode() + b"\n\n"
    assert header_fields.uri(data, parsed(data).spans["content-location"]) == uri


@given(st.text(alphabet="=?utf-8BQ!/ a\n\t", max_size=40))
def test_no_encoded_word_is_too_odd(value: str) -> None:
    data = value.encode()
    header_fields.uri(data, (0, len(data)))


def test_a_value_is_read_up_to_a_bound() -> None:
    data = b"Content-Location: " + b"x" * 100_000 + b"\n\n"
    assert len(header_fields.uri(data, parsed(data).spans["content-location"])) <= header_fields.LONGEST


@pytest.mark.parametrize(
    ("value", "parameters"),
    [
        ('a/b; Boundary="x;\\"y"; c=d ; c=e', {"boundary": 'x;"y', "c": "d"}),
        ("a/b;a*=utf-8''%C3%A9%20x", {"a": "é x"}),
        ("a/b;a*1=two;a*0=one;a*2*=%20three", {"a": "onetwo three"}),
        ("a/b;a*0*=latin-1'en'%E9;a*1=b", {"a": "éb"}),
        ("a/b;a*=nonsense''%41", {"a": "A"}),
        ('a/b; a="not closed; b=c', {"a": "not closed", "b": "c"}),
        ("a/b; ;;=; x", {}),
    ],
)
def test_parameters(value: str, parameters: dict[str, str]) -> None:
    assert header_fields.media_type_of(value) == (value, "a/b", parameters)


@given(st.text(alphabet="a;=\"\\*0 '%4\n/", max_size=60))
def test_no_content_type_is_too_odd(value: str) -> None:
    header_fields.media_type_of(value)


def test_strays_are_skipped_before_a_usual_header_field_only() -> None:
    data = b"Subject: two\nlines\nMIME-Version: 1.0\n\nbody"
    assert (parsed(data).strays, data[parsed(data).body :]) == (True, b"body")
    data = b"Subject: one\nbody\nand: more\n\nbody"
    assert (parsed(data).strays, data[parsed(data).body :]) == (False, b"body\nand: more\n\nbody")
