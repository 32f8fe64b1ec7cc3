"""The five components of a URI reference, taken apart and put together (RFC 3986 §3, §4.1, §5.3).

An undefined component is None, an empty one is "": `http://h/p` has no query, `http://h/p?` an empty one. So no code
tests whether a component is true. Every text has components, none is decoded or checked, and `unsplit(split(text)) ==
text`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]*+"
"""The pattern of a scheme (RFC 3986 §3.1)."""
PATH_CHARACTERS = "/:@!$&'()*+,;=~"
"""What a path may hold as it is, letters, digits and `-._` aside (RFC 3986 §3.3)."""
SPECIAL_SCHEMES = frozenset({"http", "https", "ws", "wss", "ftp", "file"})
"""The URL Standard's special schemes."""
# A "." or ".." that is a whole segment
HAS_DOT_SEGMENT = re.compile(r"(?:\A|/)\.\.?+(?![^/])").search
# RFC 3986 Appendix B, with one difference: a scheme is spelt like one (§3.1). So the text before the colon in
# `10:30.html` or `a b:c` is part of the path, as in browsers; Appendix B presumes a valid reference.
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

    @property
    def host(self) -> str:
        """The host of the authority (§3.2.2), as it is written; "" without an authority."""
        return split_authority(self.authority or "").host

    @property
    def has_userinfo(self) -> bool:
        """Whether the authority has a user name, or anything in its place (§3.2.1)."""
        return self.authority is not None and "@" in self.authority

    @property
    def resolves_paths(self) -> bool:
        """Whether browsers resolve references other than fragments against the URI with these components."""
        special = self.scheme is not None and self.scheme.lower() in SPECIAL_SCHEMES
        return special or self.authority is not None or self.path.startswith("/")

    def merged(self, path: str) -> str:
        """Merge a relative path with this path (§5.2.3)."""
        if self.authority is not None and self.path == "":
            return "/" + path
        return self.path[: self.path.rfind("/") + 1] + path


def folder_of(uri: str) -> str:
    """The part of a URI that references without a slash at their beginning are added to."""
    return uri[: uri.rfind("/") + 1]


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


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which a text breaks the grammar.

    `component`: scheme, userinfo, authority, host, port, path, opaque_part, query or fragment. `rule`: the production
    that is broken, by its name in the RFC. `position`: the first offending character, 0-based, in characters of the
    whole text (its length where something is missing at the end). `message`: for people.
    """

    component: str
    rule: str
    position: int
    message: str


def remove_dot_segments(path: str, watch: Callable[[str, str, int, list[str]], None] | None = None) -> str:
    """Remove "." and ".." segments from a path (RFC 3986 §5.2.4), in linear time.

    `watch` is called after each round; see `Rounds.add` of `_rfc3986`. Without dot segments there are none.
    """
    if HAS_DOT_SEGMENT(path) is None:
        return path
    output: list[str] = []
    at, slash = 0, ""
    while at < len(path):
        end = path.find("/", at + 1)
        end = len(path) if end == -1 else end
        segment = path[at:end]
        rule, at = "2E", end
        if segment in (".", ".."):  # 2A: "../" and "./" are removed; 2D: they are, alone
            rule, at = ("2D", end) if end == len(path) else ("2A", end + 1)
        elif segment in ("/.", "/.."):  # 2B: "/./" becomes "/"; 2C: so does "/../", and the last segment goes
            rule = "2B" if segment == "/." else "2C"
            if rule == "2C" and output:
                output.pop()
            slash = "/" if end == len(path) else ""  # so do "/." and "/..": one that is not in the path
        else:  # 2E: the first segment moves to the output buffer, with the "/" before it
            output.append(segment)
        if watch is not None:
            watch(rule, slash, at, output)
    if slash:
        output.append(slash)
        if watch is not None:
            watch("2E", "", at, output)
    return "".join(output)


_MASK = "***"

# Each "//" begins at most one run, and no run has a slash: linear, though the last "@" is found by stepping back.
# (Browsers need no slashes after a scheme of theirs: `http:user:secret@h`.)
_USERINFO = re.compile(
    r"""((?:[/\\]{2}|\b(?:https?|wss?|ftp):[/\\]?(?![/\\]))[^\s/\\?#<>":]*+:)[^\s/\\?#<>"]+@""", re.IGNORECASE
)


def has_password(uri: str) -> bool:
    """Whether the authority of a URI or reference has a password that is not empty (RFC 3986 §3.2.1)."""
    if "@" not in uri:
        return False
    authority = split(uri).authority
    return authority is not None and _mask_authority(authority) is not None


def mask_password(uri: str) -> str:
    """A URI or reference for showing: its password replaced by `***`, so that its length does not show (RFC 3986 §7.5).

    The password is what follows the first ":" of the userinfo, which ends at the last "@" of the authority (§3.2.1). An
    empty one (`user:@`) stays, and so does a user name alone. Masked too is the password of a URI within the URI:
    `https://replay.example/2024/http://user:secret@h/`. Masking twice is masking once.
    """
    if "@" not in uri:
        return uri
    scheme, authority, path, query, fragment = split(uri)
    masked = None if authority is None else _mask_authority(authority)
    if masked is not None:
        uri = unsplit(Components(scheme, masked, path, query, fragment))
    return mask_text(uri)


def mask_text(text: str) -> str:
    """A text for showing: every password of a URI in it replaced by `***`.

    All that looks like `//user:password@` is masked, up to the last "@" before white space, a slash (a backslash is
    one), "?", "#" or one of `<>"`: rather too much than too little.
    """
    if "@" not in text:
        return text
    return _USERINFO.sub(rf"\1{_MASK}@", text)


def _mask_authority(authority: str) -> str | None:
    """The authority with its password masked; None if it has none."""
    userinfo, at, host_and_port = authority.rpartition("@")
    user, _, password = userinfo.partition(":")
    if password == "":
        return None
    return f"{user}:{_MASK}{at}{host_and_port}"
