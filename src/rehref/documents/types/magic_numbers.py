"""Files that are not documents whatever their names: images, sound, films, fonts, archives, PDF, by their first bytes.

1. The patterns are those of the MIME Sniffing Standard: §6.1 images, §6.2 audio and video, §6.3 fonts, §6.4 archives,
   §7.1 PDF and PostScript; and LZ4. gzip is missing on purpose: for gzipped data the type of the content counts.
2. They match at the very beginning. No markup, style sheet or text in Unicode begins so.
3. If a pattern consists of letters that a text may begin with (`BM`, `ID3`, `OTTO`), a binary data byte (§3) must be
   among the first bytes as well, which the Standard does not require; so must the version of an Embedded OpenType font.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

ZIP_FILE: Final = "a zip file"
LZ4_FILE: Final = "compressed with LZ4"

_CERTAIN: Final = (
    (rb"\x89PNG\r\n\x1a\n", "a PNG image"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"GIF8[79]a", "a GIF image"),
    (rb"\x00\x00[\x01\x02]\x00", "a Windows icon"),
    (rb"%PDF-", "a PDF file"),
    (rb"%!PS-Adobe-", "a PostScript file"),
    (rb"PK\x03\x04", ZIP_FILE),
    (rb"Rar!\x1a\x07\x00", "a RAR archive"),
    (rb"\x04\x22\x4d\x18", LZ4_FILE),
    (rb"OggS\x00", "an Ogg file"),
    (rb"\x1a\x45\xdf\xa3", "a WebM or Matroska file"),
    (rb"MThd\x00\x00\x00\x06", "a MIDI file"),
    (rb"\x00\x01\x00\x00", "a TrueType font"),
    (rb".{8}[\x00-\x02]\x00[\x01\x02]\x00.{22}LP", "an Embedded OpenType font"),
)
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
# §3, "binary data byte"; §5.2: the number of bytes of a resource that count
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]").search
_HEADER: Final = 1445


def is_binary(head: bytes) -> bool:
    """Whether a binary data byte is among the first bytes that count."""
    return _BINARY(head, 0, _HEADER) is not None


def magic(data: bytes) -> str | None:
    """The type of data with these first bytes, in words (`a PNG image`); None if no pattern matches."""
    if data[:1] in (b"<", b"\n"):  # nearly every document
        return None
    found = _patterns().match(data)
    if found is None:
        return None
    assert found.lastindex is not None
    number = found.lastindex - 1
    return _NAMES[number] if number < len(_CERTAIN) or is_binary(data) else None


@cache
def _patterns() -> re.Pattern[bytes]:
    """The patterns of rules 1 and 3, each in a group."""
    return re.compile(b"|".join(b"(" + pattern + b")" for pattern, _ in (*_CERTAIN, *_WITH_BINARY)), re.DOTALL)
