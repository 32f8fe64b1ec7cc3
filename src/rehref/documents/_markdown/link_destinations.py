"""How a destination is written: where it ends, and what its escapes mean (CommonMark 2.4, 2.5, "link destination")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.entities import html5

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{0,31});")
_REFERENCE = re.compile(r"(?!)()|&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{0,31});")
_IN_BRACKETS = re.compile(rb"<([^\\>]*+(?:\\[\s\S]?[^\\>]*+)*)").match
_SPECIAL = re.compile(rb"\\[!-/:-@\[-`{-~]|[\x00-\x20()]").search


def unescaped(text: str) -> str:
    """A text without backslash escapes and character references (CommonMark 2.4, 2.5)."""
    return _ESCAPED.sub(_meaning, text) if "\\" in text or "&" in text else text


def escapes(text: str) -> list[tuple[int, int, str]]:
    """The escapes and character references in a text: from, to, what they mean."""
    return [(*found.span(), _meaning(found)) for found in _ESCAPED.finditer(text)]


def references(text: str) -> list[tuple[int, int, str]]:
    """The character references in a text, all with their semicolons: from, to, what they mean."""
    return [(*found.span(), _meaning(found)) for found in _REFERENCE.finditer(text)] if "&" in text else []


def offsets_of(raw: str, escapes: Iterable[tuple[int, int, str]]) -> list[int]:
    """Where each character of what a raw text means, and its end, is in it. `escapes`: those in it."""
    offsets: list[int] = []
    at = 0
    for start, end, meaning in escapes:
        offsets += [*range(at, start), *([start] * len(meaning))]
        at = end
    return [*offsets, *range(at, len(raw) + 1)]


def _meaning(found: re.Match[str]) -> str:
    name = found[2]
    if name is None:
        return found[1]
    if name[0] != "#":
        return html5.get(f"{name};", found[0])
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def destination_at(data: bytes, at: int, end: int) -> tuple[int, int]:
    """From and to of the destination that begins at a byte (CommonMark, "link destination"); without its brackets."""
    in_brackets = _IN_BRACKETS(data, at, end) if data[at : at + 1] == b"<" else None
    if in_brackets is not None:
        return in_brackets.span(1)
    depth, behind = 0, at
    while (found := _SPECIAL(data, behind, end)) is not None:
        if found[0] == b"(":
            depth += 1
        elif found[0] == b")" and depth:
            depth -= 1
        elif found[0][:1] != b"\\":
            return at, found.start()
        behind = found.end()
    return at, max(at, end)
