"""Pages of a copy that never ask the web.

They get a policy that allows only the copy (files, `data:`, `blob:`, `rehref serve`, what is in the page), behind the
doctype, where the head begins. A policy does not stop browsers from following a refresh, from preparing connections and
pages (`preconnect`, `prefetch`, speculation rules), and scripts from going to the web: these are removed, become data,
or are stopped by a script, where browsers have the Navigation API.
"""

from __future__ import annotations

from typing import Final

from rehref.documents.link import Link
from rehref.documents.reading import read_page
from rehref.text import lower
from rehref.text.encoding import Source

ATTRIBUTE: Final = "script@type"
"""The attribute that a document must report besides its references, for `idle_type` (`rehref.links`)."""

_ALLOWED: Final = (
    'http-equiv="Content-Security-Policy" content="default-src file: data: blob: '
    "'self' http://*.localhost:* 'unsafe-inline' 'unsafe-eval'\""
)
_POLICY: Final = (
    f"<meta {_ALLOWED}/>"
    # scripts go nowhere else by themselves: only after a gesture of the reader
    '<script>self.navigation?.addEventListener("navigate",e=>{if(!navigator.userActivation.isActive)'
    "if(/^https?:..(?!([^/]*\\.)?localhost[:/])/.test(e.destination.url))"
    "if(!e.destination.url.startsWith(origin))e.preventDefault()});document.currentScript.remove()</script>"
)
_PREPARES = frozenset({"preconnect", "dns-prefetch", "prefetch", "prerender"})
_SPECULATION_RULES = "speculationrules"
_AS_DATA = "data-speculationrules"


def without_network(page: bytes, encoding: str, *, is_xml: bool) -> bytes:
    """A page with a policy that allows only the copy. `encoding`: that of the page."""
    new = read_page(Source.marked(page, encoding), is_xml=is_xml).with_in_head(_POLICY)
    assert isinstance(new, bytes)
    return new


def has_policy(page: bytes) -> bool:
    """Whether a page in UTF-8, or another encoding like ASCII, has the policy of `without_network`."""
    return _ALLOWED.encode() in page


def goes_by_itself(link: Link) -> bool:
    """Whether a browser follows a link by itself, whatever the policy.

    Chromium connects to the host of a frame before it asks the policy: frames show where they would lead.
    """
    if link.element == "meta":
        return link.kind == "hyperlink"
    return link.element == "link" and not _PREPARES.isdisjoint((link.rel or "").lower().split())


def idle_type(type_: str) -> str | None:
    """The type that makes a script data, if it is one that a policy does not stop; else None.

    Browsers prepare the pages of speculation rules; with a type that they do not know, these are data (HTML Standard,
    "prepare the script element").
    """
    return _AS_DATA if lower(type_) == _SPECULATION_RULES else None
