"""Pages for 404 answers, and their references to themselves.

Such a page is shown at any address, so nobody visits its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rehref.documents.reading import read_page
from rehref.site._grounds.site_context import SiteContext
from rehref.text import lower
from rehref.text.encoding import Source

_IS_CALLED_SO = re.compile(r"(?:.*/)?404(?:\.x?html?|/(?:index\.x?html?)?)?", re.IGNORECASE | re.DOTALL).fullmatch
_ASKED: Final = {
    "link": ("href", "rel", "hreflang"),
    "a": ("href", "hreflang"),
    "area": ("href",),
    "meta": ("content", "property", "name"),
}
_OWN_URLS = frozenset({"og:url", "twitter:url"})


def is_not_found_page(context: SiteContext, path: str) -> bool:
    """Whether the file at a path is a page for 404 answers.

    It has such a name (`404.html`, `404/index.html`, in any folder: one for each language), or the host sends it for
    missing pages, or is configured to send it for errors.
    """
    return _IS_CALLED_SO(path) is not None or path == context.host.not_found or path in context.host.error_pages


def own_references(source: Source) -> frozenset[tuple[int, int] | None]:
    """Return the spans of the references that a page for 404 answers, in HTML, makes to itself.

    Generators write them for an address that nobody visits; they lead nowhere, without harm: the canonical URL; links
    to it in other languages (`hreflang`, or a path to a page with such a name); `og:url`; such a path in a script, as
    in JSON-LD.
    """
    return frozenset(
        element.span(name)
        for element in read_page(source).elements(_ASKED, scripting=False, everywhere=True)
        for name in ("href", "content")
        if name in element.values and _is_own(element.name, element.values)
    )


def _is_own(element: str, values: Mapping[str, str]) -> bool:
    """Whether the reference of an element with these attributes is to the page itself."""
    if element == "meta":
        return not _OWN_URLS.isdisjoint((lower(values.get("property", "")), lower(values.get("name", ""))))
    if "hreflang" in values or "canonical" in lower(values.get("rel", "")).split():
        return True
    return is_called_so(values["href"])


def is_called_so(reference: str) -> bool:
    """Whether the path of a reference has the name of a page for 404 answers."""
    return _IS_CALLED_SO(re.split("[?#]", reference.strip())[0]) is not None
