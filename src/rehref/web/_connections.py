"""The client: connections to servers, and the addresses of their names, for one call of `asking.ask`.

Whether an address may be used is decided when its socket is created, for the exact address that it connects to
(`_socket_factory`). A connection that is kept leads to an address that was checked then. Settings of the environment
are not used: no proxy, since a proxy would choose the address. (Servers that can only be reached by a proxy are not
reached.)
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Any, Final
from weakref import WeakSet

from aiohttp import AddrInfoType, ClientRequest, ClientTimeout, CookieJar, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

from rehref._version import __version__
from rehref.containers.codings import optional
from rehref.exceptions import OptionError
from rehref.web._credentials import cookie_jar, read_credentials
from rehref.web.asking_options import NETRC_VARIABLE, WebOptions
from rehref.web.servers import host_of, is_public

_REMEMBERED: Final = 60.0
_MOST_REMEMBERED: Final = 10_000
_MOST_ADDRESSES: Final = 4
_ENDING: Final = 0.3  # seconds that threads have to end, all together


class NameResolver(AbstractResolver):
    """The addresses of names. One without an address is remembered for a while: a hundred links to a dead host are one
    lookup.

    Each lookup has its own thread: names whose DNS servers do not answer delay neither other names nor the end of the
    program.
    """

    def __init__(self, permits: Callable[[str], bool]) -> None:
        self._permits = permits
        self._unknown: dict[str, tuple[float, tuple[object, ...]]] = {}
        self._threads: WeakSet[Thread] = WeakSet()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return at most four addresses of a name, since each that does not answer costs time.

        Those that may not be used are left out, so that an answer does not depend on their order. This is not the
        protection.
        """
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
        """Wait for the threads to end, or to end soon (`_ENDING`).

        A thread whose servers do not answer may last longer, until the system gives up. Meanwhile other processes start
        more slowly (`files/pool.py`).
        """
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


logging.getLogger("aiohttp").addHandler(logging.NullHandler())  # else Python writes what servers sent to standard error

_KEPT_FOR: Final = 5.0
_MOST_KEPT: Final = 1024
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
        """Return whether so many are open that no more should be kept, so that other programs can still open files."""
        if len(self._made) < self._most:
            return False
        self._made = {each for each in self._made if each.fileno() != -1}
        return len(self._made) >= self._most


@dataclass(frozen=True, slots=True)
class Client:
    """What requests need: connections, and what to send to which host. `credentials`: `Authorization` by host.

    `jar`: the cookies. `usual_lines`: the header fields of every request. `origins`: what aiohttp needs to connect to
    each. `of_named`: the client for hosts that a person named, which connects to any address; another name or port of
    that address is not such a host.
    """

    connector: TCPConnector
    jar: CookieJar
    options: WebOptions
    timeout: ClientTimeout
    tls: ssl.SSLContext
    usual_lines: tuple[str, ...]
    credentials: Mapping[str, str]
    sockets: OpenSockets
    origins: dict[str, ClientRequest]
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
    that servers set (`credentials.cookie_jar`); by default those of the options. Raises `OptionError` for a file that
    cannot be used.
    """
    if permits is None:
        permits = _any if options.allows_private else is_public
    credentials = read_credentials(options.netrc, os.environ.get(NETRC_VARIABLE))
    resolver = NameResolver(permits)
    sockets = OpenSockets(min(_MOST_KEPT, _most_files() // 2))
    tls = _tls_context(options.ca_file, insecure=options.insecure)
    usual = (f"User-Agent: {options.user_agent or USER_AGENT}", f"Accept: {ACCEPTED}", f"Accept-Encoding: {_codings()}")
    connector = TCPConnector(
        limit=0,  # how many questions there are at once, their gate decides
        ssl=tls,
        resolver=resolver,
        ttl_dns_cache=60,
        keepalive_timeout=_KEPT_FOR,
        socket_factory=_socket_factory(permits, sockets),
    )
    try:
        cookies = cookie_jar(options.cookies) if jar is None else jar
        yield Client(
            connector,
            cookies,
            options,
            ClientTimeout(connect=options.timeout / 2),
            tls,
            usual,
            credentials,
            sockets,
            {},
        )
    finally:
        await connector.close()
        await resolver.close()  # aiohttp closes none that it is given


def _tls_context(ca_file: str | None, *, insecure: bool) -> ssl.SSLContext:
    """Return the TLS context: it trusts the certificates of the system, and those of a file that an option names.

    Raises `OptionError`.
    """
    context = ssl.create_default_context()
    context.set_alpn_protocols(("http/1.1",))
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=ca_file)
        except ssl.SSLError:
            raise OptionError(
                f"--ca-file {ca_file}", "contains no certificates", "name a file in the PEM format"
            ) from None
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise OptionError(f"--ca-file {ca_file}", what, "correct the path") from None
    return context


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
    """Return what creates sockets, and decides there about literal addresses, however written, names, and redirects.

    Names with several addresses, or with one that changes, make no difference: addresses that are not public are not
    used.
    """

    def make(info: AddrInfoType) -> socket.socket:
        """Return a socket that will be connected to an address."""
        family, kind, protocol, _, address = info
        if not permits(str(address[0])):
            raise AddressRefusedError
        made = socket.socket(family, kind, protocol)
        sockets.add(made)
        return made

    return make
