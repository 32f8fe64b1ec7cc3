"""Normalization and equivalence of URIs (RFC 3986 §6.2.2, §6.2.3): other characters, the same meaning.

`normalize` is for showing, `comparison_key` for comparing, and `percent_encode` writes what people write (IRIs) as RFC
3986 allows it. Every place that asks whether two URIs are the same compares keys: `equivalent`, the keys of a
`Mapping`, the hosts in `Relative` and in `rehref check`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from rehref.exceptions import refuse_unknown
from rehref.uri._grammar.grammar_of_3986 import QUERY, REG_NAME, SEGMENTS, STRAY, USERINFO, is_valid
from rehref.uri._grammar.ip_addresses import ip_literal_fault
from rehref.uri._rfc3986 import guard
from rehref.uri._whatwg import ENCODES_QUERIES, domain_to_ascii, encoded_query
from rehref.uri.components import (
    SPECIAL_SCHEMES,
    Components,
    refuse_other_types,
    remove_dot_segments,
    split,
    split_authority,
    unsplit,
)
from rehref.uri.resolver import PROFILES, Profile, parse_or_none

if TYPE_CHECKING:
    from rehref.text.encoding import Encode

# Schemes whose empty path means "/", with the default port of each
DEFAULT_PORTS = MappingProxyType({
    "http": "80",  # RFC 9110 §4.2.1, §4.2.3
    "https": "443",  # RFC 9110 §4.2.2
    "ws": "80",  # RFC 6455 §3
    "wss": "443",
    "ftp": "21",  # RFC 1738 §3.2
    "ftps": "990",
    "ldap": "389",  # RFC 4516 §2: the port; without a dn it is the empty one
    "ldaps": "636",
    "telnet": "23",  # RFC 4248 §2: the port; the "/" may be left out
    "gopher": "70",  # RFC 4266 §2.1
    "coap": "5683",  # RFC 7252 §6.1, §6.3
    "coaps": "5684",
})  # fmt: skip

_NOT_HIERARCHICAL = frozenset({"data", "javascript"})

# pct-encoded = "%" HEXDIG HEXDIG; before that, a "%" without it, with up to two escapes that, decoded, could complete
# one: `%%34%31` must not become `%41`
_ESCAPE = re.compile(r"(?P<stray>%(?![0-9A-Fa-f]{2})[0-9A-Fa-f]?+(?:%[0-9A-Fa-f]{2}){1,2})|%(?P<octet>[0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_UPPER_CASE = re.compile("[A-Z]+")
# What normalizing would not change, as nearly all URIs are written: a name for a host, no dot segments, no escapes
# except those of reserved characters, of "%" and of what is not ASCII
_KEPT = r"(?:[A-Za-z0-9_~!$&'()*+,;=:@.\-]|%(?:2[0-9A-CF]|3[A-F]|40|5[BCE]|[89A-F][0-9A-F]))"
_IS_NORMAL = re.compile(rf"https?://(?:[a-z0-9-]+\.)+[a-z]+(?:/(?!\.){_KEPT}*)+(?:\?{_KEPT}*)?(?:#{_KEPT}*)?").fullmatch
_ESCAPE_CASE = re.compile(r"%[0-9A-Fa-f]{2}")
_SURROGATE = re.compile("[\ud800-\udfff]")
# what is not in a set of characters, nor an escape
_NOT_IN_REG_NAME, _NOT_IN_USERINFO, _NOT_IN_PATH, _NOT_IN_QUERY = (
    re.compile(rf"{STRAY}|[^%{inside}]+") for inside in (REG_NAME, USERINFO, SEGMENTS, QUERY)
)


def normalize(uri: str) -> str:
    """Normalize a URI, or a reference as far as that goes without its base (RFC 3986 §6.2.2, §6.2.3).

    - Scheme and host in lower case (a zone identifier excepted, which may be case-sensitive); hexadecimal digits of
      escapes in upper case; escapes of unreserved characters decoded, but not in the name of a URN, where they mean
      something else (RFC 8141 §3.1).
    - Dot segments go if there is a scheme and the path begins with "/". Elsewhere they stay: without a scheme they mean
      something only against a base, and a rootless path need not be a hierarchy.
    - An empty port, or the scheme's default, goes with its colon; an empty path becomes "/" for the schemes of
      `DEFAULT_PORTS`. Neither changes an authority without a host, or one whose host cannot be separated from its port.
    - Undefined and empty stay apart, and nothing reads as other components afterwards (`/.//` §3.3, `./` §4.2).

    Any text is normalized, and normalizing twice is normalizing once. Raises TypeError for what is not a str.
    """
    scheme, authority, path, query, fragment = split(uri)
    if scheme is not None:
        scheme = scheme.lower()
    if scheme is None:
        path = _normalize_escapes(path)
    elif path.startswith("/") and scheme not in _NOT_HIERARCHICAL:
        path = remove_dot_segments(_normalize_escapes(path))
    elif _is_urn(uri):
        path = _upper_case(path)
    else:
        path = "/".join(map(_normalize_opaque_segment, path.split("/")))
    if authority is not None:
        authority, has_host = _normalize_authority(authority, scheme)
        if path == "" and has_host and scheme in DEFAULT_PORTS:
            path = "/"
    path = guard(scheme, authority, path)
    if query is not None:
        query = _normalize_escapes(query)
    if fragment is not None:
        fragment = _normalize_escapes(fragment)
    return unsplit(Components(scheme, authority, path, query, fragment))


def comparison_key(uri: str, profile: Profile = "rfc3986") -> str:
    """A text, never shown, that is the same for URIs that are the same, and for no others. Never fails.

    In the profiles of the RFCs it is the normalized URI (of an IRI, the URI it maps to, RFC 3987 §3.1, §5.3.2) with
    what single schemes say (see `equivalent`); in `whatwg` the serialized URL (URL Standard, "URL equivalence"); a text
    that is not a URL there is its own key. Fragments are part of the key, except those of URNs (RFC 8141 §3.1).
    """
    if profile == "whatwg":
        return parse_or_none(uri) or uri
    if _IS_NORMAL(uri):
        return uri
    uri = percent_encode(uri)
    if _is_urn(uri):
        return _urn_key(_upper_case(uri))
    parts = split(normalize(uri))
    if parts.scheme == "file":
        return unsplit(_local_file(parts))
    if parts.scheme == "mailto":
        return unsplit(parts._replace(path=_addresses(parts.path)))
    if parts.authority and parts.scheme in DEFAULT_PORTS:
        parts = parts._replace(authority=_dns_authority(parts.authority))
    return unsplit(parts)


def equivalent(a: str, b: str, profile: Profile = "rfc3986") -> bool:
    """Whether two URIs are the same (RFC 3986 §6.2.2, §6.2.3): whether their `comparison_key`s are.

    Beside case, escapes, dot segments, default ports and empty paths this knows of IDNA (`bücher.example` is
    `xn--bcher-kva.example`; RFC 3986 §3.2.2, RFC 5891), `file:///x` and `file://localhost/x` (RFC 8089 §2), the domain
    of a `mailto:` (RFC 6068, RFC 5321 §2.4), and URNs (RFC 8141 §3.1).

    No may be wrong, yes is not: other URIs may still identify the same resource (§6.1).

    Raises TypeError for what is not a str, ValueError for an unknown profile.
    """
    refuse_other_types("URI", a)
    refuse_other_types("URI", b)
    refuse_unknown("profile", profile, PROFILES)
    return a == b or comparison_key(a, profile) == comparison_key(b, profile)


def _is_urn(uri: str) -> bool:
    """Whether a URI with the scheme `urn` may be a URN: its namespace identifier comes first (RFC 8141 §2)."""
    return uri[:4].lower() == "urn:" and uri[4:5] != "/"


def _normalize_escapes(text: str) -> str:
    """Decode the escapes of unreserved characters, and write the others in upper case (§6.2.2.1, §6.2.2.2)."""
    return _ESCAPE.sub(_normalize_escape, text) if "%" in text else text


def _normalize_escape(escape: re.Match[str]) -> str:
    if escape["octet"] is None:
        return _upper_case(escape[0])
    character = chr(int(escape["octet"], 16))
    return character if character in _UNRESERVED else escape[0].upper()


def _normalize_opaque_segment(segment: str) -> str:
    """Normalize the escapes of a segment, without making it a dot segment: resolution would remove that of `foo:%2E`
    (§5.2.2).
    """
    normalized = _normalize_escapes(segment)
    return _upper_case(segment) if normalized in (".", "..") else normalized


def _upper_case(text: str) -> str:
    """Text with its escapes in upper case, and nothing else changed."""
    return _ESCAPE_CASE.sub(lambda escape: escape[0].upper(), text)


def _lower_case(text: str) -> str:
    """Text with its ASCII letters in lower case, those of escapes excepted."""
    return _upper_case(_UPPER_CASE.sub(lambda letters: letters[0].lower(), text))


def _normalize_authority(authority: str, scheme: str | None) -> tuple[str, bool]:
    """Normalize an authority (§3.2); and say whether it has a host that can be separated from its port."""
    userinfo, host, port = split_authority(authority)
    is_literal = host.startswith("[") and host.endswith("]")
    has_host = host != "" and (is_literal or re.search(r"[:\[\]]", host) is None)
    if is_literal:
        address, zone_sign, zone = host.partition("%")
        host = _lower_case(address) + zone_sign + zone
    else:
        host = _lower_case(_normalize_escapes(host))
    if has_host and (port == "" or (port is not None and port == DEFAULT_PORTS.get(scheme or ""))):
        port = None
    result = host if port is None else f"{host}:{port}"
    if userinfo is not None:
        result = f"{_normalize_escapes(userinfo)}@{result}"
    return result, has_host


def _dns_authority(authority: str) -> str:
    """A normalized authority with its host as IDNA writes it; what IDNA cannot write stays."""
    userinfo, at, host_and_port = authority.rpartition("@")
    if "%" not in host_and_port and host_and_port.isascii():
        return authority
    host, colon, port = host_and_port.partition(":")
    if host.startswith("["):
        return authority
    return f"{userinfo}{at}{dns_host(host)}{colon}{port}"


def _local_file(parts: Components) -> Components:
    """A normalized `file:` URI with an empty authority, if it has `localhost` or no authority (RFC 8089 §2, appendix
    B).
    """
    if parts.authority is None and parts.path.startswith("/"):
        return parts._replace(authority="")
    if parts.authority in ("", "localhost"):
        return parts._replace(authority="", path=parts.path or "/")
    return parts


def _addresses(path: str) -> str:
    """The addresses of a normalized `mailto:` URI, with their domains in lower case and in IDNA (RFC 6068 §2; RFC 5321
    §2.4).

    What is before the "@" may depend on case.
    """
    found = []
    for address in path.split(","):
        local, at, domain = address.rpartition("@")
        found.append(f"{local}{at}{dns_host(domain.lower())}" if at else address)
    return ",".join(found)


def _urn_key(uri: str) -> str:
    """The assigned name of a URN whose escapes are in upper case; its other components do not count (RFC 8141 §3.1).

    Scheme and namespace identifier are the same in any case; escapes are never decoded.
    """
    namespace, colon, name = split(uri).path.partition(":")
    return f"urn:{namespace.lower()}{colon}{name}"


def percent_encode(reference: str, base_scheme: str | None = None, encode: Encode | None = None) -> str:
    """A URI reference by the grammar of RFC 3986 for any text, an IRI reference above all (RFC 3987 §3.1). Never fails.

    In each component, what its production does not allow is percent-encoded as UTF-8; escapes stay, a "%" that begins
    none becomes `%25`, a lone surrogate stands for U+FFFD. A valid reference comes back unchanged. A host beyond ASCII
    is written in IDNA, in schemes whose hosts browsers look up in DNS, and percent-encoded where that fails. A relative
    path whose first segment has a colon gets "./" (RFC 3986 §4.2).

    `base_scheme`: that of its base, if it is relative. `encode`: writes queries in the document's encoding, as browsers
    send them; UTF-8, which §3.1 says, would give another URL.
    """
    if is_valid(reference):
        return reference
    scheme, authority, path, query, fragment = split(_SURROGATE.sub("\ufffd", reference))
    own_scheme = (scheme or base_scheme or "").lower()
    if authority is not None:
        authority = _encoded_authority(authority, own_scheme)
    path = _encoded(_NOT_IN_PATH, path)
    if scheme is None and authority is None and ":" in path.partition("/")[0]:
        path = "./" + path
    if query is not None:
        if encode is not None and own_scheme in ENCODES_QUERIES and not query.isascii():
            query = encoded_query(query, encode)
        query = _encoded(_NOT_IN_QUERY, query)
    if fragment is not None:
        fragment = _encoded(_NOT_IN_QUERY, fragment)
    return unsplit(Components(scheme, authority, path, query, fragment))


def _encoded_authority(authority: str, scheme: str) -> str:
    """Valid IP literals stay; any other bracket is encoded, and so is a colon that no port follows."""
    userinfo, host, port = split_authority(authority)
    if not (host.startswith("[") and host.endswith("]") and ip_literal_fault(host[1:-1]) is None):
        if not host.isascii() and scheme in SPECIAL_SCHEMES:
            host = dns_host(host)
        host = _encoded(_NOT_IN_REG_NAME, host)
    result = host if port is None else f"{host}:{port}"
    return result if userinfo is None else f"{_encoded(_NOT_IN_USERINFO, userinfo)}@{result}"


def _encoded(outside: re.Pattern[str], text: str) -> str:
    return outside.sub(lambda found: "".join(f"%{octet:02X}" for octet in found[0].encode()), text)


def dns_host(host: str) -> str:
    """A normalized host as IDNA writes it (RFC 3986 §3.2.2; RFC 5890 §2.3.2.1); as it is, if not a domain name."""
    try:
        decoded = unquote_to_bytes(host).decode()
    except UnicodeError:  # escapes that are not UTF-8; a lone surrogate
        return host
    return host if decoded.isascii() else domain_to_ascii(decoded) or host
