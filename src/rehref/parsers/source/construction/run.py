"""Run a source through the tokenizer and tree construction, and yield the places of what is in the finished tree.

This is exact and slow: `scan` falls back on it where the effect of a tag depends on more than the tag; and uses it to
find where the body begins, if that matters to a `base`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rehref.parsers.contract import HTML, Wanted
from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.dispatch import MODES, process
from rehref.parsers.source.construction.tokens import Text, next_token
from rehref.parsers.source.place_collector import PlaceCollector
from rehref.text.source_text import SourceText


def construct(collector: PlaceCollector) -> None:
    """Fill the collector's places, from the beginning."""
    builder = Builder(collector, MODES)
    position = collector.begin
    while position < len(collector.text):
        position = step(builder, position)
    builder.stop()


class BodyWatch:
    """Says whether a position is before or after the beginning of the body; positions must be in ascending order.

    The content of a template cannot begin the body, and is skipped.
    """

    __slots__ = ("_builder", "_position", "_templates")

    def __init__(self, units: SourceText, templates: Mapping[int, int], *, scripting: bool) -> None:
        """Prepare to watch a source. `templates`: where each template's content begins, and where its end tag is."""
        collector = PlaceCollector(units, Wanted(scripting=scripting))
        self._builder = Builder(collector, MODES)
        self._position = collector.begin
        self._templates = templates

    def has_begun(self, position: int) -> bool:
        """Whether the body has begun before the token at `position`, which must not precede an earlier `position`."""
        while not self._builder.places.in_body and self._position < position:
            behind = step(self._builder, self._position)
            self._position = self._templates.get(behind, behind)
        return self._builder.places.in_body


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
