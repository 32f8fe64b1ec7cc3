"""The meaning of values in XML: entities, character references (XML 1.0 §4), the document type that declares them.

Nothing external is read, no parameter entity is expanded, and no entity refers to another: no recursion, no growth
without bound. Attribute declarations are ignored: there are no default values, and no value is normalized as a list. In
an instruction only the predefined entities are known.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from html.entities import html5

from rehref.markup._charrefs import normalize, numeric
from rehref.markup._source.splicing import Segment
from rehref.markup._source.xml.markup import INSTRUCTION, PSEUDO, segments
from rehref.markup.places import NOT_KNOWN, Place
from rehref.text import lower
from rehref.text.source_text import SourceText

LONGEST = 1000
"""Characters in the value of an entity."""
MOST = 1 << 20
"""Characters in the values of all references to declared entities together, and in all declarations."""

_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}  # §4.6
_KNOWN_IDS = re.compile(r"-//W3C//DTD (?:XHTML |MathML 2\.0)|-//WAPFORUM//DTD XHTML ").match
_HTML = {name[:-1]: text for name, text in html5.items() if name.endswith(";")}

REFERENCE = r"&(?:#x([0-9a-fA-F]++)|#([0-9]++)|([^\t\n\r \"#&';<=>][^\t\n\r \"#&';<=>]*+));"
"""A reference. Groups: the digits of a hexadecimal one, of a decimal one; the name of an entity."""
_IN_TEXT = re.compile(rf"{REFERENCE}|\r\n?+|\0")
_IN_ATTRIBUTE = re.compile(rf"{REFERENCE}|\r\n?+|[\t\n\0]")
# §4.1 [68] EntityRef, as far as needed to distinguish it from a query
_OTHER_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([^\W\d][\w.:-]*+);").finditer
_NEEDS_DECODING = re.compile("[&\r\t\n\0]").search

_S = r"[\t\n\r ]"
# §2.8 [28] doctypedecl: 1 and 2 the literals, 3 "[" or ">"
_LITERAL = r"(\"[^\"]*+\"|'[^']*+')[^\"'<>\[]*+"
_DOCTYPE = re.compile(
    rf"<!DOCTYPE(?=[\t\n\r >\[])[^\"'<>\[]*+(?:{_LITERAL})?(?:{_LITERAL})?([\[>])", re.IGNORECASE
).match
_IN_SUBSET = re.compile(
    rf"""
    [^\]"'<]*+
    (?: (\]{_S}*+>)                                                    # 1: the end
      | <!ENTITY {_S}++ ([^\t\n\r "%&'<>]++) {_S}++                    # §4.2 [71] GEDecl; 2: an entity's name
        (?: ("[^"]*+"|'[^']*+') {_S}*+> )?                             # 3: its literal
      | "[^"]*+" | '[^']*+' | <!--(?s:.*?)--> | <\?(?s:.*?)\?>         # what else may hold a "]"
      | <(?!!--|\?) | \]
    )
    """,
    re.VERBOSE,
).match
_SUBSET_END = re.compile(rf"\]{_S}*+>").search


class Entities:
    """What references mean in one document. All that are not known are literal, as is a lone "&".

    These are known: the five predefined ones; HTML's, if the public identifier is one of those by which browsers know
    them (HTML Standard §14.2); and general entities of the internal subset, the first declaration of each, if it is a
    literal without "&", "<" and "%", of at most `LONGEST` characters.
    """

    __slots__ = ("_known", "_left", "declared", "until")

    def __init__(self, declared: Mapping[str, str], *, html: bool) -> None:
        """Store the declared entities, and whether HTML's are known."""
        self.declared = declared
        self._known: Mapping[str, str] = _HTML if html else _PREDEFINED
        self._left = MOST
        self.until = sys.maxsize
        """The offset from which on no declared entity is expanded, since those before expand to `MOST` characters."""

    def charge(self, text: str, start: int) -> None:
        """Count what a value expands to, before it is decoded. Values come in order of their offset `start`."""
        if not self.declared or "&" not in text or start >= self.until:
            return
        known = self.declared
        self._left -= sum(len(known.get(found[3] or "", "")) for found in _IN_TEXT.finditer(text))
        if self._left < 0:
            self.until = start

    def decode(self, text: str, start: int, *, attribute: bool) -> str:
        """The value that a text from offset `start` on means.

        A number that is not a character means U+FFFD, and so does NUL. Line ends become LF first (§2.11); in an
        attribute each one, and each TAB, is a space (§3.3.3), unless it is written as a reference.
        """
        if _NEEDS_DECODING(text) is None:
            return text
        if not attribute and "\r" not in text and "\0" not in text:
            if "&" not in text:
                return text
            # frequent in a text that is itself markup
            if text.count("&") == sum(text.count(f"&{name};") for name in _PREDEFINED):
                for name, char in reversed(_PREDEFINED.items()):
                    text = text.replace(f"&{name};", char)
                return text
        lookup = self._lookup(start)
        return (_IN_ATTRIBUTE if attribute else _IN_TEXT).sub(
            lambda found: _meaning(found, lookup, attribute=attribute), text
        )

    def stay(self, text: str, start: int) -> bool:
        """Whether a reference to an entity is literal in a text from offset `start` on: it could mean anything
        (`NOT_KNOWN`).
        """
        if "&" not in text:
            return False
        lookup = self._lookup(start)
        return any(lookup(found[1]) is None for found in _OTHER_ENTITY(text))

    def replaced(
        self, raw: str, start: int, decode: Callable[[str], str], *, attribute: bool
    ) -> Iterator[tuple[int, int, str]]:
        """What is not literal in the units from offset `start` on: from, to (in `raw`), and its meaning.

        `decode` returns the characters that units mean.
        """
        lookup = self._lookup(start)
        for found in (_IN_ATTRIBUTE if attribute else _IN_TEXT).finditer(raw):
            text = _meaning(found, lambda name: lookup(decode(name)), attribute=attribute)
            if text != found[0]:
                yield found.start(), found.end(), text

    def _lookup(self, start: int) -> Callable[[str], str | None]:
        known, declared = self._known.get, self.declared.get
        if not self.declared or start >= self.until:
            return known
        return lambda name: _PREDEFINED.get(name) or (known(name) if (text := declared(name)) is None else text)


