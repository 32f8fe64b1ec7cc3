"""Pages for 404 answers, and their references to themselves.

1. A page for 404 answers has such a name (`404.html`, `404/index.html`, in any folder: one for each language), or the
   host sends it for missing pages, or is configured to send it for errors.
2. It is shown at any address, so nobody visits its own. The references that generators write in it for that address
   lead nowhere, without harm: the canonical URL; links to it in other languages (`hreflang`, or a path to a page with
   such a name); `og:url`; such a path in a script, as in JSON-LD.
"""

from __future__ import annotations

import re

from rehref.documents._formats.html_carriers import siblings
from rehref.documents.reading import read_html
from rehref.markup.places import Parsed, Wanted
from rehref.site._grounds.site_context import SiteContext
from rehref.text import lower
from rehref.text.encoding import Source

_IS_CALLED_SO = re.compile(r"(?:.*/)?404(?:\.x?html?|/(?:index\.x?html?)?)?", re.IGNORECASE | re.DOTALL).fullmatch
_WANTED = Wanted(
    on={
        "link": frozenset({"href", "rel", "hreflang"}),
        "a": frozenset({"href", "hreflang"}),
        "area": frozenset({"href"}),
        "meta": frozenset({"content", "property", "name"}),
    }
)
_OWN_URLS = frozenset({"og:url", "twitter:url"})


def is_not_found_page(context: SiteContext, path: str) -> bool:
    """Whether the file at a path is a page for 404 answers (rule 1)."""
    return _IS_CALLED_SO(path) is not None or path == context.host.not_found or path in context.host.error_pages


def own_references(source: Source) -> frozenset[tuple[int, int] | None]:
    """Return the spans of the references that a page for 404 answers, in HTML, makes to itself (rule 2)."""
    parsed = read_html(source, _WANTED)
    return frozenset(
        parsed.span(number, 0, len(place.value))
        for number, place in enumerate(parsed.places)
        if place.attribute in ("href", "content") and _is_own(parsed, number)
    )


def _is_own(parsed: Parsed, number: int) -> bool:
    """Whether the reference in a place is to the page itself."""
    beside = siblings(parsed, number)
    if parsed.places[number].element == "meta":
        return not _OWN_URLS.isdisjoint((lower(beside.get("property", "")), lower(beside.get("name", ""))))
    if "hreflang" in beside or "canonical" in lower(beside.get("rel", "")).split():
        return True
    return is_called_so(beside["href"])


def is_called_so(reference: str) -> bool:
    """Whether the path of a reference has the name of a page for 404 answers (rule 1)."""
    return _IS_CALLED_SO(re.split("[?#]", reference.strip())[0]) is not None
