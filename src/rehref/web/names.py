"""The addresses of hosts, from the system's resolver.

1. Each lookup has its own thread: names whose DNS servers do not answer delay neither other names nor the end of the
   program. At the end of a run its threads have ended, or soon will (`_ENDING`); a thread whose servers do not answer
   may last longer, until the system gives up. (Meanwhile other processes start more slowly: `files/pool.py`, rule 6.)
2. A name without an address is remembered for a while, so that a hundred links to a dead host cause one lookup.
3. At most four addresses of a name are used: each that does not answer costs time.
4. Of several addresses, those that may not be used are left out, so that an answer does not depend on their order. This
   is not the protection: whether an address may be used is decided when its socket is created (`connections`).
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from threading import Thread
from typing import Any, Final
from weakref import WeakSet

from aiohttp.abc import AbstractResolver, ResolveResult

_REMEMBERED: Final = 60.0
_MOST_REMEMBERED: Final = 10_000
_MOST_ADDRESSES: Final = 4
_ENDING: Final = 0.3  # seconds that threads have to end, all together


class NameResolver(AbstractResolver):
    """A resolver for aiohttp, for one run."""

    def __init__(self, permits: Callable[[str], bool]) -> None:
        self._permits = permits
        self._unknown: dict[str, tuple[float, tuple[object, ...]]] = {}
        self._threads: WeakSet[Thread] = WeakSet()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host, in the system's order. Raises OSError (`socket.gaierror`) if it has none."""
        known = self._unknown.get(host)
        if known is not None and time.monotonic() < known[0]:
            raise socket.gaierror(*known[1])  # a new error: one that is raised repeatedly collects tracebacks
        try:
            found = await _looked_up(host, port, family, self._threads)
        except OSError as error:
            if len(self._unknown) >= _MOST_REMEMBERED:
                self._unknown.clear()
            self._unknown[host] = (time.monotonic() + _REMEMBERED, error.args)
            raise
        permitted = [each for each in found if self._permits(each["host"])]
        return (permitted or found)[:_MOST_ADDRESSES]

    async def close(self) -> None:
        """Wait for the threads to end (rule 1)."""
        end = time.monotonic() + _ENDING
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))


async def _looked_up(host: str, port: int, family: int, threads: WeakSet[Thread]) -> list[ResolveResult]:
    """Return the addresses that the system's resolver gives. `threads`: gets the thread of this lookup."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[Any]] = loop.create_future()

    def give(found: list[Any] | None, error: OSError | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(found or [])
        else:
            answer.set_exception(error)

    def look_up() -> None:
        found, failed = None, None
        try:
            found = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
        except OSError as error:
            failed = error
        except ValueError:  # what the resolver cannot be given: an empty label, a long one, a null character
            failed = socket.gaierror(socket.EAI_NONAME, "not a name that has an address")
        try:
            loop.call_soon_threadsafe(give, found, failed)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    thread = Thread(target=look_up, daemon=True, name="rehref-names")
    threads.add(thread)
    thread.start()
    results = []
    for found_family, _, proto, _, address in await answer:
        if found_family in (socket.AF_INET, socket.AF_INET6) and isinstance(address[0], str):
            scope = f"%{address[3]}" if found_family == socket.AF_INET6 and address[3] and "%" not in address[0] else ""
            results.append(
                ResolveResult(
                    hostname=host,
                    host=address[0] + scope,
                    port=port,
                    family=found_family,
                    proto=proto,
                    flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
                )
            )
    if not results:
        raise socket.gaierror(socket.EAI_NONAME, "the name has no address")
    return results
