"""Ids that an earlier element has already: the code `duplicate-id`.

A repeated id is a warning if something leads to it, in the page itself or in another: browsers go to the first element
(HTML Standard, "find a potential indicated element"). If nothing leads to it, links are not affected. What leads to it
is known when all pages are read; the few that matter are then read again. In Markdown none is reported: authors give an
anchor beside a heading the id that the heading gets, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from typing import Any, NamedTuple
from urllib.parse import unquote

from rehref.documents.base import without_fragment
from rehref.documents.media_types import MediaType
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import NUL
from rehref.site._pages.fragments import DIRECTIVE, without_directive
from rehref.site._pages.made_findings import finding_at
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import in_processes, read_or_skip
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding

_PLAIN = re.compile(r"[^%:]*+").fullmatch
_FEW = 16  # ids that are searched for one by one


class Doubles(NamedTuple):
    """The repeated ids of a page. `ids`: by the number of each place whose id an earlier place has.

    `used`: the ids that the page itself leads to.
    """

    ids: Mapping[int, str]
    used: frozenset[str]


def collect(read: ReadPage) -> Doubles | None:
    """Return the repeated ids of a page."""
    doubles = read.page.name_table.doubles
    if not doubles or read.page.media_type == MediaType.MARKDOWN:
        return None
    places = read.page.parsed.places
    found = {number: places[number].value for number in doubles}
    ids = frozenset(found.values())
    return Doubles(found, _used(ids, _fragments(read.page, ids)))


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, Doubles]) -> Iterator[Finding]:
    """Yield the findings for repeated ids to which something leads."""
    fragments = table.fragments() if facts else {}
    wanted: list[tuple[str, dict[int, str]]] = []
    for path, doubles in facts.items():
        ids = frozenset(doubles.ids.values())
        used = doubles.used | _used(ids, (fragment for fragment, _ in fragments.get(path, ())))
        if used:
            wanted.append((path, {number: name for number, name in doubles.ids.items() if name in used}))
    for found in in_processes(context, partial(located, context), wanted):
        yield from starmap(Finding, found)


def located(context: SiteContext, items: Sequence[tuple[str, Mapping[int, str]]]) -> list[tuple[Any, ...]]:
    """Return the findings for some ids of documents, as plain tuples, sent faster. Raises nothing."""
    found: list[tuple[Any, ...]] = []
    for path, ids in items:
        data = read_or_skip(context, path)
        page = None if data is None else SitePage(context, path, data)
        if page is not None:
            there = (number for number, name in ids.items() if _has(page, number, name))
            found += (tuple(_finding(page, one)) for one in there if not (page.is_html and _is_inside(page, one)))
    return found


def _used(ids: Collection[str], fragments: Iterable[str]) -> frozenset[str]:
    """Return the ids that a fragment leads to."""
    return frozenset(name for fragment in fragments for name in (fragment, unquote(fragment)) if name in ids)


def _fragments(page: SitePage, ids: Collection[str]) -> Iterator[str]:
    """Yield the fragments of the references of a page to itself, as far as they may lead to one of the ids."""
    values: Iterable[str] = page.values.texts
    text = NUL.join((*values, ""))
    is_plain = len(ids) <= _FEW and "%" not in text and DIRECTIVE not in text
    if is_plain and not any(f"#{name}{NUL}" in text for name in ids):  # nearly always
        values = ()
    for value in values:
        path, hash_, fragment = value.partition("#")
        if hash_ == "" or (fragment not in ids and _PLAIN(fragment)):  # nearly all
            continue
        fragment = without_directive(fragment)
        if _used(ids, (fragment,)) and ((path == "" and page.is_at_own_base) or _is_own(page, value)):
            yield fragment
    for number in page.values.others:
        for reference, _ in page.resolved(number):
            if reference.text.startswith("#"):
                yield reference.text[1:]


def _is_own(page: SitePage, value: str) -> bool:
    """Whether an ordinary reference leads to the page itself."""
    target, *_ = page.document.resolver(value)
    return target is not None and without_fragment(target) == page.document.own.uri


def _has(page: SitePage, number: int, name: str) -> bool:
    """Whether a place still holds a name: the document may have changed."""
    places = page.parsed.places
    return number < len(places) and places[number].value == name


def _is_inside(page: SitePage, number: int) -> bool:
    """Whether the element of a place is the first child of an element with the same id, with only white space between.

    Both are at the same place then. Sphinx themes wrap tables in this way.
    """
    places = page.parsed.places
    inner = places[number].tag
    outer = next((tag for before in range(number - 1, -1, -1) if (tag := places[before].tag) != inner), None)
    return outer is not None and page.document.page.is_first_child_alike(outer, inner, "id")


def _finding(page: SitePage, number: int) -> Finding:
    """Return the finding for the place of that number."""
    value = page.parsed.places[number].value
    message = f"an earlier element has the id {value!r} too, and fragments lead to that one"
    return finding_at(page.path, page.document, number, "duplicate-id", message)
