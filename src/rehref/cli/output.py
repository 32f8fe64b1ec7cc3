r"""Standard output: any bytes, and text that can always be written.

Formats for programs are UTF-8 in every locale; lone surrogates (from file names that are not UTF-8) are escapes. Text
for people is in the locale's encoding; characters that it lacks are shown as escapes (`\xe9`), except rehref's own few
signs, which are replaced by ASCII ones.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import click

from rehref.cli.messages import is_terminal
from rehref.exceptions import RehrefError
from rehref.reports.formats import AnyText, in_pieces
from rehref.reports.terminal import COLORED, PLAIN, Style

Send: TypeAlias = Callable[[AnyText], None]
"""A function that takes a piece of a report."""
STDOUT = ("-", "/dev/stdout")
"""Names of standard output. To replace the file that it may lead to would lose what others write there."""

_PLAIN_SIGNS = MappingProxyType({"→": "->", "…": "...", "·": "-"})


class Screen(NamedTuple):
    """Properties of standard output: whether it is a terminal, its width (None: not a terminal), style and encoding."""

    is_terminal: bool
    columns: int | None
    style: Style
    encoding: str


NO_SCREEN: Final = Screen(is_terminal=False, columns=None, style=PLAIN, encoding="utf-8")
"""The properties of a screen where text for people goes into a file."""


def screen() -> Screen:
    """Return the properties of standard output."""
    watched = is_terminal(sys.stdout)
    style = COLORED if _has_colors(watched=watched) else PLAIN
    return Screen(watched, _columns() if watched else None, style, sys.stdout.encoding or "utf-8")


def _columns() -> int:
    """Return the width of the terminal."""
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def _has_colors(*, watched: bool) -> bool:
    """Whether there are colours, as `--color` decides.

    With `auto` there are none if `NO_COLOR` is set (to anything); else `FORCE_COLOR` decides, if it is set (`0`: none);
    else there are colours only on a terminal whose `TERM` is not `dumb`.
    """
    context = click.get_current_context(silent=True)
    if context is not None and context.color is not None:
        return context.color
    if os.environ.get("NO_COLOR", "") != "":
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    return forced != "0" if forced else watched and os.environ.get("TERM") != "dumb"


def write_bytes(data: AnyText) -> None:
    """Write bytes as they are."""
    for piece in in_pieces(data):
        sys.stdout.buffer.write(piece)


def write_report(write: Callable[[Send], None], file: Path | None) -> None:
    """Have `write` send a report piece by piece: into a file, whole or not at all, or to standard output if it is None.

    Raises `FileError`.
    """
    if file is None:
        write(write_bytes)
        return
    from rehref.files.writing import clear_leftovers, write_atomically

    clear_leftovers(file.parent)
    write_atomically(file, lambda to: write(lambda data: to.writelines(in_pieces(data))))


def flush() -> None:
    """Flush standard output, before a message is printed on standard error."""
    sys.stdout.flush()


def for_people(text: str, encoding: str) -> bytes:
    """Text for people as bytes, in the locale's encoding."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        for sign, plain in _PLAIN_SIGNS.items():
            if not sign.encode(encoding, "ignore"):
                text = text.replace(sign, plain)
        return text.encode(encoding, "backslashreplace")


def for_programs(text: str) -> bytes:
    """Return text for programs as bytes, in UTF-8."""
    return text.encode("utf-8", "backslashreplace")


def encoded(text: str, encoding: str | None) -> bytes:
    """Return text as bytes: for people in `encoding`, or for programs if that is None."""
    return for_programs(text) if encoding is None else for_people(text, encoding)


def show(text: str) -> None:
    """Write text for people."""
    write_bytes(for_people(text, sys.stdout.encoding or "utf-8"))


class OutputError(RehrefError):
    """Standard output cannot be written; `error` says why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class Stream:
    """Standard output, as a file for writing containers."""

    def write(self, data: bytes) -> int:
        """Write bytes as they are. Raises `OutputError`."""
        try:
            return sys.stdout.buffer.write(data)
        except OSError as error:
            raise OutputError(error) from error
