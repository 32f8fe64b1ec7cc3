"""Connections: how they are made, and how long they are kept.

1. Whether an address may be used is decided when its socket is created, for the exact address that it connects to. So
   there is one decision for literal addresses, however they are written, for names, even if their addresses change,
   for redirects, and for names with several addresses: addresses that are not public are not used.
2. A connection that is kept leads to an address that was checked when the connection was made.
3. Connections are kept for a few seconds. If many are open, servers are asked to close them, so that other programs can
   still open files.
4. If an address of several does not answer soon, the next one is tried beside it (RFC 8305, by aiohappyeyeballs).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from aiohappyeyeballs import AddrInfoType, start_connection

from rehref.web.hosts import Place
from rehref.web.transport.http1 import Connection
from rehref.web.transport.names import NameResolver

_KEPT_FOR: Final = 5.0  # seconds
_NEXT_ADDRESS_AFTER: Final = 0.25  # seconds (RFC 8305 §5)


class AddressRefusedError(PermissionError):
    """An address that is not public, or not an IP address. (An OSError, so that another address is tried.)"""

    def __init__(self) -> None:
        super().__init__("the address is not public")  # the same text for all, so that one of several is raised


class OpenSockets:
    """The sockets that are still open. `most`: if there are so many, they are not kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: set[socket.socket] = set()

    def add(self, made: socket.socket) -> None:
        """Record a new socket."""
        self._made.add(made)

    def are_many(self) -> bool:
        """Return whether so many are open that no more should be kept (rule 3)."""
        if len(self._made) < self._most:
            return False
        self._made = {each for each in self._made if each.fileno() != -1}
        return len(self._made) >= self._most


class _Idle(NamedTuple):
    """A connection that is kept, and since when."""

    since: float
    connection: Connection


class Connections:
    """The connections of one client. `permits`: which IP addresses may be used. `names`: looks up the others."""

    def __init__(
        self, names: NameResolver, context: ssl.SSLContext, permits: Callable[[str], bool], sockets: OpenSockets
    ) -> None:
        self.names = names
        self._context = context
        self._permits = permits
        self._sockets = sockets
        self._loop = asyncio.get_running_loop()
        self._idle: dict[str, deque[_Idle]] = {}
        self._cleaning: asyncio.TimerHandle | None = None

    def kept(self, host: str) -> Connection | None:
        """Return a kept connection to a host (`hosts.host_of`), which is no longer kept; None if there is none."""
        idle = self._idle.get(host)
        while idle:
            since, connection = idle.pop()
            if connection.is_open and self._loop.time() - since < _KEPT_FOR:
                return connection
            connection.close()
        return None

    async def made(self, place: Place) -> Connection:
        """Return a new connection (rules 1, 4). Raises OSError, also of TLS."""
        addresses = await self.names.resolve(place.name, place.port)
        made = await start_connection(
            addresses, happy_eyeballs_delay=_NEXT_ADDRESS_AFTER, interleave=1, socket_factory=self._socket
        )
        is_secure = place.scheme == "https"
        try:
            _, connection = await self._loop.create_connection(
                Connection,
                sock=made,
                ssl=self._context if is_secure else None,
                server_hostname=place.name.rstrip(".") if is_secure else None,
            )
        except BaseException:
            made.close()
            raise
        return connection

    def let_go(self, host: str, connection: Connection) -> None:
        """Keep a connection whose response was read, if it can be used again; else close it."""
        if not connection.can_be_kept or self._sockets.are_many():
            connection.close()
            return
        self._idle.setdefault(host, deque()).append(_Idle(self._loop.time(), connection))
        if self._cleaning is None:
            self._cleaning = self._loop.call_later(_KEPT_FOR, self._clean)

    def close(self) -> None:
        """Close all that are kept."""
        if self._cleaning is not None:
            self._cleaning.cancel()
        for idle in self._idle.values():
            for each in idle:
                each.connection.close()
        self._idle.clear()

    def _clean(self) -> None:
        """Close what was kept for long enough (rule 3)."""
        oldest = self._loop.time() - _KEPT_FOR
        for host, idle in list(self._idle.items()):
            while idle and (idle[0].since <= oldest or not idle[0].connection.is_open):
                idle.popleft().connection.close()
            if not idle:
                del self._idle[host]
        self._cleaning = self._loop.call_later(_KEPT_FOR, self._clean) if self._idle else None

    def _socket(self, info: AddrInfoType) -> socket.socket:
        """Return a socket that will be connected to an address (rule 1)."""
        family, kind, protocol, _, address = info
        if not self._permits(str(address[0])):
            raise AddressRefusedError
        made = socket.socket(family, kind, protocol)
        self._sockets.add(made)
        return made
