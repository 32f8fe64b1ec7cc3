"""What is known about hosts in one run: what they asked for, and how they have answered so far.

1. A run may call `asking.ask` several times: for pages, then for their links, and for each folder. It passes the same
   `HostRecords` to each call, so that what a host asked for holds until the run ends.
2. Nothing here belongs to an event loop. Times are monotonic, like those of event loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from rehref.web.hosts import host_of
from rehref.web.model import Answer

if TYPE_CHECKING:  # optional package
    from aiohttp import CookieJar

SILENT_AFTER: Final = 3
"""After this many questions in a row without an answer, the host counts as silent."""


class RobotsRules(Protocol):
    """What the robots.txt of a host says (`rehref.web.robots`)."""

    def delay(self) -> float:
        """The seconds it asks to wait from one request to the next."""
        ...

    def check(self, url: str) -> None:
        """Raise an exception if a URL may not be asked for."""
        ...


@dataclass(slots=True)
class HostRecord:
    """What one host asked for, and how it has answered so far.

    `open_at`: the time from which it may be asked; `sent_at`: the time of the last request. `interval`: the least
    seconds between requests. `waited`: the seconds spent waiting for it without an answer since. `silent`: how many
    questions in a row had no answer, even when repeated. `given_up`: the answer after which it was given up.
    `nameless`: the answer that its name has no address; it counts until `nameless_until`. `robots`: its robots.txt,
    once that was fetched.
    """

    open_at: float = 0.0
    sent_at: float | None = None
    interval: float = 0.0
    waited: float = 0.0
    silent: int = 0
    given_up: Answer | None = None
    nameless: Answer | None = None
    nameless_until: float = 0.0
    robots: RobotsRules | None = None

    @property
    def is_silent(self) -> bool:
        """Return whether several questions in a row had no answer."""
        return self.silent >= SILENT_AFTER


@dataclass(slots=True)
class HostRecords:
    """The records of all hosts. `cookies`: those of the options and of servers; None before the first request."""

    cookies: CookieJar | None = None
    _records: dict[str, HostRecord] = field(default_factory=dict)

    def of(self, url: str) -> HostRecord:
        """Return the record of the host of a URL, which the caller may change."""
        host = host_of(url)
        record = self._records.get(host)
        if record is None:
            record = self._records[host] = HostRecord()
        return record
