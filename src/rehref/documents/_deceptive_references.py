r"""References that are made to be misread, by people or by servers (RFC 3986 §7.3, §7.4, §7.6).

No message shows a password, and of a userinfo only the first characters are shown. In the `whatwg` profile the
authority is the one that browsers read (`https:www.bank.example@evil`, `\\0x7f.1`).
"""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

from rehref.documents.base import Problem
from rehref.uri.components import split, split_authority
from rehref.uri.resolver import parse_or_none

_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+){3}").fullmatch
# what the URL Standard's "ends in a number checker" may accept, before or after it has decoded and mapped the host
_MAY_BE_NUMBER = re.compile(r"(?:.*\.)?[0-9][^.]*\.?|.*[^!-~].*|.*%.*", re.DOTALL).fullmatch

_DOTS = r"(?:\.|%2[eE]){2}"
_SLASH = r"%(?:2[fF]|5[cC])"
_ESCAPE = re.compile(
    rf"(?P<nul>%00)|(?:\A|[/\\]|{_SLASH})(?P<before>{_DOTS}{_SLASH})|(?P<after>{_SLASH}{_DOTS})(?=\Z|[/\\])"
).search

_BEGINNING = re.compile(r"(?:(https?|wss?|ftp):)?[/\\]*", re.IGNORECASE).match
_MOST_SHOWN = 60


def attacks(reference: str, *, for_browsers: bool = False) -> list[Problem]:
    """The problems of a reference that may be made to be misread. `reference`: without white space around it.

    `for_browsers`: browsers read an authority in it, however it is written.
    """
    if for_browsers and (beginning := _BEGINNING(reference)) is not None and beginning[0] != "":
        scheme = "" if beginning[1] is None else beginning[1] + ":"
        reference = f"{scheme}//{reference[beginning.end() :]}".replace("\\", "/")
    _, authority, path, _, _ = split(reference)
    found: list[Problem] = []
    if authority is not None:
        userinfo, host, _ = split_authority(authority)
        if userinfo is not None and (shown := _like_a_host(userinfo)) is not None:
            message = f"{shown} before the @ is made to look like the host, which is {host} (RFC 3986 §7.6)"
            found.append(Problem("misleading-userinfo", message))
        if (address := _rare_address(host)) is not None:
            message = f"{host} is the IPv4 address {address}, in a rare form (RFC 3986 §7.4)"
            found.append(Problem("rare-ip-address", message))
    if "%" in path and (escape := _suspicious(path)) is not None:
        found.append(Problem("suspicious-escape", escape))
    return found


def _like_a_host(userinfo: str) -> str | None:
    """The text that people take for a host at the beginning of a userinfo, without the password: `misleading-userinfo`.

    §7.6: `ftp://cnn.example.com&story=breaking_news@10.0.0.1/`.
    """
    user = unquote(userinfo.partition(":")[0])
    if not _begins_like_a_host().match(user):
        return None
    return user if len(user) <= _MOST_SHOWN else user[:_MOST_SHOWN] + "…"


@cache
def _begins_like_a_host() -> re.Pattern[str]:
    """Matches a host name or address with which a text begins; `anna.schmidt@` names a person.

    A host name has labels and dots, and begins with `www.` or ends with the label of a country, an old generic domain,
    or IDNA.
    """
    from rehref.uri.written_uris import TOP_LEVEL  # few references have a userinfo

    return re.compile(
        rf"(?:www\.[^\W_]|(?:[\w-]+\.)+(?:{TOP_LEVEL}|[a-z]{{2}}|xn--[a-z0-9-]+)(?![\w.-])|[0-9]+(?:\.[0-9]+){{3}}(?![\w.-]))",
        re.IGNORECASE,
    )


def _rare_address(host: str) -> str | None:
    """The IPv4 address that browsers read in a host, if it is not written as one: `rare-ip-address` (§7.4).

    With fewer than four numbers, hexadecimal, octal, as one large number, in other digits or percent-encoded.
    """
    if not _MAY_BE_NUMBER(host) or len(host) > 255:
        return None
    seen = parse_or_none(f"http://{host}/")
    address = None if seen is None else split(seen).authority
    return address if address is not None and address != host and _DECIMAL(address) else None


def _suspicious(path: str) -> str | None:
    """The reason why the escapes in a path are suspicious, or None: `suspicious-escape`.

    It has an encoded NUL (§7.3), or an encoded slash or backslash beside "..", which is a segment only after decoding:
    so programs that decode the path too early, or twice, are led elsewhere.
    """
    may_climb = ".." in path or "%2e" in path.lower()  # which nearly no path does, and a search takes long
    found = _ESCAPE(path) if may_climb or "%00" in path else None
    if found is None:
        return None
    if found["nul"]:
        return "%00 in the path is a NUL after decoding, and some programs end the path there (RFC 3986 §7.3)"
    shown = found["before"] or found["after"]
    return f'{shown} in the path is "..", one level up, to programs that decode it too early (RFC 3986 §7.3)'
