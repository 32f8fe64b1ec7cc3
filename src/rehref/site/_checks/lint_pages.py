"""Pages that lack what users expect: the codes of the group `lint` that are about a page of HTML.

`empty-open-graph`: a `meta` with a `property` that begins with `og:` has no `content`, or a blank one. The content of a
`template` does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any, Final
from urllib.parse import urlsplit

from rehref.documents.reading import read_page
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding
from rehref.text import lower

_FAVICON: Final = "favicon.ico"
_ASKED: Final = {"link": ("rel",), "meta": ("property", "content")}


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings of a page, as plain tuples."""
    return [*map(tuple, _findings_of_page(read))] or None if read.page.is_html else None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """Yield the findings of all pages, except for icons that are not needed.

    `no-favicon`: no `link` has `icon` in its `rel`, and the root of the host has no `favicon.ico`, as far as it is in
    the folder: browsers request that file then (HTML Standard, "link type icon"). A page that refreshes at once needs
    none.
    """
    has_icon = _FAVICON in context.files.paths and urlsplit(context.uri).path == "/"
    for path, found in facts.items():
        sent_on = table.refreshes.get(path)
        needs_none = has_icon or (sent_on is not None and sent_on.at_once)
        yield from (one for one in starmap(Finding, found) if not (needs_none and one.code == "no-favicon"))


def _findings_of_page(read: ReadPage) -> Iterator[Finding]:
    """Yield the findings of a page of HTML."""
    elements = read_page(read.page.source).elements(_ASKED, scripting=False, everywhere=True)
    elements = [each for each in elements if not each.in_template]
    if not any("icon" in lower(each.values.get("rel", "")).split() for each in elements):
        message = "no link of the page names an icon, and the site has no favicon.ico"
        yield Finding(document=read.path, code="no-favicon", message=message)
    for each in elements:
        name = lower(each.values.get("property", "").strip())
        if name.startswith("og:") and not each.values.get("content", "").strip():
            line, column = each.position("property")
            yield Finding(
                document=read.path,
                code="empty-open-graph",
                message=f"{name} has no content",
                line=line,
                column=column,
                span=each.span("property"),
                element=each.name,
                attribute="property",
                reference=each.values["property"],
            )
