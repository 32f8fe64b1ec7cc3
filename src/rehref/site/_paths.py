"""The path of a URI as a file path: decoding, encoding, and how it is shown to people; and the host that a URI is on.

Escapes are decoded (RFC 3986 §2.1) to the form in which Python has file names: text in the encoding of the file system,
UTF-8 nearly everywhere; bytes that do not decode become surrogates (PEP 383). A shown path has no passwords: after a
single slash, reports would not find them.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from rehref.files.file_documents import encode_path
from rehref.uri.components import Components, mask_text, remove_dot_segments, split

LONGEST_PATH: Final = 4096
"""PATH_MAX of Linux: no longer path names a file."""

_HELD = re.compile("%(2[Ff]|00)|\0")
_SLASHES = re.compile("//+")
_PASSWORD_IN_PATH = re.compile(r"((?:^|/)[^/:]*+:)[^/]+@").sub
_LONGEST_SHOWN = 200
_ENCODING: Final = sys.getfilesystemencoding()


def decode(text: str) -> str:
    """Decode the escapes in a part of a path. Never fails.

    `%2F` is not a slash (§2.2), and no file name contains a NUL: a segment with one of them names no file. Such an
    escape becomes a NUL and its two digits, which no name contains, so that the escape can be restored.
    """
    if "%" in text or not text.isascii() or "\0" in text:
        held = _HELD.sub(lambda found: "%00" + (found[1] or "00"), text)
        return unquote_to_bytes(held.encode("utf-8", "surrogatepass")).decode(_ENCODING, "surrogateescape")
    return text


def decode_path(path: str) -> str:
    """Decode a path, and then remove dot segments (§5.2.4), since `%2E%2E` is one too; several slashes become one.

    So it is in file paths; nginx (merge_slashes) and Apache (MergeSlashes) do so by default.
    """
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
    """Return a decoded path for people: without passwords, percent-encoded if it would not print, and not too long."""
    path = mask_path(path)
    text = path if path.isprintable() else encode(path)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def folded(text: str) -> str:
    """Return a form that is equal for texts that differ only in case or normalization form."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


@lru_cache(maxsize=64)  # a site has few wrong targets, and many references to each
def wanted_path(target: str, site_uri: str, root_dir: str | None) -> tuple[str, str | None]:
    """Return the path below the folder that a target URI leads to, decoded, and its fragment."""
    parts = split(target)
    path, site_path = decode_path(parts.path), decode_path(split(site_uri).path)
    if root_dir is not None and not path.startswith(site_path):
        path = f"{root_dir}{path}"
    return path.removeprefix(site_path).lstrip("/"), parts.fragment


_USUAL = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]+").fullmatch
"""Matches a host that is written in that form already, as nearly all are."""


def origin(parts: Components) -> tuple[str, str]:
    """Return what two URIs have in common that are on one host.

    `http` and `https` count as one, with their default ports; differences in spelling that have no meaning are ignored:
    case and escapes (RFC 3986 §6.2.2), and whether a name is in Unicode or in IDNA's form (§3.2.2). `file:` URIs
    without a host, with an empty one and with `localhost` are on one host (RFC 8089 §2).
    """
    scheme = (parts.scheme or "").lower()
    authority = parts.authority or ""
    if scheme == "file":
        return scheme, "" if authority.lower() == "localhost" else authority.lower()
    if scheme in ("http", "https") and _USUAL(authority):
        return "http", authority
    if scheme in ("http", "https"):
        from rehref.uri.normalization import comparison_key

        return "http", comparison_key(f"{scheme}://{authority}/")[len(scheme) + 3 : -1]
    return scheme, authority.lower()


def mask_path(path: str) -> str:
    """Return a path of files for showing: the password in each segment replaced by `***`.

    The slashes of a URI may be one in it, or none be left (`https;/user:password@h`).
    """
    if "@" not in path:
        return path
    return _PASSWORD_IN_PATH(r"\1***@", mask_text(path))
