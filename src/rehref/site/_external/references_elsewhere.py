"""Which references of a page servers are asked about, and by which URLs.

Servers are asked about links to other sites (`rehref.site._pages.external_on_page`), except those that send something:
a form with a method other than GET, a ping, a button that may belong to such a form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.documents.base import without_fragment
from rehref.documents.link import Reference
from rehref.documents.reading import read_page
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import leads_elsewhere
from rehref.site._pages.external_on_page import external_references, external_values
from rehref.site._pages.fragments import is_top, without_directive
from rehref.site._pages.site_page import SitePage
from rehref.text import lower
from rehref.uri.resolver import parse_or_none

_OF_FORMS: Final = {"form": ("action", "method")}
_SENT: Final = frozenset({"post", "dialog"})


class Outward(NamedTuple):
    """A reference that a server is asked about. `url`: the URL to ask for, with its fragment if that matters.

    A fragment matters if it has to name something in the page: one of directives alone, or `top`, need not.
    `is_mapped`: whether the URL is for something other than the reference says (`--remap`).
    """

    reference: Reference
    url: str
    is_mapped: bool


def urls_on(page: SitePage) -> dict[str, int]:
    """How often each URL that servers are asked about occurs in a page: what `outward` yields, counted."""
    plain, others = external_values(page)
    found: dict[str, int] = {}
    for target, judged, count in plain:
        url = _with_fragment(target, judged, fragments=page.context.options.fragments)
        if url is not None:
            found[url] = found.get(url, 0) + count
    for each in outward(page, others):
        found[each.url] = found.get(each.url, 0) + 1
    return found


def outward(page: SitePage, places: Iterable[int] | None = None) -> Iterator[Outward]:
    """The references of a page, or in some of its places, that servers are asked about, in document order."""
    sent: frozenset[int] | None = None
    fragments = page.context.options.fragments
    for each in external_references(page, places):
        if each.link.kind == "form":
            sent = _sent_to(page) if sent is None else sent
            if each.link.element != "form" or each.reference.inner is not None or _tag(page, each.reference) in sent:
                continue
        target = each.link.target or ""
        url = _with_fragment(target, each.url, fragments=fragments)
        if url is not None:
            yield Outward(each.reference, url, each.url != without_fragment(target))


def is_asked_about(context: SiteContext, url: str) -> bool:
    """Whether a server would be asked about this very URL if a link of the site led to it."""
    return context.scope.chooses(url) and leads_elsewhere(context, url, "") and context.locator.mapped(url) == url


def _with_fragment(target: str, judged: str, *, fragments: bool) -> str | None:
    """The URL to ask for where another is judged, with its target's fragment; None if no browser does."""
    url = url_asked(judged)
    if url is None or not fragments or "#" not in target:
        return url
    fragment = without_directive(target.partition("#")[2])
    return url if is_top(fragment) else f"{url}#{fragment}"


@lru_cache(maxsize=4096)
def url_asked(url: str) -> str | None:
    """A URL as browsers request it (URL Standard), so that one resource is asked about once; None if they do not."""
    parsed = parse_or_none(url)
    return parsed if parsed is not None and parsed.startswith(("http://", "https://")) else None


def _sent_to(page: SitePage) -> frozenset[int]:
    """The tags of forms that send something, by place."""
    if not page.is_html:
        return frozenset()
    forms = read_page(page.source).elements(_OF_FORMS, scripting=False, everywhere=True)
    return frozenset(
        each.tag for each in forms if each.is_html and lower(each.values.get("method", "").strip()) in _SENT
    )


def _tag(page: SitePage, reference: Reference) -> int:
    return page.document.parsed.places[reference.place].tag
