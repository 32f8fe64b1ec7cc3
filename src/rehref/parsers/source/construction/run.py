"""Runs a source through the tokenizer and tree construction, and yields the places of what the finished tree holds.

Exact, and slow: `scan` falls back on it where what a tag makes depends on more than the tag.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from rehref.parsers import charrefs
from rehref.parsers.contract import HTML, IN_TEMPLATE
from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.dispatch import MODES, process
from rehref.parsers.source.construction.stack import Node
from rehref.parsers.source.construction.tokens import Tag, Text, next_token
from rehref.parsers.source.names import attribute_name
from rehref.parsers.source.reading import Reading


def construct(reading: Reading) -> None:
    """Fill the reading's places, from the beginning."""
    text, units = reading.text, reading.units
    result = _Places(reading)
    builder = Builder(result, MODES)
    position = reading.begin
    while position < len(text):
        nodes = builder.open.nodes
        foreign = bool(nodes) and nodes[-1].namespace != HTML
        token = next_token(units, position, reading.name, foreign=foreign)
        if isinstance(token, int):
            position = token
            continue
        if foreign and isinstance(token, Text):
            result.foreign_text(nodes[-1], token)
        process(builder, token)
        position = token.end
        if builder.raw_text is not None:
            reading.templates = int(builder.in_template)
            position = reading.raw_text(builder.raw_text.name, builder.raw_text.start, position)
            builder.raw_text = None


class _Places:
    """Takes what tree construction yields, as places of a reading."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._body = 0

    def element(self, namespace: str, element: str, tag: Tag, but: AbstractSet[str], *, in_template: bool) -> None:
        reading = self._reading
        wanted = reading.wanted_of(element)
        flags = IN_TEMPLATE if in_template else 0
        for name, raw, start, end in tag.attributes:
            if name in wanted and name not in but:
                attribute = attribute_name(namespace, name)
                value = reading.value(raw)
                reading.places.append((element, namespace, attribute, value, start, end, tag.start, flags))

    def foreign_text(self, node: Node, token: Text) -> None:
        """Add the place of a run of text, if it stands in an element whose text is wanted."""
        reading = self._reading
        if node.name in reading.wanted.texts:
            reading.foreign_text(node.namespace, node.name, node.tag, token.start, token.stop, cdata=token.cdata)

    def begin_body(self) -> None:
        self._body = len(self._reading.places)

    def take_back_body(self) -> None:
        del self._reading.places[self._body :]

    def decode_text(self, raw: str) -> str:
        return charrefs.decode_text(self._reading.units.decode(raw))

    def decode_value(self, raw: str) -> str:
        return self._reading.value(raw)
