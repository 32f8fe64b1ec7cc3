"""Asking many questions: politely, fairly, and no more at once than the options say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from importlib.util import find_spec

from rehref.option_errors import OptionError
from rehref.web.host_records import HostRecords
from rehref.web.model import Answer, Question
from rehref.web.options import WebOptions

_PACKAGES = ("aiohttp", "aiolimiter", "stamina", "protego")  # the extra `web`


def ask(
    questions: Iterable[Question],
    options: WebOptions,
    answered: Callable[[Answer], Iterable[Question]],
    records: HostRecords | None = None,
) -> None:
    """Ask servers all these questions, and report each answer as it comes.

    Every question is asked that is given: whoever gives them sees to it that no URL is asked for in vain. Questions are
    taken as there is room. `answered` is called with one answer after the other, in the order of their arrival, and
    gives the questions that come of it (often none). What it raises ends everything, and is raised here. `records`:
    what is known of hosts in this run, which comes to know more.

    Raises OptionError if the extra `web` is not installed, and KeyboardInterrupt at Ctrl-C, when nothing is running any
    more; what was answered until then was reported. RuntimeError where an event loop runs in this thread already.
    """
    require_web("--external")
    if _loop_runs():
        raise RuntimeError("servers cannot be asked in a thread with a running event loop; use asyncio.to_thread")
    from rehref.web.session import session

    asyncio.run(session(questions, options, answered, HostRecords() if records is None else records))


def require_web(option: str) -> None:
    """Raise OptionError, about the option that needs it, unless the extra `web` is installed."""
    for name in _PACKAGES:
        if not _is_there(name):
            raise OptionError(option, f"the package {name} is not there", "install it: pip install 'rehref[web]'")


def _loop_runs() -> bool:
    """Whether an event loop runs in this thread, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:
        return False
