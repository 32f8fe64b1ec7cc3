"""The addresses of hosts, from the system's resolver.

1. Each lookup has its own thread: names whose DNS servers do not answer delay neither other names nor the end of the
   program. At the end of a run its threads have ended, or soon will (`_ENDING`); a thread whose servers do not answer
   may last longer, until the system gives up. (Meanwhile other processes start more slowly: `files/pool.py`, rule 6.)
   An address that is written out needs no lookup.
2. What was found is remembered for a while, also that a name has no address, so that a hundred links to a host cause
   one lookup, even at the same time.
3. At most four addresses of a name are used: each that does not answer costs time.
4. Of several addresses, those that may not be used are left out, so that an answer does not depend on their order. This
   is not the protection: whether an address may be used is decided when its socket is created (`pool`).
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from threading import Thread
from typing import Any, Final, TypeAlias
from weakref import WeakSet

from aiohappyeyeballs import AddrInfoType

from rehref.web.hosts import is_address

_REMEMBERED: Final = 60.0
_MOST_REMEMBERED: Final = 10_000
_MOST_ADDRESSES: Final = 4
_ENDING: Final = 0.3  # seconds that threads have to end, all together
_Addresses: TypeAlias = list[AddrInfoType]


class NameResolver:
    """Looks up names, for one run."""

    def __init__(self, permits: Callable[[str], bool]) -> None:
        self._permits = permits
        self._known: dict[tuple[str, int], tuple[float, asyncio.Future[_Addresses]]] = {}
        self._threads: WeakSet[Thread] = WeakSet()

    async def resolve(self, host: str, port: int) -> _Addresses:
        """Return the addresses of a host, in the system's order. Raises OSError (`socket.gaierror`) if it has none."""
        if is_address(host):
            return _usable(socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM, 0, socket.AI_NUMERICHOST))
        until, found = self._known.get((host, port), (0.0, None))
        if found is None or time.monotonic() >= until:
            found = _looked_up(host, port, self._threads)
            self.remember(host, port, found)
        try:
            addresses = await asyncio.shield(found)
        except OSError as error:
            raise type(error)(*error.args) from None  # a new error: one that is raised repeatedly collects tracebacks
        permitted = [each for each in addresses if self._permits(str(each[4][0]))]
        return (permitted or addresses)[:_MOST_ADDRESSES]

    def remember(self, host: str, port: int, found: asyncio.Future[_Addresses]) -> None:
        """Remember a lookup (rule 2)."""
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[host, port] = (time.monotonic() + _REMEMBERED, found)

    def forget(self) -> None:
        """Look up every name anew."""
        self._known.clear()

    def close(self) -> None:
        """Wait for the threads to end (rule 1)."""
        end = time.monotonic() + _ENDING
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))


def _looked_up(host: str, port: int, threads: WeakSet[Thread]) -> asyncio.Future[_Addresses]:
    """Return the addresses that the system's resolver will give. `threads`: gets the thread of this lookup."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[_Addresses] = loop.create_future()

    def give(found: _Addresses, error: OSError | None) -> None:
        if answer.done():
            return
        if error is None and found:
            answer.set_result(found)
        else:
            answer.set_exception(error or socket.gaierror(socket.EAI_NONAME, "the name has no address"))
            answer.exception()  # else asyncio complains if nobody waits any more

    def look_up() -> None:
        found, failed = [], None
        try:
            found = _usable(socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM))
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
    return answer


def _usable(found: list[Any]) -> _Addresses:
    """Return the addresses that sockets can connect to."""
    return [each for each in found if each[0] in (socket.AF_INET, socket.AF_INET6) and isinstance(each[4][0], str)]
