"""The options of commands that read documents, and their settings.

Rows (`rehref.option_rows`) become options of the commands named there (`declared`); this module has those for reading
that only the command line has. `document_options` adds both to a command, which gets one `Settings`. Wrong values are
reported before any document is read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from rehref.cli.config import config_option
from rehref.cli.messages import OptionError
from rehref.cli.parameters import (
    Choice,
    Codes,
    Named,
    PathIgnores,
    Report,
    RulesOfFindings,
    Setting,
    Size,
    WholeNumber,
    setting,
)
from rehref.cli.program import GENERAL, group
from rehref.documents.options import (
    OPTIONS,
    ReadOptions,
    SourceOptions,
)
from rehref.exceptions import ParserError
from rehref.option_rows import FilePath, Kind, Option

ALL_PARSERS = "all"
"""The name that stands for all parser cores."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


class Settings(NamedTuple):
    """The values of the shared options: how to read sources, in how many processes, and what to say."""

    options: SourceOptions
    urls: str | None = None
    headers: str | None = None
    jobs: int | None = None
    quiet: bool = False
    no_progress: bool = False
    verbose: bool = False


def with_how(settings: Settings, **changed: Any) -> Settings:
    """The settings, with other fields of `ReadOptions`."""
    options = settings.options
    return settings._replace(options=replace(options, how=replace(options.how, **changed)))


_OWN = tuple(name for name in Settings._fields if name != "options")


def _also_known(option: str) -> Sequence[str]:
    """Return what only the command line knows of an option for reading."""
    if option == "media_type":
        from rehref.containers.kinds import KINDS

        return [name for kind in KINDS for name in sorted(kind.media_types)]
    return (ALL_PARSERS,) if option == "parser" else ()


def _known_names(row: Option) -> Sequence[str]:
    return [*row.known(), *_also_known(row.name)]


def _refuse_unusable(options: SourceOptions) -> None:
    """Raise `OptionError` for what cannot be used: an unknown encoding or parser, an invalid base, an invalid
    attribute.

    `--parser all` is for commands that compare parser cores; the others refuse it.
    """
    options.refuse_unusable()
    how = options.how
    try:
        if how.parser != ALL_PARSERS:
            how.core()
    except ParserError as error:
        remedy = "rehref parsers lists what there is"
        known = _known_names(OPTIONS["parser"])
        if how.parser not in known:
            from rehref.exceptions import did_you_mean

            remedy = did_you_mean(how.parser, known)
        raise OptionError(f"--parser {how.parser}", str(error), remedy) from error


def take_settings(given: dict[str, Any]) -> Settings:
    """Remove the shared options from `given`, and return their settings. Raises `OptionError`.

    `--lazy-attributes` implies `--lazy`; `--attribute` takes precedence over both.
    """
    found = {name: given.pop(name) for name in OPTIONS if name in given}
    options = SourceOptions.named(found)
    _refuse_unusable(options)
    return Settings(options, **{name: given.pop(name) for name in _OWN})


def _take_color(context: click.Context, _: click.Parameter, value: str | None) -> None:
    """Record in the context whether there are colours, if the option says so."""
    if value in ("always", "never"):
        context.color = value == "always"


color_option = setting(
    "--color",
    found="counts",
    is_shared=True,
    type=Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    expose_value=False,
    callback=_take_color,
    help="Use colours in output for people. auto: on a terminal unless NO_COLOR is set, and wherever FORCE_COLOR is "
    "set.",
)
"""Add `--color`, whose value is in the context of the command."""


RAW_CSV = "In CSV, leave cells as they are: add no ' before = + - @, and do not escape control characters."
"""What `--raw-csv` does."""


def raw_csv_option(command: _Command) -> _Command:
    """Add `--raw-csv`."""
    return setting("--raw-csv", found="yours", is_flag=True, help=RAW_CSV)(command)


_shared = partial(setting, found="counts", is_shared=True)


_OF_FILES: Mapping[str, Option] = {
    "urls": Option(
        "The URIs that the files of a mirror were saved from: CSV with two columns (path below SOURCE, URI), or CDXJ "
        "with url and filename.",
        "TABLE",
        group="Base URI",
        after="url",
        found="inside",
    ).declared_as("urls", FilePath),
    "headers": Option(
        "The HTTP header fields of the document, as curl -D saves them. They give its type, charset and redirects, and "
        "have references themselves.",
        "FILE",
        after="encoding",
        found="inside",
    ).declared_as("headers", FilePath),
}
"""The options for reading that only the command line has."""
_GENERAL = (
    group(GENERAL),
    _shared(
        "-j",
        "--jobs",
        found="yours",
        type=WholeNumber(min=1),
        metavar="N",
        help="The number of processes. Default: one for each core, fewer for few documents.",
    ),
    _shared("-q", "--quiet", is_flag=True, help="Print only results and errors: no progress, notes or summary line."),
    _shared("-v", "--verbose", is_flag=True, help="Name each document on standard error when it has been read."),
    _shared("--no-progress", is_flag=True, help="Show no progress bar. Without this there is one on a terminal."),
    color_option,
    config_option,
)


