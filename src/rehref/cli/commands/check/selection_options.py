"""The options of `rehref check` for codes: what is reported, how severe it is, and where not.

1. An option may be repeated, and takes several names separated by commas.
2. The command line takes precedence over the configuration, name by name: if it names a code in one of these options,
   the configuration does not count for that code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from rehref.checking.given import Selected, code_names
from rehref.checking.ignoring import IGNORE_ATTRIBUTE
from rehref.cli.click_options import typed
from rehref.cli.errors import OptionError
from rehref.cli.parameters import Codes, PathIgnores
from rehref.exceptions import with_value

_Command = TypeVar("_Command", bound=Callable[..., Any])


_OF_NAMES = Selected._fields[:-1]


def selection_options(command: _Command) -> _Command:
    """Add the options to a command."""
    codes: dict[str, Any] = {"type": Codes(), "metavar": "CODES", "multiple": True}
    for option in (
        click.option(
            "--exit-zero", is_flag=True, help="End with 0 even if links are broken; usage errors still end with 2."
        ),
        click.option(
            "--require-https",
            is_flag=True,
            help="Report links to http:, and what is loaded by http:, as errors: http-link, own-http, mixed-content.",
        ),
        click.option("--strict", is_flag=True, help="End with 1 if there are warnings, too."),
        click.option(
            "--ignore-attribute",
            "ignore_attributes",
            multiple=True,
            metavar="NAME",
            default=(IGNORE_ATTRIBUTE,),
            show_default=True,
            help="Report nothing in elements that have this attribute or class, such as data-proofer-ignore.",
        ),
        click.option(
            "--per-path-ignores",
            type=PathIgnores(),
            multiple=True,
            metavar="GLOB:CODES",
            help="Do not report these codes for documents whose path matches, as in .rehrefignore; !GLOB: for all "
            "others. In a configuration file, a table: GLOB = CODES.",
        ),
        click.option("--warn", **codes, help="Report these as warnings, even if they are off by default."),
        click.option("--error", **codes, help="Report these as errors, even if they are off by default."),
        click.option(
            "--ignore", **codes, help="Do not report these. If two options name a code, the more specific name counts."
        ),
        click.option(
            "--select",
            **codes,
            help="Report only these codes or groups, separated by commas (rehref explain lists them). Default: the "
            "group default.",
        ),
    ):
        command = option(command)
    return command


def selected(context: click.Context) -> Selected:
    """Return the codes that the options name. Raises `OptionError`."""
    given = {name: code_names(f"--{name}", context.params[name]) for name in _OF_NAMES}
    typed_ones = {each for name in _OF_NAMES if typed(context, name) for each in given[name]}
    for name in _OF_NAMES:
        if not typed(context, name):
            given[name] = tuple(each for each in given[name] if each not in typed_ones)
    return Selected(**given, per_path_ignores=tuple(map(_path_ignore, context.params["per_path_ignores"])))


def _path_ignore(text: str) -> tuple[str, tuple[str, ...]]:
    glob, colon, names = text.rpartition(":")
    if not colon or not glob:
        remedy = "write a pattern for paths, a colon, and codes, such as 'legacy/**:missing-file'"
        raise OptionError(with_value("--per-path-ignores", text), "is not GLOB:CODES", remedy)
    return glob, code_names("--per-path-ignores", (names,), glob)
