"""What files begin with that are not documents: images, films, fonts, archives, PDF and PostScript.

The patterns are those of the MIME Sniffing Standard (§6.1 to §6.4, §7.1), and LZ4. gzip is missing on purpose: what is
in it counts. No markup, style sheet or text in Unicode begins so.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

GZIP: Final = b"\x1f\x8b"
"""The first bytes of gzipped data (RFC 1952 §2.3.1)."""
ZIP: Final = b"PK\x03\x04"
LZ4: Final = b"\x04\x22\x4d\x18"

_CERTAIN: Final = (
    (rb"\x89PNG\r\n\x1a\n", "a PNG image"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"GIF8[79]a", "a GIF image"),
    (rb"\x00\x00[\x01\x02]\x00", "a Windows icon"),
    (rb"%PDF-", "a PDF file"),
    (rb"%!PS-Adobe-", "a PostScript file"),
    (re.escape(ZIP), "a zip file"),
    (rb"Rar!\x1a\x07\x00", "a RAR archive"),
    (re.escape(LZ4), "compressed with LZ4"),
    (rb"OggS\x00", "an Ogg file"),
    (rb"\x1a\x45\xdf\xa3", "a WebM or Matroska file"),
    (rb"MThd\x00\x00\x00\x06", "a MIDI file"),
    (rb"\x00\x01\x00\x00", "a TrueType font"),
    (rb".{8}[\x00-\x02]\x00[\x01\x02]\x00.{22}LP", "an Embedded OpenType font"),
)
# a text may begin with these letters: a binary data byte must follow, which the Standard does not require; nor does it
# require the version of an Embedded OpenType font
_WITH_BINARY: Final = (
    (rb"RIFF....WEBPVP", "a WebP image"),
    (rb"BM", "a BMP image"),
    (rb"RIFF....WAVE", "a WAVE file"),
    (rb"RIFF....AVI ", "an AVI film"),
    (rb"FORM....AIFF", "an AIFF file"),
    (rb"\.snd", "an AU file"),
    (rb"ID3|\xff[\xfb\xf3\xf2]", "an MP3 file"),
    (rb"....ftyp", "an MP4, AVIF or HEIC file"),
    (rb"OTTO", "an OpenType font"),
    (rb"ttcf", "a collection of TrueType fonts"),
    (rb"wOF[F2]", "a WOFF font"),
)
_NAMES: Final = tuple(name for _, name in (*_CERTAIN, *_WITH_BINARY))
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]").search
_HEADER: Final = 1445


def is_binary(data: bytes) -> bool:
    """Whether a binary data byte (§3) is among the first bytes that count (§5.2)."""
    return _BINARY(data, 0, _HEADER) is not None


def no_document(data: bytes) -> str | None:
    """What begins so instead of a document, in words (`a PNG image`); None if no pattern matches."""
    found = _patterns().match(data)
    if found is None:
        return None
    assert found.lastindex is not None
    number = found.lastindex - 1
    return _NAMES[number] if number < len(_CERTAIN) or is_binary(data) else None


@cache
def _patterns() -> re.Pattern[bytes]:
    """The patterns, each in a group."""
    return re.compile(b"|".join(b"(" + pattern + b")" for pattern, _ in (*_CERTAIN, *_WITH_BINARY)), re.DOTALL)
