"""The five components of a URI reference, taken apart and put together (RFC 3986 §3, §4.1, §5.3).

1. An undefined component is None, an empty one is "": `http://h/p` has no query, `http://h/p?` an empty one.
   No code in this package tests whether a component is true.
2. Every text has components: splitting never fails and never loses a character, so that
   `unsplit(split(text)) == text` for every text.
3. The regular expression is that of RFC 3986 Appendix B, with one difference: a scheme must be
   spelt like a scheme (§3.1: ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )). So the text before the colon in `10:30.html`
   or `a b:c` is part of the path, as in browsers; Appendix B presumes a valid reference.
4. Nothing is decoded, normalized or checked: that is the work of `normalization` and `grammar`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]*+"
"""The pattern of a scheme (RFC 3986 §3.1)."""
PATH_CHARACTERS = "/:@!$&'()*+,;=~"
"""What a path may hold as it is, letters, digits and `-._` aside (RFC 3986 §3.3)."""
# RFC 3986 Appendix B, with the scheme of §3.1
SPLIT = re.compile(
    rf"(?:({SCHEME}):)?"
    r"(?://([^/?#]*+))?"
    r"([^?#]*+)"
    r"(?:\?([^#]*+))?"
    r"(?:#(.*+))?",
    re.DOTALL,
).fullmatch


class Components(NamedTuple):
    """The components of a reference; None is undefined, "" is empty. The path is never undefined."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def refuse_other_types(what: str, value: object) -> None:
    """Raise TypeError for what is not a str; `what`: what it should be, such as `reference`."""
    if not isinstance(value, str):
        article = "an" if what[0] in "aeiou" else "a"
        raise TypeError(f"{article} {what} is a str, not {type(value).__name__}")


def split(reference: str) -> Components:
    """Split a URI reference into its components (RFC 3986 Appendix B). Loses nothing, whatever the text.

    Raises TypeError for what is not a str.
    """
    try:
        found = SPLIT(reference)
    except TypeError:
        refuse_other_types("reference", reference)
        raise
    assert found is not None  # every part of the pattern may be empty
    return Components._make(found.groups())


def unsplit(components: Components | tuple[str | None, str | None, str, str | None, str | None]) -> str:
    """Put components together again (RFC 3986 §5.3), exactly as they are: the reverse of `split`.

    Raises TypeError for what is not five components, each a str or None (the path is never None).
    """
    try:
        scheme, authority, path, query, fragment = components
        result = "" if scheme is None else scheme + ":"
        if authority is not None:
            result += "//" + authority
        result += path
        if query is not None:
            result += "?" + query
        if fragment is not None:
            result += "#" + fragment
    except (TypeError, ValueError):
        wanted = "a Components, or a tuple of scheme, authority, path, query and fragment, each a str or None"
        raise TypeError(f"components are {wanted} (the path is a str), not {components!r:.200}") from None
    return result


class Authority(NamedTuple):
    """The subcomponents of an authority (RFC 3986 §3.2); None is undefined, "" is empty."""

    userinfo: str | None
    host: str
    port: str | None


def split_authority(authority: str) -> Authority:
    """Split an authority into userinfo, host and port. What is not a port stays with the host.

    Raises TypeError for what is not a str.
    """
    refuse_other_types("authority", authority)
    userinfo, at, rest = authority.rpartition("@")
    host, colon, port = rest.rpartition(":")
    if colon == "" or (port != "" and not (port.isascii() and port.isdigit())):
        host, port_or_none = rest, None
    else:
        port_or_none = port
    return Authority(userinfo if at else None, host, port_or_none)
