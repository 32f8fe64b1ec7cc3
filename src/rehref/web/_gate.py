"""When a request may be sent: the limits for all requests, including those for redirects and robots.txt.

A request passes the gate of its host, and counts until it ends: there are limits for one host, and for all hosts
together. A request that waits for its host holds nothing that others need. Each host has at most one request in the
queue for all hosts, which is first come, first served: hosts take turns. What is known about a host beyond an event
loop is in its record (`servers.HostRecords`).
"""

from __future__ import annotations

import asyncio

from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecord, HostRecords, host_of


class _Host:
    """The gate of one host: `async with` around each request, entered before it is sent, left when it has ended."""

    __slots__ = ("_front", "_loop", "_places", "_record", "_room")

    def __init__(self, options: WebOptions, places: asyncio.Semaphore, record: HostRecord) -> None:
        self._loop = asyncio.get_running_loop()
        self._places = places
        self._room = asyncio.Semaphore(options.host_concurrency)
        self._front = asyncio.Lock()
        self._record = record
        record.interval = max(record.interval, options.host_interval)
        if record.sent_at is not None:  # after earlier calls in the same run
            record.open_at = max(record.open_at, record.sent_at + record.interval)

    async def __aenter__(self) -> None:
        """Wait until a request may be sent."""
        await self._room.acquire()
        try:
            await self._front.acquire()
            try:
                await self._turn()
            finally:
                self._front.release()
        except BaseException:
            self._room.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        """The request has ended."""
        self._places.release()
        self._room.release()

    async def _turn(self) -> None:
        """Wait until the host may be asked: after the interval, and after the time that it asked to wait.

        The interval is between the beginnings of two requests, however long one has waited for a place.
        """
        record = self._record
        while True:
            while (rest := record.open_at - self._loop.time()) > 0:
                await asyncio.sleep(rest)
            await self._places.acquire()
            now = self._loop.time()
            if record.open_at <= now:
                break
            self._places.release()  # it was closed meanwhile
        record.sent_at = now
        record.open_at = now + record.interval


class Gate:
    """The gate of all requests of an event loop: `async with gate(url): …` around each."""

    def __init__(self, options: WebOptions, records: HostRecords) -> None:
        self._options = options
        self._records = records
        self._loop = asyncio.get_running_loop()
        self._places = asyncio.Semaphore(options.max_concurrency)
        self._hosts: dict[str, _Host] = {}

    def __call__(self, url: str) -> _Host:
        """The context of a request for a URL."""
        name = host_of(url)
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = _Host(self._options, self._places, self._records.of(url))
        return host

    def pause(self, url: str, seconds: float) -> None:
        """Send no request to the host of a URL for this long."""
        record, now = self._records.of(url), self._loop.time()
        before = max(record.open_at, now)
        record.open_at = max(before, now + seconds)
        record.waited += record.open_at - before
