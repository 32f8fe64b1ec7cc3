"""Numbers that a file may have instead of one that it should have; what reads them takes little memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

NUMBERS = (
    "-1",
    "3000000000",
    "1e999",
    "-1e999",
    "NaN",
    "1e400",
    "0.5",
    "1" + "0" * 400,
    "1" * 5000,
    '"7"',
    "true",
    "[]",
)


def assert_bounded(read: Callable[[str], object]) -> None:
    """Assert that reading any of the numbers raises nothing, and takes little memory."""
    for number in NUMBERS:
        tracemalloc.start()
        read(number)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000, number
        tracemalloc.stop()
