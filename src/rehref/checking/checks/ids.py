"""Ids that an element before has already: the code `duplicate-id`.

1. An id that one before has is a warning where something leads to it, in the page itself or in another: browsers go to
   the first (HTML Standard, "find a potential indicated element"). Where nothing does, it is no matter of links.
2. What other pages lead to is known when all are read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any, NamedTuple
from urllib.parse import unquote

from rehref.base import without_fragment
from rehref.checking.browsing.fragments import without_directive
from rehref.checking.model import Finding
from rehref.checking.pages.page import Page
from rehref.checking.pages.read_page import ReadPage
from rehref.checking.pages.tables import SiteTable
from rehref.checking.site.site_context import SiteContext

_PLAIN = re.compile(r"[^%:]*+").fullmatch


class Doubles(NamedTuple):
    """The ids of a page that several elements have. `findings`: for each, as plain tuples.

    `used`: those that the page itself leads to.
    """

    findings: Sequence[tuple[Any, ...]]
    used: frozenset[str]


def collect(read: ReadPage) -> Doubles | None:
    """What there is to say of the ids of a page."""
    doubles = read.page.inventory.doubles
    if not doubles:
        return None
    found = [_finding(read, number) for number in doubles]
    ids = {finding.reference for finding in found}
    return Doubles([*map(tuple, found)], _used(ids, _fragments(read.page, ids)))


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, Doubles]) -> Iterator[Finding]:
    """The findings for ids that are there more than once, and to which something leads."""
    fragments = table.fragments() if facts else {}
    for path, doubles in facts.items():
        found = [*starmap(Finding, doubles.findings)]
        ids = {finding.reference for finding in found}
        used = doubles.used | _used(ids, (fragment for fragment, _ in fragments.get(path, ())))
        yield from (finding for finding in found if finding.reference in used)


def _used(ids: Collection[str], fragments: Iterable[str]) -> frozenset[str]:
    """Those of some ids that a fragment leads to."""
    return frozenset(name for fragment in fragments for name in (fragment, unquote(fragment)) if name in ids)


def _fragments(page: Page, ids: Collection[str]) -> Iterator[str]:
    """The fragments of the references of a page to itself, as far as they may lead to some ids."""
    for value in page.inventory.values:
        path, hash_, fragment = value.partition("#")
        if hash_ == "" or (fragment not in ids and _PLAIN(fragment)):  # nearly all
            continue
        fragment = without_directive(fragment)
        if _used(ids, (fragment,)) and ((path == "" and page.is_at_own_base) or _is_own(page, value)):
            yield fragment
    for number in page.inventory.others:
        for reference in page.document.find(page.document, number):
            if reference.text.startswith("#"):
                yield reference.text[1:]


def _is_own(page: Page, value: str) -> bool:
    """Whether an ordinary reference leads to the page itself."""
    target, *_ = page.document.resolver(value)
    return target is not None and without_fragment(target) == page.document.own.uri


def _finding(read: ReadPage, number: int) -> Finding:
    """The finding for the place of that number."""
    named = read.page.named
    line, column = named.locate(number, 0)
    place = named.places[number]
    return Finding(
        document=read.path,
        code="duplicate-id",
        message=f"the id {place.value!r} stands before it on another element, which is where fragments lead",
        line=line,
        column=column,
        span=named.span(number, 0, len(place.value)),
        element=place.element,
        attribute=place.attribute,
        reference=place.value,
    )
