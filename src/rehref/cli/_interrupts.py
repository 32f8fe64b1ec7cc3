"""Ctrl-C, from the start of the program to its end.

The first Ctrl-C raises `KeyboardInterrupt`, once: partly written files are removed, processes are ended, and the
program ends with 130. A second one meanwhile ends it at once, also with 130; so does one where no exception can be
raised (in a finalizer), since it would be lost. When the work is done, Ctrl-C is ignored. If the caller has the signal
ignored (`nohup`), so does the program.
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
    """From now on, treat Ctrl-C as described above."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    sys.unraisablehook = _unraisable
    signal.signal(signal.SIGINT, _first)


def ignore() -> None:
    """From now on, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end() -> NoReturn:
    """End the program that was interrupted, without the cleanup of the interpreter, which has nothing more to do.

    It would let the signal kill the process if the interrupted code was run by `exec` (as in `dataclasses`).
    """
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
