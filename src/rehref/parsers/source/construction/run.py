"""Runs a source through the tokenizer and tree construction, and yields the places of what the finished tree holds.

Exact, and slow: `scan` falls back on it where what a tag makes depends on more than the tag; and it asks where the
body begins, if that matters to a `base`.
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
    construction = _Construction(collector)
    while construction.position < len(collector.text):
        construction.step()
    construction.stop()


class BodyWatch:
    """Tells on which side of the beginning of the body something stands; asked from the beginning of a source on.

    What is in a template cannot begin the body, whatever it is, and is skipped.
    """

    __slots__ = ("_collector", "_construction", "_templates")

    def __init__(self, units: SourceText, templates: Mapping[int, int], *, scripting: bool) -> None:
        """Prepare to watch a source. `templates`: where what is in a template begins, and where its end tag stands."""
        self._collector = PlaceCollector(units, Wanted(scripting=scripting))
        self._construction = _Construction(self._collector)
        self._templates = templates

    def has_begun(self, position: int) -> bool:
        """Whether the body has begun before the token at `position`, which is not before any asked about before."""
        construction = self._construction
        while not self._collector.in_body and construction.position < position:
            construction.step()
            construction.position = self._templates.get(construction.position, construction.position)
        return self._collector.in_body


class _Construction:
    """A source on its way through tokenizer and tree construction. `position`: where the next token begins."""

    __slots__ = ("_builder", "_collector", "position")

    def __init__(self, collector: PlaceCollector) -> None:
        self._collector = collector
        self._builder = Builder(collector, MODES)
        self.position = collector.begin

    def step(self) -> None:
        """Take in one token."""
        collector, builder = self._collector, self._builder
        node = builder.open.current
        foreign = node.namespace != HTML
        token = next_token(collector.units, self.position, collector.name, foreign=foreign)
        collector.templates = int(builder.in_template)
        if isinstance(token, int):
            collector.comment(self.position, token)
            self.position = token
            return
        if foreign and isinstance(token, Text):
            collector.foreign_text(node.namespace, node.name, node.tag, token.start, token.stop, cdata=token.cdata)
        process(builder, token)
        self.position = token.end
        if builder.raw_text is not None:
            self.position = collector.raw_text(builder.raw_text.name, builder.raw_text.start, token.end)
            builder.raw_text = None

    def stop(self) -> None:
        """Take in the end of the source."""
        self._builder.stop()
