"""Single references, lists and hash-name references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.uri._syntaxes import lists
from rehref.uri.syntaxes import Occurrence


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("a", Occurrence(0, 1, "a", "")),
        (" \t\n\f\ra b\r\n", Occurrence(5, 8, "a b", "")),
        ("a\nb", Occurrence(0, 3, "a\nb", "")),
        ("\u00a0a\v", Occurrence(0, 3, "\u00a0a\v", "")),  # not ASCII white space
        ("", Occurrence(0, 0, "", "")),
        ("  ", Occurrence(0, 0, "", "")),
    ],
)
def test_url(value: str, found: Occurrence) -> None:
    assert lists.find_url(value) == [found]


def test_spaces() -> None:
    value = " a,b\t\nc\u00a0d\f"
    assert lists.find_spaces(value) == [Occurrence(1, 4, "a,b", ""), Occurrence(6, 9, "c\u00a0d", "")]
    assert lists.find_spaces("\n \r") == []


def test_commas() -> None:
    value = " a.jar ,, b c.jar,\t,"
    assert lists.find_commas(value) == [Occurrence(1, 6, "a.jar", ""), Occurrence(10, 17, "b c.jar", "")]
    assert lists.find_commas("") == []


@pytest.mark.parametrize(
    ("value", "texts"),
    [("#m", ["#m"]), (" #m ", ["#m "]), ("other.html#m#n", ["#m#n"]), ("m", []), ("#", []), ("", []), ("x#", [])],
)
def test_fragment(value: str, texts: list[str]) -> None:
    found = lists.find_fragment(value)
    assert [f.text for f in found] == texts
    assert [value[f.start : f.end] for f in found] == texts


@pytest.mark.parametrize(
    ("text", "url", "spaces", "commas"),
    [
        ("a", "a", "a", "a"),
        (" a ", "a", "a", "a"),
        ("a b", "a b", "a%20b", "a b"),
        ("a\tb\r\nc\fd", "a\tb\r\nc\fd", "abc%0Cd", "a\tb\r\nc\fd"),
        (",a,b,", ",a,b,", ",a,b,", "%2Ca%2Cb%2C"),
        ("", "", "#", "#"),
        (" \n", "", "#", "#"),
    ],
)
def test_write(text: str, url: str, spaces: str, commas: str) -> None:
    assert lists.write_url(text, "") == url
    assert lists.write_spaces(text, "") == spaces
    assert lists.write_commas(text, "") == commas


@given(st.text(alphabet=" \t\n,ab", max_size=30))
def test_lists_are_what_splitting_gives(value: str) -> None:
    assert [f.text for f in lists.find_spaces(value)] == value.split()
    items = [item.strip() for item in value.split(",")]
    assert [f.text for f in lists.find_commas(value)] == [item for item in items if item]
