"""Finding the places in an XML form.

1. All places, in document order. A place's `tag` is the offset of its start tag in the form.
2. Each place has its span in the form: of its raw value, its raw text or its data; of the `/>` of an empty element
   whose text is wanted.
3. Texts are those of elements with raw text. Where the `type` of a `script` is wanted, the text of one without it is
   skipped: it is a program.
4. An element outside of all elements that affect the meaning of their content is in HTML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rehref.parsers.contract import BEFORE_OTHERS, HTML, IN_BODY, Place, Wanted
from rehref.parsers.lxml_core.html_as_xml import AROUND, ATTRIBUTE, COMMENT, OPENED, XmlForm, decode
from rehref.parsers.lxml_core.html_namespaces import Surrounded, before_others, in_body, inside
from rehref.parsers.source.names import attribute_name, element_name
from rehref.text.ascii import lower

_NOTHING: frozenset[str] = frozenset()
# a start tag with attributes: 1 its name, 2 the attributes; and one with more of them than a class
_WITH_ATTRIBUTES = re.compile("<([^ !/>][^ />]*)( [^>]*)>")
_WITH_MORE_THAN_CLASS = re.compile('<([^ !/>][^ />]*)(?! class="[^"]*"/?>)( [^>]*)>')


@dataclass(frozen=True, slots=True)
class FormPlaces:
    """The places of a document, and where each is in its XML form."""

    places: list[Place] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)


def find(form: XmlForm, wanted: Wanted) -> FormPlaces:
    """Find all places in a form."""
    wants_class = "class" in wanted.anywhere.union(*wanted.on.values())
    finder = _Finder(form.text, wanted, _WITH_ATTRIBUTES if wants_class else _WITH_MORE_THAN_CLASS)
    done = 0
    for name, at, start, end in form.landmarks:
        if at < done or name in OPENED or (name == "noscript" and not wanted.scripting):
            continue
        if name in AROUND:
            finder.search(done, at)
            elements, done = inside(form.text, at, scripting=wanted.scripting)
            for element in elements:
                finder.read(element)
        else:
            empty = form.text[start:end] == "/>"
            finder.search(done, at if name == COMMENT else end if empty else start)
            finder.add_text("#comment" if name == COMMENT else name, HTML, 0, at, (start, end))
            done = end
    finder.search(done, len(form.text))
    return _with_base_flags(finder.found, form.text)


def _with_base_flags(found: FormPlaces, text: str) -> FormPlaces:
    bases = [each for each in found.places if each.element == "base" and each.namespace == HTML and not each.flags]
    if not bases:
        return found
    hrefs = [place.tag for place in bases if place.attribute == "href"]
    flags = dict.fromkeys(in_body(text, [place.tag for place in bases]), IN_BODY)
    for tag in before_others(text, hrefs) if len(hrefs) > 1 else ():
        flags[tag] = flags.get(tag, 0) | BEFORE_OTHERS
    places = [place._replace(flags=flags[place.tag]) if place.tag in flags else place for place in found.places]
    return FormPlaces(places, found.spans)


@dataclass(frozen=True, slots=True)
class _Finder:
    """Collects the places of a document."""

    text: str
    wanted: Wanted
    tags: re.Pattern[str]
    """The names to look for in HTML."""
    found: FormPlaces = field(default_factory=FormPlaces)
    known: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """The results of `names`."""

    def names(self, name: str, namespace: str) -> frozenset[str]:
        """The names of the attributes wanted on an element."""
        names = self.known.get((name, namespace))
        if names is None:
            names = self.wanted.anywhere | self.wanted.on.get(lower(name), _NOTHING)
            self.known[name, namespace] = names
        return names

    def add_text(self, name: str, namespace: str, flags: int, tag: int, span: tuple[int, int]) -> None:
        """Add the text of an element, or a comment, if it is wanted."""
        start, end = span
        text = self.text
        if (
            name not in self.wanted.texts
            or (name == "script" and "type" in self.names(name, namespace) and text.find(' type="', tag, start) < 0)
            or (name == "#comment" and not text.startswith("[if", start, end))
        ):
            return
        raw = text[start:end]
        value = raw if name == "#comment" else "" if raw == "/>" else decode(raw)
        self.found.places.append(Place(name, namespace, None, value, None, None, tag, flags))
        self.found.spans.append(span)

    def read(self, element: Surrounded) -> None:
        """Add the places on and in an element, or of a comment."""
        token, name, namespace, flags = element
        tag, after = token.span()
        if name == "#comment":
            self.add_text(name, namespace, flags, tag, token.span(1))
            return
        self.read_tag(name, namespace, flags, tag, token.start(4), after)
        if name in self.wanted.texts:
            span = (after - 2, after) if token[4].endswith("/") else (after, self.text.index("<", after))
            self.add_text(name, namespace, flags, tag, span)

    def read_tag(self, name: str, namespace: str, flags: int, tag: int, start: int, stop: int) -> None:
        """Add the attributes of a tag, which start after its name, at `start`."""
        names = self.names(name, namespace)
        for attribute in ATTRIBUTE.finditer(self.text, start, stop):
            key, value = attribute.groups()
            if key in names:
                key = attribute_name(namespace, key)
                self.found.places.append(Place(name, namespace, key, decode(value), None, None, tag, flags))
                self.found.spans.append(attribute.span(2))

    def search(self, start: int, stop: int) -> None:
        """Add the attributes in a stretch of HTML that begins outside of tags and contains nothing opaque."""
        for tag in self.tags.finditer(self.text, start, stop):
            self.read_tag(element_name(HTML, tag[1]), HTML, 0, tag.start(), tag.start(2), tag.end())
