"""How a destination is written: where it ends, and what its escapes mean (CommonMark 2.4, 2.5, "link destination")."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final

PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{0,31});")
_PLAIN = re.compile(rb"[^\x00-\x20()<\\]++").match


def unescaped(text: str) -> str:
    """A text without backslash escapes and character references (CommonMark 2.4, 2.5)."""
    return _ESCAPED.sub(_meaning, text) if "\\" in text or "&" in text else text


def escapes(text: str) -> list[tuple[int, int, str]]:
    """The escapes and character references in a text: from, to, what they mean."""
    return [(*found.span(), _meaning(found)) for found in _ESCAPED.finditer(text)]


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
    if data[at : at + 1] == b"<":
        behind = at + 1
        while behind < end and data[behind] != 0x3E:
            behind += 2 if data[behind] == 0x5C else 1
        return at + 1, min(behind, end)
    plain = _PLAIN(data, at, end)
    behind, depth = at if plain is None else plain.end(), 0
    while behind < end:
        byte = data[behind]
        if byte == 0x5C and behind + 1 < end and chr(data[behind + 1]) in PUNCTUATION:
            behind += 2
            continue
        if byte <= 0x20:
            break
        if byte == 0x28:
            depth += 1
        elif byte == 0x29:
            if depth == 0:
                break
            depth -= 1
        behind += 1
    return at, behind
