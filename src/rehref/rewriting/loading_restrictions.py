"""Attributes that keep a browser from loading saved files into a page on a disk.

1. `integrity` and `crossorigin`: for a page on a disk every file has another origin, and none is shared with it (CORS),
   so even a file with the right digest is refused. They are removed if the reference of their element leads to a saved
   file, or if the element has no reference, since its children may have one (`video`). Otherwise they stay: resources
   on the web are loaded and compared as before.
2. A `Content-Security-Policy` in a `meta` names hosts on the web: its `http-equiv` is removed, which disables it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rehref.documents.link import Link

ATTRIBUTES: Final = ("integrity", "crossorigin", "meta@http-equiv")
"""The attributes that a document must report besides its references, for `restricts_loading` (`rehref.links`)."""

_POLICY = "content-security-policy"
_OWN = ("src", "href", "xlink:href")


def may_restrict_loading(link: Link) -> bool:
    """Return whether the link is one of these attributes, and not a reference."""
    return is_restricting(link.element, link.attribute)


def is_restricting(element: str, attribute: str | None) -> bool:
    """Return whether this attribute of an element is one of them."""
    return attribute in ("integrity", "crossorigin") or (element, attribute) == ("meta", "http-equiv")


def restricts_loading(link: Link, attributes: Mapping[str, str], is_saved: Callable[[str], bool]) -> bool:
    """Return whether such an attribute, on an element with these attributes, keeps something from being loaded.

    `is_saved`: whether a reference leads to a saved file.
    """
    if link.attribute == "http-equiv":
        return link.reference.strip().lower() == _POLICY
    own = [attributes[name] for name in _OWN if name in attributes]
    return not own or is_saved(own[0])
