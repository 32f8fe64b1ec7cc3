"""The micro-syntax `image`: the address of an image in an attribute that scripts define."""

from __future__ import annotations

from functools import partial

import pytest

from growth import assert_proportional
from rehref.uri._syntaxes import image


@pytest.mark.parametrize(
    "value",
    [
        *("a/b.jpg", "/a", "a.jpg", "1.jpg", "img/my photo.jpg", "image(1).jpg", "../a", "./a", "//cdn.example/a"),
        *("https://h.example/a?b", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "hero_{width}x.jpg", "2024/05/a"),
    ],
)
def test_an_address(value: str) -> None:
    assert [one.text for one in image.find(f" {value}\n")] == [value]


@pytest.mark.parametrize(
    "value",
    [
        *(
            "",
            "dark",
            "true",
            "yes",
            "0",
            "0.5",
            "-1.5em",
            "16/9",
            "0.5, 0.5",
            "50% .5",
            "#f00",
            "#box",
            ".box",
            "{}",
            "[1.5]",
        ),
        *(
            "rgb(0.5,1/2,3)",
            "rgba(0,0,0,.5)",
            "var(--a.b)",
            "linear-gradient(red 1.5%, blue)",
            "RGB(1.5)",
            "center top",
        ),
        '{"a": "b.jpg"}',
    ],
)
def test_no_address(value: str) -> None:
    assert image.find(value) == []


def test_a_css_value() -> None:
    value = "linear-gradient(red, blue), url(a.jpg), url('b')"
    assert [one.text for one in image.find(value)] == ["a.jpg", "b"]
    assert image.write("x y", image.find("url(a)")[0].form) == "x\\20 y"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a b.jpg", "a b.jpg"),
        ("x", "./x"),
        ("url(x)", "./url%28x%29"),
        (".x", "./.x"),
        ("0.5", "./0.5"),
        ("a(1).png", "a(1).png"),
    ],
)
def test_what_is_written_looks_like_an_address(text: str, after: str) -> None:
    assert image.write(text, "address") == after
    assert [one.text for one in image.find(after)] == [after]


@pytest.mark.parametrize("piece", ["1", "1.", "1 ", "1,", "-", ".", "url(", "a(", "(", " ", "1a", "{"])
def test_hostile_values_take_linear_time(piece: str) -> None:
    assert len(image.find(piece * 1000 + "!")) <= 1
    assert_proportional(lambda many: partial(image.find, piece * many + "!"), 5000)
