"""The options of commands with documents, and the settings they make.

1. What is declared in `rehref.options` becomes options of the commands named there (`declared`); here are those that
   only the command line has. `document_options` adds both to a command, which gets one `Settings` for all of them.
2. What can be wrong about them is found out before any document is read: an unknown encoding or parser, a base that is
   none, an attribute that cannot be one.
3. `--lazy-attributes` says `--lazy` too. What `--attribute` says of an attribute goes before both.
4. `--parser all` is for commands that compare what cores find; the others refuse it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from rehref.base import Candidate
from rehref.cli.config import config_option
from rehref.cli.errors import OptionError
from rehref.cli.parameters import Choice, Named, SharedOption, Size
from rehref.collections.opening import Opening
from rehref.options import DECLARED, Shown, SourceOptions, refuse_no_base, refuse_unknown_encoding
from rehref.parsers.registry import ParserError, core, names
from rehref.text.encoding import labels
from rehref.text.nearest import did_you_mean
from rehref.uri.components import split

ALL_PARSERS = "all"
"""The name that stands for every parser core there is."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Settings:
    """What the shared options say: how to read sources, and how to go about it."""

    options: SourceOptions
    urls: str | None = None
    headers: str | None = None
    jobs: int | None = None
    quiet: bool = False
    no_progress: bool = False
    verbose: bool = False

    @property
    def opening(self) -> Opening:
        """How documents are opened."""
        return Opening(self.options, self.headers)


def with_how(settings: Settings, **changed: Any) -> Settings:
    """The settings, with other fields of `ReadOptions`."""
    options = settings.options
    return replace(settings, options=replace(options, how=replace(options.how, **changed)))


_OWN = tuple(each.name for each in fields(Settings) if each.name != "options")


def _parsers() -> Sequence[str]:
    return [*names(), ALL_PARSERS]


def _media_types() -> Sequence[str]:
    from rehref.containers.registry import KINDS
    from rehref.documents.types.media_types import TYPES_BY_ENDING

    return [*dict.fromkeys(TYPES_BY_ENDING.values()), *(name for kind in KINDS for name in kind.media_types)]


_COMPLETED: Mapping[str, Callable[[], Iterable[str]]] = {
    "parser": _parsers,
    "encoding": labels,
    "media_type": _media_types,
}
"""What can be completed of options that take more than some names."""


def _refuse_unusable(options: SourceOptions) -> None:
    """Raise `OptionError` for what cannot be used (rule 2)."""
    refuse_unknown_encoding(options.encoding)
    how = options.how
    try:
        if how.parser != ALL_PARSERS:
            core(how.parser)
    except ParserError as error:
        remedy = "rehref parsers lists what there is"
        if how.parser not in names():
            remedy = did_you_mean(how.parser, (*names(), ALL_PARSERS))
        raise OptionError(f"--parser {how.parser}", str(error), remedy) from error
    for option, value in (("--url", options.url), ("--default-base", options.default_base)):
        if value is not None:
            refuse_no_base(option, value, (Candidate(value, "default", option),), how.profile)
    # an entity base may be relative, to what only the document says; what is sure to fail is refused
    if options.entity_base is not None and split(options.entity_base).scheme is not None:
        refuse_no_base("--entity-base", options.entity_base, options.layers().candidates(), how.profile)


def take_settings(given: dict[str, Any]) -> Settings:
    """Take the shared options from those of a command: what they come to (rules 2, 3). Raises `OptionError`."""
    from rehref.documents.custom_attributes import attributes_of

    lazy, names = given.pop("lazy"), given.pop("lazy_attributes")
    attributes = attributes_of(given.pop("attributes"), names, lazy=lazy)
    found = {name: given.pop(name) for name in DECLARED if name in given}
    options = SourceOptions.named({**found, "attributes": attributes})
    _refuse_unusable(options)
    return Settings(options, **{name: given.pop(name) for name in _OWN})


def _take_color(context: click.Context, _: click.Parameter, value: str | None) -> None:
    """Have the context say whether there are colours, where that was asked for."""
    if value in ("always", "never"):
        context.color = value == "always"


color_option = click.option(
    "--color",
    cls=SharedOption,
    type=Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    expose_value=False,
    callback=_take_color,
    help="Colours in what is for people. auto: on a terminal, unless NO_COLOR is set; also if FORCE_COLOR is.",
)
"""Adds `--color`, which the context of the command then knows."""


