"""The scanner: finds every place in HTML source, tag by tag (HTML Standard, "tokenization" and "tree construction").

If the effect of a tag depends on more than the tag, as in `<table><select><base href="a/">`, where the `base` may move
before the table, the scan stops, and `construction` reads the source. The compiled twin (`rehref/_native/scan.c`) is
the same, in functions of the same names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rehref.markup._source import foreign_content
from rehref.markup._source.body_watch import BodyWatch
from rehref.markup._source.construction.construct import construct
from rehref.markup._source.foreign_content import NotOrdinaryError
from rehref.markup._source.names_of_html import (
    BEGIN_HEAD,
    HIDE_SELECT,
    NAMESPACES,
    OF_FRAMESET,
    OF_HEAD,
    RAW_TEXT,
    RCDATA,
    TABLE_PARTS,
    element_name,
)
from rehref.markup._source.open_tables import OpenTables
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup._tokenization import (
    ATTRIBUTE,
    NAME,
    NAME_END,
    TAG_END,
    TAG_NAME,
    declaration_end,
    is_declaration,
    tag_at,
    tag_end,
)
from rehref.markup.places import HTML, IN_BODY, IN_TEMPLATE, Place, Wanted
from rehref.text import WHITE_SPACE, lower
from rehref.text.source_text import SourceText

_TEXT_ELEMENTS = RAW_TEXT | RCDATA | {"script", "plaintext"}
_ACTING = (
    _TEXT_ELEMENTS
    | TABLE_PARTS
    | HIDE_SELECT
    | frozenset(
        {"html", "head", "body", "noscript", "form", "base", "table", "select", "template", "frameset", "frame"}
    )
)
"""Elements whose tags do something besides having attributes."""

# a tag that cannot matter: of an element without actions, with no attribute except perhaps a class; most are. (If there
# were a "<" in the class, the search would go on at it.)
_IDLE = rf"/?(?!(?:{'|'.join(sorted(_ACTING | NAMESPACES.keys()))}){NAME_END})[a-z][a-z0-9]*+"
# a tag: 1 "/" of an end tag, 2 its name, 3 its end, if it has no attributes; or what `declaration_end` ends
_MARKUP = rf"(?:(/?)({NAME})(>?)|[!?/])"
_NEXT_MARKUP = re.compile(rf'<(?!{_IDLE}(?: class="[^"<]*+")?>){_MARKUP}').search
_NEXT_MARKUP_OR_CLASS = re.compile(rf"<(?!{_IDLE}>){_MARKUP}").search
_NOT_SPACE = re.compile(rf"[^{WHITE_SPACE}]").search


class _StartTag(NamedTuple):
    """What the name of a start tag means, outside of foreign content."""

    name: str
    element: str
    namespace: str
    wanted: frozenset[str]
    acts: bool


def scan(units: SourceText, wanted: Wanted) -> list[Place]:
    """Every place of a source, in document order (HTML Standard, "tokenization", "tree construction")."""
    scanner = _Scanner(units, wanted)
    try:
        scanner.run()
    except NotOrdinaryError:
        collector = PlaceCollector(units, wanted)
        construct(collector)
        return collector.places
    return scanner.collector.places


class _Scanner:
    """Scans one source."""

    def __init__(self, units: SourceText, wanted: Wanted) -> None:
        self.collector = PlaceCollector(units, wanted)
        self._text = units.text
        self._start_tags: dict[str, _StartTag] = {}
        self._merged: dict[str, set[str | None]] = {"html": set(), "body": set()}
        self._head = _head_begins(units)
        self._framesets: int | None = None  # how many are open, once one has taken the place of the body
        self._noscript = False  # one is open
        self._form = False
        self._tables = OpenTables()
        self._body: BodyWatch | None = None  # once there is a base
        self._placed = 0  # how many places have been looked at for whether they are in the body
        self._templates: dict[int, int] = {}  # where the content of each outermost template begins and ends
        self._template_start = 0

    def run(self) -> None:
        """Scan the whole source.

        Raises `NotOrdinaryError` where only tree construction knows: a `frameset` in the body (the twin: also behind a
        template or a `noscript`), parts of tables that cannot be directly in their template, a `base` in a table that
        is not the first, a select in a select, or what hides a select from its end tag, a `noscript` with wanted
        attributes in a `noscript`, a `head` with some behind a character reference, and foreign content that is not
        ordinary.
        """
        text, names = self._text, self.collector.wanted.anywhere.union(*self.collector.wanted.on.values())
        next_markup = _NEXT_MARKUP_OR_CLASS if "class" in names else _NEXT_MARKUP
        position: int | None = 0
        while position is not None and (markup := next_markup(text, position)) is not None:
            start, position = markup.span()
            is_end, name, is_bare = markup.groups()
            if name is None:
                position = declaration_end(text, start)
                self.collector.comment(start, position)
            elif is_end:
                position = position if is_bare else tag_end(text, position)
                if position is not None:
                    self._leave(self.collector.name(name), start)
            else:
                known = self._start_tags.get(name) or self._start_tag(name)
                if not is_bare:
                    position = self._take_attributes(known, start, position)
                elif known.acts:
                    position = self._enter(known, len(self.collector.places), start, position)

    def _take_attributes(self, known: _StartTag, tag: int, position: int) -> int:
        """Process a start tag whose attributes begin at `position`: add the wanted ones; return where to go on."""
        text, collector = self._text, self.collector
        element, namespace, wanted = known.element, known.namespace, known.wanted
        before = len(collector.places)
        taken: list[str] = []
        while (found := ATTRIBUTE(text, position)) is not None:
            position = found.end()
            group = found.lastindex or 1
            if group == TAG_END:
                if not known.acts or (namespace != HTML and found[TAG_END].endswith("/>")):
                    return position
                return self._enter(known, before, tag, position)
            name = collector.name(found[1])
            if name in wanted and name not in taken:
                taken.append(name)
                start, end = (position, position) if group == 1 else found.span(group)
                collector.add_attribute(namespace, element, name, start, end, tag)
        del collector.places[before:]
        return len(text)  # a tag that the end of the source cuts off is not a tag, and nothing follows it

    def _start_tag(self, raw: str) -> _StartTag:
        name = self.collector.name(raw)
        if self._framesets is not None and name not in OF_FRAMESET:
            return _StartTag(name, name, HTML, frozenset(), acts=False)
        namespace = NAMESPACES.get(name, HTML)
        element = element_name(namespace, name)
        acts = name in _ACTING or namespace != HTML
        known = _StartTag(name, element, namespace, self.collector.wanted_of(element), acts)
        self._start_tags[raw] = known
        return known

    def _enter(self, known: _StartTag, before: int, tag: int, position: int) -> int:
        """Do the action of a start tag, whose places begin at number `before`; return where to go on."""
        name = known.name
        if known.namespace != HTML:
            return foreign_content.scan(self.collector, name, tag, position)
        if name in _TEXT_ELEMENTS or (name == "noscript" and self.collector.wanted.scripting):
            return self.collector.raw_text(name, tag, position)
        if name in ("html", "body"):
            self._keep_new(name, before)
        elif name == "head":
            self._enter_head(before, tag)
        elif name == "noscript":
            self._enter_noscript(before)
        elif name == "form":
            self._enter_form(before)
        elif name == "base":
            self._enter_base(before, tag)
        elif name == "table":
            self._tables.enter_table()
        elif name in TABLE_PARTS:
            self._enter_table_part(name, before)
        elif name == "select" or name in HIDE_SELECT:
            self._enter_select(name)
        elif name == "template":
            self._enter_template(position)
        elif name == "frameset":
            self._enter_frameset(before, tag)
        elif name == "frame" and not self._framesets:
            del self.collector.places[before:]
        return position

    def _keep_new(self, name: str, before: int) -> None:
        """Of the places of a repeated `html` or `body` tag, keep those of attributes that the element does not have
        yet.
        """
        places = self.collector.places
        if self.collector.templates:
            del places[before:]
            return
        known = self._merged[name]
        places[before:] = [place for place in places[before:] if place.attribute not in known]
        known.update(place.attribute for place in places[before:])

    def _enter_head(self, before: int, tag: int) -> None:
        """There is one `head`: the tag that only white space, comments, the doctype, `html` and most end tags precede
        ("before html", "before head"). Others are ignored.
        """
        if len(self.collector.places) > before and self._text.startswith("&", self._head):
            raise NotOrdinaryError
        if self._head != tag:
            del self.collector.places[before:]

    def _enter_noscript(self, before: int) -> None:
        if not self.collector.templates:
            if self._noscript and len(self.collector.places) > before:
                raise NotOrdinaryError
            self._noscript = True

    def _enter_form(self, before: int) -> None:
        """A `form` inside a form is ignored."""
        if not self.collector.templates:
            if self._form:
                del self.collector.places[before:]
            self._form = True

    def _enter_base(self, before: int, tag: int) -> None:
        collector = self.collector
        if collector.templates or len(collector.places) == before:
            return
        if self._body is not None and self._tables.current:
            raise NotOrdinaryError
        for number in range(self._placed, len(collector.places)):
            place = collector.places[number]
            if place.element in ("base", "meta") and place.namespace == HTML and not place.flags & IN_TEMPLATE:
                collector.places[number] = place._replace(flags=IN_BODY if self._in_body(place.tag) else 0)
        self._placed = len(collector.places)

    def _in_body(self, tag: int) -> bool:
        """Whether the body has begun before a tag."""
        if self._body is None:
            units, scripting = self.collector.units, self.collector.wanted.scripting
            self._body = BodyWatch(units, units.text, self._templates, scripting=scripting)
        return self._body.has_begun(tag)

    def _enter_frameset(self, before: int, tag: int) -> None:
        """A `frameset` before which the body has not begun takes its place ("after head"); elsewhere it is ignored.

        From there on, only the tags `frameset`, `frame`, `noframes` and `html` count, and behind the end of the
        outermost one only the last two ("in frameset", "after frameset").
        """
        if self.collector.templates or self._framesets == 0:
            del self.collector.places[before:]
        elif self._framesets is not None:
            self._framesets += 1
        elif self._in_body(tag):
            raise NotOrdinaryError
        else:
            self._framesets = 1
            self._start_tags.clear()

    def _enter_table_part(self, name: str, before: int) -> None:
        if not self._tables.enter_part(name):
            del self.collector.places[before:]

    def _enter_select(self, name: str) -> None:
        if self._tables.in_select:
            raise NotOrdinaryError
        if name == "select":
            self._tables.enter_select()

    def _enter_template(self, position: int) -> None:
        if not self.collector.templates:
            self._template_start = position
        self._tables.enter_template(self._first_in_template(position))
        self.collector.templates += 1

    def _first_in_template(self, position: int) -> str:
        """The name of the first start tag in a template, if it decides what that is; else ""
        (`OpenTables.enter_template`).
        """
        found = TAG_NAME(self._text, self._text.find("<", position) + 1)
        name = "" if found is None else self.collector.name(found[0])
        return "" if name in OF_HEAD or name in ("col", "colgroup") else name

    def _leave(self, name: str, tag: int) -> None:
        """Process an end tag, whose "<" is at `tag`."""
        if name == "template":
            self._leave_template(tag)
        elif name == "form" and not self.collector.templates:
            self._form = False
        elif name == "noscript":
            self._noscript = False
        elif name == "select":
            self._tables.leave_select()
        elif name == "frameset":
            self._framesets = self._framesets and self._framesets - 1
        elif name == "table" or name in TABLE_PARTS:
            self._tables.leave(name)

    def _leave_template(self, tag: int) -> None:
        if self.collector.templates:
            self.collector.templates -= 1
            self._tables.leave_template()
            if not self.collector.templates:
                self._templates[self._template_start] = tag


def _head_begins(units: SourceText) -> int:
    """Where the head begins ("initial", "before html", "before head"), or a character reference before it."""
    text, position = units.text, units.bom
    while (found := _NOT_SPACE(text, position)) is not None:
        position = found.start()
        if is_declaration(text, position):
            position = declaration_end(text, position)
            continue
        tag = tag_at(text, position) if found[0] == "<" else None
        if tag is None:
            return position
        name, is_end = lower(tag.name), text.startswith("/", position + 1)
        if name in BEGIN_HEAD if is_end else name != "html":
            return position
        position = tag.end
    return len(text)
