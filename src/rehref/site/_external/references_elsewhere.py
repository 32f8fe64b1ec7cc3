"""Which references of a page servers are asked about, and by which URLs.

Servers are asked about links to other sites (`rehref.site._pages.external_on_page`), except those that send something:
a form with a method other than GET, a ping, a button that may belong to such a form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.documents.base import without_fragment
from rehref.documents.link import Reference
from rehref.documents.reading import read_page
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import leads_elsewhere
from rehref.site._pages.external_on_page import External, external_references
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


def outward(page: SitePage) -> Iterator[Outward]:
    """The references of a page that servers are asked about, in document order."""
    sent: frozenset[int] | None = None
    fragments = page.context.options.fragments
    for each in external_references(page):
        if each.link.kind == "form":
            sent = _sent_to(page) if sent is None else sent
            if each.link.element != "form" or each.reference.inner is not None or _tag(page, each.reference) in sent:
                continue
        yield from _asked(each, fragments=fragments)


def is_asked_about(context: SiteContext, url: str) -> bool:
    """Whether a server would be asked about this very URL if a link of the site led to it."""
    return context.scope.chooses(url) and leads_elsewhere(context, url, "") and context.locator.mapped(url) == url


def _asked(each: External, *, fragments: bool) -> Iterator[Outward]:
    """A reference with the URL that is asked about; nothing if no browser asks about it."""
    url = url_asked(each.url)
    if url is not None:
        target = each.link.target or ""
        fragment = without_directive(target[len(without_fragment(target)) + 1 :]) if fragments else ""
        wanted = url if is_top(fragment) else f"{url}#{fragment}"
        yield Outward(each.reference, wanted, each.url != without_fragment(target))


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
