r"""Standard output: bytes, whatever they are, and text that never fails to be written.

1. Formats for programs are UTF-8, whatever the locale. Lone surrogates (file names of odd bytes) are written as
   escapes.
2. Text for people is in the locale's encoding. What that lacks is shown as an escape (`\xe9`), but for the few signs of
   our own, which have others in ASCII.
3. Colours as `--color` says. If it says nothing (`auto`), there are none where `NO_COLOR` is set (to anything); else
   `FORCE_COLOR` decides, if it is set (`0`: none); else they are only on a terminal whose `TERM` is not `dumb`.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from types import MappingProxyType
from typing import TextIO

import click

from rehref.exceptions import RehrefError
from rehref.reports.style import COLORED, PLAIN, Style

STDOUT = ("-", "/dev/stdout")
"""What names standard output. To replace the file that it may lead to would lose what others write there."""

_PLAIN_SIGNS = MappingProxyType({"→": "->", "…": "...", "·": "-"})


def is_terminal(stream: TextIO) -> bool:
    """Whether people watch the stream."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


@dataclass(frozen=True, slots=True)
class Screen:
    """What standard output is: whether people watch it, how wide (None: nobody does), its style and encoding."""

    is_terminal: bool
    columns: int | None
    style: Style
    encoding: str


def screen() -> Screen:
    """Standard output as it is."""
    watched = is_terminal(sys.stdout)
    columns = shutil.get_terminal_size((100, 24)).columns if watched else None
    style = COLORED if _has_colors(watched=watched) else PLAIN
    return Screen(watched, columns, style, sys.stdout.encoding or "utf-8")


def _has_colors(*, watched: bool) -> bool:
    """Whether there are colours (rule 3)."""
    context = click.get_current_context(silent=True)
    if context is not None and context.color is not None:
        return context.color
    if os.environ.get("NO_COLOR", "") != "":
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    return forced != "0" if forced else watched and os.environ.get("TERM") != "dumb"


def write_bytes(data: bytes | bytearray) -> None:
    """Write bytes as they are."""
    sys.stdout.buffer.write(data)


def flush() -> None:
    """Let everything written be seen, before something is said on standard error."""
    sys.stdout.flush()


def for_people(text: str, encoding: str) -> bytes:
    """Text for people, in the locale's encoding (rule 2)."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        for sign, plain in _PLAIN_SIGNS.items():
            if not sign.encode(encoding, "ignore"):
                text = text.replace(sign, plain)
        return text.encode(encoding, "backslashreplace")


def for_programs(text: str) -> bytes:
    """Text for programs, in UTF-8."""
    return text.encode("utf-8", "backslashreplace")


def encoded(text: str, encoding: str | None) -> bytes:
    """Text in an encoding, for people, or for programs if there is none."""
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
    """Standard output, as a file to which a container is written."""

    def write(self, data: bytes) -> int:
        """Write bytes as they are. Raises `OutputError`."""
        try:
            return sys.stdout.buffer.write(data)
        except OSError as error:
            raise OutputError(error) from error
