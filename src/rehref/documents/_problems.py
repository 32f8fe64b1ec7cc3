"""The problems of a reference, in the order in which they are reported (`problems_of`).

Those of `base` elements are in `base_lint`, those made to be misread in `deceptive_references`, and `leaves-document`
comes from `bound_resolver`. No message shows a password. In the `whatwg` profile userinfo and port are those of the
authority that the URL parser finds in the reference, however it is written (`https:user:password@host`).
"""

from __future__ import annotations

import re

from rehref.documents._deceptive_references import attacks
from rehref.documents.base import Problem
from rehref.text.encoding import Encode
from rehref.uri.components import (
    SPECIAL_SCHEMES,
    has_password,
    mask_password,
    split,
    split_authority,
)
from rehref.uri.resolver import Profile, above_root, is_current_document, parse_or_none
from rehref.uri.validation import is_valid

_INNER_WHITE_SPACE = re.compile("[\t\n\r]").search
# a text that may be two dots, to some readers
_MAY_CLIMB = re.compile(r"(?:\.|%2[eE]){2}").search
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_HIGHEST_PORT = 65535
_WELL_KNOWN_PORTS = 1024
# Fetch Standard, "bad port"
_BAD_PORTS = frozenset({
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
})  # fmt: skip


def problems_of(
    reference: str,
    cleaned: str,
    target: str | None,
    *,
    profile: Profile,
    base: str | None,
    browser_base: str | None,
    encode: Encode | None = None,
    resolvable: bool = True,
    strict: bool = False,
) -> tuple[Problem, ...]:
    """The problems of one reference that is not an ordinary one (`rehref.uri.ordinary_references`).

    `white-space-in-reference`: TAB, LF or CR inside, which the HTML Standard removes. `no-base`: it is relative and
    nothing gave a base (`""` and `#x` need none). `unresolvable`: the URL Standard's parser fails. `not-a-uri`: it
    breaks the grammar of its profile's RFC; characters that an IRI allows are `non-ascii` instead, once, and only if
    `strict`. Then `password-in-uri` (RFC 3986 §7.5), `suspicious-port`, what is made to be misread, `above-root`,
    `browser-differs`.

    `cleaned`: the reference as it was resolved. `base`: the URI it was resolved against, None if there is none;
    `browser_base`: the base that browsers use. `encode`: writes queries in the document's encoding, if that matters.
    `resolvable`: False if there was no base for it. `strict`: report characters outside ASCII, too.
    """
    found: list[Problem] = []
    if _INNER_WHITE_SPACE(reference):
        found.append(
            Problem("white-space-in-reference", "TAB, LF and CR inside the reference are removed before it is parsed")
        )
    if not resolvable and is_current_document(cleaned):
        pass  # the document itself, whatever its URI
    elif not resolvable:
        found.append(Problem("no-base", "the reference is relative, and there is no base to resolve it against"))
    elif target is None:
        found.append(Problem("unresolvable", "the URL Standard's parser rejects it: a browser goes nowhere"))
    if profile == "rfc2396" or not is_valid(cleaned):
        found += Problem.of_grammar(cleaned, profile, strict=strict)
    named = _naming(cleaned, target, profile, base)
    if "@" in named and has_password(named):
        found.append(Problem("password-in-uri", "the reference has a password, visible to all who see the document"))
    if "//" in named and (suspicion := _suspicion(named, base)) is not None:
        found.append(Problem("suspicious-port", suspicion))
    found += attacks(cleaned, for_browsers=named is not cleaned)
    found += _climbing(cleaned, base, profile)
    if profile != "whatwg" and target is not None:
        different = _browser_differs(cleaned, target, browser_base, encode, has_base=base is not None)
        if different is not None:
            found.append(different)
    return tuple(found)


def problems_of_known(reference: str, base: str | None, profile: Profile, *, strict: bool) -> tuple[Problem, ...]:
    """The problems of a reference whose target is known (`rehref.uri.ordinary_references`).

    Except in `rfc2396`, they follow from: of its path, its query and its fragment the first ASCII character that no URI
    has, its position, and how many there are; by how many `../` it climbs above the root; and its characters outside
    ASCII, if they are a problem. The compiled twin asks only once for references that have these in common.
    """
    return (*Problem.of_grammar(reference, profile, strict=strict), *_climbing(reference, base, profile))


