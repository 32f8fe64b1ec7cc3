"""The client: what requests of one call of `asking.ask` need.

1. Hosts that a person named have connections of their own, to any address; another name or port of that address is not
   such a host. Else `pool` decides which addresses may be used.
2. Settings of the environment are not used, except those named here: no proxy, since a proxy would choose the address.
   (Servers that can only be reached by a proxy are not reached.)
3. A header field that an option or a request gives takes the place of the usual one with its name.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from rehref._version import __version__
from rehref.containers.http.bodies import optional
from rehref.web.addresses import is_public
from rehref.web.cookies import Cookies, read_cookies
from rehref.web.credentials import read_credentials
from rehref.web.hosts import Place
from rehref.web.options import NETRC_VARIABLE, WebOptions
from rehref.web.tls import tls_context
from rehref.web.transport.names import NameResolver
from rehref.web.transport.pool import Connections, OpenSockets

_MOST_KEPT: Final = 1024
_NOT_IN_A_FIELD: Final = re.compile("[\0\r\n]").search  # RFC 9110 §5.5
USER_AGENT: Final = f"Mozilla/5.0 (compatible; rehref/{__version__})"
"""The default `User-Agent`, in the form of crawlers."""
ACCEPTED: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@dataclass(frozen=True, slots=True)
class Client:
    """What requests need: connections, and what to send to which host. `credentials`: `Authorization` by host.

    `usual`: the header fields of every request, besides `Host`. `of_named`: the client for hosts that a person named
    (rule 1).
    """

    connections: Connections
    options: WebOptions
    credentials: Mapping[str, str]
    cookies: Cookies
    sockets: OpenSockets
    usual: Mapping[str, str]
    of_named: Client | None = None

    def for_host(self, host: str) -> Client:
        """Return the client for requests to a host (`hosts.host_of`)."""
        return self.of_named if self.of_named is not None and host in self.options.named_hosts else self

    def request(self, method: str, place: Place, fields: Mapping[str, str]) -> bytes:
        """Return a request (RFC 9112 §3), with these header fields (rule 3). Raises `ValueError`."""
        sent = {"Host": place.authority, **self.usual}
        if self.sockets.are_many():
            sent["Connection"] = "close"
        if fields:
            given = {name.lower() for name in fields}
            sent = {name: value for name, value in sent.items() if name.lower() not in given} | dict(fields)
        cookie = self.cookies.of(place)
        if cookie:
            name = next((name for name in sent if name.lower() == "cookie"), "Cookie")
            sent[name] = f"{sent[name]}; {cookie}" if name in sent else cookie
        lines = [f"{name}: {value}" for name, value in sent.items()]
        if any(map(_NOT_IN_A_FIELD, lines)):
            raise ValueError
        return "\r\n".join((f"{method} {place.target} HTTP/1.1", *lines, "\r\n")).encode("utf-8")


@asynccontextmanager
async def open_client(
    options: WebOptions, permits: Callable[[str], bool] | None = None, cookies: Cookies | None = None
) -> AsyncIterator[Client]:
    """A client for the duration of the context.

    `permits`: which IP addresses may be used, instead of what the options say. `cookies`: the present ones, and those
    that servers set; by default those of the options. Raises `OptionError` for a file that cannot be used.
    """
    if permits is None:
        permits = _any if options.allows_private else is_public
    credentials = read_credentials(options.netrc, os.environ.get(NETRC_VARIABLE))
    cookies = read_cookies(options.cookies) if cookies is None else cookies
    names = NameResolver(permits)
    sockets = OpenSockets(min(_MOST_KEPT, _most_files() // 2))
    connections = Connections(names, tls_context(options.ca_file, insecure=options.insecure), permits, sockets)
    usual = {"User-Agent": options.user_agent or USER_AGENT, "Accept": ACCEPTED, "Accept-Encoding": _codings()}
    try:
        yield Client(connections, options, credentials, cookies, sockets, usual)
    finally:
        connections.close()
        await asyncio.sleep(0)  # then their sockets are closed
        names.close()


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
