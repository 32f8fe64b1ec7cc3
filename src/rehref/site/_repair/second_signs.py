"""Second signs for suggestions that are sure by a name or by its spelling alone: without one they are not sure.

A file of the wanted name in another folder is not the one that was meant because of its name: generators give the
same names in every folder (`theindex.html`), and a library's picture is not that of its neighbour. An id that differs
only in case may be another thing, as a variable `document` is not the type `Document`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.documents.base import clean, without_fragment
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.fragments import Defined, without_directive
from rehref.site._pages.reading_site_pages import links_in
from rehref.site._repair.names_found import before_last_name, last_name
from rehref.site._series import is_distinctive, is_numbered
from rehref.site.findings import Finding

_FEWEST: Final = 3
"""How many different names make a sign."""
_PAGES_REMEMBERED: Final = 64


class OfOneName(NamedTuple):
    """Two paths of one name, or two ids (`is_id`) that differ in case: what a reference leads to, and what is there.

    `file`: the one at that path, or with that id. `occurs_once`: whether the site has one file of that name.
    """

    wanted: str
    found: str
    file: str
    is_id: bool = False
    occurs_once: bool = False


class NeedsSign(NamedTuple):
    """A finding, by its number, with a suggestion that needs a second sign."""

    number: int
    finding: Finding
    names: OfOneName


def without_sign(
    context: SiteContext,
    found: Sequence[NeedsSign],
    missing: Iterable[str],
    defined: Callable[[str], Defined | None],
) -> set[int]:
    """Return the numbers of the findings whose suggestion has no second sign. `defined`: as in `with_suggestions`.

    For a file: the page does not lead to it already, and either its folder has several of the files that are missing in
    the wanted folder, of names that no other folder has, and half of all that are `missing` there; or it has the id
    that is asked for. For an id in another case: several ids of the site are, all in the same way.
    """
    files, ids = [[one for one in found if one.names.is_id == is_id] for is_id in (False, True)]
    moved, gone = defaultdict[tuple[str, str], set[str]](set), defaultdict[str, set[str]](set)
    for path in missing if files else ():
        gone[before_last_name(path)].add(last_name(path))
    for _, _, names in files:
        if names.occurs_once:
            moved[_folders(names)].add(last_name(names.found))

    @lru_cache(maxsize=_PAGES_REMEMBERED)
    def targets_of(document: str) -> frozenset[str]:
        return frozenset(without_fragment(link.target) for link in links_in(context, document) if link.target)

    def has_id(reference: str, names: OfOneName) -> bool:
        fragment = without_directive(clean(reference).partition("#")[2])
        is_name = is_distinctive(fragment) and not is_numbered(fragment)
        here = defined(names.file) if names.occurs_once and is_name else None
        return here is not None and fragment in here.names

    def has_moved(names: OfOneName) -> bool:
        folders = _folders(names)
        return len(moved[folders]) >= max(_FEWEST, len(gone[folders[0]]) / 2)

    def has_sign(finding: Finding, names: OfOneName) -> bool:
        is_proved = has_moved(names) or has_id(finding.reference, names)
        return is_proved and context.uri_of(names.found) not in targets_of(finding.document)

    alone = {number for number, finding, names in files if not has_sign(finding, names)}
    pairs = {(one.names.wanted, one.names.found) for one in ids}
    if len(pairs) < _FEWEST or len({_way(*pair) for pair in pairs}) != 1:
        alone.update(one.number for one in ids)
    return alone


def _folders(names: OfOneName) -> tuple[str, str]:
    """The folder in which a file is missing, and that in which it is."""
    return before_last_name(names.wanted), before_last_name(names.found)


def _way(wanted: str, found: str) -> tuple[bool, bool]:
    """The way in which two ids differ: which of them is in lower case."""
    return wanted == wanted.lower(), found == found.lower()
