"""All links of a document at once.

1. Every place is asked for its references, and these are resolved one by one, in document order.
2. Where the compiled twin has read the document, it makes the links of ordinary places; they are the same.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rehref.documents.link import Link
from rehref.parsers.source.twin import How, TwinScan

if TYPE_CHECKING:
    from rehref.documents.document import Document


def all_links(document: Document) -> list[Link]:
    """Every reference of a document as a `Link`, in document order."""
    found = by_twin(document)
    if found is not None:
        return found
    return [document.link(reference) for reference in document.references()]


def twin_of(document: Document) -> tuple[TwinScan, How] | None:
    """What the compiled twin has found in a document, and how it reads references; None where it has no part in it."""
    places, before = document.parsed.places, document.against.for_twin()
    if before is None or document.carriers is None or not isinstance(places, TwinScan):
        return None
    ask = partial(document.carried, document.parsed)
    return places, places.how(*before, document.carriers, ask, base_is_own=document.base is document.own)


def by_twin(document: Document) -> list[Link] | None:
    """Every link, the ordinary ones made by the compiled twin; None where it cannot tell."""
    twin = twin_of(document)
    if twin is None:
        return None
    scan, how = twin
    found = scan.links(how, Link, document.base, document.part)
    if found is None:
        return None
    links, odd = found
    merged: list[Link] = []
    done = 0
    for at, number in odd:
        merged += links[done:at]
        merged += map(document.link, document.find(document, number))
        done = at
    return merged + links[done:]
