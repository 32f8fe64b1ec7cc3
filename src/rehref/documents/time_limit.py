"""The time that the references of one document may take to read.

1. Time is linear in the size of a document, but some documents take much longer than others of their size: those whose
   references each have a base, or a document, of their own. The limit keeps one of these from delaying all others.
2. Only the work on the document counts, not what the caller does between two places. The compiled twin reads places
   whose references are relative to the document's base without looking at the time. Documents inside the document share
   its time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from rehref.exceptions import RehrefError

_Result = TypeVar("_Result")


class OutOfTimeError(RehrefError, RuntimeError):
    """The references of a document take too long to read."""


class TimeLimit:
    """The time that is left for a document."""

    __slots__ = ("_end", "_left", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds
        self._end: float | None = None  # while a place is read

    def within(self, work: Callable[..., _Result], *arguments: object) -> _Result:
        """Call `work` with arguments: its result. Raises `OutOfTimeError` if no time is left to begin with."""
        now = time.monotonic()
        if self._end is not None:
            self._check(self._end - now)
            return work(*arguments)
        self._check(self._left)
        self._end = now + self._left
        try:
            return work(*arguments)
        finally:
            self._left, self._end = self._end - time.monotonic(), None

    def _check(self, left: float) -> None:
        if left <= 0:
            seconds = f"{self._seconds:g} {'second' if self._seconds == 1 else 'seconds'}"
            raise OutOfTimeError(
                f"its references take longer than {seconds} to read; allow more (max_time, --max-time)"
            )
