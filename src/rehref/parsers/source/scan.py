"""The scanner: finds every place in HTML source, one match of a pattern at a time.

1. Text and tags that carry nothing wanted are passed over inside one match (`patterns`); only a tag with a wanted
   attribute, or one that changes how what follows is read, comes to Python's attention.
2. Raw text elements (`style`, `xmp`, `iframe`, `noembed`, `noframes`), `title` and `textarea` end at their own end tag
   and hold no markup; `script` has its escaped states; after `plaintext` all is text. `noscript` is markup.
3. Comments, bogus comments and the doctype end where the Standard's tokenizer ends them.
4. `svg` and `math` begin foreign content, which `foreign` reads element by element.
5. What is inside `template` is flagged: a `base` there does not count.
6. A tag that the end of the file cuts off is no tag, and nothing follows it.
"""

from __future__ import annotations

import re
from functools import cache

from rehref.parsers import charrefs
from rehref.parsers.contract import HTML, IN_TEMPLATE, PlaceTuple, Wanted
from rehref.parsers.source import foreign
from rehref.parsers.source.names import element_name
from rehref.parsers.source.patterns import RAW_TEXT, RCDATA, STOPS, TAG, any_case, patterns_for
from rehref.parsers.units import Units

_COMMENT_END = re.compile(r"--!?+>").search
_SCRIPT = re.compile(r"<!--|-->|<(/?+)[sS][cC][rR][iI][pP][tT](?=[\t\n\f\r />])").search
_SPECIAL = re.compile("[&\r\0\x80-\U0010ffff]").search


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

    def run(self) -> list[PlaceTuple]:
        """Scan the whole source (HTML Standard, "tokenization")."""
        text, skip = self.text, self.patterns.skip
        position, end = 0, len(text)
        while position < end:
            found = skip(text, position)
            name = found[1]
            if name is None:
                position = self._other(found.end())
            else:
                position = self._start_tag(found, name.lower())
        return self.places

    def _start_tag(self, found: re.Match[str], name: str) -> int:
        """Take in the wanted attributes of a start tag, and what its element makes of what follows."""
        text, places, more = self.text, self.places, self.patterns.more
        element = element_name(HTML, name)
        wanted = self.wanted.on.get(element, self.wanted.anywhere)
        before = len(places)
        tag = found.start(1) - 1
        flags = IN_TEMPLATE if self.templates else 0
        while (group := found.lastindex) != 6:
            attribute = found[2].lower()
            if attribute in wanted or attribute in self.wanted.anywhere:
                if group is None or group == 2:
                    raw, start, stop = "", found.end(), found.end()
                else:
                    raw = found[group]
                    start, stop = found.span(group)
                if all(place[2] != attribute for place in places[before:]):
                    value = raw if _SPECIAL(raw) is None else self.value(raw)
                    places.append((element, HTML, attribute, value, start, stop, tag, flags))
            position = found.end()
            found = more(text, position)
            if found is None:  # the end of the file stands in the tag
                del places[before:]
                return len(text)
        if name in STOPS:
            return self.enter(name, tag, found.end(), self_closing=found[6].endswith("/>"))
        return found.end()

    def enter(self, name: str, tag: int, position: int, *, self_closing: bool = False) -> int:
        """Pass over what a start tag of a `STOPS` element makes special; `position` is behind the tag."""
        if name == "template":
            self.templates += 1
            return position
        if name in ("svg", "math"):
            return position if self_closing else foreign.scan(self, name, position)
        return self.raw_text(name, tag, position)

    def raw_text(self, name: str, tag: int, position: int) -> int:
        """Pass over the text of a raw text element; where its end tag begins, or the end of the file."""
        if name == "plaintext":
            return len(self.text)
        stop = self._script_end(position) if name == "script" else self._end_tag(name, position)
        if name in self.wanted.texts:
            raw = self.text[position:stop]
            flags = IN_TEMPLATE if self.templates else 0
            self.places.append((name, HTML, None, self.units.decode(raw), position, stop, tag, flags))
        return stop

    def _end_tag(self, name: str, position: int) -> int:
        found = end_tag(name)(self.text, position)
        return len(self.text) if found is None else found.start()

    def _script_end(self, position: int) -> int:
        """Where the script's end tag begins (HTML Standard, "script data state" and those after it)."""
        escaped = doubly = False
        while (found := _SCRIPT(self.text, position)) is not None:
            position = found.end()
            if found[0] == "<!--":
                escaped = True
                position = found.start() + 2  # `<!-->` ends what it begins
            elif found[0] == "-->":
                escaped = doubly = False
            elif found[1] == "/":
                if not doubly:
                    return found.start()
                doubly = False
            elif escaped:
                doubly = True
        return len(self.text)

    def _other(self, position: int) -> int:
        """Pass over what stands at a "<" and is no start tag with a wanted attribute."""
        text = self.text
        second = text[position + 1 : position + 2]
        if second in ("!", "?"):
            return self.declaration(position)
        if second == "/":
            if text[position + 2 : position + 3].isalpha():
                found = TAG(text, position)
                if found is None:
                    return len(text)
                if self.templates and found[1].lower() == "template":
                    self.templates -= 1
                return found.end()
            return self.declaration(position)
        return len(text)  # a start tag that does not end, or the end of the file

    def declaration(self, position: int) -> int:
        """Where a comment, bogus comment or doctype that begins at `position` ends."""
        text = self.text
        if text.startswith("<!--", position):
            if text.startswith(">", position + 4):
                return position + 5
            if text.startswith("->", position + 4):
                return position + 6
            found = _COMMENT_END(text, position + 4)
            return len(text) if found is None else found.end()
        # "bogus comment state"; the states of the doctype end at any ">" too
        end = text.find(">", position)
        return len(text) if end == -1 else end + 1

    def value(self, raw: str) -> str:
        """The decoded value of an attribute."""
        return charrefs.decode(self.units.decode(raw))


@cache
def end_tag(name: str):  # type: ignore[no-untyped-def]
    """Find the "appropriate end tag" of a raw text element."""
    return re.compile(rf"</{any_case(name)}(?=[\t\n\f\r />])").search


assert RAW_TEXT | RCDATA < STOPS
