"""Encodings, by the Encoding Standard: their names, what says which one a document is in, and a document with its own.

`given` is what is the same for all types of documents: a byte order mark, then what the caller declares. What the
document itself says is read here for XML and style sheets, in `html_encoding` for HTML. Names are canonical and lower
case: `utf-8`, `windows-1252`, `shift_jis`, ….
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import AnyStr, NamedTuple, TypeAlias, TypeVar

import webencodings

from rehref.exceptions import RehrefError
from rehref.text._charset_tables import CODECS
from rehref.text.charsets import decode, decode_with_offsets, is_ascii_compatible

NAMES = frozenset(CODECS)
"""Every encoding of the Standard, by its canonical name."""

_OF_PYTHON = MappingProxyType(
    {
        "ascii": "windows-1252",
        "big5hkscs": "big5",
        "cp874": "windows-874",
        "cp932": "shift_jis",
        "cp949": "euc-kr",
        "cp950": "big5",
        "euc_jp": "euc-jp",
        "euc_kr": "euc-kr",
        "iso2022_jp": "iso-2022-jp",
        "iso8859-16": "iso-8859-16",
        "mac-cyrillic": "x-mac-cyrillic",
        "mac-roman": "macintosh",
        "utf-16-be": "utf-16be",
        "utf-16-le": "utf-16le",
        "utf-8-sig": "utf-8",
    }
)
"""Python's names for encodings of the Standard, or for parts of them, where they are not labels of it. Where a few
characters differ (`euc_jp`, `cp950`), the Standard's table is that of the browsers."""

_MARKS = MappingProxyType({b"\xef\xbb\xbf": "utf-8", b"\xfe\xff": "utf-16be", b"\xff\xfe": "utf-16le"})
_ANY_MARK = tuple(_MARKS)


class UnknownEncodingError(RehrefError, LookupError):
    """The caller named an encoding that does not exist."""


class Sniffed(NamedTuple):
    """The encoding of a document, and how it was found out."""

    name: str
    """Canonical name."""
    bom: int
    """Length of the byte order mark in bytes: 0, 2 or 3."""
    why: str
    """For people: `byte order mark`, `declared`, `<meta charset> at byte 37` (0-based), `default`."""
    undeclared: bool = False
    """Whether it is a guess: nothing declares it, and the type of the document does not either."""

    def source(self, data: bytes) -> Source:
        """The document of which it was found out."""
        return Source(data, self.name, self.bom, self.undeclared)


class Source(NamedTuple):
    """A document as it came, and its encoding."""

    data: bytes | str
    encoding: str | None = None
    """Canonical name from the Encoding Standard (`utf-8`, `windows-1252`, …); None where `data` is a str."""
    bom: int = 0
    """Length of the byte order mark in bytes (0, 2 or 3); it stays where it is."""
    undeclared: bool = False
    """Whether the encoding is a guess: nothing declares it, and the type of the document does not either."""

    @classmethod
    def marked(cls, data: bytes, encoding: str = "utf-8") -> Source:
        """A document in the encoding that its byte order mark says, or else in the one given."""
        mark = given(data)
        return cls(data, encoding) if mark is None else mark.source(data)

    @property
    def text(self) -> str:
        """The text, without a byte order mark."""
        data = self.data
        return data if isinstance(data, str) else decode(data[self.bom :], self.encoding or "")

    def characters(self) -> tuple[str, Sequence[int]]:
        """The text, a byte order mark included, and the offset in the data of each character, and of the end."""
        data, encoding = self.data, self.encoding or ""
        if isinstance(data, str):
            return data, range(len(data) + 1)
        if data.isascii() and is_ascii_compatible(encoding):
            return data.decode("ascii"), range(len(data) + 1)
        return decode_with_offsets(data, encoding)

    def encoded(self, text: str) -> bytes | None:
        """Another text in its encoding; None if that lacks one of the characters."""
        from rehref.text.encoders import encode  # only what is written needs it

        return encode(text, self.encoding or "")


@lru_cache(maxsize=512)
def lookup(label: str) -> str | None:
    """Get an encoding from a label (Encoding Standard §4.2): its canonical name, or None for an unknown one."""
    found = webencodings.lookup(label)
    return None if found is None else found.name.lower()


