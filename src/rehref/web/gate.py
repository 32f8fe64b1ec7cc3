"""When a request may be sent: the limits, for all requests there are, those for redirections and robots.txt too.

1. A request passes the gate of its host, and is counted until it ends: at most so many at once at one host, and at most
   so many at all hosts together.
2. From the beginning of a request to that of the next at the same host, at least the interval passes.
3. A host that asked to wait gets no request until then, whatever is asked of it.
4. What waits for its host holds nothing that others need. A host has one request at most in the line for a place among
   all, which is first come, first served: hosts take turns.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from aiolimiter import AsyncLimiter

from rehref.web.hosts import host_of
from rehref.web.options import WebOptions

_SOON = 1e-4  # seconds that do not matter
_ALMOST = 1 - 1e-9  # so that what is added to a bucket is never too much for it by an error of rounding


class Host:
    """One host, and what it allows now."""

    __slots__ = ("_front", "_interval", "_limiter", "_loop", "_places", "_room", "open_at")

    def __init__(self, options: WebOptions, places: asyncio.Semaphore) -> None:
        self._loop = asyncio.get_running_loop()
        self._places = places
        self._room = asyncio.Semaphore(options.host_concurrency)
        self._front = asyncio.Lock()
        self.open_at = 0.0  # in the time of the loop
        self._interval = 0.0
        self._limiter: AsyncLimiter | None = None
        self.slow_down(options.host_interval)

    def slow_down(self, interval: float) -> None:
        """Let at least so many seconds pass from one request to the next, if it was less before."""
        if interval > self._interval:
            self._interval = interval
            self._limiter = AsyncLimiter(1, interval)

    def pause(self, seconds: float) -> float:
        """Leave the host alone for so long. By how much longer that is than it was to be left alone before."""
        before, self.open_at = self.open_at, max(self.open_at, self._loop.time() + seconds)
        return self.open_at - max(before, self._loop.time())

    async def enter(self) -> None:
        """Wait until a request may be sent. `leave` must follow."""
        await self._room.acquire()
        try:
            async with self._front:
                await self._turn()
        except BaseException:
            self._room.release()
            raise

    def leave(self) -> None:
        """The request has ended."""
        self._places.release()
        self._room.release()

    async def _turn(self) -> None:
        """Wait for the interval, and for a place among all. Only one at a time is here for this host."""
        if (limiter := self._limiter) is not None:
            await limiter.acquire()
        free_at = self._loop.time()
        while True:
            while (rest := self.open_at - self._loop.time()) > 0:
                await asyncio.sleep(rest)
            await self._places.acquire()
            if self.open_at <= self._loop.time():
                break
            self._places.release()  # it was closed meanwhile
        if limiter is not None and (late := self._loop.time() - free_at) > _SOON:
            # the interval counts from now on, when the request is sent: what has leaked meanwhile is filled in again
            await limiter.acquire(min(1.0, late / self._interval) * _ALMOST)


class Passage:
    """The way of one request through the gate: entered before it is sent, left when it has ended."""

    __slots__ = ("_host",)

    def __init__(self, host: Host) -> None:
        self._host = host

    async def __aenter__(self) -> None:
        await self._host.enter()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._host.leave()


class Gate:
    """The gate of all requests of a run: `async with gate(url): …` around each."""

    def __init__(self, options: WebOptions) -> None:
        self._options = options
        self._places = asyncio.Semaphore(options.max_concurrency)
        self._hosts: dict[str, Host] = {}

    def __call__(self, url: str) -> Passage:
        """The way of a request for a URL through the gate."""
        return Passage(self.host(host_of(url)))

    def host(self, name: str) -> Host:
        """The host of that name (`hosts.host_of`)."""
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = Host(self._options, self._places)
        return host
