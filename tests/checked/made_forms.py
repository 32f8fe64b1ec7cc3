"""Ways to write references: in markup and in CSS, in quotes and without, with character references and escapes.

- What has been written is read again as it was.
- It is read, too, if it has got other quotes or escapes since: nothing of rehref is used for that.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote


class Form(NamedTuple):
    """How a reference is written into a file, and read from it."""

    write: Callable[[str], bytes]
    read: Callable[[bytes], str]


def in_markup(encoding: str, quotes: str, style: str = "") -> Form:
    """In an attribute or a text. `style`: how characters are written that need not be escaped."""

    def write(value: str) -> bytes:
        text = value if style == "bare" else html.escape(value, quote=False)
        text = text.replace(quotes or "'", f"&#{ord(quotes or chr(39))};")
        if style == "named":
            text = text.replace("ö", "&ouml;").replace("ü", "&uuml;")
        elif style == "numeric":
            text = text.replace(".", "&#46;")
        elif style == "hexadecimal":
            text = text.replace("/", "&#x2F;", 1)
        elif style == "padded" and quotes:
            text = f"\n {text} "
        return text.encode(encoding)

    def read(raw: bytes) -> str:
        text = raw.decode(encoding)
        if quotes == "" and text[:1] in ('"', "'"):  # it has got quotes since
            assert text[-1] == text[0]
            text = text[1:-1]
        return html.unescape(text).strip("\n\r ")

    return Form(write, read)


def in_style(encoding: str, quotes: str, *, is_attribute: bool = False) -> Form:
    """In CSS, in a style sheet or an attribute in double quotes."""
    outer = (
        in_markup(encoding, '"')
        if is_attribute
        else Form(lambda text: text.encode(encoding), lambda raw: raw.decode(encoding))
    )

    def write(value: str) -> bytes:
        return outer.write(re.sub(r"[\\()'\"]", lambda found: "\\" + found[0], value))

    def read(raw: bytes) -> str:
        text = outer.read(raw)
        if quotes == "" and text[:1] in ('"', "'"):
            text = text[1:-1]
        return re.sub(
            r"\\(?:([0-9A-Fa-f]{1,6}) ?|(.))", lambda found: chr(int(found[1], 16)) if found[1] else found[2], text
        )

    return Form(write, read)


def quoted(path: str, safe: str) -> str:
    """A path as part of a reference, percent-encoded but for the characters that are `safe`, and unreserved ones."""
    return "".join(char if char in safe else quote(char) for char in path)
