"""The elements of a page that have some attribute, with the values of these, as the core reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rehref.markup._source.core import CORE
from rehref.markup.places import Parsed, Place, Wanted
from rehref.text.encoding import Source


@dataclass(frozen=True, slots=True)
class PageElement:
    """An element. `values`: those of its attributes, as far as they are asked for; `numbers`: those of their places in
    what was read. `tag`: where it begins.
    """

    name: str
    tag: int
    is_html: bool
    in_template: bool
    values: Mapping[str, str]
    numbers: Mapping[str, int]
    parsed: Parsed

    def span(self, attribute: str) -> tuple[int, int] | None:
        """Where the value of an attribute is in the source."""
        return self.parsed.span(self.numbers[attribute], 0, len(self.values[attribute]))

    def position(self, attribute: str) -> tuple[int | None, int | None]:
        """Line and column (1-based, characters) where the value of an attribute begins."""
        return self.parsed.locate(self.numbers[attribute], 0)


def elements_of(
    source: Source, attributes: Mapping[str, Collection[str]], *, scripting: bool, everywhere: bool
) -> list[PageElement]:
    """Return the elements of HTML that have some attribute, not those in templates, in order (`PageContent`)."""
    on = {name: frozenset(names) for name, names in attributes.items()}
    parsed = CORE.parse(source, Wanted(on=on, scripting=scripting))
    found: dict[int, tuple[Place, dict[str, str], dict[str, int]]] = {}
    for number, place in enumerate(parsed.places):
        if place.attribute is not None and (everywhere or (place.is_html and not place.in_template)):
            _, values, numbers = found.setdefault(place.tag, (place, {}, {}))
            values[place.attribute], numbers[place.attribute] = place.value, number
    return [
        PageElement(one.element, one.tag, one.is_html, one.in_template, values, numbers, parsed)
        for one, values, numbers in found.values()
    ]


class Alternative(NamedTuple):
    """The `alt` of an image, and where a value that names the image begins and ends in the source as given."""

    start: int
    end: int
    text: str


def alternatives_of(source: Source) -> list[Alternative]:
    """Return the texts for the images of HTML, in order; an image may have several values, and those have the same."""
    images = elements_of(source, {"img": ("src", "srcset", "alt")}, scripting=True, everywhere=True)
    return sorted(
        Alternative(*span, image.values["alt"])
        for image in images
        for name in image.values.keys() - {"alt"}
        if "alt" in image.values and (span := image.span(name)) is not None
    )
