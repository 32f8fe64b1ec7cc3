"""What options can be, beside texts and flags.

`SharedOption`: one that several commands have; it may stand on top in a configuration file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rehref.cli.output import STDOUT

if TYPE_CHECKING:
    Number = click.ParamType[int]
    Text = click.ParamType[str]
else:
    Number = Text = click.ParamType  # before click 8.4 it takes no type

_SIZE = re.compile(r"([0-9]{1,12})\s*([kKmMgG]?)[bB]?").fullmatch


class SharedOption(click.Option):
    """An option that several commands have."""


class Size(Number):
    """A number of bytes, with K, M or G (of 1,024) behind it."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it."""
        found = _SIZE(str(value).strip())
        if found is None or int(found[1]) == 0:
            self.fail(f"{value!r} is not a size; write such as 500M or 2G.", param, ctx)
        return int(found[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[2].lower()]


class Report(Text):
    """The name of a format, and perhaps a file for the report: `NAME[=FILE]`."""

    name = "report"

    @staticmethod
    def below(folder: Path, text: str) -> str:
        """The text with its file, if it names one, relative to a folder."""
        name, _, file = text.partition("=")
        return f"{name}={folder / file}" if file and file not in STDOUT else text
