"""The client: connections to servers, for one call of `asking.ask`.

1. Whether an address may be used is decided when its socket is created, for the exact address that it connects to. So
   there is one decision for literal addresses, however they are written, for names, even if their addresses change,
   for redirects, and for names with several addresses: addresses that are not public are not used. Hosts that a person
   named have connections of their own, to any address; another name or port of that address is not such a host.
2. A connection that is kept leads to an address that was checked when the connection was made.
3. Settings of the environment are not used, except those named here: no proxy, since a proxy would choose the address.
   (Servers that can only be reached by a proxy are not reached.)
4. Connections are kept for a few seconds. If many are open, servers are asked to close them, so that other programs can
   still open files.
5. Messages that aiohttp logs (they quote what servers send) are not shown, unless a program that uses rehref shows
   them.
6. The header of a response is bounded, too: the number of fields and their bytes (aiohttp counts them from 3.14 on).
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from aiohttp import AddrInfoType, ClientSession, ClientTimeout, CookieJar, TCPConnector

from rehref._version import __version__
from rehref.containers.http.bodies import optional
from rehref.web.addresses import is_public
from rehref.web.cookies import cookie_jar
from rehref.web.credentials import read_credentials
from rehref.web.hosts import host_of
from rehref.web.names import NameResolver
from rehref.web.options import NETRC_VARIABLE, WebOptions
from rehref.web.tls import tls_context

logging.getLogger("aiohttp").addHandler(logging.NullHandler())  # rule 5: else Python writes it to standard error

_KEPT_FOR: Final = 5.0
_MOST_KEPT: Final = 1024
_LONGEST_LINE: Final = 1 << 16
_MOST_FIELDS: Final = 256
USER_AGENT: Final = f"Mozilla/5.0 (compatible; rehref/{__version__})"
"""The default `User-Agent`, in the form of crawlers."""
ACCEPTED: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class AddressRefusedError(PermissionError):
    """An address that is not public, or not an IP address. (An OSError, so that aiohttp tries another address.)"""

    def __init__(self) -> None:
        super().__init__("the address is not public")  # the same text for all, so that aiohttp raises one of several


class OpenSockets:
    """The sockets that are still open. `most`: if there are so many, they are not kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: set[socket.socket] = set()

    def add(self, made: socket.socket) -> None:
        """Record a new socket."""
        self._made.add(made)

    def are_many(self) -> bool:
        """Return whether so many are open that no more should be kept (rule 4)."""
        if len(self._made) < self._most:
            return False
        self._made = {each for each in self._made if each.fileno() != -1}
        return len(self._made) >= self._most


@dataclass(frozen=True, slots=True)
class Client:
    """What requests need: connections, and what to send to which host. `credentials`: `Authorization` by host.

    `of_named`: the client for hosts that a person named (rule 1).
    """

    session: ClientSession
    options: WebOptions
    credentials: Mapping[str, str]
    sockets: OpenSockets
    of_named: Client | None = None

    def for_host(self, url: str) -> Client:
        """Return the client for requests to the host of a URL."""
        return self.of_named if self.of_named and host_of(url) in self.options.named_hosts else self


@asynccontextmanager
async def open_client(
    options: WebOptions, permits: Callable[[str], bool] | None = None, jar: CookieJar | None = None
) -> AsyncIterator[Client]:
    """A client for the duration of the context.

    `permits`: which IP addresses may be used, instead of what the options say. `jar`: the present cookies, and those
    that servers set (`cookies.cookie_jar`); by default those of the options. Raises `OptionError` for a file that
    cannot be used.
    """
    if permits is None:
        permits = _any if options.allows_private else is_public
    credentials = read_credentials(options.netrc, os.environ.get(NETRC_VARIABLE))
    resolver = NameResolver(permits)
    sockets = OpenSockets(min(_MOST_KEPT, _most_files() // 2))
    connector = TCPConnector(
        limit=0,  # how many questions there are at once, their gate decides
        ssl=tls_context(options.ca_file, insecure=options.insecure),
        resolver=resolver,
        ttl_dns_cache=60,
        keepalive_timeout=_KEPT_FOR,
        socket_factory=_socket_factory(permits, sockets),
    )
    try:
        async with ClientSession(
            connector=connector,
            cookie_jar=cookie_jar(options.cookies) if jar is None else jar,
            headers={"User-Agent": options.user_agent or USER_AGENT, "Accept": ACCEPTED, "Accept-Encoding": _codings()},
            timeout=ClientTimeout(total=options.timeout, connect=options.timeout / 2),
            auto_decompress=False,
            trust_env=False,
            max_line_size=_LONGEST_LINE,
            max_field_size=_LONGEST_LINE,
            max_headers=_MOST_FIELDS,
        ) as session:
            yield Client(session, options, credentials, sockets)
    finally:
        await resolver.close()  # aiohttp closes none that it is given


def _most_files() -> int:
    """Return how many files this process may have open; some systems do not say."""
    resource = optional("resource")
    if resource is None:
        return 2 * _MOST_KEPT
    soft: int = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2 * _MOST_KEPT if soft == resource.RLIM_INFINITY else soft


def _any(address: str) -> bool:
    return True


def _codings() -> str:
    return "gzip, deflate" if optional("brotli") is None else "gzip, deflate, br"


def _socket_factory(permits: Callable[[str], bool], sockets: OpenSockets) -> Callable[[AddrInfoType], socket.socket]:
    def make(info: AddrInfoType) -> socket.socket:
        """Return a socket that will be connected to an address (rule 1)."""
        family, kind, protocol, _, address = info
        if not permits(str(address[0])):
            raise AddressRefusedError
        made = socket.socket(family, kind, protocol)
        sockets.add(made)
        return made

    return make
