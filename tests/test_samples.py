"""What is left out by default, and what is not (rules of `examples`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from examples import ALL, examples, outside_the_sample
from growth import assert_proportional


@dataclass
class Item:
    """Stands for an item that pytest has collected."""

    nodeid: str
    function: Callable[..., object]
    marks: tuple[pytest.MarkDecorator, ...] = ()

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next((each.mark for each in self.marks if each.name == name), None)


def of_growth(prepare: Any) -> None:
    assert_proportional(prepare, 2000)


def outside(name: str, values: int, *more: Any) -> list[str]:
    items: Any = [Item(f"{name}[{value}]", *more) for value in range(values)]
    return [item.nodeid for item in outside_the_sample(items)]


def test_of_a_sampled_test_every_nth_value_is_tried() -> None:
    assert outside("a", 7, len, (pytest.mark.sampled(3),)) == ["a[1]", "a[2]", "a[4]", "a[5]"]
    assert outside("a", 7, len, (pytest.mark.slow,)) == []


def test_of_a_test_of_growth_the_first_value_is_tried() -> None:
    assert outside("a", 3, of_growth) == ["a[1]", "a[2]"]
    assert outside("a", 3, of_growth, (pytest.mark.sampled(2),)) == ["a[1]", "a[2]"]


def test_each_test_has_a_sample_of_its_own() -> None:
    items: Any = [Item(name, of_growth) for name in ("a[x]", "b[x]", "a[y]", "b", "c")]
    assert [item.nodeid for item in outside_the_sample(items)] == ["a[y]", "b"]


def test_a_law_has_a_quarter_of_its_examples() -> None:
    assert examples(100) == (100 if ALL else 25)
