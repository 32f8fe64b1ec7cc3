"""References as arguments of a command, or as lines of standard input, and what the command prints of each.

`-` stands for the lines of standard input, one reference a line, read as they come. A line is a reference exactly as
written, including spaces; an empty line is the empty reference. For the relative reference `-` itself write `./-`.
"""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import click

from rehref.cli import output
from rehref.cli.messages import OptionError
from rehref.cli.parameters import Choice, setting
from rehref.files.file_documents import STDIN
from rehref.files.file_errors import FileError
from rehref.reports.formats import OBJECT_FORMATS, objects_written

LONGEST: Final = 1 << 20

_Command = TypeVar("_Command", bound=Callable[..., Any])


def references_argument(metavar: str) -> Callable[[_Command], _Command]:
    """Add the references of a command; at least one is required."""
    return click.argument("references", metavar=metavar, nargs=-1, required=True, callback=_once)


def _once(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    if given.count(STDIN) > 1:
        raise OptionError(STDIN, "standard input can be read only once", "name - only once")
    return given


def format_option(command: _Command) -> _Command:
    """Add `--format` with `OBJECT_FORMATS`."""
    return setting(
        "-f",
        "--format",
        type=Choice(OBJECT_FORMATS),
        default=OBJECT_FORMATS[0],
        show_default=True,
        help="The format of the output. text: for people; json: one array; jsonl: one object a line.",
        found="counts",
    )(command)


def each_reference(given: Sequence[str]) -> Iterator[str]:
    """Yield the references; for `-`, those of standard input. Raises `FileError`."""
    for text in given:
        if text == STDIN:
            yield from _lines()
        else:
            yield text


def _lines() -> Iterator[str]:
    """Yield the lines of standard input, which is UTF-8, without line ends and byte order mark. Raises `FileError`.

    It does so for a line that is not UTF-8, or has more than `LONGEST` bytes; the lines before it are done, and a JSON
    array has its end.
    """
    if sys.stdin is None:
        raise FileError(STDIN, "cannot be read: standard input is closed", "name the references")
    number = 0
    try:
        while line := sys.stdin.buffer.readline(LONGEST + 1):
            number += 1
            if len(line) > LONGEST:
                raise FileError(STDIN, f"line {number:,} has more than {LONGEST:,} bytes", "write one reference a line")
            if number == 1:
                line = line.removeprefix(BOM_UTF8)
            line = line.removesuffix(b"\n").removesuffix(b"\r")
            yield line.decode("utf-8")
    except UnicodeDecodeError as error:
        remedy = "convert the text, for example with iconv -t UTF-8"
        raise FileError(STDIN, f"line {number:,} is not UTF-8", remedy) from error
    except OSError as error:
        raise FileError.of(STDIN, "cannot be read", error) from error


def show_objects(objects: Iterable[Mapping[str, Any]], format: str) -> None:
    """Print objects as they come, in `json` or `jsonl`; each has the reference as it was given."""
    for piece in objects_written(objects, format):
        output.write_bytes(output.for_programs(piece))
