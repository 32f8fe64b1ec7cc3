"""What is left out by default is in all tests (rules of `examples`)."""

from __future__ import annotations

from functools import partial

import pytest

from examples import ALL, examples
from growth import assert_proportional


@pytest.mark.sampled(3)
@pytest.mark.parametrize("value", range(7))
def test_every_third(value: int) -> None:
    assert ALL or value in (0, 3, 6)


@pytest.mark.parametrize("character", "abc")
def test_growth(character: str) -> None:
    assert_proportional(lambda n: partial(list, n * character), 2000)
    assert ALL or character == "a"


def test_a_law_has_a_quarter_of_its_examples() -> None:
    assert examples(100) == (100 if ALL else 25)
