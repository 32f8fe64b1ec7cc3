"""The addresses of hosts, asked of the system's resolver.

1. Each question has a thread of its own: names whose servers are silent hold up no other name, nor the end of the
   program. When the asking ends, its threads do, or are about to (`_ENDING`); one whose servers are silent may outlive
   it, until the system gives up. (Meanwhile other processes are begun more slowly: `files/pool.py`, rule 6.)
2. What has no address is remembered for a while, so that a hundred links to a dead host ask once.
3. A name has at most four addresses here: each that does not answer costs time.
4. Of several addresses, those that may not be asked are left out, so that an answer does not depend on their order.
   This guards nothing: whether an address may be asked is decided where its socket is made (`connections`).
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
        """The addresses of a host, in the system's order. Raises OSError (`socket.gaierror`) if it has none."""
        known = self._unknown.get(host)
        if known is not None and time.monotonic() < known[0]:
            raise socket.gaierror(*known[1])  # anew: an error that is raised again and again collects what raised it
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
        """See the threads end (rule 1)."""
        end = time.monotonic() + _ENDING
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))


async def _looked_up(host: str, port: int, family: int, threads: WeakSet[Thread]) -> list[ResolveResult]:
    """The addresses that the system's resolver gives. `threads`: where the one that asks it is added."""
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
