"""The `meta` elements of a page: where it refreshes to, and whether search engines should leave it out.

The target of a refresh is known if it is a file of the site, through redirections as everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from rehref.documents.base import without_fragment
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_document
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.fragments import LeadsOn, keeps_fragment, may_lead_on
from rehref.site._pages.site_page import SitePage
from rehref.text import lower

"""The media types of pages whose `meta` elements browsers follow."""

# as `uri/_syntaxes/refresh.py`, for a value that may have no URL
_TIME = re.compile(r"[\t\n\f\r ]*+([0-9]++|(?=\.))[0-9.]*+(?=[\t\n\f\r ;,]|\Z)").match
_LEFT_OUT = frozenset({"noindex", "none"})


class Refresh(NamedTuple):
    """A refresh of a page. `place`: the number of the place of its `content`. `reference`: None if it names no URL."""

    place: int
    at_once: bool
    reference: Reference | None


def read_metas(context: SiteContext, path: str, data: bytes) -> Document:
    """Read the `meta` elements of the page at a path below the folder. Raises nothing.

    In HTML, only the `meta` and `base` elements are read; XHTML is read as a whole. The content of a `template` does
    not count.
    """
    if context.files.types.of(path) != MediaType.HTML:
        return context.document_of(path, data)
    # # read as ASCII, nearly all encodings agree; finding the right one would take longer than the rest
    charset = context.sent_fields.charset(path)
    is_ascii = charset is None and data.isascii() and b"\x1b" not in data
    charset, layers = "utf-8" if is_ascii else charset, context.layers_of(path)
    how = replace(context.options.how, metas=True)
    return read_document(data, MediaType.HTML, charset, layers, how, is_response=context.is_sent)


def refresh_of(document: Document) -> Refresh | None:
    """Return the refresh of a page, if it has one. Without a URL a page reloads itself, whatever its base."""
    found = _place_of_refresh(document)
    if found is None:
        return None
    number, at_once = found
    references = document.references_at(number)
    return Refresh(number, at_once, references[0] if references else None)


def _place_of_refresh(document: Document) -> tuple[int, bool] | None:
    """Return the number of the place with the refresh of a page, and whether it is at once.

    The first `http-equiv=refresh` with a time counts (HTML Standard, "shared declarative refresh steps", step 1). The
    time is its whole seconds: `0.5` means at once.
    """
    for number, pragma in _contents(document, "http-equiv"):
        if pragma == "refresh":
            time = _TIME(document.parsed.places[number].value)
            if time is not None:
                return None if _is_without_scripts(document) else (number, time[1].strip("0") == "")
    return None


def _is_without_scripts(document: Document) -> bool:
    """Return whether a page refreshes for readers without scripts alone, who are asked to turn these on.

    All its refreshes are in a `noscript`, and no script in the page may do what they do.
    """
    page = document.page
    if page.is_xml or "noscript" not in lower(page.source.text):
        return False
    with_scripts = page.elements({"meta": ("http-equiv",)})
    return not any(lower(each.values["http-equiv"]) == "refresh" for each in with_scripts) and not may_lead_on(document)


def refresh_target(document: Document) -> str | None:
    """Return the URI that a page refreshes to, without its fragment; None if it has no refresh."""
    refresh = refresh_of(document)
    target = None if refresh is None or refresh.reference is None else document.resolved(refresh.reference).target
    return None if target is None else without_fragment(target)


def leads_on(page: SitePage) -> LeadsOn | None:
    """Return where a page refreshes to; None if it does not, or stays.

    It stays if it refreshes to itself after a time, which updates it, or to a fragment of itself.
    """
    found = _place_of_refresh(page.document) if page.may_refresh else None
    if found is None:
        return None
    context, (number, at_once) = page.context, found
    link = next((link for _, link in page.resolved(number)), None)
    if link is None:
        counts = at_once and context.scope.chooses(page.document.own.uri or "")
        return LeadsOn(page.path, at_once=True) if counts else None
    keeps = at_once and keeps_fragment(page.data)
    if link.target is None or not context.scope.chooses(link.target, link.reference):
        return LeadsOn("", at_once, keeps)
    located = context.locator.locate(without_fragment(link.target))
    if located.path == page.path and ("#" in link.target or not at_once):
        return None
    return LeadsOn("" if located.code else located.path or "", at_once, keeps)


def is_left_out(document: Document) -> bool:
    """Whether search engines should leave a page out: a `name=robots` has `noindex` or `none` in its list."""
    return any(
        name.strip() == "robots"
        and not _LEFT_OUT.isdisjoint(word.strip() for word in lower(document.parsed.places[number].value).split(","))
        for number, name in _contents(document, "name")
    )


def _contents(document: Document, name: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers of the places of `content`, and the value of the attribute next to it, in lower case."""
    for number, place in enumerate(document.parsed.places):
        is_content = place.is_html and (place.element, place.attribute) == ("meta", "content")
        if is_content and not place.in_template:
            beside = document.parsed.attributes_at(number).get(name)
            if beside is not None:
                yield number, lower(beside)
