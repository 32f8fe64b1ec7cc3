"""The command line: arguments, configuration, streams, progress and exit codes.

`main` starts the program and ends it. `commands/` has the commands, which are imported when they are used;
`outcomes.py` finds the documents, and runs the work of a command on each. The packages below do that work.

Ctrl-C, from the start of the program to its end:

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

TYPE_CHECKING = False  # `typing` is not imported here: as little as possible is imported before Ctrl-C is handled
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import NoReturn

_INTERRUPTED = 130
"""The exit code (`rehref.cli.errors`); not imported: nothing is, before Ctrl-C is handled."""
_TWIN = "rehref._native._twin"
"""The value of `REHREF_NATIVE` that requires the twin (`rehref._native`); not imported only for its name."""
_SELDOM = 50_000
"""New objects until the garbage collector runs: there are few cycles, and there may be a hundred thousand findings."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program with these arguments (None: those of the process), and end the process."""
    try:
        try:
            listen()
            _run(arguments)
        finally:
            ignore()
    except KeyboardInterrupt:
        end()
    except ImportError as error:
        if error.name != _TWIN:
            raise
        print(f"rehref: {error}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as ended:
        if ended.code == _INTERRUPTED:
            end()
        raise
    raise AssertionError  # the program has ended the process


def _run(arguments: Sequence[str] | None) -> None:
    import gc

    gc.set_threshold(_SELDOM, *gc.get_threshold()[1:])  # imports make objects that stay

    from pathlib import Path

    from rehref.cli.program import program

    if sys.stdin is None:  # the caller closed it; no other file may get its descriptor
        os.open(os.devnull, os.O_RDONLY)
    if sys.stdout is None:  # a read-only descriptor: writing must fail, as it does where the stream is closed later
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:  # nobody reads messages
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # open until the process ends
    _buffer_stdout()
    try:
        program.main(arguments, prog_name="rehref")
    finally:
        gc.freeze()  # nothing is worth collecting now, and the interpreter would look at every object


def _buffer_stdout() -> None:
    """Make standard output write everything: without a buffer (PYTHONUNBUFFERED) one write may write only a part."""
    import io

    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.RawIOBase):
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw), encoding=sys.stdout.encoding, errors=sys.stdout.errors, line_buffering=True
        )


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
        os._exit(_INTERRUPTED)


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _at_once)
    raise KeyboardInterrupt


def _at_once(number: int, frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        os._exit(_INTERRUPTED)
    sys.__unraisablehook__(unraisable)
