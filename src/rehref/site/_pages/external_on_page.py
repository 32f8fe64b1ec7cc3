"""The references of a page to other sites: `--dump-external`, `--external`.

A reference is external if it leads to another site by `http` or `https`, and would be checked if it were on this site:
it is not a name, not a statement, not one that is never fetched (`rehref.site._pages.targets`), not excluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, compress
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
_FETCHED_AS_THEY_ARE = frozenset({"hyperlink", "resource"})
"""The kinds of references whose value alone says what is fetched; what a form sends depends on its method, too."""


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


class ExternalValues(NamedTuple):
    """The references of a page to other sites, the plain ones by value: most URLs on other sites are such.

    `plain`: values that are their own targets, each with the URL that is judged and the number of its places. `others`:
    the numbers of the places where other references may be.
    """

    plain: list[tuple[str, str, int]]
    others: list[int]


def external_values(page: SitePage) -> ExternalValues:
    """Return the references of a page to other sites."""
    context, held, kind_at = page.context, page.values, page.document.kind_of_value
    is_plain = [value == target and _is_http(value) for value, target in zip(held.texts, held.targets, strict=True)]
    for number, place in zip(held.numbers, held.places, strict=True):
        if is_plain[number] and kind_at(place) not in _FETCHED_AS_THEY_ARE:
            is_plain[number] = False
    plain = []
    for value, count in compress(zip(held.texts, held.counts, strict=True), is_plain):
        url = None if wrong_as_written(context, value, value, ()) is not None else _judged(context, value, value)
        if url is not None:
            plain.append((value, url, count))
    of_plain = set(held.at(is_plain))
    return ExternalValues(plain, [place for place in _places(page) if place not in of_plain])


def external_references(page: SitePage, places: Iterable[int] | None = None) -> Iterator[External]:
    """Yield the references of a page to other sites, in document order; or those in these places."""
    context, document = page.context, page.document
    for reference in chain.from_iterable(map(document.references_at, _places(page) if places is None else places)):
        link = document.resolved(reference)
        target = link.target
        if target is None or link.kind == "base" or not leads_somewhere(reference, link):
            continue
        if page.is_for_nobody(reference.place):
            continue
        if wrong_as_written(context, link.reference, target, link.problems) is not None:
            continue
        target = next((each.target for each in link.problems if each.target is not None), target)
        url = _judged(context, target, link.reference)
        if url is not None:
            yield External(reference, link._replace(target=target), url)


def _judged(context: SiteContext, target: str, reference: str) -> str | None:
    """Return the URL that is judged for a target; None if that is not external, or not checked."""
    if not context.scope.chooses(target, reference) or not leads_elsewhere(context, target, reference):
        return None
    url = context.locator.mapped(without_fragment(target))
    return url if _is_http(url) else None


def _is_http(url: str) -> bool:
    return lower(url[:8]).startswith(_SCHEMES)


def _places(page: SitePage) -> list[int]:
    """Return the places of the references of a page, except those that clearly lead to no other site.

    A reference that is glued to the site (`rehref.uri.ordinary_references`) is not external, unless targets are mapped.
    For pages of a server, it is external if its target was not fetched.
    """
    held, options = page.values, page.context.options
    is_mapped = bool(options.remap or options.own_hosts)
    ordinary = held.at(
        [is_mapped or target is None or _may_lead_elsewhere(page.context, target) for target in held.targets]
    )
    return sorted((*ordinary, *held.others))


def _may_lead_elsewhere(context: SiteContext, target: str) -> bool:
    """Whether a target may lead to another site, or to a page that was not fetched."""
    if target == Values.HERE or not target.startswith("/"):
        return target != Values.HERE
    return context.is_sent and leads_elsewhere(context, uri_of(context, target), "")
