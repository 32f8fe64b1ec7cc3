"""The options of `rehref check` for asking servers (`rehref.checking.external.declared`), and what they need.

1. They go with `--external` only: on the command line, one without it is refused. A configuration may have them anyhow.
2. What asks servers is made once for a run: no URL is asked about twice, whatever folders it is in. The cache keeps
   what was learnt, however the run ends.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rehref.checking.checks.registry import asks_servers
from rehref.checking.external.declared import ROWS, WebOption, refuse_contrary, refuse_unasked
from rehref.cli.click_options import typed
from rehref.cli.errors import FAILED, say
from rehref.cli.interrupts import INTERRUPTED
from rehref.reports.text import count

if TYPE_CHECKING:
    from rehref.checking.external.outside import Outside
    from rehref.checking.options import CheckOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])


def web_options(command: _Command) -> _Command:
    """Add the options to a command."""
    for row in reversed(ROWS):
        command = _option(row)(command)
    return command


def _option(row: WebOption) -> Callable[[_Command], _Command]:
    """The option of a row."""
    shape: dict[str, Any] = {"metavar": row.metavar}
    if row.kind == "flag":
        shape = {"is_flag": True}
    elif row.kind in ("texts", "statuses"):
        shape["multiple"] = True
    elif row.kind == "file":
        shape["type"] = click.Path()
    else:
        default = f"{row.unsaid:g}s" if row.kind == "time" else row.unsaid
        shape |= {"default": default, "show_default": default not in (None, "")}
    if row.kind == "count":
        shape["type"] = click.IntRange(min=int(row.least))
    about = row.help if row.is_of_pages else f"With --external: {row.help[0].lower()}{row.help[1:]}"
    return click.option(row.flag, row.name, help=about, **shape)


def outside_of(context: click.Context, options: CheckOptions) -> Outside | None:
    """What asks servers; None if it is not asked for. Raises `OptionError`, if a package is missing, too."""
    if not asks_servers(options):
        return None
    from rehref.checking.external.caching import asking

    note: Callable[[str], None] = (lambda _: None) if context.params["quiet"] else say
    outside = context.with_resource(asking(options, context.params, note, named="--external", usually=True))
    outside.on_stop = partial(note, "stopping: what is known so far is worked out")
    return outside


def refuse_of_web(context: click.Context) -> None:
    """Raise `OptionError` for an option that was typed without `--external` (rule 1), or with its contrary."""
    refuse_unasked(context.params, lambda row: typed(context, row.name), _flag)
    refuse_contrary(lambda name: typed(context, name), _flag)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def end_of(outside: Outside | None, status: int, *, quiet: bool, fixes: bool) -> int:
    """What a run ends with that asked servers; `status`: if nothing came in between. Says so, if something did.

    `quiet`: whether no hints were said; `fixes`: whether documents were to be corrected.
    """
    if outside is None:
        return status
    if outside.stopped:
        what = "what leads to other sites was checked as far as servers had answered"
        if outside.fetched is not None:
            what = f"{count(outside.fetched, 'page')} fetched, others were not"
        say(f"stopped: {what}{'; nothing was corrected' if fixes else ''}")
        return INTERRUPTED
    if outside.is_offline:
        if quiet:
            from rehref.checking.external.outside import OFFLINE

            say(OFFLINE)
        return FAILED
    return status
