"""Pages that never ask the web: a `Content-Security-Policy` in the page allows only the copy.

1. The policy is a `meta` at the beginning of the head, before all that it is for. The page's own head stays: its tag,
   and that of `html`, are found behind comments and the doctype; if a page has neither, browsers make them.
2. The copy is files, `data:`, `blob:`, and what is in the page.
3. A policy does not stop browsers from following a refresh, and from preparing connections and pages (`preconnect`,
   `prefetch` …): such references to the web are removed.
"""

from __future__ import annotations

import re
from typing import Final

from rehref.documents.link import Link

_ALLOWED = "default-src file: data: blob: 'unsafe-inline' 'unsafe-eval'"
_META: Final = f'<meta http-equiv="Content-Security-Policy" content="{_ALLOWED}"/>'
_BEGINNING = re.compile(
    rb"""(?:\xef\xbb\xbf)?(?:\s|<!--(?:-?>|.*?-->)|<![a-z][^>]*>|<\?[^>]*>)*+
    (?:<html(?=[\s/>])(?:[^>"']|"[^"]*"|'[^']*')*+>(?:\s|<!--(?:-?>|.*?-->))*+)?(?P<head><head(?=[\s/>])[^>]*>)?""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
).match
_PREPARES = frozenset({"preconnect", "dns-prefetch", "prefetch", "prerender"})


def without_network(page: bytes, encoding: str, *, is_xml: bool) -> bytes:
    """Return a page with the policy. `encoding`: that of the page."""
    if encoding.startswith("utf-16"):
        text = page.decode(encoding, "replace").encode("utf-8")
        return without_network(text, "utf-8", is_xml=is_xml).decode("utf-8").encode(encoding)
    found = _BEGINNING(page)
    if found is None or (is_xml and found["head"] is None):
        return page
    return page[: found.end()] + _META.encode() + page[found.end() :]


def goes_by_itself(link: Link) -> bool:
    """Return whether a browser follows a link without being asked, whatever the policy (rule 3)."""
    if link.element == "meta":
        return link.kind == "hyperlink"
    return link.element == "link" and not _PREPARES.isdisjoint((link.rel or "").lower().split())
