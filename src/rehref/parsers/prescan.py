"""What an HTML document says of its own encoding, in its first bytes and in a `meta` (HTML Standard §13.2.3.2).

1. `prescan` looks through at most the first 1024 bytes for a `meta` that names an encoding, by the Standard's
   algorithm to the letter: comments, other tags with their attributes, and declarations are passed over.
2. A `meta` counts with `charset`, or with `content` if its `http-equiv` is `content-type`. UTF-16 named there
   means UTF-8, x-user-defined means windows-1252, and an unknown name means that the search goes on.
3. Where the bytes run out first, an XML declaration at the very beginning is asked.
4. `named_by` is for a `meta` that tree construction processes ("in head" insertion mode): there `charset` goes before
   `http-equiv`, wherever it stands on the tag.
5. It takes the encoding's label to name function as an argument and knows no encodings itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

LIMIT = 1024
"""How many bytes are looked at, as the Standard advises."""

_SPACE = b"\t\n\x0c\r "
_TAG = re.compile(rb"</?[A-Za-z][^\t\n\x0c\r >]*+")
_META = re.compile(rb"<meta(?=[\t\n\x0c\r /])", re.IGNORECASE)
_CHARSET = re.compile(rb"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*", re.IGNORECASE)
_XML = re.compile(rb"""<\?xml(?>[^>]*?encoding)[\x00-\x20]*=[\x00-\x20]*(?:"([^"\x00-\x20]*)"|'([^'\x00-\x20]*)')""")


class Found(NamedTuple):
    """An encoding a document names."""

    name: str
    """The canonical name of the encoding to read it in."""
    why: str
    """What named it and where, for people."""
    at: int | None = None
    """Where the `meta` stands that named it; None: it was none."""


class _Attribute(NamedTuple):
    name: bytes
    value: bytes
    end: int


class _OutOfBytesError(Exception):
    """The bytes ended in the middle of something."""


def prescan(data: bytes, lookup: Callable[[str], str | None]) -> Found | None:
    """Prescan a byte stream to determine its encoding.

    `data` is the document from its first byte; `lookup` gives a label's canonical name or None.
    """
    head = data[:LIMIT]
    # A UTF-16 XML declaration, taken at its word (its encoding name is not looked at).
    if head.startswith(b"<\x00?\x00x\x00"):
        return Found("utf-16le", "XML declaration in UTF-16")
    if head.startswith(b"\x00<\x00?\x00x"):
        return Found("utf-16be", "XML declaration in UTF-16")
    try:
        found = _scan(head, lookup)
    except _OutOfBytesError:
        found = None
    return found or _xml_encoding(head, lookup)


def _scan(head: bytes, lookup: Callable[[str], str | None]) -> Found | None:
    """Do the loop of the prescan."""
    at = head.find(b"<")
    while at >= 0:
        if head.startswith(b"<!--", at):
            # The two hyphens of `-->` may be those of `<!--`.
            end = _find(head, b"-->", at + 2) + 3
        elif _META.match(head, at):
            found, end = _meta(head, at, lookup)
            if found is not None:
                return found
        elif tag := _TAG.match(head, at):
            end = tag.end()
            while attribute := _attribute(head, end):
                end = attribute.end
        elif head.startswith((b"<!", b"</", b"<?"), at):
            end = _find(head, b">", at) + 1
        else:
            end = at + 1
        at = head.find(b"<", end)
    return None


def _find(head: bytes, what: bytes, start: int) -> int:
    at = head.find(what, start)
    if at < 0:
        raise _OutOfBytesError
    return at


def _meta(head: bytes, at: int, lookup: Callable[[str], str | None]) -> tuple[Found | None, int]:
    """Read a `meta` tag at `at`; give what it names, and where the search goes on."""
    end = at + len(b"<meta")
    seen: set[bytes] = set()
    got_pragma = False
    need_pragma: bool | None = None
    charset: str | None = None
    while attribute := _attribute(head, end):
        end = attribute.end
        if attribute.name in seen:
            continue
        seen.add(attribute.name)
        if attribute.name == b"http-equiv":
            got_pragma = got_pragma or attribute.value == b"content-type"
        elif attribute.name == b"content" and charset is None:
            charset = _from_content(attribute.value, lookup)
            need_pragma = True if charset is not None else need_pragma
        elif attribute.name == b"charset":
            charset = lookup(attribute.value.decode("latin-1"))
            need_pragma = False
    if need_pragma is None or (need_pragma and not got_pragma) or charset is None:
        return None, end
    return _found(charset, "http-equiv" if need_pragma else "charset", at), end


