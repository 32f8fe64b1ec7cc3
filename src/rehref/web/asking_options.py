"""Options for requests to servers.

Every option has a default: `WebOptions()`. All values are plain, so that they can be sent to other processes. Times are
seconds, sizes bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

NETRC_VARIABLE: Final = "REHREF_NETRC"
"""The environment variable with lines in the format of netrc, beside those of a file."""


class HeaderField(NamedTuple):
    """A header field to send. `host`: the only one that it is sent to (`hosts.host_of`); None: see `WebOptions`."""

    name: str
    value: str
    host: str | None = None


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Options for requests to servers.

    `max_concurrency`: how many requests are sent at once, `host_concurrency` of them to one host (a scheme, a name and
    a port). `host_interval`: the least time between requests to one host. `timeout`: for one response, from the
    connection to the last byte. `max_redirects`, `max_retries`: for one question. `longest_wait`: a server that asks to
    wait longer (`Retry-After`) is not asked again. `max_size`: of a body when decompressed. `allows_private`: whether
    requests may go to addresses that are not public; `named_hosts`: the hosts (`hosts.host_of`) that a person named,
    for which they may in any case.

    `user_agent`: the `User-Agent` of requests. `headers`: more header fields, sent to the host that they name; without
    a host, to the hosts that links lead to, but not to other hosts that these redirect to. `cookies`: a file of cookies
    (Netscape's format), or None; cookies that servers set are kept for one run in any case. `netrc`: the file with
    names and passwords, or None. `robots`: whether robots.txt is followed. `ca_file`: additional trusted certificates
    (PEM). `insecure`: whether certificates are not verified.
    """

    max_concurrency: int = 50
    host_concurrency: int = 6
    host_interval: float = 0.05
    timeout: float = 20.0
    max_redirects: int = 10
    max_retries: int = 2
    longest_wait: float = 60.0
    max_size: int = 10 * 1024 * 1024
    allows_private: bool = False
    named_hosts: frozenset[str] = frozenset()
    user_agent: str = ""
    headers: tuple[HeaderField, ...] = ()
    cookies: str | None = None
    netrc: str | None = None
    robots: bool = False
    ca_file: str | None = None
    insecure: bool = False
