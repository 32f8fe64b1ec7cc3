"""What is known of hosts in one run: what they asked for, and how they have done so far.

1. A run may ask servers several times (`asking.ask`): for pages, then about their links, and folder by folder. Whoever
   does, hands the same `HostRecords` to each, so that what a host asked for holds until the run ends.
2. Nothing here belongs to an event loop. Moments are in monotonic time, which is that of event loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from rehref.web.hosts import host_of
from rehref.web.model import Answer

if TYPE_CHECKING:  # it need not be there
    from aiohttp import CookieJar

SILENT_AFTER: Final = 3
"""So many questions in a row without an answer, and the host is silent."""


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
    """What one host asked for, and how it has done so far.

    `open_at`: the moment from which it may be asked; `sent_at`: that of the last request to it. `interval`: the least
    seconds from one request to the next. `waited`: the seconds that it was waited for, without an answer since.
    `silent`: how many questions in a row had no answer, however often they were asked. `given_up`: the answer for which
    it is not asked any more. `nameless`: the answer that its name has no address; it counts until `nameless_until`.
    `robots`: what its robots.txt says, once that was asked for.
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
        """Whether several questions in a row had no answer."""
        return self.silent >= SILENT_AFTER


@dataclass(slots=True)
class HostRecords:
    """The records of all hosts. `cookies`: those of the options, and what servers set; None before any is asked."""

    cookies: CookieJar | None = None
    _records: dict[str, HostRecord] = field(default_factory=dict)

    def of(self, url: str) -> HostRecord:
        """The record of the host of a URL, which may change it."""
        host = host_of(url)
        record = self._records.get(host)
        if record is None:
            record = self._records[host] = HostRecord()
        return record
