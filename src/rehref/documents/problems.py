"""What is odd about a reference.

1. `white-space-in-reference`: TAB, LF or CR inside; they are removed before anything else (HTML Standard).
2. `no-base`: the reference is relative and nothing gave a base; it has no target.
3. `unresolvable`: in the `whatwg` profile, the URL Standard's parser fails; there is no target.
4. `browser-differs`: in the other profiles, a browser goes elsewhere. It does if it makes another URL of what was
   written than of what the profile made of it; so what merely is spelt otherwise (`%20` for a space) is no difference.
   A special scheme without an authority (`http:g`, `///p`) always is one.
5. `not-a-uri`: the reference breaks the grammar of its profile's RFC; component, rule and position are named.
6. `password-in-uri`: a password stands in the userinfo (RFC 3986 §7.5).
7. `leaves-document`: a same-document reference as it is written, that an embedded base makes leave the document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rehref.base import Base, Candidate, establish
from rehref.documents.link import Problem
from rehref.uri.components import split
from rehref.uri.grammar import is_valid, violations
from rehref.uri.grammar2396 import violations as violations_2396
from rehref.uri.privacy import has_password, mask_password
from rehref.uri.resolver import Profile
from rehref.uri.whatwg import parse_or_none, resolve_or_none

_INNER_WHITE_SPACE = re.compile("[\t\n\r]").search
# What a browser may read differently where the base is an ordinary http(s) one: not a plain relative reference
_PLAIN = re.compile(r"(?!//)(?![A-Za-z][A-Za-z0-9+.\-]*+:)[^\x00-\x20\x7f\\|]*+").fullmatch
_ORDINARY = re.compile(r"https?+://[^\x00-\x20\x7f\\|/][^\x00-\x20\x7f\\|]*+").fullmatch
_SPECIAL_SCHEMES = frozenset({"http", "https", "ws", "wss", "ftp", "file"})


@dataclass(frozen=True, slots=True)
class BrowserBase:
    """What a browser takes for the base. `alike`: against it, plain references lead where the RFC has them lead."""

    uri: str | None
    alike: bool


def browser_base(base: Base, candidates: Sequence[Candidate]) -> BrowserBase:
    """What a browser makes of the candidates from which `base` was established."""
    uri = establish(candidates, "whatwg").uri
    alike = base.uri is not None and _ORDINARY(base.uri) is not None and parse_or_none(base.uri) == uri
    return BrowserBase(uri, alike)


def problems_of(
    reference: str,
    cleaned: str,
    target: str | None,
    profile: Profile,
    browser: BrowserBase,
    *,
    resolvable: bool,
) -> tuple[Problem, ...]:
    """The problems of one reference; none, nearly always, and that is found out fast.

    `cleaned`: the reference as it was resolved. `resolvable`: False if there was no base for it.
    """
    if target is not None and _PLAIN(cleaned) and is_valid(reference) and (browser.alike or profile == "whatwg"):
        return ()
    found: list[Problem] = []
    if _INNER_WHITE_SPACE(reference):
        found.append(
            Problem("white-space-in-reference", "TAB, LF and CR inside the reference are removed before it is read")
        )
    if not resolvable:
        found.append(Problem("no-base", "the reference is relative, and there is no base to resolve it against"))
    elif target is None:
        found.append(Problem("unresolvable", "the URL Standard's parser rejects it: a browser goes nowhere"))
    if not is_valid(cleaned) or profile == "rfc2396":
        found.extend(_grammar(cleaned, profile))
    if "@" in cleaned and has_password(cleaned):
        found.append(Problem("password-in-uri", "the reference holds a password, for all who see the document"))
    if profile != "whatwg" and target is not None and (different := _browser_differs(cleaned, target, browser)):
        found.append(different)
    return tuple(found)


def _grammar(reference: str, profile: Profile) -> list[Problem]:
    broken = violations_2396(reference) if profile == "rfc2396" else violations(reference)
    return [
        Problem("not-a-uri", f"{fault.component}, character {fault.position + 1}: {fault.message} ({fault.rule})")
        for fault in broken
    ]


def _browser_differs(reference: str, target: str, browser: BrowserBase) -> Problem | None:
    """The problem `browser-differs`, if a browser makes something else of the reference (rule 4)."""
    against = browser.uri if browser.uri is not None else target
    seen = resolve_or_none(against, reference)
    meant = parse_or_none(target)
    parts = split(target)
    odd = parts.authority in (None, "") and parts.scheme is not None and parts.scheme.lower() in _SPECIAL_SCHEMES
    if seen is None:
        return _differs("a browser reads no URL here")
    if seen == meant and not (odd and parts.scheme != "file"):
        return None
    return _differs(f"a browser goes to {mask_password(seen)}")


def _differs(message: str) -> Problem:
    return Problem("browser-differs", message)
