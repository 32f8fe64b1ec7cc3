"""Read an XML document, tag by tag (XML 1.0, Namespaces in XML 1.0, XML Base). Nothing recurses.

Reading goes on after an error, which is noted: an end tag ends the nearest open element of its name, and those in it,
or is ignored; a repeated attribute counts once; a tag that the end of the document cuts off is ignored. Errors of
attributes are noted only for attributes that are read (`Interesting`).
"""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

from rehref.markup._source.parsed_source import SourceParsed
from rehref.markup._source.xml.entities import (
    MOST,
    NONE,
    Entities,
    meaning,
    pseudo_attributes,
    read_doctype,
    text_in,
)
from rehref.markup._source.xml.markup import (
    ATTRIBUTE,
    ATTRIBUTE_END,
    CDATA,
    END_TAG,
    INSTRUCTION,
    LOOSE,
    LOOSE_END_TAG,
    START_NAME,
    markup_end,
)
from rehref.markup._source.xml.namespaces import Interesting, Name, NamespaceScope, RawAttribute, Undo
from rehref.markup._source.xml.twin_of_xml import scan_xml
from rehref.markup._source.xml.xml_writing import XmlMarkup
from rehref.markup.places import MOST_DIAGNOSTICS, Place, XmlDocument, XmlWanted
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.text.source_text import Recoded, SourceText

# "&", tab, the ends of lines, NUL and all beyond ASCII: the others are named, which is faster to compile
_SPECIAL = re.compile("[^\x01-\x08\x0b\x0c\x0e-%'-\x7f]").search


def read_xml(source: Source, wanted: XmlWanted, recoded: Recoded | None = None) -> XmlDocument:
    """Read an XML document. Never raises on markup. See `rehref.markup.parsed`.

    `recoded`: the source, if it was given otherwise.
    """
    units = SourceText(source)
    found = scan_xml(units, wanted)
    if found is not None:
        parsed = SourceParsed(units, found.places, partial(XmlMarkup, entities=found.entities), recoded)
        return XmlDocument(parsed, found.scopes, found.parents, found.root, [])
    return read_by_reference(units, wanted, recoded)


def read_by_reference(units: SourceText, wanted: XmlWanted, recoded: Recoded | None = None) -> XmlDocument:
    """The same without the compiled twin."""
    reader = _Reader(units, wanted)
    reader.run()
    parsed = SourceParsed(units, reader.places, partial(XmlMarkup, entities=reader.entities), recoded)
    diagnostics = [(units.position(offset)[0], what) for offset, what in sorted(reader.diagnostics)]
    return XmlDocument(parsed, reader.scopes, reader.parents, reader.root, diagnostics)


class _Open(NamedTuple):
    """An open element."""

    raw: str
    """Its name as written."""
    name: Name
    base: int
    """The place of the `xml:base` in force in it; -1: none."""
    undo: Undo | None
    """Prefixes to restore."""


