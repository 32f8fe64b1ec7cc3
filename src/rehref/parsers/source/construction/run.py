"""Runs a source through the tokenizer and tree construction, and yields the places of what the finished tree holds.

Exact, and slow: `scan` falls back on it where what a tag makes depends on more than the tag.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from rehref.parsers import charrefs
from rehref.parsers.contract import HTML, IN_TEMPLATE
from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.dispatch import process
from rehref.parsers.source.construction.stack import Node
from rehref.parsers.source.construction.tokens import Tag, Text, next_token
from rehref.parsers.source.names import attribute_name

if TYPE_CHECKING:
    from rehref.parsers.source.scan import Scanner


def construct(scanner: Scanner) -> None:
    """Fill the scanner's places, from the beginning."""
    text, units = scanner.text, scanner.units
    result = _Places(scanner)
    builder = Builder(result)
    position = scanner.begin
    while position < len(text):
        nodes = builder.open.nodes
        foreign = bool(nodes) and nodes[-1].namespace != HTML
        token = next_token(units, position, scanner.name, foreign=foreign)
        if isinstance(token, int):
            position = token
            continue
        if foreign and isinstance(token, Text):
            result.foreign_text(nodes[-1], token)
        process(builder, token)
        position = token.end
        if builder.raw_text is not None:
            scanner.templates = int(builder.in_template)
            position = scanner.raw_text(builder.raw_text.name, builder.raw_text.start, position)
            builder.raw_text = None


class _Places:
    """Takes what tree construction yields, as places of a scanner."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._body = 0

    def element(self, namespace: str, element: str, tag: Tag, but: AbstractSet[str], *, in_template: bool) -> None:
        scanner = self._scanner
        wanted = scanner.wanted_of(element)
        flags = IN_TEMPLATE if in_template else 0
        for name, raw, start, end in tag.attributes:
            if name in wanted and name not in but:
                attribute = attribute_name(namespace, name)
                value = scanner.value(raw)
                scanner.places.append((element, namespace, attribute, value, start, end, tag.start, flags))

    def foreign_text(self, node: Node, token: Text) -> None:
        """Add the place of a run of text, if it stands in an element whose text is wanted."""
        scanner = self._scanner
        if node.name in scanner.wanted.texts:
            scanner.foreign_text(node.namespace, node.name, node.tag, token.start, token.stop, cdata=token.cdata)

    def begin_body(self) -> None:
        self._body = len(self._scanner.places)

    def take_back_body(self) -> None:
        del self._scanner.places[self._body :]

    def decode_text(self, raw: str) -> str:
        return charrefs.decode_text(self._scanner.units.decode(raw))

    def decode_value(self, raw: str) -> str:
        return self._scanner.value(raw)
