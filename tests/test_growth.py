"""What measures how time grows, tells linear from quadratic."""

from __future__ import annotations

import pytest

from growth import assert_proportional, work


def test_linear_is_in_proportion() -> None:
    assert_proportional(lambda n: lambda: [str(number) for number in range(n)], 2000)


def test_quadratic_is_not() -> None:
    with pytest.raises(AssertionError, match="8 times as much"):
        assert_proportional(lambda n: lambda: [sum(range(n)) for _ in range(n)], 200)


def test_work_is_relative() -> None:
    assert 2 < work(lambda: sum(range(100_000))) < 50
