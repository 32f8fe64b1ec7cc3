"""The host of a URL, for all limits by host: a scheme, a name and a port; and what a request for a URL is made of."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from rehref.web.addresses import is_public

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa")
_AUTHORITY = re.compile(r"(https?):/*(?:[^/?#\\]*@)?([^/?#\\]*)", re.IGNORECASE).match


class Place(NamedTuple):
    """The parts of a URL as it is requested.

    `name`: of the host, or its address without brackets. `authority`: the host with its port, if that is not the
    default; `userinfo`: "" if there is none. `target`: the path and the query.
    """

    scheme: str
    name: str
    port: int
    authority: str
    userinfo: str
    target: str

    @property
    def host(self) -> str:
        """The same as `host_of`."""
        return f"{self.scheme}://{self.authority}"


def place_of(url: str) -> Place:
    """Return the parts of an http(s) URL without a fragment, as the URL Standard serializes it."""
    scheme, _, rest = url.partition("://")
    written, _, target = rest.partition("/")
    userinfo, _, authority = written.rpartition("@")
    name, _, port = authority.rpartition(":") if authority[-1] != "]" else (authority, "", "")
    default = 443 if scheme == "https" else 80
    if not port.isdecimal():
        name, port = authority, ""
    return Place(scheme, name.strip("[]"), int(port or default), authority, userinfo, f"/{target}")


def is_address(name: str) -> bool:
    """Return whether the name of a `Place` is an IP address (URL Standard, "ends in a number checker")."""
    return ":" in name or name.rpartition(".")[2].isdecimal()


@lru_cache(1024)  # it is called several times for a URL while that is requested
def host_of(url: str) -> str:
    """Return the host of an http(s) URL, as the beginning of its URLs: `http://name:port`, in lower case.

    The default port of the scheme is left out. Userinfo does not count. Any other text is returned unchanged.
    """
    found = _AUTHORITY(url)
    if found is None:
        return url
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
