"""Tests whose values are tried together: which they are, and what is said of values that fail."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies

from examples import ALL
from growth import assert_proportional
from together import CHOOSING, all_of, are_apart, item_of_all

TRIED: list[object] = []


def even(value: int) -> None:
    TRIED.append(value)
    if value == 7:
        pytest.skip("seven is not tried")
    assert value % 2 == 0


def cases(*values: int) -> list[dict[str, int]]:
    return [{"value": value} for value in values]


def test_every_value_is_tried() -> None:
    TRIED.clear()
    all_of(even, cases(2, 4, 6))()
    assert TRIED == [2, 4, 6]


def test_what_fails_is_named_and_what_follows_is_tried() -> None:
    TRIED.clear()
    with pytest.raises(BaseExceptionGroup, match="2 of 4 values fail:\nwith value=3\nwith value=5\n") as failed:
        all_of(even, cases(2, 3, 5, 8))()
    assert TRIED == [2, 3, 5, 8]
    assert [error.__notes__ for error in failed.value.exceptions] == [["with value=3"], ["with value=5"]]


def test_a_single_failure_is_itself() -> None:
    with pytest.raises(AssertionError, match="assert") as failed:
        all_of(even, cases(2, 3))()
    assert failed.value.__notes__ == ["with value=3"]


def test_a_long_value_is_cut() -> None:
    with pytest.raises(TypeError) as failed:
        all_of(even, [{"value": "a" * 1000}])()
    assert failed.value.__notes__ == ["with value='" + "a" * 193 + "…"]


def test_a_value_that_is_skipped_is_named_and_hides_no_failure() -> None:
    with pytest.raises(pytest.skip.Exception, match="1 of 2 values: seven is not tried"):
        all_of(even, cases(7, 8))()
    with pytest.raises(AssertionError):
        all_of(even, cases(7, 9))()


def test_what_ends_the_run_ends_it() -> None:
    def interrupted(value: int) -> None:
        TRIED.append(value)
        raise KeyboardInterrupt

    TRIED.clear()
    with pytest.raises(KeyboardInterrupt):
        all_of(interrupted, cases(1, 2))()
    assert TRIED == [1]


Together = Callable[..., list[object] | None]


@pytest.fixture
def together(request: pytest.FixtureRequest) -> Together:
    """Tries the values of a test together, and returns them; None if each is an item."""

    def tried(function: Callable[..., object], *marks: pytest.MarkDecorator) -> list[object] | None:
        function.__dict__["pytestmark"] = [mark.mark for mark in marks]
        TRIED.clear()
        item = item_of_all(request.node.parent, "test_it", function)
        if item is None:
            return None
        assert {mark.name for mark in item.own_markers} <= CHOOSING
        item.obj()
        return TRIED.copy()

    return tried


def of_one() -> Callable[..., object]:
    """A test of a value. (Marks change it.)"""
    return lambda value: TRIED.append(value)


def of_two() -> Callable[..., object]:
    return lambda value, other: TRIED.append((value, other))


@given(other=strategies.none())
def law(value: int, other: None) -> None:
    assert value in (1, 2), other


table = pytest.mark.parametrize


def test_all_rows_of_all_tables_are_tried(together: Together) -> None:
    rows = [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert together(of_two(), table("value", ["a", pytest.param("b")]), table(["other"], [(1,), (2,)])) == sorted(rows)
    assert together(of_two(), table("value, other", rows)) == rows
    assert together(of_two(), table(("value", "other"), rows, ids=range(4)), pytest.mark.slow) == rows
    assert together(of_one(), table("value", rows)) == rows


def test_of_what_is_sampled_a_sample_is_tried(together: Together) -> None:
    sample = [*range(7)] if ALL else [0, 3, 6]
    assert together(of_one(), table("value", range(7)), pytest.mark.sampled(3)) == sample


def test_what_is_more_than_values_is_left_to_pytest(together: Together) -> None:
    values = table("value", [1, 2])
    assert together(of_one(), values) == [1, 2]
    assert together(lambda: None) is None
    assert together(of_one(), table("value", [])) is None  # pytest skips it
    assert together(of_one(), table("value", iter([1, 2]))) is None
    assert together(of_one(), table("value", [1, pytest.param(2, marks=pytest.mark.xfail)])) is None
    assert together(of_one(), table("value", [1, 2], indirect=True)) is None
    assert together(of_one(), values, pytest.mark.xfail) is None
    assert together(of_two(), values) is None  # `other` is a fixture
    assert together(lambda value, tmp_path: None, values) is None
    assert together(law, values) is None
    assert together(lambda value: assert_proportional(lambda n: lambda: n, value), values) is None


@pytest.mark.parametrize(
    ("options", "arguments", "apart"),
    [
        ({}, ["tests/uri"], False),
        ({"apart": True}, [], True),
        ({"keyword": "some"}, [], True),
        ({}, ["tests/uri/test_image.py::test_no_address[a]"], True),
    ],
)
def test_values_are_apart_where_one_may_be_chosen(options: dict[str, Any], arguments: list[str], apart: bool) -> None:
    config: Any = SimpleNamespace(option=SimpleNamespace(**{"apart": False, "keyword": ""} | options), args=arguments)
    assert are_apart(config) is apart
