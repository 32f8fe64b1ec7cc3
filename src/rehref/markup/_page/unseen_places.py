"""Which places of a page nobody sees: those in templates, except in shadow roots.

Nothing in a `template` is fetched or followed in its place (HTML Standard, "the template element"); how scripts use
it, and how they change its references before, is not known. Parsers put the content of a shadow root into the page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rehref.markup._page.names_in_page import places_named
from rehref.markup.places import IN_TEMPLATE, SVG, Place, on_same_element
from rehref.markup.twin import may_have_templates
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText


def inert_places(places: Sequence[Place], source: Source) -> frozenset[int]:
    """Return the numbers of the places of a page that are in a template and no shadow root."""
    if not may_have_templates(places):
        return frozenset()
    found = [number for number, place in enumerate(places) if place.flags & IN_TEMPLATE]
    text = SourceText(source) if found else None
    if text is None or "shadowrootmode" not in lower(text.text):
        return frozenset(found)
    from rehref.markup._page.templates import inert_stretches  # few pages have a shadow root

    stretches = inert_stretches(text)
    starts, ends = [start for start, _ in stretches], [-1, *(end for _, end in stretches)]
    tags = ((number, places[number].tag) for number in found)
    # the last range that begins before the tag, if there is one, must end after it
    return frozenset(number for number, tag in tags if tag < ends[bisect_left(starts, tag)])


def reverse_links(places: Sequence[Place]) -> frozenset[int]:
    """Return the numbers of the places on a `link` with `rev`, but without `rel`: browsers ignore it.

    HTML Standard, "the link element": without `rel` or `itemprop` it is not a link.
    """
    found = set[int]()
    for number in places_named(places, "rev"):
        place = places[number]
        on = on_same_element(places, number)
        if place.element == "link" and all(each.attribute != "rel" for each in on):
            first = number - on.index(place)
            found.update(range(first, first + len(on)))
    return frozenset(found)


def superseded_places(places: Sequence[Place]) -> frozenset[int]:
    """Return the numbers of the places of `xlink:href` that browsers ignore, since there is an `href`, too.

    SVG 2, "deprecated XLink URL reference attributes".
    """
    old = [number for number in places_named(places, "xlink:href") if places[number].namespace == SVG]
    if not old:
        return frozenset()
    on = (places[number] for number in places_named(places, "href"))
    plain = {place.tag for place in on if place.namespace == SVG}
    return frozenset(number for number in old if places[number].tag in plain)
