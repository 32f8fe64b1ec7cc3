"""Send many requests: fairly, and no more at once than the options say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from importlib.util import find_spec

from rehref.exceptions import OptionError
from rehref.web.answers import Answer, Question
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords

_PACKAGES = ("aiohttp", "stamina", "protego")  # the extra `web`


def ask(
    questions: Iterable[Question],
    options: WebOptions,
    answered: Callable[[Answer], Iterable[Question]],
    records: HostRecords | None = None,
) -> None:
    """Ask servers all these questions, and report each answer as it comes.

    Every given question is asked: the caller must not ask about a URL twice. Questions are taken when there is room.
    `answered` is called with one answer after the other, in the order of their arrival, and returns the questions that
    follow from it (often none). An exception of `answered` ends everything, and is raised here. `records`: what is
    known about hosts in this run; more is added.

    Raises OptionError if the extra `web` is not installed; KeyboardInterrupt at Ctrl-C, when everything has stopped and
    all earlier answers have been reported; RuntimeError if an event loop already runs in this thread.
    """
    require_web("--external")
    if _loop_runs():
        raise RuntimeError("requests cannot be sent in a thread with a running event loop; use asyncio.to_thread")
    from rehref.web._asking_many import session
    from rehref.web._loops import run

    run(lambda: session(questions, options, answered, HostRecords() if records is None else records))


def require_web(option: str) -> None:
    """Raise OptionError, which names the option, unless the extra `web` is installed."""
    for name in _PACKAGES:
        if not _is_there(name):
            raise OptionError(option, f"needs the package {name}", "install it: pip install 'rehref[web]'")


def _loop_runs() -> bool:
    """Return whether an event loop runs in this thread, as in a notebook."""
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
