"""What asks servers for `rehref check`, and which options need it.

They need `--external`: on the command line, they are refused without it; a configuration may always have them. One
object sends the requests of a run, so that no URL is requested twice, in whichever folders it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from rehref.cli._interrupts import INTERRUPTED
from rehref.cli.click_options import typed
from rehref.cli.messages import FAILED, say
from rehref.reports.terminal import count
from rehref.site.check import CheckRun
from rehref.site.given_options import refuse_contrary, refuse_unasked

if TYPE_CHECKING:
    from rehref.site.check_options import CheckOptions


def begun(context: click.Context, options: CheckOptions) -> CheckRun:
    """Begin a run, which lasts until the command ends. Raises `OptionError`, also if a package is missing."""
    note: Callable[[str], None] = (lambda _: None) if context.params["quiet"] else say
    run = context.with_resource(CheckRun.begun(options, note, named="--external", usually=True))
    if run.outside is not None:
        run.outside.on_stop = partial(note, "stopping: rehref reports what is known so far")
    return run


def refuse_of_web(context: click.Context) -> None:
    """Raise `OptionError` for an option without `--external`, or together with its opposite."""
    refuse_unasked(context.params, partial(typed, context), _flag)
    refuse_contrary(partial(typed, context), _flag)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def end_of(run: CheckRun, status: int, *, quiet: bool, fixes: bool) -> int:
    """Return the exit code of a run that asked servers, and say why it is not `status`.

    `status`: the exit code if nothing interfered. `quiet`: whether hints were left out; `fixes`: whether documents
    should have been corrected.
    """
    outside = run.outside
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
            say(*outside.notes())
        return FAILED
    return status
