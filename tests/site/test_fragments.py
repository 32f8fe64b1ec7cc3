"""What fragments name (site/_pages/fragments.py)."""

from __future__ import annotations

import re

import pytest

from rehref.site._pages.fragments import NO_SCRIPTS, is_right, is_top, names_one_of, without_directive

NAMES = frozenset({"intro", "é", "a%20b", "100%"})


@pytest.mark.parametrize("fragment", ["intro", "é", "%C3%A9", "%c3%a9", "a%20b", "a%2520b", "100%", "100%25"])
def test_a_fragment_names_an_id_as_it_stands_or_decoded(fragment: str) -> None:
    assert names_one_of(fragment, NAMES)


@pytest.mark.parametrize("fragment", ["Intro", "a b", "%E9", "intro ", "", "intr"])
def test_what_is_no_id_names_nothing(fragment: str) -> None:
    assert not names_one_of(fragment, NAMES)


@pytest.mark.parametrize(
    ("fragment", "right"), [("", True), ("top", True), ("ToP", True), ("t%6Fp", True), ("tops", False)]
)
def test_the_top_is_everywhere(fragment: str, right: bool) -> None:
    assert is_top(fragment) is right


@pytest.mark.parametrize(
    ("fragment", "left"),
    [(":~:text=a", ""), ("x:~:text=a,b", "x"), ("x", "x"), ("a:~b", "a:~b"), ("x:~:y:~:z", "x")],
)
def test_directives_name_nothing(fragment: str, left: str) -> None:
    assert without_directive(fragment) == left


@pytest.mark.parametrize(
    "fragment", ["svgView(viewBox(0,0,1,1))", "xywh=0,0,9,9", "t=5", "only-dark", "gh-light-mode-only"]
)
def test_views_are_right_in_svg_alone(fragment: str) -> None:
    assert is_right(fragment, NAMES, (), NO_SCRIPTS._replace(views=True))
    assert not is_right(fragment, NAMES, ())


def test_patterns_tell_what_scripts_make() -> None:
    patterns = (re.compile(r"L\d+"), re.compile("é.*"))
    assert is_right("L12", NAMES, patterns)
    assert is_right("%C3%A9x", NAMES, patterns)
    assert not is_right("L12-", NAMES, patterns)
    assert not is_right("L12", NAMES, ())