def named_by(attributes: Mapping[str, str], at: int, lookup: Callable[[str], str | None]) -> Found | None:
    """The encoding that a `meta` at byte `at` names (rule 4).

    `attributes`: `charset`, `http-equiv` and `content`, decoded, as far as it has them.
    """
    charset = lookup(attributes.get("charset", ""))
    if charset is not None:
        return _found(charset, "charset", at)
    if attributes.get("http-equiv", "").lower() != "content-type":
        return None
    charset = _from_content(attributes.get("content", "").encode("utf-8", "replace"), lookup)
    return None if charset is None else _found(charset, "http-equiv", at)


def _found(charset: str, attribute: str, at: int) -> Found:
    """What a `meta` means that names an encoding (§13.2.3.2, prescan; §13.2.3.4, "change the encoding")."""
    if charset in ("utf-16le", "utf-16be"):
        charset = "utf-8"
    elif charset == "x-user-defined":
        charset = "windows-1252"
    return Found(charset, f"<meta {attribute}> at byte {at}", at)


def _attribute(head: bytes, at: int) -> _Attribute | None:
    """Get an attribute and its value, both in lower case; None at the end of the tag."""
    at = _skip(head, at, _SPACE + b"/")  # step 1
    if _byte(head, at) == b">":  # step 2
        return None
    start = at
    while True:  # steps 3 to 6
        byte = _byte(head, at)
        if byte == b"=" and at > start:
            break
        if byte in (b"/", b">"):
            return _Attribute(head[start:at].lower(), b"", at)
        if byte in _SPACE:
            end = at
            at = _skip(head, at, _SPACE)  # step 7: spaces
            if _byte(head, at) != b"=":  # step 8
                return _Attribute(head[start:end].lower(), b"", at)
            return _value(head, head[start:end].lower(), at + 1)
        at += 1
    return _value(head, head[start:at].lower(), at + 1)


def _value(head: bytes, name: bytes, at: int) -> _Attribute:
    """Get the value of an attribute (steps 10 to 12); `at` is behind the equals sign."""
    at = _skip(head, at, _SPACE)
    byte = _byte(head, at)
    if byte in (b'"', b"'"):
        end = _find(head, byte, at + 1)
        return _Attribute(name, head[at + 1 : end].lower(), end + 1)
    start = at
    while byte not in _SPACE and byte != b">":
        at += 1
        byte = _byte(head, at)
    return _Attribute(name, head[start:at].lower(), at)


def _skip(head: bytes, at: int, what: bytes) -> int:
    """Advance over bytes that are in `what`."""
    while _byte(head, at) in what:
        at += 1
    return at


def _byte(head: bytes, at: int) -> bytes:
    byte = head[at : at + 1]
    if not byte:
        raise _OutOfBytesError
    return byte


def _from_content(value: bytes, lookup: Callable[[str], str | None]) -> str | None:
    """Extract a character encoding from a `meta` element's `content` (§2.5.3 of the same)."""
    match = _CHARSET.search(value)
    if match is None:
        return None
    rest = value[match.end() :]
    if rest[:1] in (b'"', b"'"):
        end = rest.find(rest[:1], 1)
        return lookup(rest[1:end].decode("latin-1")) if end > 0 else None
    label = re.split(rb"[\t\n\x0c\r ;]", rest, maxsplit=1)[0]
    return lookup(label.decode("latin-1")) if label else None


def _xml_encoding(head: bytes, lookup: Callable[[str], str | None]) -> Found | None:
    """Get an XML encoding: of an XML declaration in an ASCII-compatible encoding at the very beginning."""
    match = _XML.match(head)
    if match is None or b">" not in head:
        return None
    name = lookup((match[1] if match[1] is not None else match[2]).decode("latin-1"))
    if name is None:
        return None
    return Found("utf-8" if name in ("utf-16le", "utf-16be") else name, "XML declaration")
