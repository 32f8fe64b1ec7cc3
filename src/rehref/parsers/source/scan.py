"""The scanner: finds every place in HTML source, one match of a pattern at a time.

1. Text and tags that carry nothing wanted are passed over inside one match (`patterns`); only a tag with a wanted
   attribute, or one that changes how what follows is read or whether it counts, comes to Python's attention.
2. Raw text elements (`style`, `xmp`, `iframe`, `noembed`, `noframes`), `title` and `textarea` end at their own end tag
   and hold no markup; `script` has its escaped states; after `plaintext` all is text. `noscript` is markup, unless
   scripting is on.
3. Comments, bogus comments and the doctype end where the Standard's tokenizer ends them.
4. `svg` and `math` begin foreign content, which `foreign` reads tag by tag.
5. What is inside `template` is flagged: a `base` there does not count. So is a `base` in the body.
6. A tag that the end of the file cuts off is no tag, and nothing follows it.
7. There is one `html` and one `body`: further tags only add the attributes they have not got yet, and none in a
   template.
8. A `form` inside a form is ignored, and so is the part of a table outside of any.
9. The text of a wanted element (a raw text element, or `script`) has its line ends normalized and NUL replaced.
10. Where a tag's fate depends on more than that, the scan is given up and `construction` reads the source: framesets,
    parts of tables in templates, a table directly in a table, a select in a select, a `head` or `noscript` with
    wanted attributes, and foreign content out of the ordinary.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rehref.parsers.contract import HTML, IN_BODY, IN_TEMPLATE, PlaceTuple, Wanted
from rehref.parsers.source import foreign
from rehref.parsers.source.construction.run import BodyWatch, construct
from rehref.parsers.source.construction.tokens import Tag, next_token
from rehref.parsers.source.ends import declaration_end, is_declaration
from rehref.parsers.source.foreign import NotOrdinaryError
from rehref.parsers.source.names import NAMESPACES, element_name
from rehref.parsers.source.patterns import ATTRIBUTE, STOPS, TABLE_PARTS, TAG, TAG_NAME, WITH_PLACES, Row, patterns_for
from rehref.parsers.source.reading import Reading
from rehref.parsers.units import Units

STRETCH = 1 << 18
"""Units that are scanned at once; the rows of more would take much memory."""
_ONLY_ONE = frozenset({"html", "body"})
_NOT_ORDINARY = TABLE_PARTS | {"frameset", "frame", "head", "noscript"}
_NOTHING: frozenset[str] = frozenset()

_SPECIAL = re.compile("[&\r\0\x80-\U0010ffff]").search
# what may stand between a table and one inside of it: no text that only looks like tags, and a cell begun last
_HIDES_MARKUP = re.compile("<!--|<(?:script|style|textarea|title|xmp|template|svg|math)", re.IGNORECASE).search
_TABLE_PART = re.compile("<(/?)(caption|col|colgroup|tbody|td|tfoot|th|thead|tr)(?=[\t\n\f\r />])", re.IGNORECASE)


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
        self.reading = Reading(units, wanted)
        self._text = units.text
        self._patterns = patterns_for(wanted)
        self._tags: dict[str, _Tag] = {}
        self._merged: dict[str, set[str | None]] = {"html": set(), "body": set()}
        self._firsts: tuple[int, dict[str, int]] = (-1, {})  # see `_first`
        self._form = False
        self._select = -1  # how many tables are open around the open select
        self._tables = 0
        self._last_table = 0  # behind the last tag of a table
        self._around: list[tuple[int, int]] = []  # select and tables around each open template
        self._body: BodyWatch | None = None  # once there is a base
        self._templates: dict[int, int] = {}  # where what is in each outermost template begins and ends
        self._template = 0  # where it begins in the one that is open

    def run(self) -> list[PlaceTuple]:
        """Scan the whole source (HTML Standard, "tokenization", and what of "tree construction" it needs)."""
        try:
            self._scan()
        except NotOrdinaryError:
            self.reading = Reading(self.reading.units, self.reading.wanted)
            construct(self.reading)
        return self.reading.places

    def _scan(self) -> None:
        text = self._text
        position, end = 0, len(text)
        while position < end:
            if text[position] == '"':  # which would look like the end of a value
                position = text.find("<", position)
                if position == -1:
                    return
            stretch = position + STRETCH
            while stretch < end and text[stretch - 1] == "<":  # which would look like text
                stretch += 1
            position = self._add_rows(self._patterns.rows(text, position, stretch), position)
            if position == end:
                return
            found = self._patterns.skip(text, position)
            if found[1] is None:
                position = self._other(found.end())
            else:
                position = self._start_tag(found)

    def _add_rows(self, rows: list[Row], position: int) -> int:
        """Add the places of the rows from `position` on; where to go on in text."""
        add, tags, names = self.reading.places.append, self._tags, self.reading.names
        flags = IN_TEMPLATE if self.reading.templates else 0
        calls = self.reading.wanted.calls
        tag = -1
        known: _Tag | None = None
        for head, name, before, between, attribute, value in rows:
            if name:
                tag = position + len(head)
                if not attribute:
                    return tag
                known = tags.get(name) or self._tag(name)
                position = tag + len(name) + len(before) + len(attribute) + 3  # `<`, `="`
            elif between and attribute:
                position += len(between) + len(attribute) + 2
            elif head:
                return position + len(head)
            else:
                break
            assert known is not None
            attribute = names.get(attribute) or self.reading.name(attribute)
            _, element, namespace, wanted, _ = known
            end = position + len(value)
            if attribute in wanted and not ((between or attribute in calls) and self._has(attribute, tag, position)):
                if "&" in value or not value.isascii():
                    value = self.reading.value(value)
                add((element, namespace, attribute, value, position, end, tag, flags))
            position = end
        if known is None:
            return position
        return self._finish(known, tag, position + 1)

    def _has(self, attribute: str, tag: int, start: int) -> bool:
        """Whether the tag at `tag`, whose places come last, has the attribute before this one, valued at `start`."""
        for place in reversed(self.reading.places):
            if place[6] != tag:
                break
            if place[2] == attribute:
                return True
        # one that calls nothing may have been passed over; it is the first all the same
        return attribute in self.reading.wanted.calls and self._first(attribute, tag) != start

    def _first(self, attribute: str, tag: int) -> int | None:
        """Where the value begins of the first attribute of that name, one of `Wanted.calls`, of the tag at `tag`."""
        if self._firsts[0] != tag:
            firsts: dict[str, int] = {}
            self._firsts = (tag, firsts)
            name = TAG_NAME(self._text, tag + 1)
            position = tag if name is None else name.end()
            while (found := ATTRIBUTE(self._text, position)) is not None and found.lastindex != 5:
                position = found.end()
                name_here = self.reading.name(found[1])
                if name_here in self.reading.wanted.calls:
                    firsts.setdefault(
                        name_here, position if found.lastindex == 1 else found.start(found.lastindex or 1)
                    )
        return self._firsts[1].get(attribute)

    def _tag(self, raw: str) -> _Tag:
        name = self.reading.name(raw)
        namespace = NAMESPACES.get(name, HTML)
        element = element_name(namespace, name)
        tag = _Tag(name, element, namespace, self.reading.wanted_of(element), name in STOPS or name in WITH_PLACES)
        self._tags[raw] = tag
        return tag

    def _start_tag(self, found: re.Match[str]) -> int:
        """Take in the wanted attributes of a start tag, and what its element makes of what follows."""
        known = self._tags.get(found[1]) or self._tag(found[1])
        tag = found.start(1) - 1
        return self._take(known, tag, found) if known.namespace == HTML else self._foreign(known, tag)

    def _foreign(self, known: _Tag, tag: int) -> int:
        """Take in an `svg` or `math` start tag, on which more is wanted than on others, and what it holds."""
        token = next_token(self.reading.units, tag, self.reading.name, foreign=False)
        if not isinstance(token, Tag):
            return len(self._text)
        self.reading.add_element(known.namespace, known.element, token.attributes, tag)
        return token.end if token.self_closing else foreign.scan(self.reading, known.name, tag, token.end)

    def _finish(self, known: _Tag, tag: int, position: int) -> int:
        """Take in what is wanted in the rest of the start tag at `tag`, from behind a value on."""
        found = self._patterns.more(self._text, position)
        if found is None:
            return self._cut_off(tag)
        return self._take(known, tag, found)

    def _cut_off(self, tag: int) -> int:
        """The end of the file stands in the tag at `tag`, so it is none."""
        places = self.reading.places
        while places and places[-1][6] == tag:
            places.pop()
        return len(self._text)

    def _take(self, known: _Tag, tag: int, found: re.Match[str]) -> int:
        """Take in a wanted attribute of the start tag at `tag`, and what follows; where to go on."""
        text, places, names, more = self._text, self.reading.places, self.reading.names, self._patterns.more
        name, element, namespace, wanted, special = known
        flags = IN_TEMPLATE if self.reading.templates else 0
        taken = 0
        while (group := found.lastindex) != 6:
            assert group is not None
            attribute = names.get(found[2]) or self.reading.name(found[2])
            position = found.end()
            start, stop = (position, position) if group == 2 else found.span(group)
            if attribute in wanted and not self._has(attribute, tag, start):
                taken += 1
                raw = text[start:stop]
                value = raw if _SPECIAL(raw) is None else self.reading.value(raw)
                places.append((element, namespace, attribute, value, start, stop, tag, flags))
            next_found = more(text, position)
            if next_found is None:
                return self._cut_off(tag)
            found = next_found
        if special:
            return self._enter(name, len(places) - taken, tag, found)
        return found.end()

    def _enter(self, name: str, before: int, tag: int, end: re.Match[str]) -> int:
        """Do what is special about a start tag, whose places begin at number `before`; where to go on."""
        position = end.end()
        if name == "noscript" and self.reading.wanted.scripting:
            return self.reading.raw_text(name, tag, position)
        if name in WITH_PLACES:
            self._judge(name, before)
        elif name == "form":
            self._enter_form(before)
        elif name == "base":
            self._enter_base(before, tag)
        elif name == "table":
            self._enter_table(tag, position)
        elif name == "select":
            if self._select != -1:
                raise NotOrdinaryError
            self._select = self._tables
        elif name == "template":
            self._enter_template(position)
        elif name in _NOT_ORDINARY:
            raise NotOrdinaryError
        else:
            return self.reading.raw_text(name, tag, position)
        return position

    def _judge(self, name: str, before: int) -> None:
        """Drop those places, from number `before` on, of a tag whose element does not get them (rules 7, 8, 10)."""
        if self.reading.templates and name in TABLE_PARTS:
            raise NotOrdinaryError
        places = self.reading.places
        if len(places) == before:
            return
        if name in TABLE_PARTS:
            if not self._tables:
                del places[before:]
        elif name not in _ONLY_ONE:
            raise NotOrdinaryError
        elif self.reading.templates:
            del places[before:]
        else:
            known = self._merged[name]
            places[before:] = [place for place in places[before:] if place[2] not in known]
            known.update(place[2] for place in places[before:])

    def _enter_form(self, before: int) -> None:
        if not self.reading.templates:
            if self._form:
                del self.reading.places[before:]
            self._form = True

    def _enter_base(self, before: int, tag: int) -> None:
        reading = self.reading
        if reading.templates or len(reading.places) == before:
            return
        if self._body is None:
            self._body = BodyWatch(reading.units, self._templates, scripting=reading.wanted.scripting)
        if self._body.has_begun(tag):
            reading.places[before:] = [(*place[:7], IN_BODY) for place in reading.places[before:]]

    def _enter_table(self, tag: int, position: int) -> None:
        if self.reading.templates:
            raise NotOrdinaryError
        if self._tables:
            # within a table, another begins only in a cell or caption; elsewhere it ends the first
            between = self._text[self._last_table : tag]
            parts = _TABLE_PART.findall(between)
            if (
                not parts
                or _HIDES_MARKUP(between)
                or parts[-1][0]
                or parts[-1][1].lower() not in ("td", "th", "caption")
            ):
                raise NotOrdinaryError
        self._tables += 1
        self._last_table = position

    def _enter_template(self, position: int) -> None:
        if not self.reading.templates:
            self._template = position
        self._around.append((self._select, self._tables))
        self._select, self._tables = -1, 0
        self.reading.templates += 1
        self._patterns = patterns_for(self.reading.wanted, in_template=True)

    def _leave(self, name: str, tag: int, position: int) -> None:
        """Take in an end tag that stands from `tag` to `position`."""
        if name == "template" and self.reading.templates:
            self.reading.templates -= 1
            self._select, self._tables = self._around.pop()
            if not self.reading.templates:
                self._templates[self._template] = tag
                self._patterns = patterns_for(self.reading.wanted)
        elif name == "form" and not self.reading.templates:
            self._form = False
        elif name == "select" and self._select != -1:
            if self._select != self._tables:
                raise NotOrdinaryError
            self._select = -1
        elif name == "table" and self._tables:
            self._tables -= 1
            self._last_table = position

    def _other(self, position: int) -> int:
        """Pass over what stands at a "<" and is no start tag with a wanted attribute."""
        text = self._text
        if is_declaration(text, position):
            end = declaration_end(text, position)
            self.reading.comment(position, end)
            return end
        if text.startswith("</", position):
            found = TAG(text, position)
            if found is None:
                return len(text)
            self._leave(self.reading.name(found[1]), position, found.end())
            return found.end()
        return len(text)  # a start tag that does not end, or the end of the file
