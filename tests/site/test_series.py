"""What names and paths tell of each other (site/_series.py)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked.plain_edits import is_within
from growth import assert_proportional
from rehref.site._series import (
    editions,
    edits,
    ends_alike,
    folders_beside,
    is_another,
    is_another_path,
    is_distinctive,
    is_in_series_with,
)

# series


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[
            ("fig-a", "fig-b"),
            ("part-1", "part-2"),
            ("part-1", "part"),
            ("part-iv", "part-v"),
            ("guide.en", "guide.fr"),
        ],
        *[("figA", "figB"), ("v1", "v2"), ("1.2", "1.10"), ("2023-05", "2024-05"), ("fig1a", "fig1b"), ("Ü-a", "ü-B")],
        *[("en", "fr"), ("us", "gb"), ("en-US", "en-GB"), ("zh-Hans", "zh-Hant-TW"), ("es-419", "es")],
        *[("english", "deutsch"), ("latest", "v2"), ("main", "1.x"), ("v1beta1", "stable"), ("2", "next")],
    ],
)
def test_members_of_one_series(one: str, other: str) -> None:
    assert is_in_series_with(one, other)
    assert is_in_series_with(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[("chaptr1", "chapter1"), ("part1", "part-1"), ("whats-new", "what-s-new"), ("old", "new"), ("js", "assets")],
        *[
            ("guide", "archive"),
            ("fr", "guide"),
            ("v2", "guide"),
            ("guide-a", "manual-b"),
            ("v1-guide", "v1-guides"),
            ("", "guide"),
            ("-", "_"),
        ],
    ],
)
def test_no_members_of_one_series(one: str, other: str) -> None:
    assert not is_in_series_with(one, other)
    assert not is_in_series_with(other, one)


def test_editions() -> None:
    sure = ["fr", "pt-BR", "zh_hant", "German", "v2", "V1beta", "1.2", "3.x", "2.0-rc1", "latest", "main"]
    assert editions(sure) == {name.lower() for name in sure}
    assert editions(["js", "us", "css", "2023", "05", "guide", "", "fr-fr-fr", "1.", "vx", "1.2/"]) == set()


def test_distinctive_names() -> None:
    assert all(map(is_distinctive, ["install", "faq", "c++", "概要", "chapter-2-install", "logo"]))
    assert not any(map(is_distinctive, ["README", "cover", "chapter-2", "fig1a", "image@2x", "12", "ab", "a-b", ""]))


# extensions


# moves


def test_another_name() -> None:
    assert is_another("chapter1", "chapter2")
    assert is_another("abc1def", "abc2def")
    assert is_another("x1y", "xy")
    assert not is_another("guide2", "manual3")
    assert not is_another("instal", "install")


@pytest.mark.parametrize(
    ("wanted", "found", "document", "expected"),
    [
        ("v2/api/guide.html", "v1/api/guide.html", "x.html", True),
        ("a/1/x.html", "b/c/x.html", "x.html", True),
        ("fr/x.html", "x.html", "x.html", True),
        ("fr/x.png", "x.png", "x.html", False),
        ("fr/x", "x", "x.html", True),
        ("fr/x/", "x/", "x.html", True),
        ("fr/.x", ".x", "x.html", True),
        ("x.html", "fr/x.html", "x.html", True),
        ("x.png", "fr/x.png", "x.html", True),
        ("x.html", "fr/x.html", "fr/y.html", False),
        ("fr/x.html", "en/x.html", "en/y.html", True),
        ("fr/a/x.html", "fr/guide/x.html", "x.html", False),
        ("guide/x.html", "archive/x.html", "x.html", False),
        ("2023/05/x.html", "posts/x.html", "x.html", False),
        ("x.html", "latest/x.html", "x.html", True),
        ("x.html", "latest/x.html", "latest/y.html", False),
        ("proj/", "proj/en/latest/", "", True),
        ("@/blog/x.html", "blog/x.html", "y.html", True),
        ("@site/x.png", "x.png", "y.html", True),
        ("blog/@/a/x.html", "blog/a/x.html", "blog/y.html", True),
        ("~/x.html", "x.html", "y.html", True),
        ("$lib/x.js", "x.js", "y.html", True),
        ("v{{ one }}/x.html", "x.html", "y.html", True),
        ("a/<% x %>/x.html", "x.html", "y.html", True),
        ("a/x.js", "@scope/a/x.js", "y.html", True),
        ("@anna/x.html", "@anne/x.html", "y.html", False),
        ("old/@anna/x.html", "new/@anna/x.html", "y.html", False),
    ],
)
def test_another_path(wanted: str, found: str, document: str, expected: bool) -> None:
    assert is_another_path(wanted, found, document) is expected


def test_folders_beside_each_other() -> None:
    assert folders_beside("a/b/c/x", "a/d/c/x") == ("a/b", "a/d")
    assert folders_beside("b/", "x") is None
    assert folders_beside("a/x/", "b/x/") == ("a", "b")
    assert folders_beside("a/x", "a/b/x") is None


def test_the_end_of_a_path() -> None:
    assert ends_alike("a/b/x", "b/x")
    assert ends_alike("b/x/", "a/b/x/")
    assert not ends_alike("a/x", "x")
    assert not ends_alike("a/x/", "x/")
    assert not ends_alike("ab/x", "b/x")


@pytest.mark.parametrize("text", ["a-", "1.", "aA", "v1_", "x" * 9 + "-1", "fr-", "1.x"])
def test_long_names_take_linear_time(text: str) -> None:
    def asking(n: int) -> Callable[[], None]:
        name = text * n

        def run() -> None:
            assert is_in_series_with(name + "-2", name + "-3")
            assert not is_in_series_with(name + "-install", name)
            assert is_distinctive(name + "-install")
            editions([name, name + "!"])

        return run

    assert_proportional(asking, 1000)


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_edits_are_as_defined(one: str, other: str) -> None:
    assert edits(one, other) == next((most for most in range(3) if is_within(one, other, most)), 3)


@given(st.text("ab", max_size=12), st.lists(st.tuples(st.integers(0, 11), st.text("ab", max_size=1)), max_size=2))
def test_edits_are_found(text: str, changes: list[tuple[int, str]]) -> None:
    other = text
    for at, new in changes:
        other = other[:at] + new + other[at + 1 :]
    assert edits(text, other) <= 2
    assert (edits(text, other) == 0) is (text == other)
