"""Pages that lack what users expect: the codes of the group `lint` that are about a page of HTML.

1. `no-favicon`: no `link` has `icon` in its `rel`, and the root of the host has no `favicon.ico`, as far as it is in
   the folder: browsers request that file then (HTML Standard, "link type icon"). A page that refreshes at once needs no
   icon.
2. `empty-open-graph`: a `meta` with a `property` that begins with `og:` has no `content`, or a blank one.
3. The content of a `template` does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any, Final
from urllib.parse import urlsplit

from rehref.documents.reading import read_html
from rehref.markup.places import IN_TEMPLATE, Parsed, Wanted
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding, finding_at
from rehref.text import lower

_FAVICON: Final = "favicon.ico"
_WANTED: Final = Wanted(on={"link": frozenset({"rel"}), "meta": frozenset({"property", "content"})})


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings of a page, as plain tuples."""
    if not read.page.is_html:
        return None
    parsed = read_html(read.page.source, _WANTED)
    return [*map(tuple, (*_no_icon(read.path, parsed), *_empty_properties(read.path, parsed)))] or None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """Yield the findings of all pages, except for icons that are not needed (rule 1)."""
    has_icon = _FAVICON in context.files.paths and urlsplit(context.uri).path == "/"
    for path, found in facts.items():
        sent_on = table.refreshes.get(path)
        needs_none = has_icon or (sent_on is not None and sent_on.at_once)
        yield from (one for one in starmap(Finding, found) if not (needs_none and one.code == "no-favicon"))


def _no_icon(path: str, parsed: Parsed) -> Iterator[Finding]:
    rels = (place.value for place in parsed.places if place.attribute == "rel" and not place.flags & IN_TEMPLATE)
    if not any("icon" in lower(rel).split() for rel in rels):
        message = "no link of the page names an icon, and the site has no favicon.ico"
        yield Finding(document=path, code="no-favicon", message=message)


def _empty_properties(path: str, parsed: Parsed) -> Iterator[Finding]:
    contents = {place.tag: place.value for place in parsed.places if place.attribute == "content"}
    for number, place in enumerate(parsed.places):
        name = lower(place.value.strip())
        if place.attribute != "property" or not name.startswith("og:") or place.flags & IN_TEMPLATE:
            continue
        if not contents.get(place.tag, "").strip():
            yield finding_at(path, parsed, number, "empty-open-graph", f"{name} has no content")
