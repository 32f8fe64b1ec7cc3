"""Schemes that are misspelt: `htps://example.org/`, `mailt:anna@example.org`.

1. A scheme is misspelt if it is one edit away from a common one (the first of several), and the text after it is what
   follows that one: slashes, an address, a number, a media type. `javascript` is too long to be near by chance.
2. A scheme that IANA has registered (RFC 7595) is never misspelt, nor another one in use (`_IN_USE`). Any other may
   belong to an application (`web+x`, `obsidian`, `com.example.app`), or not be a scheme (`foaf:name`).
3. Two short names are alike by chance (`rtp` and `ftp`), so for `ftp` the host must say it too.
"""

from __future__ import annotations

import re
from typing import Final

from rehref.text.edits import edits

_SLASHES = re.compile(r"[\\/]{2}").match
_COMMON: Final = {
    "https": _SLASHES,
    "http": _SLASHES,
    "mailto": re.compile("[^@/?#]+@").match,
    "javascript": re.compile("").match,
    "tel": re.compile(r"[+0][-0-9.()]{6}").match,
    "data": re.compile(r"[a-z]+/[a-z0-9.+-]+[;,]", re.IGNORECASE).match,
    "file": re.compile("///").match,
    "ftp": re.compile(r"//ftp\.", re.IGNORECASE).match,
}
_IN_USE: Final = frozenset({"dat", "dhttp", "pttp", "sftp", "shttp", "tftp", "xftp", "ftps", "httpu"})
"""Schemes that are one edit away from a common one: those registered in February 2026, and two that are not."""


def scheme_meant(reference: str) -> str | None:
    """The scheme that was meant by that of a reference, which begins with a scheme and a colon; None if not known."""
    scheme, _, rest = reference.partition(":")
    scheme = scheme.lower()
    meant = next((common for common, fits in _COMMON.items() if edits(scheme, common) == 1 and fits(rest)), None)
    return None if scheme in _COMMON or scheme in _IN_USE else meant
