"""The path of a URI as a path of files: decoded, and how it is shown to people.

1. Escapes are decoded (RFC 3986 §2.1); what is no UTF-8 then is held as Python holds the names of files (PEP 383).
2. `%2F` is no slash (§2.2): a segment with one names no file. It is decoded to a NUL, which no name holds either.
3. After that, dot segments go (§5.2.4), since `%2E%2E` is one too, and several slashes are one, as in paths of files;
   nginx (merge_slashes) and Apache (MergeSlashes) have it so by default.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from rehref.entities.files import encode_path
from rehref.uri.resolution import remove_dot_segments

_SLASH = re.compile("%2[Ff]")
_SLASHES = re.compile("//+")
_LONGEST_SHOWN = 200


def decode_path(path: str) -> str:
    """Decode the path of a URI, one that begins with a slash. Never fails."""
    if "%" in path or not path.isascii():
        data = unquote_to_bytes(_SLASH.sub("%00", path).encode("utf-8", "surrogatepass"))
        path = data.decode("utf-8", "surrogateescape")
    path = remove_dot_segments(path)
    return _SLASHES.sub("/", path) if "//" in path else path


def shown(path: str) -> str:
    """A decoded path for people: percent-encoded if it would not print, and not too long."""
    text = path if path.isprintable() else encode_path(path)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
