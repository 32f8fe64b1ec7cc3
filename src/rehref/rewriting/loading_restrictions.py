"""What keeps a browser from loading, into a page on a disk, what is saved beside it.

1. `integrity` and `crossorigin`: to a page on a disk every file is of another origin, and none is shared with it
   (CORS): even what has the right digest is refused. They go where the element's own reference leads to what is saved,
   and where it has none, for its children may (`video`). Elsewhere they stay: what is on the web is loaded and compared
   as it was.
2. A `Content-Security-Policy` in a `meta` names the hosts of the web: its `http-equiv` goes, with which it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rehref.documents.link import Link

ATTRIBUTES: Final = ("integrity", "crossorigin", "meta@http-equiv")
"""What a document is to be asked for beside its references, for `restricts_loading` to see it (`rehref.links`)."""

_POLICY = "content-security-policy"
_OWN = ("src", "href", "xlink:href")


def may_restrict_loading(link: Link) -> bool:
    """Whether it is one of these attributes, and no reference."""
    return link.attribute in ("integrity", "crossorigin") or (link.element, link.attribute) == ("meta", "http-equiv")


def restricts_loading(link: Link, attributes: Mapping[str, str], is_saved: Callable[[str], bool]) -> bool:
    """Whether such an attribute keeps something from being loaded, on an element with these attributes.

    `is_saved`: whether a reference leads to what is saved.
    """
    if link.attribute == "http-equiv":
        return link.reference.strip().lower() == _POLICY
    own = [attributes[name] for name in _OWN if name in attributes]
    return not own or is_saved(own[0])
