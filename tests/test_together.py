"""Tests whose values are tried together: which they are, and what is said of values that fail."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
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


def test_each_value_has_its_own_folder_and_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def alone(value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        assert "REHREF_X" not in os.environ
        monkeypatch.setenv("REHREF_X", str(value))
        assert list(tmp_path.iterdir()) == []
        Path("x").touch()
        assert (tmp_path / "x").exists()
        assert capsys.readouterr().out == ""
        print(value)

    monkeypatch.chdir(tmp_path)
    all_of(alone, cases(1, 2))(tmp_path=tmp_path, monkeypatch=monkeypatch, capsys=capsys)
    assert Path.cwd() == tmp_path
    assert "REHREF_X" not in os.environ


def test_a_value_is_in_its_own_folder_though_it_does_not_ask_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    all_of(lambda value: Path(value).mkdir(), [{"value": "x"}] * 2)(tmp_path=tmp_path)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/x")) == ["0/x", "1/x"]


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
        item.obj(**{name: request.getfixturevalue(name) for name in inspect.signature(item.obj).parameters})
        return TRIED.copy()

    return tried


@pytest.fixture(scope="module")
def of_the_module() -> str:
    return "shared"


@pytest.fixture
def of_a_test() -> None:
    """What is made anew for each test."""


@pytest.fixture(scope="module", params=[1, 2])
def one_of_two(request: pytest.FixtureRequest) -> object:
    return request.param


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


def test_a_fixture_of_the_module_is_for_all_values(together: Together) -> None:
    def with_fixtures(value: int, of_the_module: str, tmp_path: Path, default: int = 5) -> None:
        TRIED.append((value, of_the_module, tmp_path.name, default))

    assert together(with_fixtures, table("value", [1, 2])) == [(1, "shared", "0", 5), (2, "shared", "1", 5)]


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
    assert together(lambda value, of_a_test: None, values) is None
    assert together(lambda value, one_of_two: None, values) is None
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
