"""The command line: arguments, configuration, streams, progress and exit codes.

`main` starts the program and ends it. `_commands/` has the commands, which are imported when they are used;
`_outcomes.py` finds the documents, and runs the work of a command on each. The packages below do that work.
"""

from __future__ import annotations

import os
import sys

from rehref.cli import _interrupts as interrupts

TYPE_CHECKING = False  # `typing` is not imported here: as little as possible is imported before Ctrl-C is handled
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

_TWIN = "rehref._native._twin"
"""The value of `REHREF_NATIVE` that requires the twin (`rehref._native`); not imported only for its name."""
_SELDOM = 50_000
"""New objects until the garbage collector runs: there are few cycles, and there may be a hundred thousand findings."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program with these arguments (None: those of the process), and end the process."""
    try:
        try:
            interrupts.listen()
            _run(arguments)
        finally:
            interrupts.ignore()
    except KeyboardInterrupt:
        interrupts.end()
    except ImportError as error:
        if error.name != _TWIN:
            raise
        print(f"rehref: {error}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as ended:
        if ended.code == interrupts.INTERRUPTED:
            interrupts.end()
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
