"""Ids that an element before has already: the code `duplicate-id`.

1. An id that one before has is a warning: fragments lead to the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any

from rehref.checking.model import Finding
from rehref.checking.pages.read_page import ReadPage
from rehref.checking.pages.tables import SiteTable
from rehref.checking.site.site_context import SiteContext


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """The findings for the ids of a page, as plain tuples."""
    page = read.page
    return [tuple(_finding(read, number)) for number in page.inventory.doubles] or None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """The findings for ids that are there more than once."""
    for found in facts.values():
        yield from starmap(Finding, found)


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