class _Reader:
    """Reads one document. `run` does everything; afterwards the attributes have the results."""

    def __init__(self, units: SourceText, wanted: XmlWanted) -> None:
        """Prepare to read `units` for `wanted`."""
        self.places: list[Place] = []
        self.scopes: list[int] = []
        self.parents: list[Name] = []
        self.diagnostics: list[tuple[int, str]] = []
        """Offsets (units), and the errors there."""
        self.root: Name = ("", "")
        self.entities: Entities = NONE
        self._units = units
        self._text = units.text
        self._wanted = wanted
        self._interesting = Interesting(wanted)
        self._stack: list[_Open] = [_Open("", ("", ""), -1, None)]
        self._counts: dict[str, int] = {}  # how many elements are open, by the name as written
        self._content = -1  # where the content of the innermost element begins, if its text is wanted
        self._tag = 0  # where its tag begins
        self._scope = NamespaceScope(units, wanted.texts)
        self._has_doctype = False
        self._end = len(units.text)

    def run(self) -> None:
        """Read the whole document ([1] document)."""
        text = self._text
        position = text.find("<", self._units.bom)
        while 0 <= position < self._end:
            following = text[position + 1 : position + 2]
            if following == "/":
                position = self._end_tag(position)
            elif following in ("!", "?"):
                position = self._markup(position)
            else:
                position = self._start_tag(position)
            position = text.find("<", position)  # [14] CharData
        self._finish()

    def _finish(self) -> None:
        """End the open elements. Where entities are no longer expanded is noted, whatever else is."""
        if len(self._stack) > 1:
            self._note(self._end, f"<{self._units.decode(self._stack[-1].raw)}> is not closed")
        elif self.root[1] == "":
            self._note(self._end, "there is no element")
        if self._content >= 0:
            self._add_text(self._content, self._end)
        if self.entities.until <= self._end:
            what = f"references to entities expand to more than {MOST} characters: from here on they are not expanded"
            self.diagnostics[MOST_DIAGNOSTICS - 1 :] = [(self.entities.until, what)]

    def _note(self, offset: int, what: str) -> None:
        if len(self.diagnostics) < MOST_DIAGNOSTICS:
            self.diagnostics.append((offset, what))

    def _start_tag(self, tag: int) -> int:
        """Process the start tag whose "<" is there ([40] STag, [44] EmptyElemTag); return where to go on."""
        text, interesting = self._text, self._interesting
        name = START_NAME(text, tag + 1)
        if name is None:
            self._note(tag, "this < begins no markup: write it as &lt;")
            return tag + 1
        attributes: list[RawAttribute] = []
        position = name.end()
        while (found := ATTRIBUTE(text, position)) is not None:
            position = found.end()
            group = found.lastindex or 0
            if group == ATTRIBUTE_END:
                return self._open(name[0], attributes, found[ATTRIBUTE_END] != "", tag, position)
            if interesting[found[1]]:
                attributes.append(RawAttribute(found[1], found[group], found.start(group)))
        return self._broken_tag(tag, name)

    def _broken_tag(self, tag: int, name: re.Match[str]) -> int:
        """Process a start tag that is not well-formed, piece by piece; return where to go on."""
        text, interesting = self._text, self._interesting
        self._note(tag, f"the tag <{self._units.decode(name[0])}> is not well-formed")
        attributes: list[RawAttribute] = []
        position = name.end()
        while (piece := LOOSE(text, position)) is not None:
            position = piece.end()
            group = piece.lastindex
            if group is None or group == 1:
                return self._open(name[0], attributes, bool(piece[1]), tag, position)
            if 2 < group < 6 and interesting[piece[2]]:
                attributes.append(RawAttribute(piece[2], piece[group], piece.start(group)))
        self._end = tag
        return self._end

    def _open(self, raw: str, attributes: list[RawAttribute], closed: bool, tag: int, position: int) -> int:
        """Begin an element, whose tag ends before `position`; return where to go on."""
        self._content = -1
        outer = self._stack[-1]
        undo = self._scope.declare(attributes, self._meaning, self._note) if attributes else None
        name, is_text = self._scope.names.get(raw) or self._scope.element(raw)
        if not outer.raw:
            if self.root[1]:
                self._note(tag, "there is more than one document element")
            else:
                self.root = name
        base = self._add_attributes(name, attributes, tag, outer) if attributes else outer.base
        if not closed and is_text:
            cdata = self._text.startswith(CDATA, position)
            inside = position + len(CDATA) if cdata else position
            if cdata:
                stop, behind = self._units.find("]]>", inside)
            else:
                stop = behind = self._text.find("<", inside)
            if self._text.startswith(f"</{raw}>", behind):
                self._add_plain_text(name, base, tag, inside, stop, cdata=cdata)
                closed, position = True, behind + len(raw) + 3
        if closed:
            self._scope.restore(undo)
            return position
        self._stack.append(_Open(raw, name, base, undo))
        self._counts[raw] = self._counts.get(raw, 0) + 1
        if is_text:
            self._content, self._tag = position, tag
        return position

    def _pop(self, offset: int) -> None:
        """End the innermost element, whose content ends at `offset`."""
        if self._content >= 0:
            self._add_text(self._content, offset)
            self._content = -1
        raw, _, _, undo = self._stack.pop()
        self._counts[raw] -= 1
        self._scope.restore(undo)

    def _end_mismatched(self, raw: str, offset: int) -> None:
        """Process an end tag that is not that of the innermost element."""
        name = self._units.decode(raw)
        if not self._counts.get(raw):
            self._note(offset, f"</{name}> has no start tag")
            return
        self._note(offset, f"</{name}> is where </{self._units.decode(self._stack[-1].raw)}> should be")
        while self._stack[-1].raw != raw:
            self._pop(offset)
        self._pop(offset)

    def _end_tag(self, position: int) -> int:
        """Process the end tag that begins there ([42] ETag); return where to go on."""
        well_formed = END_TAG(self._text, position)
        tag = well_formed or LOOSE_END_TAG(self._text, position)
        if tag is None or (well_formed is None and tag[2] == "" and tag.end() == len(self._text)):
            self._end = position
            return position
        if well_formed is None:
            self._note(position, "an end tag is not well-formed")
        if tag[1] and self._stack[-1].raw == tag[1]:
            self._pop(position)
        else:
            self._end_mismatched(tag[1], position)
        return tag.end()

    def _markup(self, start: int) -> int:
        """Process a comment, an instruction, a CDATA section or a declaration; return where to go on."""
        text = self._text
        if lower(text[start : start + 9]) == "<!doctype" and not self._has_doctype and not self.root[1]:
            self._has_doctype = True
            end, self.entities, diagnostic = read_doctype(text, start, self._units.decode)
            if diagnostic:
                self._note(start, diagnostic)
            return end
        inside, end = markup_end(self._units, start)
        if inside == end:
            self._note(start, f"{text[start : start + 2]}… is not closed")
        elif text.startswith("<?", start):
            self._instruction(start, inside)
        elif not text.startswith(("<!--", CDATA), start):
            self._note(start, "a declaration is not allowed here")
        return end

    def _add(self, place: Place, scope: int, parent: Name) -> None:
        self.places.append(place)
        self.scopes.append(scope)
        self.parents.append(parent)

    def _add_attributes(self, name: Name, attributes: list[RawAttribute], tag: int, outer: _Open) -> int:
        """Add the places of the wanted attributes of an element; return the place of the `xml:base` in force."""
        wanted = self._wanted.attributes
        found: dict[str, RawAttribute] = {}
        for attribute in attributes:
            qualified_name = self._scope.attribute(attribute.name)
            if qualified_name in wanted or qualified_name == "xml:base":
                if qualified_name in found:
                    self._note(attribute.start, f"the attribute {qualified_name} occurs twice")
                else:
                    found[qualified_name] = attribute
        base = outer.base
        if "xml:base" in found:
            base = len(self.places) + list(found).index("xml:base")
        uri, local = name
        for attribute_name, (_, value, start) in found.items():
            end = start + len(value)
            value, flags = self._meaning(value, start) if _SPECIAL(value) else (value, 0)
            scope = outer.base if attribute_name == "xml:base" else base
            place = Place(local, uri, attribute_name, value, start=start, end=end, tag=tag, flags=flags)
            self._add(place, scope, outer.name)
        return base

    def _meaning(self, raw: str, start: int, *, attribute: bool = True, cdata: bool = False) -> tuple[str, int]:
        return meaning(self._units, self.entities, raw, start, attribute=attribute, cdata=cdata)

    def _add_plain_text(self, name: Name, base: int, tag: int, start: int, end: int, *, cdata: bool) -> None:
        """Add the place of the text of an element that is not among the open ones: character data, or one section."""
        value, flags = self._text[start:end], 0
        if _SPECIAL(value):
            value, flags = self._meaning(value, start, attribute=False, cdata=cdata)
        if value:
            place = Place(name[1], name[0], None, value, start=start, end=end, tag=tag, flags=flags)
            self._add(place, base, self._stack[-1].name)

    def _add_text(self, start: int, end: int) -> None:
        """Add the place of the text of the innermost element."""
        value, flags, parts = text_in(self._units, self.entities, start, end)
        if not value:
            return
        first, behind, cdata = parts[0]
        if cdata and first == start + len(CDATA) and behind in (end, end - 3):  # there is no other text
            start, end = first, behind
        _, name, base, _ = self._stack[-1]
        place = Place(name[1], name[0], None, value, start=start, end=end, tag=self._tag, flags=flags)
        self._add(place, base, self._stack[-2].name)

    def _instruction(self, start: int, end: int) -> None:
        """Add the places of the pseudo-attributes of a wanted processing instruction before the document element."""
        found = INSTRUCTION(self._text, start)
        if found is None or self.root[1] or found[1] not in self._wanted.instructions:
            return
        for place in pseudo_attributes(self._units, self._text, start, end):
            self._add(place, -1, ("", ""))
