"""What a page refers to on other sites: `--dump-external`, `--external`.

1. External is what leads to another site by `http` or `https`, and would be checked if it were on this one: no name, no
   statement, nothing that nothing is fetched for (`rehref.checking.pages.targets`), nothing that is left out.
2. A URL is given without its fragment, and as it is judged (`rehref.checking.target_map`); with its first place.
3. What is glued to the site (`rehref.uri.ordinary_references`) leads to no other one, unless targets are mapped. Of
   pages of a server it does if it is none of those that were fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rehref.base import without_fragment
from rehref.checking.pages.classifier import leads_elsewhere, uri_of
from rehref.checking.pages.inventory import HERE
from rehref.checking.pages.page import Page
from rehref.checking.pages.tables import Position
from rehref.checking.pages.targets import leads_somewhere
from rehref.checking.pages.written import wrong_as_written
from rehref.checking.site.site_context import SiteContext
from rehref.documents.document import Reference
from rehref.documents.link import Link
from rehref.text.ascii import lower

_SCHEMES = ("http://", "https://")


class External(NamedTuple):
    """A reference to another site. `link`: what it comes to, without its place; `url`: what is judged (rule 2)."""

    reference: Reference
    link: Link
    url: str


def external_urls(page: Page) -> dict[str, Position]:
    """The URLs on other sites that a page refers to, and the line and column of the first reference to each."""
    found: dict[str, Position] = {}
    for reference, _, url in external_references(page):
        if url not in found:
            link = page.document.link(reference)
            found[url] = Position(link.line, link.column)
    return found


def external_references(page: Page) -> Iterator[External]:
    """The references of a page to other sites (rule 1), in document order."""
    context, document = page.context, page.document
    for reference in _references(page):
        link = document.resolved(reference)
        target = link.target
        if target is None or link.kind == "base" or not leads_somewhere(reference, link):
            continue
        if page.is_for_nobody(reference.place, link.element):
            continue
        if wrong_as_written(context, link.reference, target, link.problems) is not None:
            continue
        if context.scope.chooses(target, link.reference) and leads_elsewhere(context, target, link.reference):
            url = context.locator.mapped(without_fragment(target))
            if lower(url[:8]).startswith(_SCHEMES):
                yield External(reference, link, url)


def _references(page: Page) -> Iterator[Reference]:
    """The references of a page, but for those of which it is clear that they lead to no other site (rule 3)."""
    held, options = page.inventory, page.context.options
    is_mapped = bool(options.remap or options.own_hosts)
    ordinary = held.at(
        value
        for value, number in held.values.items()
        if is_mapped or (target := held.targets[number]) is None or _may_lead_elsewhere(page.context, target)
    )
    for number in sorted((*ordinary, *held.others)):
        yield from page.document.find(page.document, number)


def _may_lead_elsewhere(context: SiteContext, target: str) -> bool:
    """Whether a target may lead to another site, or to what was not fetched (rule 3)."""
    if target == HERE or not target.startswith("/"):
        return target != HERE
    return context.is_sent and leads_elsewhere(context, uri_of(context, target), "")