NONE = Entities({}, html=False)
"""The entities of a document that declares none."""


def _meaning(found: re.Match[str], lookup: Callable[[str], str | None], *, attribute: bool) -> str:
    """The meaning of one match; the matched text itself if it is not a reference."""
    hexadecimal, decimal, name = found.groups()
    if name is not None:
        text = lookup(name)
        if text is None:
            return str(found[0])
        return re.sub("[\t\n\r]", " ", text) if attribute else text
    if hexadecimal is None and decimal is None:
        return "\ufffd" if found[0] == "\0" else " " if attribute else "\n"
    return numeric(hexadecimal, decimal)


def read_doctype(text: str, start: int, decode: Callable[[str], str]) -> tuple[int, Entities, str]:
    """Read the document type declaration at `start`: where it ends, what it declares, and what is wrong with it ("").

    `decode` returns the characters that units of the text mean.
    """
    found = _DOCTYPE(text, start)
    if found is None:
        end = text.find(">", start) + 1
        return end or len(text), NONE, "the document type is not well-formed"
    html = (
        found[1] is not None
        and "public" in lower(text[start : found.start(1)])
        and _KNOWN_IDS(found[1][1:-1]) is not None
    )
    if found[3] == ">":
        return found.end(), Entities({}, html=html), ""
    position = found.end()
    declared: dict[str, str | None] = {}
    size = 0
    while (found := _IN_SUBSET(text, position)) is not None:
        position = found.end()
        if found[1] is not None:
            usable = {name: value for name, value in declared.items() if value is not None}
            return position, Entities(usable, html=html), ""
        if found[2] is None or (name := decode(found[2])) in declared or size > MOST:
            continue
        value = None if found[3] is None else normalize(decode(found[3][1:-1]))
        if value is not None and (len(value) > LONGEST or re.search("[&<%]", value)):
            value = None
        size += len(name) + len(value or "")
        declared[name] = value
    close = _SUBSET_END(text, start)
    return len(text) if close is None else close.end(), Entities({}, html=html), "the internal subset is not closed"


def meaning(
    units: SourceText, entities: Entities, raw: str, start: int, *, attribute: bool = True, cdata: bool = False
) -> tuple[str, int]:
    """The meaning of a raw value, or of a part of it, which begins at `start`; and the flags of its place."""
    text = units.decode(raw)
    if cdata:
        return normalize(text), 0
    entities.charge(text, start)
    value = entities.decode(text, start, attribute=attribute)
    return value, NOT_KNOWN if "&" in value and entities.stay(text, start) else 0


def text_in(units: SourceText, entities: Entities, start: int, end: int) -> tuple[str, int, list[Segment]]:
    """The text of an element without child elements, from `start` to `end`: its meaning, flags, and segments."""
    texts, flags = [], 0
    parts = segments(units, start, end)
    for first, behind, cdata in parts:
        text, more = meaning(units, entities, units.raw(first, behind), first, attribute=False, cdata=cdata)
        texts.append(text)
        flags |= more
    return "".join(texts), flags, parts


def pseudo_attributes(units: SourceText, text: str, start: int, end: int) -> Iterator[Place]:
    """The places of the pseudo-attributes of the instruction in `text` from `start` on, before `end`."""
    found = INSTRUCTION(text, start)
    assert found is not None
    position = found.end()
    while (pseudo := PSEUDO(text, position)) is not None and pseudo.end() <= end:
        position = pseudo.end()
        group = pseudo.lastindex or 0
        raw = units.decode(pseudo[group])
        value, flags = NONE.decode(raw, 0, attribute=True), NOT_KNOWN if NONE.stay(raw, 0) else 0
        name, inside, behind = units.decode(pseudo[1]), *pseudo.span(group)
        yield Place(f"?{found[1]}", "", name, value, start=inside, end=behind, tag=start, flags=flags)
