"""The options of a check, as a report may show them: as on a command line, in the order of `--help`.

Passwords in URLs are masked. If the row of an option says that it holds secrets, only its name is shown. Options for
where results go are not shown: they do not change the results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click
from click.core import ParameterSource

from rehref.cli.parameters import Setting
from rehref.uri.components import mask_text

_GIVEN: Final = frozenset({ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP, ParameterSource.ENVIRONMENT})
_NOT_SHOWN: Final = frozenset({"formats", "out", "quiet", "no_progress", "verbose", "config", "dump_external", "color"})


def asked(context: click.Context) -> tuple[str, ...]:
    """The given options of a command, each as `--name value`, from the command line and the configuration."""
    return tuple(mask_text(text) for option in context.command.params for text in _written(context, option))


def _written(context: click.Context, option: click.Parameter) -> Iterator[str]:
    name = option.name or ""
    if not isinstance(option, click.Option) or name in _NOT_SHOWN:
        return
    if context.get_parameter_source(name) not in _GIVEN:
        return
    flag = max(option.opts, key=len)
    is_secret = isinstance(option, Setting) and option.row is not None and option.row.is_secret
    value = context.params.get(name)
    for each in value if isinstance(value, tuple | list) else (value,):
        if option.is_flag:
            yield flag if each else max(option.secondary_opts, key=len, default=f"{flag}=no")
        else:
            yield f"{flag} {'***' if is_secret else each}"
