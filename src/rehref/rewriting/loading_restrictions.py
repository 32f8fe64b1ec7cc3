"""Attributes that keep a browser from loading saved files into a page on a disk.

1. `integrity` and `crossorigin`: for a page on a disk every file has another origin, and none is shared with it (CORS),
   so even a file with the right digest is refused. They are removed if the reference of their element leads to a saved
   file, or if the element has no reference, since its children may have one (`video`). Otherwise they stay: resources
   on the web are loaded and compared as before.
2. A `Content-Security-Policy` in a `meta` names hosts on the web: its `http-equiv` is removed, which disables it.
3. On request a page gets a policy that allows only the copy (files, `data:`, `blob:`, `rehref serve`, what is in the
   page), behind the doctype, where the head begins. A policy does not stop browsers from following a
   refresh, and from preparing connections and pages (`preconnect`, `prefetch` …): these are removed. Nor does it stop
   scripts from going to the web; a script does, where browsers have the Navigation API. Chromium connects to the host
   of a frame before it asks the policy: frames show where they would lead. Other documents than HTML may not have a
   place for a policy: in them, what would be loaded from the web becomes an empty `data:`.
4. Nor does a policy stop browsers from preparing the pages of speculation rules: in such copies these scripts have a
   type that browsers do not know, so that they are data (HTML Standard, "prepare the script element").
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from typing import Final

from rehref.documents.link import Link
from rehref.documents.reading import read_page
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Source

ATTRIBUTES: Final = ("integrity", "crossorigin", "meta@http-equiv")
"""The attributes that a document must report besides its references, for `restricts_loading` (`rehref.links`)."""

ATTRIBUTES_WITHOUT_NETWORK: Final = (*ATTRIBUTES, "script@type")
"""The same for a page that never asks the web (rules 3, 4)."""


_META: Final = (
    '<meta http-equiv="Content-Security-Policy" content="default-src file: data: blob: '
    "'self' http://*.localhost:* 'unsafe-inline' 'unsafe-eval'\"/>"
    # scripts go nowhere else by themselves: only after a gesture of the reader
    '<script>self.navigation?.addEventListener("navigate",e=>{if(!navigator.userActivation.isActive)'
    "if(/^https?:..(?!([^/]*\\.)?localhost[:/])/.test(e.destination.url))"
    "if(!e.destination.url.startsWith(origin))e.preventDefault()});document.currentScript.remove()</script>"
)
_PREPARES = frozenset({"preconnect", "dns-prefetch", "prefetch", "prerender"})
_OWN = ("src", "href", "xlink:href")
_SPECULATION_RULES = "speculationrules"
_AS_DATA = "data-speculationrules"


def is_restricting(element: str, attribute: str | None) -> bool:
    """Return whether this attribute of an element is one of these, and not a reference."""
    return attribute in ("integrity", "crossorigin") or (element, attribute) == ("meta", "http-equiv")


def restricts_loading(link: Link, attributes: Callable[[], Mapping[str, str]], is_saved: Callable[[str], bool]) -> bool:
    """Return whether such an attribute, on an element with `attributes`, keeps something from being loaded.

    `is_saved`: whether a reference leads to a saved file.
    """
    if link.attribute == "http-equiv":
        return link.reference.strip().lower() == "content-security-policy"
    known = attributes()
    own = [known[name] for name in _OWN if name in known]
    return not own or is_saved(own[0])


def without_network(page: bytes, encoding: str, *, is_xml: bool) -> bytes:
    """Return a page with a policy that allows only the copy (rule 3). `encoding`: that of the page."""
    return in_head(page, _META, encoding, is_xml=is_xml)


def in_head(page: bytes, text: str, encoding: str, *, is_xml: bool = False) -> bytes:
    """Return a page with an ASCII text as the first thing of its head; XHTML without a head stays as it is."""
    source = Source(page, encoding or "utf-8", len(BOM_UTF8) if page.startswith(BOM_UTF8) else 0)
    new = read_page(source, is_xml=is_xml).with_in_head(text, _of_xhtml(text))
    assert isinstance(new, bytes)
    return new


def _of_xhtml(text: str) -> str:
    """Return elements with their namespace."""
    for name in ("<meta ", "<script>"):
        text = text.replace(name, f'{name[:-1]} xmlns="http://www.w3.org/1999/xhtml"{name[-1:]}')
    return text


def has_policy(page: bytes) -> bool:
    """Return whether a page in UTF-8, or another encoding like ASCII, has the policy of rule 3."""
    return _META.encode() in page or _of_xhtml(_META).encode() in page


def goes_by_itself(link: Link) -> bool:
    """Return whether a browser follows a link by itself, whatever the policy (rule 3)."""
    if link.element == "meta":
        return link.kind == "hyperlink"
    return link.element == "link" and not _PREPARES.isdisjoint((link.rel or "").lower().split())


def idle_type(type_: str) -> str | None:
    """Return the type that makes a script data, if it is one that a policy does not stop (rule 4); else None."""
    return _AS_DATA if lower(type_.strip(WHITE_SPACE)) == _SPECULATION_RULES else None
