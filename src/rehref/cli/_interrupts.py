"""Ctrl-C, from the start of the program to its end.

1. The first Ctrl-C raises `KeyboardInterrupt`, once: partly written files are removed, processes are ended, and the
   program ends with 130.
2. A second Ctrl-C meanwhile ends the program at once, also with 130. So does one where no exception can be raised (in a
   finalizer), since it would be lost.
3. When the work is done there is nothing left to interrupt: Ctrl-C is ignored.
4. An interrupted program ends without the cleanup of the interpreter, which has nothing more to do, and which would let
   the signal kill the process if the interrupted code was run by `exec` (as in `dataclasses`).
5. If the caller has the signal ignored (`nohup`), the program ignores it too.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # nothing is imported for this: until `listen` is called, Python handles Ctrl-C
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


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
