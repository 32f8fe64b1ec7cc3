"""What asks servers for `rehref check`, and which options need it.

1. They need `--external`: on the command line, they are refused without it. A configuration may always have them.
2. One object sends the requests of a run, so that no URL is requested twice, in whichever folders it is. The cache
   keeps the answers, however the run ends.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from rehref.cli._interrupts import INTERRUPTED
from rehref.cli.click_options import typed
from rehref.cli.errors import FAILED, say
from rehref.reports.terminal import count
from rehref.site._checks.all_checks import asks_servers
from rehref.site._external.web_options import refuse_contrary, refuse_unasked

if TYPE_CHECKING:
    from rehref.site._external.outside import Outside
    from rehref.site.check_options import CheckOptions


def outside_of(context: click.Context, options: CheckOptions) -> Outside | None:
    """Return what asks servers, or None without `--external`. Raises `OptionError`, also if a package is missing."""
    if not asks_servers(options):
        return None
    from rehref.site._external.caching import asking

    note: Callable[[str], None] = (lambda _: None) if context.params["quiet"] else say
    outside = context.with_resource(asking(options, context.params, note, named="--external", usually=True))
    outside.on_stop = partial(note, "stopping: rehref reports what is known so far")
    return outside


def refuse_of_web(context: click.Context) -> None:
    """Raise `OptionError` for an option without `--external` (rule 1), or together with its opposite."""
    refuse_unasked(context.params, lambda row: typed(context, row.name), _flag)
    refuse_contrary(lambda name: typed(context, name), _flag)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def end_of(outside: Outside | None, status: int, *, quiet: bool, fixes: bool) -> int:
    """Return the exit code of a run that asked servers, and say why it is not `status`.

    `status`: the exit code if nothing interfered. `quiet`: whether hints were left out; `fixes`: whether documents
    should have been corrected.
    """
    if outside is None:
        return status
    if outside.stopped:
        what = "links to other sites were checked as far as servers had answered"
        if outside.fetched is not None:
            what = f"{count(outside.fetched, 'page')} fetched, not the others"
        say(f"stopped: {what}{'; nothing was corrected' if fixes else ''}")
        return INTERRUPTED
    if outside.is_offline:
        if quiet:
            from rehref.site._external.outside import OFFLINE

            say(OFFLINE)
        return FAILED
    return status
