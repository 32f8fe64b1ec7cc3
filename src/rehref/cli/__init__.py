"""The command line: arguments, configuration, streams, progress and exit codes.

`main` starts the program and ends it. `commands/` has the commands, which load when they are used; `documents.py` finds
the documents, `outcomes.py` runs a command's work on each. The packages below do the work itself.
"""

from __future__ import annotations

import sys

from rehref.cli import interrupts

TYPE_CHECKING = False  # typing is not imported for it: the less is imported before Ctrl-C is listened to, the better
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

_TWIN = "rehref._native._twin"
"""What `REHREF_NATIVE=require` wants (`rehref._native`); not imported for its name."""
_SELDOM = 50_000
"""New objects until garbage is looked for. There are few cycles, and of findings there may be a hundred thousand."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program with these arguments (those of the process, if None), and end the process."""
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
    import os
    from pathlib import Path

    from rehref.cli.program import program

    if sys.stdin is None:  # the caller closed it; no other file may get its number
        os.open(os.devnull, os.O_RDONLY)
    if sys.stdout is None:  # what is written is lost, and has to fail as it does where the stream is closed later
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:  # there is nobody to talk to
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # for as long as we run
    _buffer_stdout()
    gc.set_threshold(_SELDOM, *gc.get_threshold()[1:])
    try:
        program.main(arguments, prog_name="rehref")
    finally:
        gc.freeze()  # nothing is worth collecting any more, and the interpreter would look at all there is


def _buffer_stdout() -> None:
    """Have standard output take all that it is given: without a buffer (PYTHONUNBUFFERED) it may take only some."""
    import io

    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.RawIOBase):
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw), encoding=sys.stdout.encoding, errors=sys.stdout.errors, line_buffering=True
        )
