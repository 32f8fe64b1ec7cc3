"""Passwords in the userinfo of an authority: found, and kept out of what is shown (RFC 3986 §7.5, §3.2.1).

1. The userinfo ends at the last "@" of the authority; the password is what follows its first ":".
2. An empty password (`user:@`) is not masked. A user name alone stays visible.
3. A masked password is always `***`, so that its length does not show. Masking twice is masking once.
4. A URI may have another within it (`https://replay.example/2024/http://user:secret@h/`): its password is masked too.
5. In a longer text, everything that looks like `//user:password@` is masked, up to the last "@" before white space,
   a slash, "?", "#", or one of `<>"`; backslashes count as slashes. Rather too much is masked than too little.
6. A text without "@" is returned at once.
7. In a path of files the slashes of such a URI may be one, or none be left (`https;/user:password@h`): a segment
   `user:password@…` is masked.
"""

from __future__ import annotations

import re

from rehref.uri.components import Components, split, unsplit

MASK = "***"

# Each "//" begins at most one run, and no run has a slash: linear, though the last "@" is found by stepping back.
# (Browsers need no slashes after a scheme of theirs: `http:user:secret@h`.)
_USERINFO = re.compile(
    r"""((?:[/\\]{2}|\b(?:https?|wss?|ftp):[/\\]?(?![/\\]))[^\s/\\?#<>":]*+:)[^\s/\\?#<>"]+@""", re.IGNORECASE
)

_IN_PATH = re.compile(r"((?:^|/)[^/:]*+:)[^/]+@")


def has_userinfo(uri: str) -> bool:
    """Whether the authority of a URI or reference has a user name, or anything in its place (RFC 3986 §3.2.1)."""
    authority = split(uri).authority if "@" in uri else None
    return authority is not None and "@" in authority


def has_password(uri: str) -> bool:
    """Whether the authority of a URI or reference has a password that is not empty (RFC 3986 §3.2.1)."""
    if "@" not in uri:
        return False
    authority = split(uri).authority
    return authority is not None and _mask_authority(authority) is not None


def mask_password(uri: str) -> str:
    """A URI or reference for showing: its password, and any in a URI within it, replaced by `***`."""
    if "@" not in uri:
        return uri
    scheme, authority, path, query, fragment = split(uri)
    masked = None if authority is None else _mask_authority(authority)
    if masked is not None:
        uri = unsplit(Components(scheme, masked, path, query, fragment))
    return mask_text(uri)


def mask_text(text: str) -> str:
    """A text for showing: every password of a URI in it replaced by `***`."""
    if "@" not in text:
        return text
    return _USERINFO.sub(rf"\1{MASK}@", text)


def mask_path(path: str) -> str:
    """A path of files for showing: every password in a segment of it replaced by `***` (rule 7)."""
    if "@" not in path:
        return path
    return _IN_PATH.sub(rf"\1{MASK}@", mask_text(path))


def _mask_authority(authority: str) -> str | None:
    """The authority with its password masked; None if it has none."""
    userinfo, at, host_and_port = authority.rpartition("@")
    user, _, password = userinfo.partition(":")
    if password == "":
        return None
    return f"{user}:{MASK}{at}{host_and_port}"
