"""How much is tried: all, if all tests are run (`scripts/test --all` sets REHREF_EXAMPLES=all), else a sample.

- A law is tried with a quarter of its examples. They are other ones each time.
- Of a test of growth, which calls `assert_proportional` for each of its values, the first value is tried; of a test
  that is marked `sampled(n)`, every nth. The others become `slow`; where values are tried together (`together.py`),
  they are left out.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")

ALL = os.environ.get("REHREF_EXAMPLES") == "all"


def examples(many: int) -> int:
    """So many, or a quarter of them."""
    return many if ALL else many // 4


def sample(values: Sequence[T], step: int) -> Sequence[T]:
    """Of a test that is marked, those of its values that are tried."""
    return values if ALL else values[::step]


def step(marks: Iterable[pytest.Mark]) -> int:
    """The n of `sampled(n)` among the marks of a test; 1 if it is not there."""
    return next((int(mark.args[0]) for mark in marks if mark.name == "sampled"), 1)


def is_of_growth(function: object) -> bool:
    """Whether a test is one of growth."""
    return "assert_proportional" in getattr(getattr(function, "__code__", None), "co_names", ())


def outside_the_sample(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """The items of collected tests that are not in the sample."""
    seen: Counter[str] = Counter()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if seen[name] and (is_of_growth(getattr(item, "function", None)) or seen[name] % step(item.iter_markers())):
            yield item
        seen[name] += 1
