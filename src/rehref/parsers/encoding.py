"""Which encoding a document is read in, and reading and writing text in it.

1. `sniff` determines the encoding as the HTML Standard does (§13.2.3.2): a byte order mark, then what the
   caller declares (an option, or the charset of the HTTP headers), then the document's own `meta`, then
   windows-1252. It says which it was, for people.
2. Labels are those of the Encoding Standard; an unknown one is an error if the caller gave it, and is passed
   over if the document did.
3. Names are canonical and lower case: `utf-8`, `windows-1252`, `shift_jis`, ….
4. `decode`, `decode_with_offsets`, `encode` and the like (from `charsets`) follow the Standard's decoders to
   the byte, errors included; `codec` is for handing a document to libraries that know only Python's codecs.
"""

from __future__ import annotations

from dataclasses import dataclass

import webencodings

from rehref.parsers.charset_tables import CODECS
from rehref.parsers.charsets import (
    decode,
    decode_with_offsets,
    encodable,
    encode,
    encode_with_references,
    is_ascii_compatible,
)
from rehref.parsers.prescan import prescan

__all__ = [
    "NAMES",
    "Sniffed",
    "UnknownEncodingError",
    "codec",
    "decode",
    "decode_with_offsets",
    "encodable",
    "encode",
    "encode_with_references",
    "is_ascii_compatible",
    "lookup",
    "sniff",
]

NAMES = frozenset(CODECS)
"""Every encoding of the Standard, by its canonical name."""

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))


class UnknownEncodingError(LookupError):
    """The caller named an encoding that does not exist."""


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The encoding of a document, and how it was found out."""

    name: str
    """Canonical name."""
    bom: int
    """Length of the byte order mark in bytes: 0, 2 or 3."""
    why: str
    """For people: `byte order mark`, `declared`, `<meta charset> at byte 37` (0-based), `default`."""


def lookup(label: str) -> str | None:
    """Get an encoding from a label (Encoding Standard §4.2): its canonical name, or None for an unknown one."""
    found = webencodings.lookup(label)
    return None if found is None else found.name.lower()


def sniff(data: bytes, declared: str | None = None) -> Sniffed:
    """Determine the encoding of a document's bytes.

    `declared` is a label that overrides what the document says, but not its byte order mark. Raises
    `UnknownEncodingError` if there is no such encoding.
    """
    name = None if declared is None else lookup(declared)
    if declared is not None and name is None:
        raise UnknownEncodingError(f"unknown encoding {declared!r}")
    for mark, marked in _MARKS:  # Encoding Standard §6, BOM sniff
        if data.startswith(mark):
            return Sniffed(marked, len(mark), "byte order mark")
    if name is not None:
        return Sniffed(name, 0, "declared")
    found = prescan(data, lookup)
    if found is not None:
        return Sniffed(found.name, 0, found.why)
    return Sniffed("windows-1252", 0, "default")


def may_be_wide(data: bytes) -> bool:
    """Whether a document may be in UTF-16, so that ASCII is not to be looked for in its bytes."""
    return data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]


def codec(name: str) -> str:
    """Give the Python codec that comes closest to the encoding of that canonical name.

    It may leave bytes undefined that the Standard defines, differ in a few characters, and treat errors in
    its own way; `decode` does not. Raises `KeyError` for what is no canonical name.
    """
    return CODECS[name]
