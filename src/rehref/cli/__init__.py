"""The command line: one module per command, loaded when the command is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program with these arguments (those of the process, if None), and end the process."""
    from rehref.cli.program import program

    program.main(arguments, prog_name="rehref")
    raise AssertionError  # the program has ended the process
