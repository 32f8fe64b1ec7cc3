"""Pages that send browsers on to another page, and what becomes of the fragment that they were asked for with.

1. What sends browsers on is a `meta` refresh (`rehref.checking.pages.metas`, `leads_on`).
2. Unlike a redirection, a refresh drops the fragment of the link (HTML Standard, "shared declarative refresh steps":
   what is navigated to is its own URL).
3. A script keeps it where one of the page reads `location.hash`, beside a refresh at once: the pages that documentation
   generators leave at old addresses are made so. The fragment is then one of the page that they lead to.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class LeadsOn(NamedTuple):
    """Where a page sends browsers on to: a page of the site, else "".

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
    """Whether `hash` stands somewhere behind `location`; two searches, since one pattern would take quadratic time."""
    location = _LOCATION(script)
    return location is not None and _HASH(script, location.end()) is not None
