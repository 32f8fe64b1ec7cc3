"""A progress bar on standard error.

1. There is one only if standard error is a terminal, and neither `--quiet` nor `--no-progress` is given; and if results
   go to a terminal too, there is none: they are progress enough.
2. It shows only after half a second, so that what is done at once does not flicker.
3. Messages are written above it.
4. Of bytes it shows how many there are in a second.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from rehref.cli.errors import say
from rehref.cli.output import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

_PATIENCE = 0.5
_EVERY = 0.1


def wanted(*, quiet: bool, no_progress: bool, prints_results: bool) -> bool:
    """Whether to show a bar (rule 1)."""
    if quiet or no_progress or not is_terminal(sys.stderr):
        return False
    return not (prints_results and is_terminal(sys.stdout))


class Progress:
    """Shows how much of some work is done, and says things above that: a context."""

    def __init__(self, *, shown: bool, of_bytes: bool = False) -> None:
        self._shown, self._of_bytes = shown, of_bytes
        self._latest = time.monotonic() + _PATIENCE - _EVERY
        self._bar: RichProgress | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, total: int | None, what: str = "documents") -> None:
        """So much is done, of so much if that is known; `what` it is."""
        if not self._shown or time.monotonic() - self._latest < _EVERY:
            return
        self._latest = time.monotonic()
        if self._bar is None:
            self._bar = _bar(total, of_bytes=self._of_bytes)
        if not self._bar.live.is_started:
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=what, refresh=True)

    def say(self, message: str) -> None:
        """Say something, above the bar if there is one."""
        if self._bar is not None:
            self._bar.stop()
        say(message)


def _bar(total: int | None, *, of_bytes: bool) -> RichProgress:
    """The bar itself. It is drawn from here and not from a thread, which would not go well with processes forked."""
    from rich import progress
    from rich.console import Console

    much = (progress.DownloadColumn(), progress.TransferSpeedColumn()) if of_bytes else (progress.MofNCompleteColumn(),)
    text = progress.TextColumn("{task.description}")
    columns = (text, progress.BarColumn(), *much, progress.TimeRemainingColumn())
    bar = progress.Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
    bar.add_task("documents", total=total)
    return bar
