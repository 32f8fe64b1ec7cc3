"""The state of reading one source: its names, its values, and the places found so far.

`title` and `textarea` are never places, nor is a `script` without a `type`, which is a program. Text in foreign content
has a place for each run that is not blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from rehref.markup import _charrefs as charrefs
from rehref.markup._source.construction.tokens import Attribute
from rehref.markup._source.names_of_html import RCDATA, attribute_name
from rehref.markup._tokenization import raw_text_end
from rehref.markup.places import HTML, IN_BODY, IN_TEMPLATE, Place, Wanted
from rehref.text import WHITE_SPACE, lower
from rehref.text.source_text import SourceText

_NOTHING: frozenset[str] = frozenset()
_CONDITIONAL = re.compile(r"<!--(\[[iI][fF](?s:.*))--!?>").fullmatch


class PlaceCollector:
    """The state of reading a source. `places`: found so far, in document order; `templates`: how many are open."""

    __slots__ = (
        "_body",
        "_metas",
        "_texts",
        "_wanted",
        "begin",
        "in_body",
        "names",
        "places",
        "templates",
        "text",
        "units",
        "wanted",
    )

    def __init__(self, units: SourceText, wanted: Wanted, *, texts_of_titles: bool = False) -> None:
        """Start reading `units` for `wanted`; `texts_of_titles`: a wanted text of a `title` of HTML is a place too."""
        self.text = units.text
        self.units = units
        self.begin = units.bom
        self.wanted = wanted
        self.places: list[Place] = []
        self.templates = 0
        self.in_body = False
        """Whether the body has begun, as far as known."""
        self.names: dict[str, str] = {}
        """The names read so far, by how they are written."""
        self._wanted: dict[str, frozenset[str]] = {}
        self._body = 0
        self._texts = wanted.texts if texts_of_titles else wanted.texts - RCDATA
        self._metas: list[int] = []  # the places on `meta` elements in the body that no `base` has followed yet

    def name(self, raw: str) -> str:
        """The name of a tag or attribute, as the tokenizer emits it: decoded, in ASCII lower case, NUL replaced."""
        name = self.names.get(raw)
        if name is None:
            name = self.names[raw] = lower(self.units.decode(raw)).replace("\0", "\ufffd")
        return name

    def wanted_of(self, element: str) -> frozenset[str]:
        """The attributes wanted on an element, in lower case."""
        wanted = self._wanted.get(element)
        if wanted is None:
            wanted = self._wanted[element] = self.wanted.anywhere | self.wanted.on.get(lower(element), _NOTHING)
        return wanted

    def add_element(
        self, namespace: str, element: str, attributes: Iterable[Attribute], tag: int, but: AbstractSet[str] = _NOTHING
    ) -> None:
        """Add the places of an element's wanted attributes, except for those named in `but`."""
        wanted = self.wanted_of(element)
        for found in attributes:
            if found.name in wanted and found.name not in but:
                self.add_attribute(namespace, element, found.name, found.start, found.end, tag)

    def add_attribute(self, namespace: str, element: str, name: str, start: int, end: int, tag: int) -> None:
        """Add the place of a wanted attribute of an element; its raw value is from `start` to `end`."""
        flags = IN_TEMPLATE if self.templates else 0
        if element in ("base", "meta") and namespace == HTML and not flags:
            flags = self._flag_in_body(element)
        value = self.value(self.text[start:end])
        qualified = attribute_name(namespace, name)
        self.places.append(Place(element, namespace, qualified, value, start=start, end=end, tag=tag, flags=flags))

    def _flag_in_body(self, element: str) -> int:
        """The flag of the next place, on a `base` or a `meta`; a `base` decides that of each `meta` before it."""
        if element == "meta":
            if self.in_body:
                self._metas.append(len(self.places))
            return 0
        for number in self._metas:
            self.places[number] = self.places[number]._replace(flags=IN_BODY)
        self._metas.clear()
        return IN_BODY if self.in_body else 0

    def raw_text(self, name: str, tag: int, position: int) -> int:
        """Read the text of a raw text element; return where its end tag begins, or the end of the file."""
        stop = raw_text_end(self.text, name, position)
        if name in self._texts and (name != "script" or self._has_type(tag)):
            text = self.units.decode(self.text[position:stop])
            value = charrefs.decode_text(text) if name in RCDATA else charrefs.normalize(text)
            self.add_text(name, HTML, value, position, stop, tag)
        return stop

    def _has_type(self, tag: int) -> bool:
        """Whether the `script` that has the last places has a `type`; True if that is not wanted."""
        if "type" not in self.wanted_of("script"):
            return True
        for place in reversed(self.places):
            if place.tag != tag:
                return False
            if place.attribute == "type":
                return True
        return False

    def comment(self, start: int, end: int) -> None:
        """Add the place of a comment, if it is a conditional one (`<!--[if IE]>`) and these are wanted."""
        if "#comment" in self.wanted.texts and (found := _CONDITIONAL(self.text, start, end)) is not None:
            raw = found[1]
            value = charrefs.normalize(self.units.decode(raw))
            self.add_text("#comment", HTML, value, found.start(1), found.end(1), start)

    def add_text(self, element: str, namespace: str, value: str, start: int, stop: int, tag: int) -> None:
        """Add the place of an element's text."""
        flags = IN_TEMPLATE if self.templates else 0
        self.places.append(Place(element, namespace, None, value, start=start, end=stop, tag=tag, flags=flags))

    def foreign_text(self, namespace: str, element: str, tag: int, start: int, stop: int, *, cdata: bool) -> None:
        """Add the place of a run of text in foreign content, if its element's text is wanted and it is not blank."""
        if element not in self.wanted.texts:
            return
        raw = self.text[start:stop]
        if raw.strip(WHITE_SPACE):
            text = self.units.decode(raw)
            value = charrefs.normalize(text) if cdata else charrefs.decode_text(text)
            self.add_text(element, namespace, value, start, stop, tag)

    def value(self, raw: str) -> str:
        """The decoded value of an attribute."""
        return charrefs.decode(self.units.decode(raw))

    def decoded_text(self, raw: str) -> str:
        """The decoded value of a run of text."""
        return charrefs.decode_text(self.units.decode(raw))

    def begin_body(self) -> None:
        """Note that the following places are in the body."""
        self._body = len(self.places)
        self.in_body = True

    def take_back_body(self) -> None:
        """Forget the places of the body, but not those that were merged into `html`."""
        kept = [place for place in self.places[self._body :] if place.element == "html" and place.namespace == HTML]
        self.places[self._body :] = kept
        self._metas.clear()
