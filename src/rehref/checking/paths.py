"""The path of a URI as a path of files: decoded, encoded again, and how it is shown to people.

1. Escapes are decoded (RFC 3986 §2.1) to what Python makes of the names of files: text in the encoding of the file
   system, UTF-8 nearly everywhere, with what is none held as surrogates (PEP 383).
2. `%2F` is no slash (§2.2), and a NUL is in no name: a segment with one names no file. Such an escape is held as a NUL
   and its two digits, which no name holds, and from which it can be written again.
3. After that, dot segments go (§5.2.4), since `%2E%2E` is one too, and several slashes are one, as in paths of files;
   nginx (merge_slashes) and Apache (MergeSlashes) have it so by default.
4. What is shown has no passwords: behind one slash, reports would not find them.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from rehref.files.file_uris import encode_path
from rehref.uri.privacy import mask_path
from rehref.uri.rfc3986 import remove_dot_segments

LONGEST_PATH: Final = 4096
"""PATH_MAX of Linux: nothing longer names a file."""

_HELD = re.compile("%(2[Ff]|00)|\0")
_SLASHES = re.compile("//+")
_LONGEST_SHOWN = 200
_ENCODING: Final = sys.getfilesystemencoding()


def decode(text: str) -> str:
    """Decode the escapes in a part of a path (rules 1, 2). Never fails."""
    if "%" in text or not text.isascii() or "\0" in text:
        held = _HELD.sub(lambda found: "%00" + (found[1] or "00"), text)
        return unquote_to_bytes(held.encode("utf-8", "surrogatepass")).decode(_ENCODING, "surrogateescape")
    return text


def decode_path(path: str) -> str:
    """Decode the path of a URI, one that begins with a slash. Never fails."""
    path = remove_dot_segments(decode(path))
    return _SLASHES.sub("/", path) if "//" in path else path


def encode(text: str) -> str:
    """Percent-encode a part of a decoded path for a URI. Never fails."""
    return encode_any(text).replace("%00", "%")


def encode_any(text: str) -> str:
    """Percent-encode any text for the path of a URI, in UTF-8 if the file system's encoding lacks it. Never fails."""
    try:
        return encode_path(text)
    except UnicodeEncodeError:
        return quote(text.encode("utf-8", "surrogatepass"))


def shown(path: str) -> str:
    """A decoded path for people: without passwords, percent-encoded if it would not print, and not too long."""
    path = mask_path(path)
    text = path if path.isprintable() else encode(path)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def folded(text: str) -> str:
    """What texts have in common that differ only in case or normalization form."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
