"""Which places of a page nobody sees.

1. Nothing in a `template` is fetched or followed in its place (HTML Standard, "the template element"). How scripts use
   it, and how they change its references before, is not known.
2. A `template` with a `shadowrootmode` of `open` or `closed` is different: parsers put its content into the page, as a
   shadow tree ("declarative shadow roots"). So its content counts, unless it is inside an ordinary `template`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from rehref.parsers.contract import IN_TEMPLATE, SVG, Place
from rehref.parsers.source.twin import tabled
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

_TAG = re.compile(r"<(/?)template\b([^>]*)", re.IGNORECASE)
_SHADOW = re.compile(r"\bshadowrootmode\s*=\s*[\"']?(?:open|closed)\b", re.IGNORECASE).search


def inert_places(places: Sequence[Place], source: Source) -> frozenset[int]:
    """Return the numbers of the places of a page that are in a template (rules 1, 2)."""
    known = tabled(places)
    if known is not None and not known.templates():
        return frozenset()
    found = [number for number, place in enumerate(places) if place.flags & IN_TEMPLATE]
    text = SourceText(source).text if found else ""
    if _SHADOW(text) is None:
        return frozenset(found)
    stretches = _inert_stretches(text)
    starts, ends = [start for start, _ in stretches], [-1, *(end for _, end in stretches)]
    tags = ((number, places[number].tag) for number in found)
    # # the last range that begins before the tag, if there is one, must end after it
    return frozenset(number for number, tag in tags if tag < ends[bisect_left(starts, tag)])


def superseded_places(places: Sequence[Place]) -> frozenset[int]:
    """Return the numbers of the places of `xlink:href` that browsers ignore, since there is an `href`, too.

    SVG 2, "deprecated XLink URL reference attributes".
    """
    plain = {place.tag for place in places if place.namespace == SVG and place.attribute == "href"}
    old = (number for number, place in enumerate(places) if place.namespace == SVG and place.attribute == "xlink:href")
    return frozenset(number for number in old if places[number].tag in plain)


def _inert_stretches(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the outermost templates whose content nobody sees, in order."""
    found: list[tuple[int, int]] = []
    open_: list[int | None] = []  # where each open template begins; None: a shadow root
    inert = 0  # how many of them are ordinary templates
    for tag in _TAG.finditer(text):
        if not tag[1]:
            is_shadow = _SHADOW(tag[2]) is not None
            open_.append(None if is_shadow else tag.start())
            inert += not is_shadow
        elif open_:
            start = open_.pop()
            if start is not None:
                inert -= 1
                if inert == 0:
                    found.append((start, tag.start()))
    left = next((start for start in open_ if start is not None), None)
    return found if left is None else [*found, (left, len(text))]
