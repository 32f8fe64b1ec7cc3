"""Run a source through the tokenizer and tree construction, and yield the places of what is in the finished tree.

This is exact and slow: `scan` falls back on it where the effect of a tag depends on more than the tag.
"""

from __future__ import annotations

from rehref.parsers.contract import HTML
from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.dispatch import MODES, process
from rehref.parsers.source.construction.tokens import Text, next_token
from rehref.parsers.source.place_collector import PlaceCollector


def construct(collector: PlaceCollector) -> None:
    """Fill the collector's places, from the beginning."""
    builder = Builder(collector, MODES)
    position = collector.begin
    while position < len(collector.text):
        position = step(builder, position)
    builder.stop()


def step(builder: Builder, position: int) -> int:
    """Process the token at `position`; return where the next begins."""
    collector, node = builder.places, builder.open.current
    foreign = node.namespace != HTML
    token = next_token(collector.units, position, collector.name, foreign=foreign)
    collector.templates = int(builder.open.in_template)
    if isinstance(token, int):
        collector.comment(position, token)
        return token
    if foreign and isinstance(token, Text):
        collector.foreign_text(node.namespace, node.name, node.tag, token.start, token.stop, cdata=token.cdata)
    process(builder, token)
    raw_text, builder.raw_text = builder.raw_text, None
    return token.end if raw_text is None else collector.raw_text(raw_text.name, raw_text.start, token.end)
