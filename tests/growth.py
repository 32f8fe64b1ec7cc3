"""How the time that something takes grows with its input. No clock decides: what is compared are two times of one run.

- `assert_proportional`: eight times the input takes at most three times eight times as long; quadratic work would
  take sixty-four times as long. It is asked up to eight times: what else runs can only make it seem slower.
- `work`: how many times as long something takes as a fixed piece of work, where its input cannot be varied.
- Time is that of the processor in this thread, the least of some runs, without the garbage collector.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TIMES = 8
"""How many times as much the larger input is."""
TOLERANCE = 3
"""How many times as long in proportion it may take: caches are limited, and others use the machine."""


def assert_proportional(prepare: Callable[[int], Callable[[], object]], size: int) -> None:
    """Hold a function to time in proportion to its input.

    `prepare`: makes what is to be timed, for an input of so many pieces; it is called with `size`, and with more.
    """
    for _ in range(8):
        grown = _seconds(lambda: prepare(TIMES * size)) / _seconds(lambda: prepare(size))
        if grown <= TOLERANCE * TIMES:
            return
    raise AssertionError(f"{TIMES} times as much takes {grown:.0f} times as long")


def work(run: Callable[[], object]) -> float:
    """How many times as long it takes as counting to 10,000."""
    return _seconds(lambda: run) / _seconds(lambda: lambda: sum(range(10_000)))


def _seconds(prepare: Callable[[], Callable[[], object]]) -> float:
    """What the quickest of three runs takes."""
    found = []
    was_on = gc.isenabled()
    gc.disable()
    try:
        for _ in range(3):
            run = prepare()
            began = time.thread_time()
            run()
            found.append(time.thread_time() - began)
    finally:
        if was_on:
            gc.enable()
    return min(found)
