"""The host that a URI is on.

1. `http` and `https` count as one, with their default ports; differences in spelling that have no meaning are ignored:
   case and escapes (RFC 3986 §6.2.2), and whether a name is in Unicode or in IDNA's form (§3.2.2).
2. `file:` URIs without a host, with an empty one and with `localhost` are on one host (RFC 8089 §2).
"""

from __future__ import annotations

import re

from rehref.uri.components import Components

_USUAL = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]+").fullmatch
"""Matches a host that is written in that form already, as nearly all are."""


def origin(parts: Components) -> tuple[str, str]:
    """Return scheme and authority in a form that is equal for URIs of one host."""
    scheme = (parts.scheme or "").lower()
    authority = parts.authority or ""
    if scheme == "file":
        return scheme, "" if authority.lower() == "localhost" else authority.lower()
    if scheme in ("http", "https") and _USUAL(authority):
        return "http", authority
    if scheme in ("http", "https"):
        from rehref.uri.normalization import comparison_key

        return "http", comparison_key(f"{scheme}://{authority}/")[len(scheme) + 3 : -1]
    return scheme, authority.lower()
