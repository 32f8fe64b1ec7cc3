"""The tree construction stage, as far as references need it: which start tags make elements, in which namespace.

The rules are the Standard's, mode by mode; but no tree is made, only the stack of open elements. An element that is
made yields its places; a start tag that is ignored yields none. `select` keeps its content, as in the Standard since
2025.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from rehref.markup._source.construction.formatting import Formatting
from rehref.markup._source.construction.stack import (
    BUTTON_SCOPE,
    MODE_OF,
    Ended,
    Open,
    OpenElement,
    Started,
)
from rehref.markup._source.construction.tokens import Tag, Text
from rehref.markup._source.names_of_html import (
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    element_name,
)
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup.places import BEFORE_OTHERS, HTML, MATHML
from rehref.text import lower

Mode: TypeAlias = Callable[["Builder", "Tag | Text"], bool]
"""Processes a token by the rules of an insertion mode; True: the token must be processed again."""

_HTML_TYPES = ("text/html", "application/xhtml+xml")


class Builder:
    """The state of tree construction."""

    def __init__(self, places: PlaceCollector, modes: Mapping[str, Mode]) -> None:
        """Begin a document; `places` collects its places. `modes`: by name; one may use the rules of another."""
        self.places = places
        self.scripting = places.wanted.scripting
        self.modes = modes
        self.open = Open()
        self.formatting = Formatting(self.open, len(places.text))
        self.mode = "initial"
        self.template_modes: list[str] = []
        self.frameset_ok = True
        self.form: OpenElement | None = None
        self.head = False
        """The head element pointer is set."""
        self._merged: dict[str, set[str]] = {"html": set(), "body": set()}
        self.raw_text: Tag | None = None
        """The start tag of a raw text element whose text the tokenizer must skip now."""
        self.raw_text_end = -1
        """Where the end tag of such an element is, right after its text."""

    def insert(self, tag: Tag, namespace: str = HTML, *, push: bool = True) -> OpenElement:
        """The Standard's "Insert a foreign element" (or an HTML one) for a start tag; its places are added."""
        element = element_name(namespace, tag.name)
        first = len(self.places.places)
        self.places.add_element(namespace, element, tag.attributes, tag.start)
        node = OpenElement(namespace, element, tag.start)
        if node.is_html("base") and not self.open.in_template:
            self._base(tag, node, first)
        if namespace != HTML:
            key = (namespace, element)
            node.text_point = key in MATHML_TEXT_INTEGRATION_POINTS
            node.html_point = key in HTML_INTEGRATION_POINTS or (
                key == (MATHML, "annotation-xml") and self.value_of(tag, "encoding") in _HTML_TYPES
            )
        if push:
            self.open.push(node)
        if self.open.events is not None:
            self.open.events += [Started(node, tag)] if push else [Started(node, tag), Ended(node)]
        return node

    def _base(self, tag: Tag, base: OpenElement, first: int) -> None:
        """Flag the places of a `base`, from number `first` on, if it is before all others in the tree."""
        if any(attribute.name == "href" for attribute in tag.attributes) and self.open.takes_over(base):
            places = self.places.places
            places[first:] = [place._replace(flags=place.flags | BEFORE_OTHERS) for place in places[first:]]

    def value_of(self, tag: Tag, name: str) -> str:
        """The value of an attribute of a tag, in lower case; "" if it does not have it."""
        return next((lower(self.places.value(raw)) for found, raw, _, _ in tag.attributes if found == name), "")

    def imply(self, name: str) -> OpenElement:
        """Insert an HTML element that has no tag."""
        node = OpenElement(HTML, name)
        self.open.push(node)
        if self.open.events is not None:
            self.open.events.append(Started(node, None))
        return node

    def insert_formatting(self, tag: Tag) -> None:
        """Insert an HTML element and put it on the list of active formatting elements."""
        node = self.insert(tag)
        node.attributes = tuple(sorted((attribute.name, attribute.raw) for attribute in tag.attributes))
        self.formatting.push(node)

    def insert_raw(self, tag: Tag) -> None:
        """The Standard's "generic raw text element parsing algorithm", and that for RCDATA; the text is skipped."""
        self.insert(tag, push=False)
        self.raw_text = tag

    def merge(self, element: str, tag: Tag) -> None:
        """Add the attributes of an `html` or `body` tag that the element does not have yet; their places are those of
        the element.

        A `frameset` that replaces the body removes its places, but not those of `html`.
        """
        known = self._merged[element]
        self.places.add_element(HTML, element, tag.attributes, tag.start, known)
        known.update(attribute.name for attribute in tag.attributes)

    def stop(self) -> None:
        """The Standard's "Stop parsing": nothing is open any more."""
        self.open.clear()
        self.formatting.clear()

    def reset_mode(self) -> None:
        """The Standard's "Reset the insertion mode appropriately"."""
        node = self.open.with_mode()
        if node is None:  # there is only `html`
            self.mode = "after head" if self.head else "before head"
        elif node.name == "template":
            self.mode = self.template_modes[-1]
        else:
            self.mode = MODE_OF[node.name]

    def close_p(self) -> None:
        """The Standard's "Close a p element", if one is in button scope."""
        self.open.close("p", scope=BUTTON_SCOPE)