def named(label: str) -> str | None:
    """Get an encoding that a user names: by a label of the Standard, or as Python calls it (`cp932`, `utf_8_sig`).

    Not for what documents and headers declare: there the Standard's labels count, as in browsers.
    """
    try:
        name = lookup(label)
        if name is not None:
            return name
        codec_name = codecs.lookup(label).name
    except (LookupError, ValueError):  # ValueError: characters that cannot be in a name
        return None
    return _OF_PYTHON.get(codec_name) or lookup(codec_name)


def declared_name(label: str | None) -> str | None:
    """The encoding that the caller declares, if any. Raises `UnknownEncodingError` if there is no such encoding."""
    name = None if label is None else lookup(label)
    if label is not None and name is None:
        raise UnknownEncodingError(f"unknown encoding {label!r}")
    return name


def given(data: bytes, declared: str | None = None) -> Sniffed | None:
    """The encoding that a byte order mark or the caller gives a document; None: the document decides.

    `declared` is a label that overrides what the document says, but not its byte order mark: an option, or the charset
    of the HTTP headers. Raises `UnknownEncodingError` if there is no such encoding; one that a document names is
    ignored.
    """
    name = declared_name(declared)
    if data.startswith(_ANY_MARK):  # Encoding Standard §6, BOM sniff
        mark = next(mark for mark in _MARKS if data.startswith(mark))
        return Sniffed(_MARKS[mark], len(mark), "byte order mark")
    return None if name is None else Sniffed(name, 0, "declared")


def labels() -> list[str]:
    """The labels of encodings (Encoding Standard)."""
    from webencodings.labels import LABELS

    return [*LABELS]


Encode: TypeAlias = Callable[[str], "bytes | None"]
"""Writes a text in an encoding, or gives None if that lacks a character of it. It writes a text if it writes each
character of it."""

Splice: TypeAlias = tuple[int, int, AnyStr]
"""Characters (of a `SourceText`: its units), or bytes, from, to, and what takes their place."""


def spliced(text: AnyStr, splices: Iterable[Splice[AnyStr]], start: int = 0, end: int | None = None) -> AnyStr:
    """The text, or the bytes, from `start` to `end`, with the splices made: they are in order and do not overlap."""
    pieces: list[AnyStr] = []
    for first, behind, new in splices:
        pieces += (text[start:first], new)
        start = behind
    pieces.append(text[start:end])
    return text[:0].join(pieces)


T = TypeVar("T", bound=Sequence[str])
"""A text, or a list of names."""


def alike_up_to(one: T, other: T) -> int:
    """The length of what both begin with; by bisection, since comparing slices takes almost no time."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


_MARKS_OF_XML = (
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
    """Determine the encoding of an XML document's bytes.

    A byte order mark says it; then what the caller declares; then the first bytes, if they can only be those of UTF-16;
    then the XML declaration; then it is UTF-8. A declaration that can be read as ASCII yet names UTF-16, or an unknown
    encoding, means UTF-8. UTF-32 and EBCDIC are recognised, but not read: their name is `replacement`, in which a
    document is one U+FFFD. Arguments and exceptions as for `given`.
    """
    name = declared_name(declared)
    for mark, marked, why in _MARKS_OF_XML:
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
    """Determine the encoding of a style sheet's bytes; arguments and exceptions as for `given`.

    A byte order mark says it; then what the caller declares; then the style sheet's own `@charset`; then it is UTF-8.
    (The encoding of the document that refers to it comes before UTF-8: a caller that knows it declares it.) `@charset`
    counts as these very bytes at the very beginning: `@charset "`, a label, `";`, all within the first 1024. UTF-16
    named there means UTF-8: in UTF-16 those bytes would not be there.
    """
    sniffed = given(data, declared)
    if sniffed is not None:
        return sniffed
    charset = _CHARSET(data[:LIMIT])
    name = None if charset is None else lookup(charset[1].decode("latin-1"))
    if name is None:
        return Sniffed("utf-8", 0, "default")
    return Sniffed("utf-8" if name in ("utf-16le", "utf-16be") else name, 0, "@charset")