def general_options(command: _Command) -> _Command:
    """Add the options of every command that reads documents: processes, what to print, `--config`."""
    return _all(_GENERAL)(command)


def declared(
    command: str, rows: Mapping[str, Option] = OPTIONS, groups: Sequence[str] = ()
) -> Callable[[_Command], _Command]:
    """Add the options of a command that rows declare. `groups`: their order."""
    return _all(map(_option, _in_order([row for row in rows.values() if command in row.commands], groups)))


def document_options(command: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add all shared options to a command; its function is called with `settings` instead of them."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def with_settings(*arguments: Any, **given: Any) -> Any:
            return function(*arguments, settings=take_settings(given), **given)

        return declared(command, {**OPTIONS, **_OF_FILES})(general_options(with_settings))

    return decorate


def _in_order(rows: Sequence[Option], groups: Sequence[str]) -> list[Option]:
    """Return rows in the order of the help: each after the one that it names, and group by group."""
    found = [row for row in rows if row.after is None]
    for row in rows:
        if row.after is not None:
            found.insert(1 + [each.name for each in found].index(row.after), row)
    return sorted(found, key=lambda row: groups.index(row.group)) if groups else found


def _option(row: Option) -> Callable[[_Command], _Command]:
    """Return a declared option as an option of the command line."""
    shape = _SHAPES[row.kind](row) if row.kind in _SHAPES else {}
    if row.choices:
        shape["type"] = Choice(tuple(row.choices))
    elif row.known is not tuple:
        shape["type"] = Named(partial(_known_names, row))
    if row.default not in (None, False, (), {}):
        default = f"{row.default:g}s" if row.kind == "time" else row.default
        shape |= {"default": default, "show_default": row.shows_default or row.kind in ("count", "time")}
    shape |= {"found": row.found, "row": row, "is_shared": row.name in OPTIONS or len(row.commands) > 1}
    names = *(row.flags or (row.flag,)), row.name
    option = click.option(*names, cls=Setting, metavar=row.metavar, help=row.help, **shape)
    return lambda command: group(row.group)(option(command))


_SHAPES: Mapping[Kind | None, Callable[[Option], dict[str, Any]]] = {
    "flag": lambda row: {"is_flag": True},
    "count": lambda row: {"type": WholeNumber(min=int(row.least))},
    "seconds": lambda row: {"type": WholeNumber(min=int(row.least), max=ReadOptions.LONGEST_TIME)},
    "size": lambda row: {"type": Size()},
    "texts": lambda row: {"multiple": True},
    "statuses": lambda row: {"multiple": True},
    "codes": lambda row: {"multiple": True, "type": Codes()},
    "codes of paths": lambda row: {"multiple": True, "type": PathIgnores()},
    "rules": lambda row: {"multiple": True, "type": RulesOfFindings()},
    "report": lambda row: {"multiple": True, "type": Report(row.described)},
    "file": lambda row: {"type": click.Path(allow_dash=True)},
}
"""How click reads an option, by what it takes; any other is one text."""


def _all(options: Iterable[Callable[[Any], Any]]) -> Callable[[_Command], _Command]:
    """Return a function that adds several options, so that the help lists them in this order."""

    def add(command: _Command) -> _Command:
        for option in reversed(tuple(options)):
            command = option(command)
        return command

    return add


def sources_argument(command: _Command) -> _Command:
    """Add `SOURCE…`."""
    return click.argument(
        "sources",
        metavar="SOURCE...",
        nargs=-1,
        required=True,
        type=click.Path(allow_dash=True),
        callback=lambda context, parameter, values: expanded(values),
    )(command)


def expanded(sources: Sequence[str]) -> tuple[str, ...]:
    """Return the sources; on Windows, where no shell does that, patterns are expanded. What matches nothing is kept."""
    if sys.platform != "win32":
        return tuple(sources)
    from glob import glob

    found: list[str] = []
    for source in sources:
        # on Windows no name contains these, though a long path begins with \\?\; brackets are ordinary characters
        has_pattern = ("*" in source or "?" in source) and not os.path.lexists(source)
        found += (sorted(glob(source.replace("[", "[[]"))) if has_pattern else ()) or [source]  # noqa: PTH207
    return tuple(found)


def picked(context: click.Context, names: Sequence[str]) -> list[str]:
    """Return which of these options are given: on the command line, or if there are none, in the configuration."""
    for source in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP):
        found = [name for name in names if context.get_parameter_source(name) is source and context.params[name]]
        if found:
            return found
    return []


def typed(context: click.Context, name: str) -> bool:
    """Return whether an option was given on the command line."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE
