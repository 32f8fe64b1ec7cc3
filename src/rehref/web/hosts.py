"""The host of a URL, for all limits by host: a scheme, a name and a port."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from rehref.web.addresses import is_public

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa")
_AUTHORITY = re.compile(r"(https?):/*(?:[^/?#\\]*@)?([^/?#\\]*)", re.IGNORECASE).match


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
    name = (urlsplit(url).hostname or "").removesuffix(".")
    try:
        return not is_public(str(ip_address(name)))
    except ValueError:
        return "." not in name or name.endswith(_LOCAL_NAMES)
