"""Whether a file in another place, or with another name, may be a different file from the wanted one.

1. It may be another member of a series: a name is a different one, not a misspelling, if the two are of one series
   (`rehref.checking.repair.series`), or an edit or two away with a different number.
2. Paths are compared folder by folder, except for their common beginning and end. If two folders are at the same depth,
   one must not be a different one in the sense of rule 1: `v1/api/guide.html` is not `v2/api/guide.html`.
3. It may be of another edition: one path names a language or version, and the other names none, or another one: the
   page `fr/about.html` is not `about.html`. But if a reference from within an edition lacks its name, it means that
   edition; and a file that is not a page, and in no edition, belongs to all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rehref.checking.repair.series import editions, is_in_series_with
from rehref.text.nearest import alike_up_to, edits

_NO_DIGITS = re.compile(r"\D+")
_MOST_EDITS: Final = 2
_PAGES: Final = frozenset({".htm", ".html", ".shtml", ".xhtml", ".xht", ".php", ".asp", ".aspx", ".md"})


def is_another(wanted: str, name: str) -> bool:
    """Whether two different names mean different things, rather than one being a misspelling (rule 1)."""
    if is_in_series_with(wanted, name):
        return True
    return _NO_DIGITS.sub("", wanted) != _NO_DIGITS.sub("", name) and edits(wanted, name) <= _MOST_EDITS


def is_another_path(wanted: str, found: str, document: str) -> bool:
    """Whether a path that was found for a wanted one may lead to something else (rules 2, 3).

    `document`: the path of the document with the reference. All paths are below the folder; that of a folder ends with
    a slash.
    """
    _, names, others = _folders(wanted, found)
    if any(one != other and is_another(one, other) for one, other in zip(names, others, strict=False)):
        return True
    here, there = editions(names), editions(others)
    if here == there or (not here and there <= editions(document.split("/"))):
        return False
    before, dot, extension = found.rpartition("/")[2].rpartition(".")
    return bool(there) or before == "" or (dot + extension).lower() in _PAGES


def folders_beside(wanted: str, found: str) -> tuple[str, str] | None:
    """The two folders in which two paths differ, if these are siblings; else None."""
    above, names, others = _folders(wanted, found)
    return ("/".join((*above, *names)), "/".join((*above, *others))) if len(names) == len(others) == 1 else None


def folder_left_out(wanted: str, found: str) -> str | None:
    """The first folder of a wanted path that the found one does not have; None if it has all of them."""
    above, names, _ = _folders(wanted, found)
    return "/".join((*above, names[0])) if names else None


def is_end(one: str, other: str) -> bool:
    """Whether one path is the end of the other, and names a folder."""
    shorter, longer = sorted((one, other), key=len)
    return "/" in shorter[:-1] and longer.endswith(f"/{shorter}")


def _folders(one: str, other: str) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The folders above both of two paths, and the folders below them in which they differ (rule 2)."""
    names, others = one.rstrip("/").split("/")[:-1], other.rstrip("/").split("/")[:-1]
    above = alike_up_to(names, others)
    below = alike_up_to(names[above:][::-1], others[above:][::-1])
    return names[:above], names[above : len(names) - below], others[above : len(others) - below]
