"""Refresh against a literal transcription of the HTML Standard's steps."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rehref.uri._syntaxes import refresh

WHITE = "\t\n\f\r "


def standard(value: str) -> str | None:
    """HTML Standard, "shared declarative refresh steps": the string that is parsed as a URL, if one is."""
    position = 0

    def at() -> str:
        return value[position : position + 1]

    def skip(characters: str) -> None:
        nonlocal position
        while at() and at() in characters:
            position += 1

    skip(WHITE)  # step 3
    before = position
    skip("0123456789")  # step 5
    if position == before and at() != ".":  # step 6
        return None
    skip("0123456789.")  # step 8
    if position < len(value):  # step 10
        if at() not in ";," + WHITE:
            return None
        skip(WHITE)
        if at() and at() in ";,":
            position += 1
        skip(WHITE)
    if position >= len(value):  # step 11
        return None
    whole = value[position:]
    if at() in "uU":
        for letter in ("uU", "rR", "lL"):
            if not at() or at() not in letter:
                return whole
            position += 1
        skip(WHITE)
        if at() != "=":
            return whole
        position += 1
        skip(WHITE)
    quote = at() if at() and at() in "\"'" else ""  # skip quotes
    position += len(quote)
    rest = value[position:]
    return rest.partition(quote)[0] if quote else rest


@given(st.text(alphabet="05.;, \turlURL='\"x", max_size=24))
@example("0;url='a\"b' c")
@example("0;url")
@example("0;ur='x'")
@example(".;x")
def test_agrees_with_the_standard(value: str) -> None:
    expected = standard(value)
    found = refresh.find(value)
    assert [f.text for f in found] == ([] if expected is None else [expected.strip(WHITE)])
    assert all(value[f.start : f.end] == f.text for f in found)


@pytest.mark.parametrize(
    ("value", "text", "form"),
    [
        ("0; url=a.html", "a.html", "keyword"),
        ("0;URL = a.html ", "a.html", "keyword"),
        ("0,a.html", "a.html", "bare"),
        ("0 a.html", "a.html", "bare"),
        ("5.5.5;url='a.html' rest", "a.html", "single"),
        ('.5;"a.html"', "a.html", "double"),
        ("0;url='a.html", "a.html", "single"),
        ("0;url=' a.html '", "a.html", "single"),
        ("0; ur=x", "ur=x", "bare"),
        ("0; url 'x'", "url 'x'", "bare"),
        ("0;url=", "", "keyword"),
        ("0;url=url=x", "url=x", "keyword"),
        ("0;url=a\tb", "a\tb", "keyword"),
    ],
)
def test_examples(value: str, text: str, form: str) -> None:
    (found,) = refresh.find(value)
    assert (found.text, found.form) == (text, form)
    assert value[found.start : found.end] == text


@pytest.mark.parametrize(
    "value", ["", " ", "5", "5;", " 5 , ", "a.html", "url=a.html", "5a.html", "-1;x", "+0;x", ";x"]
)
def test_no_reference(value: str) -> None:
    assert refresh.find(value) == []


@pytest.mark.parametrize(
    ("text", "form", "written"),
    [
        ("a'b\"c", "single", 'a%27b"c'),
        ("a'b\"c", "double", "a'b%22c"),
        ("a'b\"c", "keyword", "a'b\"c"),
        ("'a", "keyword", '"\'a"'),
        ('"a', "bare", "'\"a'"),
        ("'a\"b", "keyword", '"\'a%22b"'),
        ("url=x", "bare", "url=url=x"),
        ("url=x", "keyword", "url=x"),
        ("urls", "bare", "urls"),
        (";x", "bare", "url=;x"),
        ("", "bare", "url="),
        (" x\n", "bare", "x"),
    ],
)
def test_write(text: str, form: str, written: str) -> None:
    assert refresh.write(text, form) == written
