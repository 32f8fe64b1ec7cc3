"""Which encoding an HTML document is read in (HTML Standard §13.2.3.2 and §13.2.3.4, "changing the encoding").

A byte order mark takes precedence; then what the caller declares; then what the document says; then a guess. The
document says it in the first `meta` that names an encoding and that tree construction processes, wherever it is: a
parser that reaches one begins anew. Chromium differs: after the first 1024 bytes it looks for one only while the tags
are allowed in a head, so a rewrite that moves one in the body beyond these bytes may change its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from operator import attrgetter

from rehref.markup._source.core import places_of
from rehref.markup.places import HTML, Wanted
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Sniffed, Source, given, lookup
from rehref.text.large_bytes import contains_in_any_case, find_in_any_case, is_utf_8
from rehref.text.source_text import SourceText

LIMIT = 1024
"""How many bytes are searched, as the Standard advises."""

_S = rf"[{WHITE_SPACE}]".encode()
# what "loop" of the prescan finds, whole
_TOKENS = rb"""
    <(?:
        (?: (meta)(?=[\t\n\x0c\r /])                            # 1: the name of a `meta`,
          | (?!meta[\t\n\x0c\r /])/?[a-z][^\t\n\x0c\r >]*+ )   # or that of another tag, and its attributes
        (?:ATTRIBUTE)* [\t\n\x0c\r /]*+ >
      | !(?=--).*?-->                          # a comment, whose two hyphens may be those it begins with
      | (?: !(?!--) | /(?![a-z]) | \? ) [^>]*+ >                # another declaration
      | (?=[a-z!/?]) ()                                         # 2: where the bytes end in one of them, its beginning
    )
"""
_XML_IN_UTF_16 = (b"<\0?\0x\0", b"\0<\0?\0x")
"""How a document in UTF-16 begins if it begins with an XML declaration."""
_MEANT, _CUT_OFF = 1, 2
"""The groups of `_TOKENS`."""
_CHARSET = re.compile(rb"charset" + _S + rb"*=" + _S + rb"*", re.IGNORECASE).search
_XML = re.compile(
    rb"""<\?xml(?:(?!encoding)[^>])*encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^"\x00-\x20]*)"|'([^'\x00-\x20]*)')"""
).match

_WANTED = Wanted(on={"meta": frozenset({"charset", "http-equiv", "content"})})
_DEFAULT = Sniffed("windows-1252", 0, "default", undeclared=True)
_ALL_UTF_8 = Sniffed("utf-8", 0, "all of it is UTF-8", undeclared=True)
# how most pages begin, up to a `meta` (after group 1) that is the prescan's and the parser's; groups 2 to 4: its label
_BEGINS = re.compile(
    rb"""
    (?: [\t\n\r ]*+
        < (?: ![a-z][^>]*+>
            | \?xml[^>]*+>
            | !--[^\->]*+-->
            | title>[^<]*+</title>
            | (?:html|head|base|link) (?: [ ][a-z\-:]++="[^"]*+" )* [ ]?/?>
            | meta[ ] (?: (?:name|property)="[^"]*+" | http-equiv="x-ua-compatible" ) [ ]content="[^"]*+"[ ]?/?>
          )
    )*
    [\t\n\r ]*+ ()
    <meta[ ]
    (?: charset= (?: "LABEL"[ ]?/? | LABEL(?:[ ]/)? )
      | http-equiv="content-type"[ ]content="text/html;[ ]?charset=LABEL"[ ]?/?
    )>
    """.replace(b"LABEL", rb"([a-z0-9_\-]++)"),
    re.IGNORECASE | re.VERBOSE,
).match
_IN_CONTENT = 4
_META = b"<meta"
# such a tag, whole (group 1 is set), or the beginning of an odd one
_META_TAG = re.compile(
    _META + rb"(?=[\t\n\x0c\r /])(?:(?>(?:[^<>\"']++|\"[^<>\"]*+\"|'[^<>']*+')*)(>))?", re.IGNORECASE
).match


def sniff_html(data: bytes, declared: str | None = None, is_response: bool = False) -> Sniffed:
    """Determine the encoding of an HTML document's bytes.

    `declared`: a label that overrides what the document says, but not its byte order mark. `is_response`: the document
    was sent, and is not a file. Raises `UnknownEncodingError` if there is no such encoding.
    """
    head = data[:LIMIT]
    sniffed = given(head, declared)
    if sniffed is not None:
        return sniffed
    found = by_beginning(data) or (None if head.startswith(_XML_IN_UTF_16) else first_meta(data)) or prescan(head)
    return found or (_DEFAULT if is_response else guessed(data))


def by_beginning(data: bytes) -> Sniffed | None:
    """The encoding that a page declares, if it begins as most pages do; None for any other."""
    begins = _BEGINS(data, 0, LIMIT)
    if begins is None:
        return None
    group = begins.lastindex or _IN_CONTENT
    name = lookup(begins[group].decode("ascii"))
    return (
        None
        if name is None
        else _encoding_of_label(name, "http-equiv" if group == _IN_CONTENT else "charset", begins.end(1))
    )


