"""Whether a Content Security Policy lets a `<base>` count (CSP 3, `base-uri`).

Browsers ask the policies that a document has when they read its first `<base href>`: those of the HTTP header, of the
page around a `srcdoc`, and of the `<meta http-equiv=Content-Security-Policy>` in its head before the element. If one
forbids the URL, the document's base is what it would be without the element (HTML Standard, "set the frozen base URL").
Such a `<base>` is often not the author's: `base-uri 'none'` is there so that nobody who can insert markup moves links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from rehref.markup.places import HTML, IN_BODY, IN_TEMPLATE, Parsed
from rehref.markup.twin import has_value, may_be_on
from rehref.text import lower
from rehref.text.header_fields import POLICY
from rehref.uri.components import Components, split
from rehref.uri.resolver import parse_or_none

_PORTS: Final = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}
# what a scheme allows besides itself (CSP 3, "scheme-part matches"; that ws: allows http: too, browsers do not do)
_UPGRADES: Final = {"http": ("https",), "ws": ("wss",)}
_WORDS = re.compile(r"[^\t\n\f\r ]+").findall
_SCHEME_SOURCE = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*+):").fullmatch
_HOST_SOURCE = re.compile(
    r"""
    (?: ([A-Za-z][A-Za-z0-9+.\-]*+) :// )?
    ( \* | (?:\*\.)? [A-Za-z0-9_\-]++ (?: \. [A-Za-z0-9_\-]++ )* )
    (?: : ( [0-9]++ | \* ) )?
    ( / .*+ )?
    """,
    re.VERBOSE | re.DOTALL,
).fullmatch


class BasePolicy(NamedTuple):
    """What policies say of the base of a document.

    `sources`: the source lists of their `base-uri`. `own`: the document's own URI, which `'self'` means.
    """

    sources: tuple[str, ...]
    own: str | None

    def objection(self, uri: str) -> str:
        """Why a URI must not be the base, for people; "" if it may (CSP 3, "Is base allowed for Document?")."""
        for value in self.sources:
            if not _allows(value, uri, self.own):
                return f"the Content Security Policy of the document forbids it: base-uri {value}".rstrip()
        return ""


def base_policy(policies: Iterable[str], own: str | None) -> BasePolicy | None:
    """What serialized policies say of the base; None if they say nothing."""
    sources = tuple(value for policy in policies for value in _base_uris(policy))
    return BasePolicy(sources, own) if sources else None


def policies_in(parsed: Parsed) -> Iterator[tuple[int, str]]:
    """Yield the policies of `meta` elements in the head, each with the number of its place (HTML Standard, "meta").

    Of a `meta` that no `base` follows it may not be known that it is in the body (`IN_BODY`).
    """
    metas = may_be_on(parsed.places, "meta")
    if metas and has_value(parsed.places, "http-equiv", POLICY) is False:
        return
    is_policy: dict[int, bool] = {}  # by element
    contents: dict[int, tuple[int, str]] = {}
    for number in metas:
        place = parsed.places[number]
        if place.element != "meta" or place.namespace != HTML or place.flags & (IN_TEMPLATE | IN_BODY):
            continue
        if place.attribute == "http-equiv":
            is_policy[place.tag] = lower(place.value) == POLICY
        elif place.attribute == "content":
            contents[place.tag] = (number, place.value)
    yield from (found for tag, found in contents.items() if is_policy.get(tag))


def _base_uris(policies: str) -> Iterator[str]:
    """Yield the value of `base-uri` of each policy in a list that has it (CSP 3, "parse a serialized CSP list").

    The first directive of a name counts. Browsers split what is in a `meta` at its commas, too.
    """
    for policy in policies.split(","):
        for directive in policy.split(";"):
            words = _WORDS(directive)
            if words and words[0].lower() == "base-uri":
                yield " ".join(words[1:])
                break


def _allows(value: str, uri: str, own: str | None) -> bool:
    """Whether a source list has a source that matches a URI (CSP 3, "Does url match source list in origin")."""
    parsed = parse_or_none(uri)
    if parsed is None:
        return True  # it cannot be a base for another reason
    url, origin = split(parsed), split("" if own is None else parse_or_none(own) or "")
    return any(_matches(source, url, origin) for source in value.split(" "))


def _matches(source: str, url: Components, origin: Components) -> bool:
    """Whether a source matches a URL; both have been parsed ("Does url match expression in origin")."""
    scheme = url.scheme or ""
    if source == "*":
        return scheme in ("http", "https", "ws", "wss", origin.scheme)
    if source.lower() == "'self'":
        return _is_same_origin(url, origin)
    if (found := _SCHEME_SOURCE(source)) is not None:
        return _scheme_matches(found[1].lower(), scheme)
    if (found := _HOST_SOURCE(source)) is None:
        return False
    wanted_scheme, host, port, path = found.groups()
    given_host, given_port = _host_and_port(url)
    return (
        given_host != ""
        and _scheme_matches((wanted_scheme or origin.scheme or "").lower(), scheme)
        and _host_matches(host.lower(), given_host)
        and _port_matches(port or "", given_port, scheme)
        and _path_matches(path or "", url.path)
    )


def _is_same_origin(url: Components, origin: Components) -> bool:
    """Whether `'self'` matches: the document's origin, or the same with a safer scheme."""
    (host, port), (own_host, own_port) = _host_and_port(url), _host_and_port(origin)
    own_scheme, scheme = origin.scheme or "", url.scheme or ""
    if "file" in (scheme, own_scheme):
        return scheme == own_scheme
    if host == "" or host != own_host:
        return False
    if scheme == own_scheme:
        return (port or _PORTS.get(scheme)) == (own_port or _PORTS.get(scheme))
    is_default = (port or _PORTS.get(scheme)) == _PORTS.get(scheme) and (own_port or "") in ("", _PORTS.get(own_scheme))
    is_safer = scheme in ("https", "wss") or (own_scheme == "http" and scheme == "ws")
    return is_safer and own_scheme in _PORTS and (port == own_port or is_default)


def _scheme_matches(wanted: str, scheme: str) -> bool:
    """CSP 3, "scheme-part matches"."""
    return wanted == scheme or scheme in _UPGRADES.get(wanted, ())


def _host_matches(pattern: str, host: str) -> bool:
    """CSP 3, "host-part matches", except that addresses match themselves, as in browsers."""
    return pattern == "*" or (host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern)


def _port_matches(wanted: str, port: str, scheme: str) -> bool:
    """CSP 3, "port-part matches"."""
    default = _PORTS.get(scheme, "")
    if wanted == "":
        return port in ("", default)
    return wanted in ("*", port or default) or (wanted == "80" and (port or default) == "443" and scheme == "https")


def _path_matches(wanted: str, path: str) -> bool:
    """CSP 3, "path-part matches"."""
    if wanted in ("", "/"):
        return True
    expected, given = unquote_to_bytes(wanted), unquote_to_bytes(path)
    return given.startswith(expected) if expected.endswith(b"/") else given == expected


def _host_and_port(url: Components) -> tuple[str, str]:
    """The host of a URL in lower case, and its port; "" if there is none."""
    host_and_port = (url.authority or "").rpartition("@")[2]
    found = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?", host_and_port)
    return ("", "") if found is None else (found[1].lower(), found[2] or "")
