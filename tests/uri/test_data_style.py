"""References in a style sheet that is a `data:` URL."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rehref.uri._syntaxes.data_style import find, write

CSS = "a{background:url(x.png)}"
PIECES = st.sampled_from(
    [
        *" \t\n\"'()\\;}é",
        "%",
        "%23",
        "%20",
        "%C3%A9",
        "%E9",
        "%22",
        "url(",
        "url('",
        "@import '",
        "x",
        "http://h/",
        "/*",
    ]
)
SHEETS = st.lists(PIECES, max_size=20).map("".join)


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (f"data:text/css,{CSS}", ["x.png"]),
        (f" DATA:Text/CSS;charset=utf-8,{CSS}\n", ["x.png"]),
        (f"data:text/css;charset='US-ASCII',{CSS}", ["x.png"]),
        ("data:text/css,%23a%7bbackground:url%28%22%C3%A9%20.png%22%29}", ["\u00e9 .png"]),
        ("data:text/css,a{b:url(x)}#c{d:url(y)}", ["x"]),
        ("data:text/css,a{b:url(%23c)}", ["#c"]),
        ("data:text/css,@import 'x.css';@import url(x.css);@import url('//h/x')", []),
        ("data:text/css,@import%20'http://h/x.css'", ["http://h/x.css"]),
        (f"data:text/css;base64,{b64encode(CSS.encode()).decode()}", []),
        (f"data:text/css;charset=utf-16,{CSS}", []),
        (f"data:text/html,{CSS}", []),
        (f"data:,{CSS}", []),
        (f"text/css,{CSS}", []),
    ],
)
def test_what_is_found(value: str, texts: list[str]) -> None:
    assert [found.text for found in find(value)] == texts


def test_spans_are_those_of_the_value() -> None:
    value = "data:text/css,%61{b:url('%C3%A9')}c{d:url(y%2Epng)}"
    assert [value[found.start : found.end] for found in find(value)] == ["%C3%A9", "y%2Epng"]


@given(SHEETS, SHEETS)
def test_what_is_written_is_read(sheet: str, text: str) -> None:
    assume(text.strip(" \t\n"))
    assume("@import" not in sheet or text.startswith("http:"))  # a relative one is not read there
    value = f"data:text/css,{sheet}"
    before = find(value)
    for index, found in enumerate(before):
        written = write(text, found.form)
        assert written.isascii()
        after = [each.text for each in find(value[: found.start] + written + value[found.end :])]
        expected = [each.text for each in before]
        expected[index] = text
        assert after == expected
