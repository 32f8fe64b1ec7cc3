"""Ctrl-C, from the first moment to the last.

1. The first one raises `KeyboardInterrupt`, once: what is half written is removed, processes are ended, and the program
   ends with 130.
2. Another one meanwhile ends it at once, with 130 too. So does one that came where nothing can be raised (in a
   finalizer): else it would be lost.
3. When the work is done there is nothing left to interrupt: it is ignored.
4. An interrupted program has nothing more to do: it ends without whatever the interpreter does at its end. This would
   also have it die of the signal if `exec` of a text (of `dataclasses`, say) happened to be what was interrupted.
5. Who has it ignored (`nohup`) has it ignored here.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # nothing is imported for it: until `listen`, Ctrl-C is Python's
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
"""The exit code."""


def listen() -> None:
    """From now on, treat Ctrl-C by rules 1 and 2."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    sys.unraisablehook = _unraisable
    signal.signal(signal.SIGINT, _first)


def ignore() -> None:
    """From now on, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end() -> NoReturn:
    """End the program that was interrupted."""
    try:
        sys.stderr.flush()
    finally:
        os._exit(INTERRUPTED)


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _at_once)
    raise KeyboardInterrupt


def _at_once(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(unraisable)
