"""How long tests wait for another process: long enough for the slowest machine, so that only what hangs is ended.

No test is about how long something takes on a clock; how it grows with its input is what `growth` compares.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 1800.0
"""Seconds."""
_EVERY = 0.02


def wait_until(it_is_so: Callable[[], bool]) -> None:
    """Wait until something is so; fail if it never is."""
    for _ in range(int(PATIENCE / _EVERY)):
        if it_is_so():
            return
        time.sleep(_EVERY)
    raise AssertionError("it never came to be so")
