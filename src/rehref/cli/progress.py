"""A progress bar on standard error.

1. There is a bar only if standard error is a terminal, and neither `--quiet` nor `--no-progress` is given. If results
   go to a terminal too, there is none, since the results show the progress.
2. The bar appears after half a second, so that short work does not make it flicker; or at once if there is much to do.
3. Messages are written above it.
4. Rate and remaining time are for this run from its beginning. What an interrupted run did before does not count.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rehref.cli.errors import say
from rehref.cli.output import is_terminal

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as RichProgress

_PATIENCE = 0.5
_EVERY = 0.1
_MUCH = 64 << 20
"""Bytes that surely take longer than rule 2 waits."""


def wanted(*, quiet: bool, no_progress: bool, prints_results: bool) -> bool:
    """Return whether to show a bar (rule 1)."""
    if quiet or no_progress or not is_terminal(sys.stderr):
        return False
    return not (prints_results and is_terminal(sys.stdout))


def beside_messages(given: Mapping[str, Any]) -> Progress:
    """Return a bar, if it is wanted, for work whose results come after it. `given`: the options of the command."""
    return Progress(shown=wanted(quiet=given["quiet"], no_progress=given["no_progress"], prints_results=False))


class Progress:
    """A context that shows how much of some work is done, and prints messages above the bar.

    `of_bytes`: bytes are counted. `clock` returns seconds; the bar is drawn on `console`.
    """

    def __init__(
        self,
        *,
        shown: bool,
        of_bytes: bool = False,
        clock: Callable[[], float] = time.monotonic,
        console: Console | None = None,
    ) -> None:
        self._shown, self._of_bytes, self._clock, self._console = shown, of_bytes, clock, console
        self._began = clock()
        self._latest = self._began + _PATIENCE - _EVERY
        self._done = self._known = 0
        self._bar: RichProgress | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, total: int | None, what: str = "documents", *, is_new: bool = True) -> None:
        """Show that `done` of `total` (None: not known) is done. `what`: a text. `is_new`: not done before (rule 4)."""
        if not is_new:
            self._known += done - self._done
        self._done = done
        now = self._clock()
        takes_long = self._of_bytes and self._bar is None and total is not None and total - done > _MUCH
        if not self._shown or (now - self._latest < _EVERY and not takes_long):
            return
        self._latest = now
        if self._bar is None:
            self._bar = _bar(total, of_bytes=self._of_bytes, console=self._console)
        rate, left = self._estimate(now, total)
        task = self._bar.task_ids[0]
        self._bar.update(task, completed=done, total=total, description=what, rate=rate, left=left)
        if self._bar.live.is_started:
            self._bar.refresh()
        else:
            self._bar.start()

    def _estimate(self, now: float, total: int | None) -> tuple[str, str]:
        """Return the rate and the remaining time, for people; "" while they are not known (rule 4)."""
        from rich.filesize import decimal

        seconds, new = now - self._began, self._done - self._known
        if seconds <= 0 or new <= 0:
            return "", ""
        rate = new / seconds
        left = "" if total is None else f"{timedelta(seconds=round((total - self._done) / rate))} left"
        return (f"{decimal(int(rate))}/s" if self._of_bytes else ""), left

    def say(self, message: str) -> None:
        """Print a message, above the bar if there is one."""
        if self._bar is not None:
            self._bar.stop()
        say(message)


def _bar(total: int | None, *, of_bytes: bool, console: Console | None) -> RichProgress:
    """Draw the bar. No thread draws it, since threads and forked processes do not go well together."""
    from rich import progress
    from rich.console import Console

    much = (progress.DownloadColumn(), progress.TextColumn("{task.fields[rate]}")) if of_bytes else ()
    text, left = progress.TextColumn("{task.description}"), progress.TextColumn("{task.fields[left]}")
    columns = (text, progress.BarColumn(), *(much or (progress.MofNCompleteColumn(),)), left)
    bar = progress.Progress(*columns, console=console or Console(stderr=True), auto_refresh=False, transient=True)
    bar.add_task("documents", total=total, rate="", left="")
    return bar
