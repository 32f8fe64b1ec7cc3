"""Run a source through the tokenizer and tree construction, and yield the places of what is in the finished tree.

This is exact and slow: `scan` falls back on it where the effect of a tag depends on more than the tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rehref.markup._source.construction import body, head
from rehref.markup._source.construction import tables_of_html as tables
from rehref.markup._source.construction.builder import Builder, Mode
from rehref.markup._source.construction.stack import Ended, OpenElement, TextRun, TreeEvent
from rehref.markup._source.construction.tokens import Tag, Text, next_token
from rehref.markup._source.names_of_html import BREAKOUT, BREAKOUT_FONT, RCDATA
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup.places import HTML, MATHML, Place, Wanted
from rehref.text import WHITE_SPACE
from rehref.text.source_text import SourceText

_MODES: dict[str, Mode] = {
    "initial": head.initial,
    "before head": head.before_head,
    "in head": head.in_head,
    "in head noscript": head.in_head_noscript,
    "after head": head.after_head,
    "in body": body.in_body,
    "in table": tables.in_table,
    "in caption": tables.in_caption,
    "in column group": tables.in_column_group,
    "in table body": tables.in_table_body,
    "in row": tables.in_row,
    "in cell": tables.in_cell,
    "in template": head.in_template,
    "after body": head.after_body,
    "in frameset": head.in_frameset,
    "after frameset": head.after_frameset,
    "after after body": head.after_body,
    "after after frameset": head.after_frameset,
}

_NOTHING = Wanted()
_WITHOUT_TEXT = ("in frameset", "after frameset", "after after frameset")


def construct(collector: PlaceCollector) -> None:
    """Fill the collector's places, from the beginning."""
    builder, position = Builder(collector, _MODES), collector.begin
    while position < len(collector.text):
        position = _step(builder, position)
    builder.stop()


def _step(builder: Builder, position: int) -> int:
    """Process the token at `position`; return where the next begins."""
    collector, node = builder.places, builder.open.current
    is_end_of_raw_text, builder.raw_text_end = position == builder.raw_text_end, -1
    foreign = node.namespace != HTML
    token = next_token(collector.units, position, collector.name, foreign=foreign)
    collector.templates = int(builder.open.in_template)
    if isinstance(token, int):
        collector.comment(position, token)
        return token
    if foreign and isinstance(token, Text):
        collector.foreign_text(node.namespace, node.name, node.tag, token.start, token.stop, cdata=token.cdata)
    if not is_end_of_raw_text:  # that element is closed already, and none that is called like it must be
        _process(builder, token)
    events = builder.open.events
    if events is not None and isinstance(token, Text) and builder.mode not in _WITHOUT_TEXT:
        events.append(TextRun(builder.open.current, token.raw, token.cdata))
    raw_text, builder.raw_text = builder.raw_text, None
    if raw_text is None:
        return token.end
    stop = collector.raw_text(raw_text.name, raw_text.start, token.end)
    if events is not None:
        last = events.pop()
        run = TextRun(last.element, collector.text[token.end : stop], raw_text.name not in RCDATA)
        events += (run, last) if isinstance(last, Ended) else (last, run)  # plaintext remains open
    builder.raw_text_end = stop
    return stop


class Step(NamedTuple):
    """What the token from `start` to before `end` (of a raw text element: with its text) does to the tree.

    `places`: those that are wanted of the element that it begins.
    """

    start: int
    end: int
    events: Sequence[TreeEvent]
    places: Sequence[Place]


def steps(units: SourceText, wanted: Wanted = _NOTHING, *, texts_of_titles: bool = False) -> Iterator[Step]:
    """Yield what happens to the tree, token by token. What is open at the end of the source is not closed.

    `texts_of_titles`: as in `PlaceCollector`.
    """
    collector = PlaceCollector(units, wanted, texts_of_titles=texts_of_titles)
    builder, position = Builder(collector, _MODES), collector.begin
    while position < len(collector.text):
        builder.open.events, taken = (events := list[TreeEvent]()), len(collector.places)
        behind = _step(builder, position)
        yield Step(position, behind, events, collector.places[taken:])
        position = behind
    builder.stop()


def _process(builder: Builder, token: Tag | Text) -> None:
    """Process one token in tree construction (HTML Standard, "tree construction dispatcher").

    It goes to foreign content if the current node is in SVG or MathML and not an integration point that accepts it;
    else to the insertion mode.
    """
    while True:
        if _is_foreign(builder.open.current, token):
            if not _in_foreign(builder, token):
                return
        elif not builder.modes[builder.mode](builder, token):
            return


def _is_foreign(node: OpenElement, token: Tag | Text) -> bool:
    if node.namespace == HTML:
        return False
    if isinstance(token, Tag):
        if token.is_end:
            return True
        if node.text_point and token.name not in ("mglyph", "malignmark"):
            return False
        if token.name == "svg" and node.key == (MATHML, "annotation-xml"):
            return False
    elif node.text_point:
        return False
    return not node.html_point


def _in_foreign(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "The rules for parsing tokens in foreign content"; True: the token must be processed again."""
    if isinstance(token, Text):
        text = token.raw if token.cdata else builder.places.decoded_text(token.raw)
        if text.strip(WHITE_SPACE + "\0\ufffd") != "":
            builder.frameset_ok = False
        return False
    if token.is_end:
        return _end_tag(builder, token)
    if token.name in BREAKOUT or (
        token.name == "font" and any(attribute.name in BREAKOUT_FONT for attribute in token.attributes)
    ):
        _break_out(builder)
        return True
    builder.insert(token, builder.open.current.namespace, push=not token.self_closing)
    return False


def _break_out(builder: Builder) -> None:
    while not (
        builder.open.current.namespace == HTML or builder.open.current.html_point or builder.open.current.text_point
    ):
        builder.open.pop()


def _end_tag(builder: Builder, tag: Tag) -> bool:
    if tag.name in ("br", "p"):
        _break_out(builder)
        return builder.modes[builder.mode](builder, tag)
    node = builder.open.foreign(tag.name)
    if node is None:
        # up to the next HTML element there is nothing to close: the insertion mode decides
        return builder.modes[builder.mode](builder, tag)
    builder.open.pop_to(node)
    return False