def _climbing(reference: str, base: str | None, profile: Profile) -> list[Problem]:
    """The problem `above-root`: there are more `..` in the path than segments to remove.

    RFC 3986 drops them silently, RFC 2396 keeps them. For a rooted path that path counts, for a relative one the base's
    and its own together; faults of the base itself do not count. In the `whatwg` profile `%2e` is a dot, and in the
    special schemes a backslash is a slash.
    """
    surplus = above_root(reference, base, profile) if _MAY_CLIMB(reference) else 0
    if not surplus:
        return []
    fate = ("is kept", "are kept") if profile == "rfc2396" else ("is dropped", "are dropped")
    return [
        Problem("above-root", f'the path climbs above the root: {surplus} ".." too many, which {fate[surplus > 1]}')
    ]


def encoding_undeclared(name: str) -> Problem:
    """The problem of a reference whose characters depend on a guessed encoding: the encoding of that name.

    Nothing declares the encoding of the document, which has bytes beyond ASCII, and other readers may read these
    characters differently. Reported for HTML only: all other types have a default of their own.
    """
    return Problem(
        "encoding-undeclared",
        f"nothing declares the document's encoding: it is read as {name}, and others may read other characters",
    )


def _browser_differs(
    reference: str, target: str, browser_base: str | None, encode: Encode | None, *, has_base: bool
) -> Problem | None:
    """The problem `browser-differs`, if a browser goes elsewhere; `Problem.target` is where.

    Its URL for the reference differs from its URL for the profile's target, so a difference in spelling alone (`%20`
    for a space) does not count. A special scheme without an authority (`http:g`, `///p`) always counts. If browsers
    have no base, since they cannot parse the one there is, they resolve nothing relative.
    """
    parts = split(target)
    if browser_base is not None:
        seen = parse_or_none(reference, browser_base, encode)
    elif split(reference).scheme is not None:
        seen = parse_or_none(reference, encode=encode)
    else:
        seen = None if has_base else parse_or_none(reference, target, encode)
    if seen is None:
        return Problem("browser-differs", "a browser reads no URL here (unresolvable in rehref check)")
    odd = parts.authority in (None, "") and parts.scheme is not None and parts.scheme.lower() in SPECIAL_SCHEMES
    if seen == parse_or_none(target) and not (odd and parts.scheme != "file"):
        return None
    return Problem("browser-differs", f"a browser goes to {mask_password(seen)}", seen)


def _naming(reference: str, target: str | None, profile: Profile, base: str | None) -> str:
    """The reference; or the target, if that has an authority that only the URL Standard finds in the reference."""
    if profile != "whatwg" or target is None or split(target).authority == split(base or "").authority:
        return reference
    return target


def _suspicion(reference: str, base: str | None) -> str | None:
    """The reason why the port that a reference names is suspicious, or None.

    It does not exist, is well known for another service (RFC 3986 §7.2), or browsers refuse it (Fetch Standard, "port
    blocking"); for the schemes in `_DEFAULT_PORTS` only. An empty port does not count.
    """
    scheme, authority, *_ = split(reference)
    if authority is None:
        return None
    _, host, digits = split_authority(authority)
    # `[::1` and `::1` have no port
    if not digits or (":" in host and not host.endswith("]")):
        return None
    if scheme is None and base is not None:
        scheme = split(base).scheme
    scheme = "" if scheme is None else scheme.lower()
    own = _DEFAULT_PORTS.get(scheme)
    if own is None:
        return None
    number = digits.lstrip("0") or "0"
    if len(number) > len(str(_HIGHEST_PORT)) or int(number) > _HIGHEST_PORT:
        shown = number if len(number) <= 10 else f"{number[:10]}…"
        return f"there is no port {shown}: {_HIGHEST_PORT} is the highest"
    port = int(number)
    if port == own:
        return None
    if scheme != "ftp" and port in _BAD_PORTS:
        return f"browsers refuse port {port} (Fetch Standard, port blocking)"
    if port < _WELL_KNOWN_PORTS:
        return f"port {port} is well known for a service other than {scheme}, whose own port is {own} (RFC 3986 §7.2)"
    return None
