"""Which encoding an XML document (XML 1.0 appendix F, RFC 7303 §3) or a style sheet (CSS Syntax §3.2) is read in.

1. A byte order mark says it, of XML; then what the caller declares (an option, or the charset of the HTTP headers);
   then the first bytes, if they can only be those of UTF-16; then the XML declaration; then it is UTF-8.
2. Labels and names are those of `encoding`. A declaration that can be read as ASCII yet names UTF-16, or an encoding
   that does not exist, means UTF-8.
3. UTF-32 and EBCDIC in XML are recognised, but not read: their name is `replacement`, in which a document is one
   U+FFFD.
4. Of a style sheet a byte order mark says it; then what the caller declares; then the style sheet's own `@charset`;
   then it is UTF-8. (The encoding of the document that refers to it, which comes before UTF-8, is not known here: a
   caller that knows it declares it.)
5. `@charset` counts as these very bytes at the very beginning: `@charset "`, a label, `";`, all within the first 1024.
   In upper case, with another quote or another blank it does not count; nor with an unknown label. UTF-16 named there
   means UTF-8: in UTF-16 those bytes would not be there.
"""

from __future__ import annotations

import re

from rehref.text.encoding import Sniffed, declared_name, given, lookup

_MARKS = (
    (b"\xff\xfe\0\0", "", "UTF-32, which is not read"),
    (b"\0\0\xfe\xff", "", "UTF-32, which is not read"),
    (b"\xef\xbb\xbf", "utf-8", "byte order mark"),
    (b"\xfe\xff", "utf-16be", "byte order mark"),
    (b"\xff\xfe", "utf-16le", "byte order mark"),
)
_BEGINNINGS = (
    (b"<\0\0\0", "replacement", "UTF-32, which is not read"),
    (b"\0\0\0<", "replacement", "UTF-32, which is not read"),
    (b"<\0", "utf-16le", "UTF-16 without a byte order mark"),
    (b"\0<", "utf-16be", "UTF-16 without a byte order mark"),
    (b"\x4c\x6f\xa7\x94", "replacement", "EBCDIC, which is not read"),
)
_SPACE = rb"[\t\n\r ]"
# XML 1.0 §2.8 [23] XMLDecl, §4.3.3 [80] EncodingDecl
_DECLARATION = re.compile(
    rb"<\?xml%b[^?<>]*?%bencoding%b*+=%b*+[\"']([A-Za-z0-9._:-]++)[\"']" % (_SPACE, _SPACE, _SPACE, _SPACE)
)
_CHARSET = re.compile(rb'@charset "([^"]*+)";').match
LIMIT = 1024
"""Bytes of a declaration that are looked at."""


def sniff_xml(data: bytes, declared: str | None = None) -> Sniffed:
    """Determine the encoding of an XML document's bytes (rule 1).

    `declared` is a label that overrides what the document says, but not its byte order mark. Raises
    `UnknownEncodingError` if there is no such encoding.
    """
    name = declared_name(declared)
    for mark, marked, why in _MARKS:
        if data.startswith(mark):
            return Sniffed(marked, len(mark), why) if marked else Sniffed("replacement", 0, why)
    if name is not None:
        return Sniffed(name, 0, "declared")
    for beginning, begun, why in _BEGINNINGS:
        if data.startswith(beginning):
            return Sniffed(begun, 0, why)
    found = _DECLARATION.match(data, 0, LIMIT)
    if found is not None:
        name = lookup(found[1].decode("ascii"))
        if name in ("utf-16le", "utf-16be"):
            name = None
        return Sniffed("utf-8", 0, "default") if name is None else Sniffed(name, 0, "XML declaration")
    return Sniffed("utf-8", 0, "default")


def sniff_css(data: bytes, declared: str | None = None) -> Sniffed:
    """Determine the encoding of a style sheet's bytes (rule 4); as `sniff_xml`.

    Raises `UnknownEncodingError` if `declared` is not a label of an encoding.
    """
    sniffed = given(data, declared)
    if sniffed is not None:
        return sniffed
    charset = _CHARSET(data[:LIMIT])
    name = None if charset is None else lookup(charset[1].decode("latin-1"))
    if name is None:
        return Sniffed("utf-8", 0, "default")
    return Sniffed("utf-8" if name in ("utf-16le", "utf-16be") else name, 0, "@charset")
