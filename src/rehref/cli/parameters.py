"""The options of commands, and their types besides texts and flags.

An option of several commands may be at the top of a configuration file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rehref.cli.output import STDOUT
from rehref.exceptions import OptionError
from rehref.files.reading_files import MOST
from rehref.option_rows import Found, Option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Number = click.ParamType[int]
    Text = click.ParamType[str]
    Choices = click.Choice[str]
else:
    Number = Text = click.ParamType  # before click 8.4 it is not generic
    Choices = click.Choice

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SIZE = re.compile(r"([0-9]{1,12})\s*([kKmMgG]?)[bB]?").fullmatch


class Setting(click.Option):
    """An option of commands. `found`: what a configuration that was found may do with it (`rehref.option_rows.Found`).

    `row`: its row, if it is of a table. `is_shared`: whether several commands have it. `makes_folder`: whether the
    command may make the folder for the file that it names; otherwise that must be there.
    """

    def __init__(
        self,
        *names: Any,
        found: Found | None,
        row: Option | None = None,
        is_shared: bool = False,
        makes_folder: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(*names, **more)
        self.found, self.row, self.is_shared = found, row, is_shared
        self.makes_folder = makes_folder or (row is not None and row.makes_folder)

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Read the value; refuse files that cannot be written. Raises `OptionError`."""
        read = super().process_value(ctx, value)
        if self.found == "writes" and not self.makes_folder and not ctx.resilient_parsing:
            for text in read if isinstance(read, tuple) else (read,):
                self._refuse_no_place(text)
        return read

    def _refuse_no_place(self, value: object) -> None:
        option, name = max(self.opts, key=len), value
        if isinstance(self.type, Report) and isinstance(value, str):
            option, name = f"{option} {value.partition('=')[0]}", value.partition("=")[2]
        if isinstance(name, str) and name not in ("", *STDOUT) and isinstance(self.type, click.Path | Report):
            from rehref.files.writing import refuse_no_place

            refuse_no_place(option, name, may_be_folder=self.metavar not in ("FILE", "NAME[=FILE]"))


def setting(*flags: str, found: Found, **more: Any) -> Callable[[_Command], _Command]:
    """Add an option to a command (`Setting`)."""
    return click.option(*flags, cls=Setting, found=found, **more)


class Size(Number):
    """A number of bytes, with an optional suffix K, M or G (powers of 1,024)."""

    name = "size"

    def __init__(self, least: int = 1) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it."""
        found = _SIZE(str(value).strip())
        if found is None or int(found[1]) < self._least:
            self.fail(f"{value!r} is not a size; write such as 500M or 2G.", param, ctx)
        return int(found[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[2].lower()]


class WholeNumber(click.IntRange):
    """A whole number, `min` or more, `max` at most."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = None
        if number is None or number > MOST:
            most = "or more" if self.max is None else f"to {self.max:,.0f}"
            self.fail(f"{str(value)!r} is not a whole number, {self.min} {most}", param, ctx)
        return number


class Choice(Choices):
    """One of several values. The error for a wrong value names the nearest right one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            from rehref.exceptions import did_you_mean

            names = [str(choice) for choice in self.choices]
            self.fail(f"there is no {value!r}; {did_you_mean(str(value), names)}", param, ctx)


class Report(Text):
    """The name of a format, with an optional file for the report: `NAME[=FILE]`. `choices`: the names, described."""

    name = "report"

    def __init__(self, choices: Mapping[str, str]) -> None:
        self.choices = choices

    def parted(self, text: str) -> tuple[str, str | None]:
        """Return the name and the file, None if none is named. Raises `OptionError`."""
        name, equals, file = text.partition("=")
        if name not in self.choices:
            from rehref.exceptions import did_you_mean

            remedy = did_you_mean(name, list(self.choices))
            raise OptionError(f"--format {text}", "there is no such format", remedy)
        if equals and not file:
            raise OptionError(f"--format {text}", "names no file", "leave out the =, or name one")
        return name, file if equals else None

    @staticmethod
    def below(folder: Path, text: str) -> str:
        """Return the text; if it names a file, with that file in the folder."""
        name, _, file = text.partition("=")
        return f"{name}={folder / file}" if file and file not in STDOUT else text

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the name; after "=" the shell completes a file."""
        from click.shell_completion import CompletionItem

        name, equals, file = incomplete.partition("=")
        if equals:
            return [CompletionItem(file, type="file", before=name + equals)]
        return completed(self.choices, incomplete)


class Codes(Text):
    """Names of codes and of groups, separated by commas."""

    name = "codes"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the last one."""
        return _last_completed(_codes(), incomplete)


class CodeName(Text):
    """The name of a code or of a group, also of a container's; commas may separate several."""

    name = "code"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the last one."""
        from rehref.site.codes import DIAGNOSTICS

        return _last_completed({row.name: row.sentence for row in DIAGNOSTICS} | _codes(), incomplete)


class CommandName(Text):
    """The name of a command."""

    name = "command"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command."""
        program = ctx.find_root().command
        return completed(program.list_commands(ctx) if isinstance(program, click.Group) else (), incomplete)


class Named(Text):
    """A name from a list that is completed; other names may be right, too. `choices`: those that the help lists."""

    name = "name"

    def __init__(self, names: Callable[[], Iterable[str]], choices: Sequence[str] = ()) -> None:
        self._names, self.choices = names, choices

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete one of the names."""
        return completed(self._names(), incomplete)


class PathIgnores(Text):
    """A pattern for paths and codes: `GLOB:CODES`; in a configuration, a table of patterns."""

    name = "path ignores"

    @staticmethod
    def of_table(table: Mapping[str, Any]) -> list[str] | None:
        """Return the texts for a table of patterns, each with a code or a list of codes; None for anything else."""
        texts = []
        for glob, names in table.items():
            listed = [names] if isinstance(names, str) else names
            if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
                return None
            texts.append(f"{glob}:{','.join(listed)}")
        return texts

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the codes."""
        glob, colon, names = incomplete.rpartition(":")
        found = Codes().shell_complete(ctx, param, names) if colon else []
        return completed([glob + colon + str(each.value) for each in found], incomplete)


class RulesOfFindings(Text):
    """A rule: a table in JSON; in a configuration, a list of tables."""

    name = "rules"

    @staticmethod
    def of_tables(tables: Sequence[Any]) -> list[str] | None:
        """Return the texts for tables; None for anything else."""
        from json import dumps

        try:
            return [dumps(table) for table in tables] if all(isinstance(table, dict) for table in tables) else None
        except TypeError:  # a date
            return None


def completed(names: Iterable[str] | Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    """Return the names that begin with `incomplete`, each with its help text, if any."""
    from click.shell_completion import CompletionItem

    helps = names if isinstance(names, Mapping) else dict.fromkeys(names, "")
    return [CompletionItem(name, help=help or None) for name, help in helps.items() if name.startswith(incomplete)]


def _last_completed(names: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    """Return completions for the last of several names with commas between them."""
    before, comma, _ = incomplete.rpartition(",")
    return completed({before + comma + name: help for name, help in names.items()}, incomplete)


def _codes() -> dict[str, str]:
    """Return the short meaning of each code and group by its name."""
    from rehref.site.codes import CODES, GROUPS

    return {row.name: row.sentence for row in CODES.values()} | {each.name: each.summary for each in GROUPS.values()}
