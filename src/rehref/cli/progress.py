"""A progress bar on standard error.

1. There is one only if standard error is a terminal, and neither `--quiet` nor `--no-progress` is given; and if results
   go to a terminal too, there is none: they are progress enough.
2. It shows only after half a second, so that what is done at once does not flicker.
3. Messages are written above it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rehref.cli.errors import say
from rehref.cli.output import is_terminal

_Result = TypeVar("_Result")
_PATIENCE = 0.5
_EVERY = 0.1


def wanted(*, quiet: bool, no_progress: bool, prints_results: bool) -> bool:
    """Whether to show a bar (rule 1)."""
    if quiet or no_progress or not is_terminal(sys.stderr):
        return False
    return not (prints_results and is_terminal(sys.stdout))


class Progress:
    """Counts results as they pass."""

    def __init__(self, total: int | None, *, shown: bool) -> None:
        self._total = total
        self._shown = shown
        self._bar: _Bar | None = None

    def watch(self, results: Iterable[_Result]) -> Iterator[_Result]:
        """Pass the results on, one after the other."""
        if not self._shown:
            yield from results
            return
        latest = time.monotonic() + _PATIENCE - _EVERY
        try:
            for done, result in enumerate(results, 1):
                yield result
                if time.monotonic() - latest >= _EVERY:
                    latest = time.monotonic()
                    if self._bar is None:
                        self._bar = _Bar(self._total)
                    self._bar.show(done)
        finally:
            if self._bar is not None:
                self._bar.end()
                self._bar = None

    def say(self, message: str) -> None:
        """Say something, above the bar if there is one."""
        if self._bar is not None:
            self._bar.clear()
        say(message)


class Steps:
    """Shows how much of some work is done, as the work itself tells: a context."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._latest = time.monotonic() + _PATIENCE - _EVERY
        self._bar: _Bar | None = None

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.end()

    def show(self, done: int, total: int) -> None:
        """So much of so much is done."""
        if not self._shown or time.monotonic() - self._latest < _EVERY:
            return
        self._latest = time.monotonic()
        if self._bar is None:
            self._bar = _Bar(total)
        self._bar.show(done)


class _Bar:
    """The bar itself. It is drawn from here and not from a thread, which would not go well with processes forked."""

    def __init__(self, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (TextColumn("documents"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = RichProgress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
        self._task = self._progress.add_task("documents", total=total)
        self._progress.start()

    def show(self, done: int) -> None:
        if not self._progress.live.is_started:
            self._progress.start()
        self._progress.update(self._task, completed=done, refresh=True)

    def clear(self) -> None:
        self._progress.stop()

    def end(self) -> None:
        self._progress.stop()
