"""What single schemes say about the equivalence of URIs (RFC 3986 §6.2.3), beside default ports and empty paths.

1. A host that is looked up in DNS is the same in Unicode and in IDNA: U-labels and A-labels (RFC 3986 §3.2.2;
   RFC 5890 §2.3.2.1), percent-encoded UTF-8 included. What IDNA cannot write stays as it is.
2. `file:` without an authority, with an empty one and with `localhost` is the same (RFC 8089 §2, appendix B).
3. In `mailto:` the domain of an address is the same in any case (RFC 6068 §2; RFC 5321 §2.4), and is a host as in rule
   1 (RFC 6068 §2, on domains with non-ASCII characters); what is before the "@" is not.
4. In a URN scheme and namespace identifier are the same in any case; so are the hexadecimal digits of escapes, which
   are never decoded; and r-component, q-component and f-component do not count (RFC 8141 §3.1).
"""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from rehref.uri.components import Components, split
from rehref.uri.whatwg import domain_to_ascii


def dns_authority(authority: str) -> str:
    """A normalized authority with its host as IDNA writes it (rule 1)."""
    userinfo, at, host_and_port = authority.rpartition("@")
    if "%" not in host_and_port and host_and_port.isascii():
        return authority
    host, colon, port = host_and_port.partition(":")
    if host.startswith("["):
        return authority
    return f"{userinfo}{at}{dns_host(host)}{colon}{port}"


def dns_host(host: str) -> str:
    """A normalized host as IDNA writes it (rule 1); as it is, if it is not a domain name."""
    try:
        decoded = unquote_to_bytes(host).decode()
    except UnicodeError:  # escapes that are not UTF-8; a lone surrogate
        return host
    return host if decoded.isascii() else domain_to_ascii(decoded) or host


def local_file(parts: Components) -> Components:
    """A normalized `file:` URI with an empty authority, if it names this machine (rule 2)."""
    if parts.authority is None and parts.path.startswith("/"):
        return parts._replace(authority="")
    if parts.authority in ("", "localhost"):
        return parts._replace(authority="", path=parts.path or "/")
    return parts


def addresses(path: str) -> str:
    """The addresses of a normalized `mailto:` URI, with their domains in lower case (rule 3)."""
    found = []
    for address in path.split(","):
        local, at, domain = address.rpartition("@")
        found.append(f"{local}{at}{dns_host(domain.lower())}" if at else address)
    return ",".join(found)


def urn_key(uri: str) -> str:
    """The assigned name of a URN whose escapes are in upper case, the rest of it dropped (rule 4)."""
    namespace, colon, name = split(uri).path.partition(":")
    return f"urn:{namespace.lower()}{colon}{name}"