def raw_csv_option(command: _Command) -> _Command:
    """Add `--raw-csv`."""
    return click.option(
        "--raw-csv",
        is_flag=True,
        help="In CSV, leave cells as they are: without ' before = + - @, and control characters not as escapes.",
    )(command)


def _shared(*flags: str, **more: Any) -> Callable[[_Command], _Command]:
    return click.option(*flags, cls=SharedOption, **more)


_BESIDE: Mapping[str, Sequence[Callable[[Any], Any]]] = {
    "url": (
        _shared(
            "--urls",
            type=click.Path(),
            metavar="TABLE",
            help="Where the files of a mirror were saved from: CSV with two columns, path below SOURCE and URI, or "
            "CDXJ with url and filename.",
        ),
    ),
    "encoding": (
        _shared(
            "--headers",
            type=click.Path(),
            metavar="FILE",
            help="The HTTP headers that the document came with, as curl -D saves them: type, charset, redirects, and "
            "references of their own.",
        ),
    ),
    "attributes": (
        _shared(
            "--lazy",
            is_flag=True,
            help="Attributes for loading late carry references: data-src, data-srcset, data-lazy-src, data-original, "
            "data-bg and all others that the well-known lazy loaders, sliders and optimizers have.",
        ),
        _shared("--lazy-attributes", metavar="NAMES", help="These instead, separated by commas; says --lazy."),
    ),
}
"""What only the command line has, each behind a declared option."""
_GENERAL = (
    _shared(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Processes. Default: one for each core, fewer for few documents.",
    ),
    _shared("-q", "--quiet", is_flag=True, help="No progress, no notes, no summary line: results and errors only."),
    _shared("-v", "--verbose", is_flag=True, help="Say of each document on standard error that it was read."),
    _shared("--no-progress", is_flag=True, help="No progress bar. There is one only on a terminal."),
    color_option,
    config_option,
)


def general_options(command: _Command) -> _Command:
    """Add what every command that reads documents has: processes, and what is said; `--config` too."""
    return _all(_GENERAL)(command)


def declared(command: str) -> Callable[[_Command], _Command]:
    """Add the declared options that are for a command, and those for lazy attributes."""
    return _all(_options(command, {"attributes": _BESIDE["attributes"]}))


def document_options(command: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add all shared options to a command, whose function is called with `settings` in their place."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def with_settings(*arguments: Any, **given: Any) -> Any:
            return function(*arguments, settings=take_settings(given), **given)

        return _all((*_options(command, _BESIDE), *_GENERAL))(with_settings)

    return decorate


def _options(command: str, beside: Mapping[str, Sequence[Callable[[Any], Any]]]) -> Iterator[Callable[[Any], Any]]:
    """The declared options of a command, and what stands beside them."""
    for name, (shown, default) in DECLARED.items():
        if command in shown.commands:
            yield _option(name, shown, default)
            yield from beside.get(name, ())


def _option(name: str, shown: Shown, default: Any) -> Callable[[Any], Any]:
    """A declared option, as the command line has it."""
    more: dict[str, Any] = {}
    if default is False:
        more["is_flag"] = True
    elif default == ():
        more["multiple"] = True
    elif shown.choices:
        more["type"] = Choice(shown.choices)
    elif shown.is_size:
        more["type"] = Size()
    elif name in _COMPLETED:
        more["type"] = Named(_COMPLETED[name])
    if shown.shows_default:
        more |= {"default": default, "show_default": True}
    flag = "--" + (shown.name or name).replace("_", "-")
    return _shared(flag, name, metavar=shown.metavar, help=shown.help, **more)


def _all(options: Iterable[Callable[[Any], Any]]) -> Callable[[_Command], _Command]:
    """What adds several options, so that the help has them in this order."""

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
    """The sources with patterns expanded where no shell does that, on Windows; what matches nothing stays."""
    if sys.platform != "win32":
        return tuple(sources)
    from glob import glob

    found: list[str] = []
    for source in sources:
        # no name may hold these there, though a long path begins with \\?\; brackets are ordinary characters
        has_pattern = ("*" in source or "?" in source) and not os.path.lexists(source)
        found += (sorted(glob(source.replace("[", "[[]"))) if has_pattern else ()) or [source]  # noqa: PTH207
    return tuple(found)


def chosen(context: click.Context, names: Sequence[str]) -> list[str]:
    """Which of these options were given: those of the command line; if there are none, those of the configuration."""
    for source in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP):
        found = [name for name in names if context.get_parameter_source(name) is source and context.params[name]]
        if found:
            return found
    return []


def typed(context: click.Context, name: str) -> bool:
    """Whether an option was given on the command line."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE
