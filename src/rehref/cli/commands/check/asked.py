"""The options that a check was asked for with, as a report may show them.

1. They are as a command line has them, in the order of `--help`, from the command line and from the configuration.
2. Passwords in URLs are masked. Of an option that holds secrets, as its row says, only the name is shown.
3. Where results go is not shown: it says nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click
from click.core import ParameterSource

from rehref.checking.external.declared import SECRET
from rehref.uri.privacy import mask_text

_GIVEN: Final = frozenset({ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP, ParameterSource.ENVIRONMENT})
_NOT_SHOWN: Final = frozenset({"formats", "out", "quiet", "no_progress", "verbose", "config", "dump_external", "color"})


def asked(context: click.Context) -> tuple[str, ...]:
    """The options of a command that were given, each as `--name value` (rules 1 to 3)."""
    return tuple(mask_text(text) for option in context.command.params for text in _written(context, option))


def _written(context: click.Context, option: click.Parameter) -> Iterator[str]:
    name = option.name or ""
    if not isinstance(option, click.Option) or name in _NOT_SHOWN:
        return
    if context.get_parameter_source(name) not in _GIVEN:
        return
    flag = max(option.opts, key=len)
    value = context.params.get(name)
    for each in value if isinstance(value, tuple | list) else (value,):
        if option.is_flag:
            yield flag if each else max(option.secondary_opts, key=len, default=f"{flag}=no")
        else:
            yield f"{flag} {'***' if name in SECRET else each}"
