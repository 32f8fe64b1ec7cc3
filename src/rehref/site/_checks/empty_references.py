"""Attributes without a reference where the HTML Standard requires one: the code `empty-reference`.

It requires "a valid non-empty URL potentially surrounded by spaces" in `_URLS`, and "one or more image candidate
strings" in `_CANDIDATES`. An empty `href` of an `a` means the page itself, and so does an empty `action` in browsers. A
`usemap` is a `#` followed by a name ("valid hash-name reference"): without these, browsers look for no map. The content
of a `template` is for scripts, which may complete it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rehref.documents.base import clean
from rehref.documents.media_types import MediaType
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.made_findings import collected, finding_at
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding

_URLS = frozenset(
    {
        *((element, "src") for element in ("img", "iframe", "embed", "script", "audio", "video", "source", "track")),
        ("input", "src"),
        ("video", "poster"),
        ("object", "data"),
        ("link", "href"),
    }
)
_CANDIDATES = frozenset({("img", "srcset"), ("source", "srcset"), ("link", "imagesrcset")})
_MAPS = frozenset({("img", "usemap"), ("object", "usemap"), ("input", "usemap")})
_MAY_HAVE_NONE = ("imagesrcset", "srcset", "usemap")
"""Attributes whose values may be no references; an empty value of the others is one."""
_ALL = _URLS | _CANDIDATES | _MAPS


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings for the empty attributes of a page, as plain tuples."""
    if read.page.media_type not in MediaType.PAGES or not read.context.scope.chooses(""):
        return None
    page = read.page
    blank = page.values.at([value == "" for value in page.values.texts])
    numbers = sorted({*blank, *page.values.others, *page.document.page.named(*_MAY_HAVE_NONE)})
    return [tuple(each) for number in numbers for each in _findings(page, number)]


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """Yield the findings for empty attributes."""
    return collected(facts)


def _findings(page: SitePage, number: int) -> Iterator[Finding]:
    """Yield the finding for the place of that number, if it has one."""
    place = page.parsed.places[number]
    names = (place.element, place.attribute or "")
    if names not in _ALL or not place.is_html or number in page.inert:
        return
    message = _message(names, place.value)
    if message is None:
        return
    suggestion = f"#{place.value}" if place.value in page.name_table.maps else None
    yield finding_at(page.path, page.document, number, "empty-reference", message)._replace(suggestion=suggestion)


def _message(names: tuple[str, str], value: str) -> str | None:
    """Return what is wrong with an attribute with that value, for people; None: nothing."""
    element, attribute = names
    if clean(value.replace(",", "") if names in _CANDIDATES else value) == "":
        return f"the {attribute} of {element} is empty; the HTML Standard requires a reference"
    if names in _MAPS and value.partition("#")[2] == "":
        return 'the usemap has no "#" followed by a name, so browsers find no map'
    return None
