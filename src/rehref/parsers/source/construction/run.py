"""Runs a source through the tokenizer and tree construction, and yields the places of what the finished tree holds.

Exact, and slow: `scan` falls back on it where what a tag makes depends on more than the tag.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from rehref.parsers import charrefs
from rehref.parsers.contract import HTML
from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.dispatch import MODES, process
from rehref.parsers.source.construction.tokens import Tag, Text, next_token
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
        reading.templates = int(builder.in_template)
        if foreign and isinstance(token, Text):
            node = nodes[-1]
            reading.foreign_text(node.namespace, node.name, node.tag, token.start, token.stop, cdata=token.cdata)
        process(builder, token)
        position = token.end
        if builder.raw_text is not None:
            position = reading.raw_text(builder.raw_text.name, builder.raw_text.start, position)
            builder.raw_text = None


class _Places:
    """Takes what tree construction yields, as places of a reading."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._body = 0

    def element(self, namespace: str, element: str, tag: Tag, but: AbstractSet[str]) -> None:
        self._reading.add_element(namespace, element, tag.attributes, tag.start, but)

    def begin_body(self) -> None:
        self._body = len(self._reading.places)

    def take_back_body(self) -> None:
        del self._reading.places[self._body :]

    def decode_text(self, raw: str) -> str:
        return charrefs.decode_text(self._reading.units.decode(raw))

    def decode_value(self, raw: str) -> str:
        return self._reading.value(raw)
