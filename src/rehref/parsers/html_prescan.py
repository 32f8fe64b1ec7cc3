"""What an HTML document says of its own encoding, in its first bytes and in a `meta` (HTML Standard §13.2.3.2).

1. `prescan` searches at most the first 1024 bytes for a `meta` that names an encoding, exactly by the Standard's
   algorithm: comments, other tags with their attributes, and declarations are skipped.
2. A `meta` counts with `charset`, or with `content` if its `http-equiv` is `content-type`. UTF-16 named there means
   UTF-8, x-user-defined means windows-1252, and after an unknown name the search goes on.
3. Where the bytes end in the middle of a token, the search ends. Then, and where nothing was found, an XML declaration
   at the very beginning counts.
4. `named_by` is for a `meta` that tree construction processes ("in head" insertion mode): there `charset` takes
   precedence over `http-equiv`, in any order on the tag.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from rehref.parsers.source.tags import ATTRIBUTE_PATTERN
from rehref.text.ascii import WHITE_SPACE, lower
from rehref.text.encoding import Sniffed, lookup

LIMIT = 1024
"""How many bytes are searched, as the Standard advises."""

_S = rf"[{WHITE_SPACE}]".encode()
# "get an attribute"
_ATTRIBUTE = ATTRIBUTE_PATTERN.encode()
_ATTRIBUTES = re.compile(_ATTRIBUTE).finditer
# what "loop" of the prescan finds, whole: a `meta` (its name is group 1), another tag, a comment (whose two hyphens may
# be those it begins with), or another declaration; or else, where the bytes end in it, its beginning (group 2)
_TOKENS = (
    rb"<(?:"
    rb"(?:(meta)(?=[\t\n\x0c\r /])|(?!meta[\t\n\x0c\r /])/?[a-z][^\t\n\x0c\r >]*+)"
    rb"(?:" + re.sub(rb"\((?=\[)", b"(?:", _ATTRIBUTE) + rb")*[\t\n\x0c\r /]*+>"
    rb"|!(?=--).*?-->"
    rb"|(?:!(?!--)|/(?![a-z])|\?)[^>]*+>"
    rb"|(?=[a-z!/?])())"
)
XML_IN_UTF_16 = (b"<\0?\0x\0", b"\0<\0?\0x")
"""How a document in UTF-16 begins if it begins with an XML declaration."""
_MEANT, _CUT_OFF = 1, 2
"""The groups of `_TOKENS`."""
_CHARSET = re.compile(rb"charset" + _S + rb"*=" + _S + rb"*", re.IGNORECASE).search
_XML = re.compile(
    rb"""<\?xml(?:(?!encoding)[^>])*encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^"\x00-\x20]*)"|'([^'\x00-\x20]*)')"""
).match


def prescan(data: bytes) -> Sniffed | None:
    """Prescan a byte stream, the document from its first byte, to determine its encoding."""
    head = data[:LIMIT]
    if head.startswith(XML_IN_UTF_16):  # as the algorithm says: its encoding name is ignored
        return Sniffed("utf-16le" if head[:1] == b"<" else "utf-16be", 0, "XML declaration in UTF-16")
    # no `meta` names an encoding without that word
    for token in _tokens().finditer(head) if b"charset" in head.lower() else ():
        if token.lastindex == _MEANT:
            found = _meta(head, token)
            if found is not None:
                return found
        elif token.lastindex == _CUT_OFF:
            break
    return _xml_encoding(head) if head.startswith(b"<?xml") else None


@cache
def _tokens() -> re.Pattern[bytes]:
    """Matches what the prescan finds, one after the other."""
    return re.compile(_TOKENS, re.IGNORECASE | re.DOTALL)


def _meta(head: bytes, tag: re.Match[bytes]) -> Sniffed | None:
    """The encoding that a `meta` names."""
    seen: set[bytes] = set()
    got_pragma = False
    need_pragma: bool | None = None
    charset: str | None = None
    for attribute in _ATTRIBUTES(head, tag.end(1), tag.end()):
        name = attribute[1].lower()
        if name in seen:
            continue
        seen.add(name)
        group = attribute.lastindex or 0
        value = attribute[group].lower() if group > 1 else b""
        if name == b"http-equiv":
            got_pragma = value == b"content-type"
        elif name == b"content" and charset is None:
            charset = _from_content(value)
            need_pragma = True if charset is not None else need_pragma
        elif name == b"charset":
            charset = lookup(value.decode("latin-1"))
            need_pragma = False
    if need_pragma is None or (need_pragma and not got_pragma) or charset is None:
        return None
    return meant(charset, "http-equiv" if need_pragma else "charset", tag.start())


def named_by(attributes: Mapping[str, str], at: int) -> Sniffed | None:
    """The encoding that a `meta` at byte `at` names (rule 4).

    `attributes`: `charset`, `http-equiv` and `content`, decoded, if it has them.
    """
    charset = lookup(attributes.get("charset", ""))
    if charset is not None:
        return meant(charset, "charset", at)
    if lower(attributes.get("http-equiv", "")) != "content-type":
        return None
    charset = _from_content(attributes.get("content", "").encode("utf-8", "replace"))
    return None if charset is None else meant(charset, "http-equiv", at)


def meant(charset: str, attribute: str, at: int) -> Sniffed:
    """The meaning of the label in a `meta` at a byte (§13.2.3.2, prescan; §13.2.3.4, "change the encoding")."""
    if charset in ("utf-16le", "utf-16be"):
        charset = "utf-8"
    elif charset == "x-user-defined":
        charset = "windows-1252"
    return Sniffed(charset, 0, f"<meta {attribute}> at byte {at}")


def _from_content(value: bytes) -> str | None:
    """Extract a character encoding from a `meta` element's `content` (§2.5.3 of the same)."""
    match = _CHARSET(value)
    if match is None:
        return None
    rest = value[match.end() :]
    if rest[:1] in (b'"', b"'"):
        end = rest.find(rest[:1], 1)
        return lookup(rest[1:end].decode("latin-1")) if end > 0 else None
    label = re.split(rb"[\t\n\x0c\r ;]", rest, maxsplit=1)[0]
    return lookup(label.decode("latin-1")) if label else None


def _xml_encoding(head: bytes) -> Sniffed | None:
    """Get an XML encoding: of an XML declaration in an ASCII-compatible encoding at the very beginning."""
    match = _XML(head)
    if match is None or b">" not in head:
        return None
    name = lookup((match[1] if match[1] is not None else match[2]).decode("latin-1"))
    if name is None:
        return None
    return Sniffed("utf-8" if name in ("utf-16le", "utf-16be") else name, 0, "XML declaration")
