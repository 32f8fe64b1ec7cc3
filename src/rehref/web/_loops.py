"""The event loop that asks servers: uvloop's where it is installed, which takes less processor time; else asyncio's.

Under both, Ctrl-C ends a run in the same way. A signal handler that raises would do so anywhere: in a callback, or in
code of uvloop, which does not pass every exception on. So the handler only takes a note, and cancels the run.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeAlias

Session: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


def run(session: Session) -> None:
    """Run a session in a new loop. Raises KeyboardInterrupt at Ctrl-C, when everything has stopped."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        _run(session)  # Ctrl-C is ignored, or comes in another thread
        return
    interruption = _Interruption(before)
    signal.signal(signal.SIGINT, interruption.take)
    try:
        _run(lambda: interruption.ending(session))
    finally:
        if not interruption.has_come:
            signal.signal(signal.SIGINT, before)
    if interruption.has_come:
        raise KeyboardInterrupt


class _Interruption:
    """The first Ctrl-C. `before`: the handler that it would have had; a second one has whatever that handler sets."""

    def __init__(self, before: Callable[[int, FrameType | None], Any]) -> None:
        self.has_come = False
        self._before = before
        self._cancel: Callable[[], object] | None = None

    def take(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal."""
        signal.signal(signal.SIGINT, self._before)
        try:
            self._before(number, frame)
        except KeyboardInterrupt:
            self.has_come = True
            if self._cancel is not None:
                self._cancel()
        else:
            signal.signal(signal.SIGINT, self.take)

    async def ending(self, session: Session) -> None:
        """Run a session until it ends, or is interrupted."""
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(session())
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        try:
            if self.has_come:
                task.cancel()
            await asyncio.wait((task,))
        finally:
            self._cancel = None
        if not (task.cancelled() and self.has_come):
            task.result()


def _run(session: Session) -> None:
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(session())


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()

    class Loop(uvloop.Loop):
        """A loop with exact times: uvloop's are those of when it last looked, and requests would come too early."""

        def time(self) -> float:
            return time.monotonic()

    return Loop()
