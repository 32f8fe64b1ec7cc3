"""Hosts: which host a URL has, which IP addresses are public, and what is known about hosts in one run.

An address is public if it is not in the registries of special-purpose addresses (IANA, RFC 6890). The table is in this
module, since that of `ipaddress` differs between the versions of Python. Nothing in records belongs to an event loop.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from aiohttp import CookieJar

    from rehref.web.answers import Answer

_NOT_PUBLIC_4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network (RFC 791)
        "10.0.0.0/8",  # private (RFC 1918)
        "100.64.0.0/10",  # shared (RFC 6598); 100.100.100.200 is a cloud's metadata
        "127.0.0.0/8",  # loopback (RFC 1122)
        "168.63.129.16/32",  # a cloud's own service for its machines, which no registry lists
        "169.254.0.0/16",  # link-local (RFC 3927); 169.254.169.254 is the metadata of most clouds
        "172.16.0.0/12",  # private (RFC 1918)
        "192.0.0.0/24",  # protocol assignments (RFC 6890)
        "192.0.2.0/24",  # documentation (RFC 5737)
        "192.88.99.0/24",  # relays for 6to4 (RFC 7526)
        "192.168.0.0/16",  # private (RFC 1918)
        "198.18.0.0/15",  # benchmarks (RFC 2544)
        "198.51.100.0/24",  # documentation (RFC 5737)
        "203.0.113.0/24",  # documentation (RFC 5737)
        "224.0.0.0/4",  # multicast (RFC 5771)
        "240.0.0.0/4",  # reserved (RFC 1112), and broadcast
    )
)
_GLOBAL_6: Final = IPv6Network("2000::/3")
"""Of IPv6 only the global unicast space is public, except the special addresses in it."""
_NOT_PUBLIC_6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments (RFC 2928), Teredo among them
        "2001:db8::/32",  # documentation (RFC 3849)
        "3fff::/20",  # documentation (RFC 9637)
    )
)
_MAPPED: Final = IPv6Network("::ffff:0:0/96")  # RFC 4291 §2.5.5.2
_NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052 §2.1
_6TO4: Final = IPv6Network("2002::/16")  # RFC 3056 §2


@lru_cache(maxsize=4096)
def is_public(text: str) -> bool:
    """Whether a text is a public IP address; one that `ipaddress` does not read (octal, a name, a scope) is not."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return _is_public_4(address)
    if address.scope_id is not None:
        return False
    inner = _inner(address)
    if inner is not None:
        return _is_public_4(inner)
    return address in _GLOBAL_6 and not any(address in network for network in _NOT_PUBLIC_6)


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _NOT_PUBLIC_4)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for (mapped, NAT64, 6to4): that decides.

    Addresses that networks translate with prefixes of their own (RFC 6052) cannot be recognized.
    """
    if address in _MAPPED or address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    if address in _6TO4:
        return IPv4Address(int(address) >> 80 & 0xFFFF_FFFF)
    return None


_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa")
_AUTHORITY = re.compile(r"(https?):/*(?:[^/?#\\]*@)?([^/?#\\]*)", re.IGNORECASE).match


def host_of(url: str) -> str:
    """Return the host of an http(s) URL, as the beginning of its URLs: `http://name:port`, in lower case.

    The default port of the scheme is left out. Userinfo does not count. Any other text is returned unchanged.
    """
    end = url.find("/", len("https://"))  # many URLs have the same beginning, with their host
    return _host(url if end < 0 or url[end - 1] == "/" else url[:end]) or url


@lru_cache(4096)
def _host(beginning: str) -> str | None:
    found = _AUTHORITY(beginning)
    if found is None:
        return None
    scheme, name = found[1].lower(), found[2].lower()
    return f"{scheme}://{name.removesuffix(_DEFAULT_PORTS[scheme]).removesuffix(':')}"


def is_local_host(url: str) -> bool:
    """Return whether the host of a URL is this machine or in its network, by its name or literal address only."""
    return _is_local(host_of(url))


@lru_cache(1024)
def _is_local(host: str) -> bool:
    name = (urlsplit(host).hostname or "").removesuffix(".")
    try:
        return not is_public(str(ip_address(name)))
    except ValueError:
        return "." not in name or name.endswith(_LOCAL_NAMES)


SILENT_AFTER: Final = 3
"""After this many questions in a row without an answer, the host counts as silent."""


class RobotsRules(Protocol):
    """What the robots.txt of a host says (`rehref.web._robots`)."""

    @property
    def sitemaps(self) -> Sequence[str]:
        """The sitemaps that it names, the first ones if they are many."""
        ...

    def delay(self) -> float:
        """The seconds it asks to wait from one request to the next."""
        ...

    def check(self, url: str) -> None:
        """Raise an exception if a URL may not be asked for."""
        ...


@dataclass(slots=True)
class HostRecord:
    """What one host asked for, and how it has answered so far.

    `open_at`: the time from which it may be asked; `sent_at`: the time of the last request. `interval`: the least
    seconds between requests. `waited`: the seconds spent waiting for it without an answer since. `silent`: how many
    questions in a row had no answer, even when repeated. `given_up`: the answer after which it was given up.
    `nameless`: the answer that its name has no address; it counts until `nameless_until`. `robots`: its robots.txt,
    once that was fetched.
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
        """Return whether several questions in a row had no answer."""
        return self.silent >= SILENT_AFTER


@dataclass(slots=True)
class HostRecords:
    """The records of all hosts. `cookies`: those of the options and of servers; None before the first request.

    A run may call `asking.ask` several times: for pages, then for their links, and for each folder. It passes the same
    records to each call, so that what a host asked for holds until the run ends.
    """

    cookies: CookieJar | None = None
    _records: defaultdict[str, HostRecord] = field(default_factory=lambda: defaultdict(HostRecord))

    def of(self, url: str) -> HostRecord:
        """Return the record of the host of a URL, which the caller may change."""
        return self._records[host_of(url)]
