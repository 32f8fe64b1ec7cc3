"""The references of a page to other sites: `--dump-external`, `--external`.

A reference is external if it leads to another site by `http` or `https`, and would be checked if it were on this site:
it is not a name, not a statement, not one that is never fetched (`rehref.site._pages.targets`), not excluded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rehref.documents.base import without_fragment
from rehref.documents.link import Link, Reference, Values
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import leads_elsewhere, uri_of
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import Position
from rehref.site._pages.targets import leads_somewhere
from rehref.site._pages.written import wrong_as_written
from rehref.text import lower

_SCHEMES = ("http://", "https://")


class External(NamedTuple):
    """A reference to another site.

    `url`: the URL that is judged (`rehref.site._target_map`), without its fragment, as browsers ask for it. `link`: its
    result, without its place, with the target that browsers ask for: `?q=%E4` in a page in windows-1252.
    """

    reference: Reference
    link: Link
    url: str


def external_urls(page: SitePage) -> dict[str, Position]:
    """Return the URLs on other sites in a page, each with the line and column of its first reference."""
    found: dict[str, Position] = {}
    for reference, _, url in external_references(page):
        if url not in found:
            link = page.document.link(reference)
            found[url] = Position(link.line, link.column)
    return found


def external_references(page: SitePage) -> Iterator[External]:
    """Yield the references of a page to other sites, in document order."""
    context, document = page.context, page.document
    for reference in _references(page):
        link = document.resolved(reference)
        target = link.target
        if target is None or link.kind == "base" or not leads_somewhere(reference, link):
            continue
        if page.is_for_nobody(reference.place):
            continue
        if wrong_as_written(context, link.reference, target, link.problems) is not None:
            continue
        target = next((each.target for each in link.problems if each.target is not None), target)
        if context.scope.chooses(target, link.reference) and leads_elsewhere(context, target, link.reference):
            url = context.locator.mapped(without_fragment(target))
            if lower(url[:8]).startswith(_SCHEMES):
                yield External(reference, link._replace(target=target), url)


def _references(page: SitePage) -> Iterator[Reference]:
    """Yield the references of a page, except those that clearly lead to no other site.

    A reference that is glued to the site (`rehref.uri.ordinary_references`) is not external, unless targets are mapped.
    For pages of a server, it is external if its target was not fetched.
    """
    held, options = page.values, page.context.options
    is_mapped = bool(options.remap or options.own_hosts)
    ordinary = held.at(
        [is_mapped or target is None or _may_lead_elsewhere(page.context, target) for target in held.targets]
    )
    for number in sorted((*ordinary, *held.others)):
        yield from page.document.found(number)


def _may_lead_elsewhere(context: SiteContext, target: str) -> bool:
    """Whether a target may lead to another site, or to a page that was not fetched."""
    if target == Values.HERE or not target.startswith("/"):
        return target != Values.HERE
    return context.is_sent and leads_elsewhere(context, uri_of(context, target), "")
