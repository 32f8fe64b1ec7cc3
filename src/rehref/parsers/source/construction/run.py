"""Runs a source through the tokenizer and tree construction, and yields the places of what the finished tree holds.

Exact, and slow: `scan` falls back on it where what a tag makes depends on more than the tag; and it asks where the
body begins, if that matters to a `base`.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from rehref.parsers import charrefs
from rehref.parsers.contract import HTML, Wanted
from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.dispatch import MODES, process
from rehref.parsers.source.construction.tokens import Tag, Text, next_token
from rehref.parsers.source.place_collector import Reading
from rehref.text.source_text import SourceText


def construct(reading: Reading) -> None:
    """Fill the reading's places, from the beginning."""
    construction = _Construction(reading)
    while construction.position < len(reading.text):
        construction.step()
    construction.stop()


class BodyWatch:
    """Tells on which side of the beginning of the body something stands; asked from the beginning of a source on.

    What is in a template cannot begin the body, whatever it is, and is skipped.
    """

    __slots__ = ("_construction", "_reading", "_templates")

    def __init__(self, units: SourceText, templates: Mapping[int, int], *, scripting: bool) -> None:
        """Prepare to watch a source. `templates`: where what is in a template begins, and where its end tag stands."""
        self._reading = Reading(units, Wanted(scripting=scripting))
        self._construction = _Construction(self._reading)
        self._templates = templates

    def has_begun(self, position: int) -> bool:
        """Whether the body has begun before the token at `position`, which is not before any asked about before."""
        construction = self._construction
        while not self._reading.in_body and construction.position < position:
            construction.step()
            construction.position = self._templates.get(construction.position, construction.position)
        return self._reading.in_body


class _Construction:
    """A source on its way through tokenizer and tree construction. `position`: where the next token begins."""

    __slots__ = ("_builder", "_reading", "position")

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._builder = Builder(_Places(reading), MODES, len(reading.text), scripting=reading.wanted.scripting)
        self.position = reading.begin

    def step(self) -> None:
        """Take in one token."""
        reading, builder = self._reading, self._builder
        node = builder.open.current
        foreign = node.namespace != HTML
        token = next_token(reading.units, self.position, reading.name, foreign=foreign)
        reading.templates = int(builder.in_template)
        if isinstance(token, int):
            reading.comment(self.position, token)
            self.position = token
            return
        if foreign and isinstance(token, Text):
            reading.foreign_text(node.namespace, node.name, node.tag, token.start, token.stop, cdata=token.cdata)
        process(builder, token)
        self.position = token.end
        if builder.raw_text is not None:
            self.position = reading.raw_text(builder.raw_text.name, builder.raw_text.start, token.end)
            builder.raw_text = None

    def stop(self) -> None:
        """Take in the end of the source."""
        self._builder.stop()


class _Places:
    """Takes what tree construction yields, as places of a reading."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._body = 0

    def element(self, namespace: str, element: str, tag: Tag, but: AbstractSet[str]) -> None:
        self._reading.add_element(namespace, element, tag.attributes, tag.start, but)

    def begin_body(self) -> None:
        self._body = len(self._reading.places)
        self._reading.in_body = True

    def take_back_body(self) -> None:
        del self._reading.places[self._body :]

    def decode_text(self, raw: str) -> str:
        return charrefs.decode_text(self._reading.units.decode(raw))

    def decode_value(self, raw: str) -> str:
        return self._reading.value(raw)
