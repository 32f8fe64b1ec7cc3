"""The one compiler of rules with placeholders: what a path may be, and where what it caught goes in a target.

The formats only say how a placeholder is written, and what it catches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeAlias

from rehref.site._hosts.redirect_rules import RefusedError, Template
from rehref.site._paths import decode
from rehref.uri.components import split, unsplit

_SPECIAL = str.maketrans({":": "%3A", "*": "%2A", "(": "%28", ")": "%29", "+": "%2B"})
_REFERENCE = re.compile(r":(?=[A-Za-z_])|\$(?=[0-9])")


class Caught(NamedTuple):
    """A placeholder in a path. `name`: "" stands for its number, from 1 on. `pattern`: with one group.

    `with_slash`: whether the pattern has the slash before the segment, so that both may be missing.
    """

    name: str
    pattern: str = "([^/]+)"
    with_slash: bool = False


SegmentReader: TypeAlias = Callable[[str, bool], Sequence[str | Caught]]
"""Returns the encoded texts and the placeholders of a segment, given whether it is the last. Raises `RefusedError`."""


class CompiledPath(NamedTuple):
    """A path of a rule. `begins`: the beginning of every path that it matches, as in `Rule`; `names`: of the groups."""

    pattern: str
    begins: str
    names: list[str]


def compiled_path(path: str, read: SegmentReader) -> CompiledPath:
    """Return what an encoded path matches; "" is the root. Raises `RefusedError`."""
    names: list[str] = []
    pattern, begins, is_text = "", "", True
    segments = path.split("/")[1:]
    for number, segment in enumerate(segments, start=1):
        pieces = read(segment, number == len(segments))
        caught = [piece for piece in pieces if isinstance(piece, Caught)]
        slash = "" if any(piece.with_slash for piece in caught) else "/"
        pattern += slash
        for piece in pieces:
            pattern += re.escape(decode(piece)) if isinstance(piece, str) else piece.pattern
        if is_text:
            begins += slash if caught else "/" + decode(segment)
            is_text = not caught
        names += (piece.name or str(len(names) + 1) for piece in caught)
    refuse_twice(names)
    return CompiledPath(pattern, begins if names else begins or "/", names)


def refuse_twice(names: Collection[str]) -> None:
    """Raise `RefusedError` if a placeholder is there twice."""
    if len(set(names)) != len(names):
        raise RefusedError("it has the same placeholder twice")


def compiled_target(target: str, reference: re.Pattern[str], meaning: Callable[[re.Match[str]], int | str]) -> Template:
    """Return a target. `reference`: matches a reference to what was caught; `meaning`: its number, or its text."""
    parts: list[int | str] = []
    text, at = "", 0
    for found in reference.finditer(target):
        text += target[at : found.start()]
        at = found.end()
        meant = meaning(found)
        if isinstance(meant, str):
            text += meant
        else:
            parts += [text, meant] if text else [meant]
            text = ""
    text += target[at:]
    return (*parts, text) if text or not parts else tuple(parts)


def literal_path(path: str) -> str:
    """Return an encoded path for a rule, without anything that is a placeholder."""
    return path.translate(_SPECIAL)


def literal_target(uri: str) -> str:
    """Return a target for a rule, without anything that refers to a placeholder."""
    rest = split(uri)._replace(scheme=None, authority=None)
    encoded = _REFERENCE.sub(lambda found: f"%{ord(found[0]):02X}", unsplit(rest))
    return uri[: len(uri) - len(unsplit(rest))] + encoded
