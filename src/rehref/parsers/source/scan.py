"""The scanner: finds every place in HTML source, one match of a pattern at a time.

1. Text and tags that carry nothing wanted are passed over inside one match (`patterns`); only a tag with a wanted
   attribute, or one that changes how what follows is read, comes to Python's attention.
2. Raw text elements (`style`, `xmp`, `iframe`, `noembed`, `noframes`), `title` and `textarea` end at their own end tag
   and hold no markup; `script` has its escaped states; after `plaintext` all is text. `noscript` is markup.
3. Comments, bogus comments and the doctype end where the Standard's tokenizer ends them.
4. `svg` and `math` begin foreign content, which `foreign` reads element by element.
5. What is inside `template` is flagged: a `base` there does not count.
6. A tag that the end of the file cuts off is no tag, and nothing follows it.
7. There is one `html` and one `body`: further tags only add the attributes it has not got yet, and none in a template.
   There is one `head`: a tag after the document's first content is ignored.
8. The text of a wanted element (a raw text element, or `script`) has its line ends normalized and NUL replaced.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rehref.parsers import charrefs
from rehref.parsers.contract import HTML, IN_TEMPLATE, PlaceTuple, Wanted
from rehref.parsers.source import foreign
from rehref.parsers.source.ends import declaration_end, is_declaration, raw_text_end
from rehref.parsers.source.names import NAMESPACES, attribute_name, element_name, lower
from rehref.parsers.source.patterns import RCDATA, STOPS, TAG, patterns_for
from rehref.parsers.units import Units

_ONLY_ONE = frozenset({"html", "head", "body"})
_NOTHING: frozenset[str] = frozenset()

_SPECIAL = re.compile("[&\r\0\x80-\U0010ffff]").search
_BLANK = re.compile("[\t\n\f\r ]*+").match


class _Tag(NamedTuple):
    """What the name of a start tag says, outside of foreign content."""

    name: str
    element: str
    namespace: str
    wanted: frozenset[str]
    special: bool


class Scanner:
    """Scans one source. `run` does all of it; `places` has what was found, in document order."""

    def __init__(self, units: Units, wanted: Wanted) -> None:
        """Prepare to scan `units` for `wanted`."""
        self.text = units.text
        self.units = units
        self.places: list[PlaceTuple] = []
        self.templates = 0
        self.wanted = wanted
        self.patterns = patterns_for(wanted)
        self._names: dict[str, str] = {}
        self._tags: dict[str, _Tag] = {}
        self._wanted: dict[str, frozenset[str]] = {}
        self._merged: dict[str, set[str | None]] = {"html": set(), "body": set()}
        self._head_possible = True

    def run(self) -> list[PlaceTuple]:
        """Scan the whole source (HTML Standard, "tokenization")."""
        text, skip = self.text, self.patterns.skip
        position, end = 0, len(text)
        while position < end:
            found = skip(text, position)
            if found[1] is None:
                position = self._other(found.end())
            else:
                position = self._start_tag(found)
        return self.places

    def name(self, raw: str) -> str:
        """The name of a tag or attribute, as the tokenizer has it ("tag name state", "attribute name state")."""
        name = self._names.get(raw)
        if name is None:
            name = self._names[raw] = lower(self.units.decode(raw)).replace("\0", "\ufffd")
        return name

    def wanted_of(self, element: str) -> frozenset[str]:
        """The attributes wanted on an element, in lower case."""
        wanted = self._wanted.get(element)
        if wanted is None:
            wanted = self._wanted[element] = self.wanted.anywhere | self.wanted.on.get(lower(element), _NOTHING)
        return wanted

    def _tag(self, raw: str) -> _Tag:
        name = self.name(raw)
        namespace = NAMESPACES.get(name, HTML)
        element = element_name(namespace, name)
        tag = _Tag(name, element, namespace, self.wanted_of(element), name in STOPS or name in _ONLY_ONE)
        self._tags[raw] = tag
        return tag

    def _start_tag(self, found: re.Match[str]) -> int:
        """Take in the wanted attributes of a start tag, and what its element makes of what follows."""
        text, places, more = self.text, self.places, self.patterns.more
        name, element, namespace, wanted, special = self._tags.get(found[1]) or self._tag(found[1])
        before = len(places)
        tag = found.start(1) - 1
        flags = IN_TEMPLATE if self.templates else 0
        while (group := found.lastindex) != 6:
            assert group is not None
            attribute = self._names.get(found[2]) or self.name(found[2])
            position = found.end()
            if attribute in wanted:
                if namespace != HTML:
                    attribute = attribute_name(namespace, attribute)
                if len(places) == before or all(place[2] != attribute for place in places[before:]):
                    if group == 2:
                        places.append((element, namespace, attribute, "", position, position, tag, flags))
                    else:
                        raw = found[group]
                        value = raw if _SPECIAL(raw) is None else self.value(raw)
                        start, stop = found.span(group)
                        places.append((element, namespace, attribute, value, start, stop, tag, flags))
            next_found = more(text, position)
            if next_found is None:  # the end of the file stands in the tag
                del places[before:]
                return len(text)
            found = next_found
        if special:
            return self._enter(name, before, tag, found)
        return found.end()

    def _enter(self, name: str, before: int, tag: int, end: re.Match[str]) -> int:
        """Do what is special about a start tag, whose places begin at number `before`; where to go on."""
        position = end.end()
        if name in _ONLY_ONE:
            self.only_one(name, before, tag)
        elif name == "template":
            self.templates += 1
        elif name not in NAMESPACES:
            return self.raw_text(name, tag, position)
        elif not end[6].endswith("/>"):
            return foreign.scan(self, name, tag, position)
        return position

    def raw_text(self, name: str, tag: int, position: int) -> int:
        """Pass over the text of a raw text element; where its end tag begins, or the end of the file."""
        stop = raw_text_end(self.text, name, position)
        if name in self.wanted.texts and name not in RCDATA:
            value = charrefs.normalize(self.units.decode(self.text[position:stop]))
            self.add_text(name, HTML, value, position, stop, tag)
        return stop

    def add_text(self, element: str, namespace: str, value: str, start: int, stop: int, tag: int) -> None:
        """Add the place of an element's text."""
        flags = IN_TEMPLATE if self.templates else 0
        self.places.append((element, namespace, None, value, start, stop, tag, flags))

    def only_one(self, name: str, before: int, tag: int) -> None:
        """Drop those of a tag's places, from number `before` on, that the one element does not get (rule 7)."""
        places = self.places
        if len(places) == before:
            return
        if name == "head":
            if not self._begins_head(tag):
                del places[before:]
            self._head_possible = False
            return
        if self.templates:
            del places[before:]
            return
        known = self._merged[name]
        places[before:] = [place for place in places[before:] if place[2] not in known]
        known.update(place[2] for place in places[before:])

    def _begins_head(self, tag: int) -> bool:
        """Whether nothing before a `head` tag has begun the head ("initial", "before html", "before head")."""
        text = self.text
        position = self.units.bom
        while self._head_possible:
            found = _BLANK(text, position)
            assert found is not None
            position = found.end()
            if position >= tag:
                return True
            if is_declaration(text, position):
                position = declaration_end(text, position)
                continue
            found = TAG(text, position)
            if found is None:
                return False
            name, end = self.name(found[1]), text.startswith("</", position)
            if name in ("head", "body", "br") or (end if name == "html" else not end):
                return False
            position = found.end()
        return False

    def _other(self, position: int) -> int:
        """Pass over what stands at a "<" and is no start tag with a wanted attribute."""
        text = self.text
        if is_declaration(text, position):
            return declaration_end(text, position)
        if text.startswith("</", position):
            found = TAG(text, position)
            if found is None:
                return len(text)
            if self.templates and self.name(found[1]) == "template":
                self.templates -= 1
            return found.end()
        return len(text)  # a start tag that does not end, or the end of the file

    def value(self, raw: str) -> str:
        """The decoded value of an attribute."""
        return charrefs.decode(self.units.decode(raw))
