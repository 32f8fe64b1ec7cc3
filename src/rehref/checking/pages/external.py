"""What a page refers to on other sites: `--dump-external`.

1. External is what leads to another site by `http` or `https`, and would be checked if it were on this one: no name, no
   statement, nothing that nothing is fetched for (`rehref.checking.pages.targets`), nothing that is left out.
2. A URL is given without its fragment, and as it is judged (`rehref.checking.target_map`); with its first place.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.base import without_fragment
from rehref.checking.pages.classifier import leads_elsewhere
from rehref.checking.pages.page import Page
from rehref.checking.pages.tables import Position
from rehref.checking.pages.targets import leads_somewhere
from rehref.checking.pages.written import wrong_as_written
from rehref.documents.link import Link

_SCHEMES = ("http://", "https://")


def external_urls(page: Page) -> dict[str, Position]:
    """The URLs on other sites that a page refers to, and the line and column of the first reference to each."""
    context = page.context
    found: dict[str, Position] = {}
    for link in _links(page):
        if link.target is None or wrong_as_written(context, link.reference, link.target, link.problems) is not None:
            continue
        if not context.scope.chooses(link.target, link.reference) or not leads_elsewhere(
            context, link.target, link.reference
        ):
            continue
        url = context.locator.mapped(without_fragment(link.target))
        if url.startswith(_SCHEMES):
            found.setdefault(url, Position(link.line, link.column))
    return found


def _links(page: Page) -> Iterator[Link]:
    """The links of a page that are checked, or would be."""
    document = page.document
    for reference in document.references():
        link = document.resolved(reference)
        is_followed = link.kind != "base" and leads_somewhere(reference, link)
        if is_followed and not page.is_for_nobody(reference.place, link.element):
            yield document.link(reference)