def guessed(data: bytes) -> Sniffed:
    """The encoding of a file that does not declare it: UTF-8 if it is that throughout, as the Standard allows for
    files.

    Other files, and all responses, are windows-1252, the Standard's default for most locales.
    """
    return _ALL_UTF_8 if is_utf_8(data) else _DEFAULT


def first_meta(data: bytes) -> Sniffed | None:
    """The first `meta` of a document that names an encoding and is processed. Takes linear time.

    One that is text (in a script, a comment, a title) does not count. Bytes are read as one character each: in all
    encodings that a `meta` can name, markup is ASCII. The content of a `noscript` is markup here: all readers use one
    encoding.
    """
    # nearly always it is at the beginning, the first tag that looks like one is one, and nothing after it matters
    for part in (data[:LIMIT], data) if len(data) > LIMIT else (data,):
        end = _end_of_candidate(part)
        found = None if end is None else _processed(part[:end]) or _processed(part)
        if found is not None:
            return found
    return None


def _end_of_candidate(data: bytes) -> int | None:
    """The end of the first tag that may be such a `meta`; the end of the document if the tag is odd; None if there is
    none.

    It may be one if it contains "charset", or could: it goes on after a "<" or ">", or has a character reference there.
    """
    end = 0
    while (start := find_in_any_case(data, _META, end)) != -1:
        tag = _META_TAG(data, start)
        if tag is None:  # it has another name
            end = start + 1
            continue
        if tag[1] is None:
            return len(data) if _may_name(data) else None
        end, markup = tag.end(), tag[0].lower()
        if b"charset" in markup or (b"&" in markup and _may_name(markup)):
            return end
    return None


def _may_name(markup: bytes) -> bool:
    """Whether some markup has the word "charset", or character references that may be letters of it."""
    return contains_in_any_case(markup, b"charset") or (b"&" in markup and contains_in_any_case(markup, b"http-equiv"))


def _processed(data: bytes) -> Sniffed | None:
    """The same, found by reading all of these bytes."""
    places = places_of(SourceText(Source(data, "windows-1252")), _WANTED)
    metas = (place for place in places if place.element == "meta" and place.namespace == HTML)
    for at, group in groupby(metas, key=attrgetter("tag")):
        found = _named_by({place.attribute or "": place.value for place in group}, at)
        if found is not None:
            return found
    return None


def prescan(data: bytes) -> Sniffed | None:
    """Prescan a byte stream, the document from its first byte, to determine its encoding.

    What it finds elsewhere than in a processed `meta` counts only if there is no such `meta`. Where the first 1024
    bytes end in the middle of a token, the search ends. Then, and where nothing was found, an XML declaration at the
    very beginning counts.
    """
    head = data[:LIMIT]
    if head.startswith(_XML_IN_UTF_16):  # as the algorithm says: its encoding name is ignored
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
    whole = _TOKENS.replace(b"ATTRIBUTE", re.sub(rb"\((?=\[)", b"(?:", _attribute().pattern))
    return re.compile(whole, re.IGNORECASE | re.DOTALL | re.VERBOSE)


@cache
def _attribute() -> re.Pattern[bytes]:
    """Matches one attribute ("get an attribute")."""
    from rehref.markup._tokenization import ATTRIBUTE_PATTERN  # most pages begin so that it is not needed

    return re.compile(ATTRIBUTE_PATTERN.encode())


def _meta(head: bytes, tag: re.Match[bytes]) -> Sniffed | None:
    """The encoding that a `meta` names."""
    seen: set[bytes] = set()
    got_pragma = False
    need_pragma: bool | None = None
    charset: str | None = None
    for attribute in _attribute().finditer(head, tag.end(1), tag.end()):
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
    return _encoding_of_label(charset, "http-equiv" if need_pragma else "charset", tag.start())


def _named_by(attributes: Mapping[str, str], at: int) -> Sniffed | None:
    """The encoding that a `meta` at byte `at` names.

    `attributes`: `charset`, which takes precedence, `http-equiv` and `content`, decoded, if it has them. After an
    unknown name the search goes on.
    """
    charset = lookup(attributes.get("charset", ""))
    if charset is not None:
        return _encoding_of_label(charset, "charset", at)
    if lower(attributes.get("http-equiv", "")) != "content-type":
        return None
    charset = _from_content(attributes.get("content", "").encode("utf-8", "replace"))
    return None if charset is None else _encoding_of_label(charset, "http-equiv", at)


def _encoding_of_label(charset: str, attribute: str, at: int) -> Sniffed:
    """The meaning of the label in a `meta` at a byte (§13.2.3.2, prescan; §13.2.3.4, "change the encoding").

    UTF-16 means UTF-8, x-user-defined windows-1252.
    """
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
