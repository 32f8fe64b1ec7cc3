"""Writing a destination: the bytes that take the place of the old ones (CommonMark, "link destination").

What the old and the new destination have in common at their end stays as it is written. An autolink has no escapes, and
needs a scheme; so does a bare URL, which must be read as a whole where it is. No template can be written there. What
cannot be written is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote as percent_encode

from rehref.documents._markdown.bare_urls import bare_url
from rehref.documents._markdown.link_destinations import destination_at, escapes, offsets_of, unescaped
from rehref.documents._markdown.read_markdown import LinkDestination

_UNFIT = re.compile(r"[\x00-\x20\x7f-\x9f\s<>`]|\{(?=[{%])")
_SPECIAL = re.compile(r"\\|&(?=#?[A-Za-z0-9]+;)")
_PARENTHESES = re.compile(r"[()]")
_AUTOLINK = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:(?:[^\x00-\x20<>\x7f{]|\{(?![{%]))*").fullmatch
_IN_BARE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:[^\x00-\x20<>*~`\\\[\]|&{]|\{(?![{%]))*").fullmatch


def written(data: bytes, found: LinkDestination, new: str) -> bytes | None:
    """The bytes for a new destination in place of those of the old one; None if it cannot be written.

    An empty one is written as `<>` unless it is between parentheses.
    """
    if found.form == "autolink":
        return new.encode("utf-8", "replace") if _AUTOLINK(new) else None
    if found.form == "bare":
        made = new.encode("utf-8", "replace")
        is_read = _IN_BARE(new) and bare_url(data, found.start, found.end, made) == made
        return made if is_read else None
    raw = data[found.start : found.end].decode()
    in_brackets = data[found.start - 1 : found.start] == b"<"
    kept = _kept(raw, found.value, new)
    head = _escaped(new[: len(new) - kept[0]], in_table=found.in_table)
    for text in (head + raw[kept[1] :], _escaped(new, in_table=found.in_table)):
        if _is_read(text, in_brackets=in_brackets) and (kept[0] or text):
            return text.encode("utf-8", "replace")
    text = _PARENTHESES.sub(r"\\\g<0>", _escaped(new, in_table=found.in_table))
    if text == "" and not in_brackets:
        text = "<>" if found.form == "definition" or found.start == found.end else ""
    return text.encode("utf-8", "replace")


def _kept(raw: str, old: str, new: str) -> tuple[int, int]:
    """How many characters at the end stay, and from where on in what was written."""
    offsets = meaning_offsets(raw, old)
    if offsets is None:
        return 0, len(raw)
    most = min(len(old), len(new))
    at = len(old) - next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    while 0 < at < len(old) and offsets[at] == offsets[at - 1]:
        at += 1  # one character reference means several characters
    return len(old) - at, offsets[at]


def _escaped(text: str, *, in_table: bool) -> str:
    """A text that means itself in a destination, except for parentheses.

    White space, control characters, `<`, `>` and "`" are percent-encoded, and `|` in a table; so is the brace of `{{`
    and `{%`, which belong to templates. A backslash, and an `&` that would begin a character reference, are escaped.
    """
    text = _SPECIAL.sub(lambda found: "\\\\" if found[0] == "\\" else "&amp;", text)
    text = _UNFIT.sub(lambda found: percent_encode(found[0], errors="replace"), text)
    return text.replace("|", "%7C") if in_table else text


def _is_read(text: str, *, in_brackets: bool) -> bool:
    """Whether a destination is read as a whole."""
    if in_brackets:
        return True  # no ">" is left in it
    data = text.encode("utf-8", "replace")
    return destination_at(data + b")", 0, len(data) + 1) == (0, len(data)) and data[:1] != b"<"


def meaning_offsets(raw: str, value: str) -> Sequence[int] | None:
    """Where each character of a value, and its end, is in what was written; None if that is not known."""
    if raw == value:
        return range(len(raw) + 1)
    return offsets_of(raw, escapes(raw)) if unescaped(raw) == value else None
