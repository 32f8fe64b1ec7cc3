"""Pages that refresh to another page, and what happens to the fragment of a link to them.

1. Only a `meta` refresh counts (`rehref.checking.pages.metas`, `leads_on`).
2. Unlike a redirection, a refresh drops the fragment of the link (HTML Standard, "shared declarative refresh steps":
   browsers navigate to the refresh's own URL).
3. A script keeps the fragment if one of the page reads `location.hash`, in a page that refreshes at once: documentation
   generators write such pages at old addresses. The fragment then belongs to the page that they lead to.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class LeadsOn(NamedTuple):
    """Where a page refreshes to: a page of the site, else "".

    `at_once`: without waiting; `keeps_fragment`: with the fragment (rule 3).
    """

    path: str
    at_once: bool
    keeps_fragment: bool = False


_BEGIN = re.compile(rb"<script\b", re.IGNORECASE)
_END = re.compile(rb"</script\b", re.IGNORECASE)
_LOCATION = re.compile(rb"\blocation\b").search
_HASH = re.compile(rb"\bhash\b").search


def keeps_fragment(data: bytes) -> bool:
    """Whether a script of a page reads the fragment (rule 3)."""
    if b"hash" not in data:
        return False
    return any(_reads_hash(_END.split(script, 1)[0]) for script in _BEGIN.split(data)[1:])


def _reads_hash(script: bytes) -> bool:
    """Whether `hash` follows `location` anywhere; two searches, since one pattern would take quadratic time."""
    location = _LOCATION(script)
    return location is not None and _HASH(script, location.end()) is not None
