"""Writing new values into HTML: how, in each kind of context. `splicing` uses it to plan what to replace.

In attributes and foreign text, characters that would not be literal become character references. The text of an HTML
element, a comment, and a CDATA section have no escapes: what would change where they end is percent-encoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from rehref.markup import _charrefs as charrefs
from rehref.markup._source.splicing import (
    CharacterMap,
    Segment,
    Syntax,
    ValueChange,
    changes_of,
    pieces,
    plan,
    quote_around,
)
from rehref.markup._tokenization import ATTRIBUTE, TAG_END, raw_text_end, tag_at
from rehref.markup.places import HTML, Edit, Place, extent
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Splice, spliced
from rehref.text.source_text import SourceText

_CDATA = "<![CDATA["

# what an unquoted value cannot contain, and what it should not (HTML Standard, "unquoted attribute value syntax")
_ENDS_UNQUOTED = re.compile(rf"[{WHITE_SPACE}>]|\A[\"']").search
_UNFIT_UNQUOTED = re.compile("[\"'=<`]").search


class HtmlMarkup(NamedTuple):
    """How values are written in HTML."""

    units: SourceText

    def mapping(self, place: Place) -> CharacterMap:
        """Where the characters of a place's value are."""
        attribute, cdata = place.attribute is not None, not _has_references(self.units, place)
        replaced = charrefs.normalized if cdata else partial(charrefs.replaced, attribute=attribute)
        return CharacterMap(self.units, [Segment(*extent(place), cdata)], lambda segment, raw: replaced(raw))

    def takes_plain(self, place: Place, start: int, end: int) -> bool:
        """Whether a plain text can be put into a place unescaped: in quotes it can."""
        return place.attribute is not None and quote_around(self.units, start, end) != ""

    def splices(self, place: Place, mapping: CharacterMap, edits: Sequence[Edit]) -> list[Splice[str]]:
        """What to replace to make the edits of one place; in order, not overlapping."""
        units = self.units
        if any(new is None for _, _, _, new in edits):
            return [] if place.attribute is None else _removal(units, place)
        changes = changes_of(place.value, edits)
        if not changes:
            return []
        piece = pieces(mapping, place.value, changes)[0]
        if place.attribute is None:
            return plan(units, mapping, piece, _of_text(units, place))
        quote = quote_around(units, *extent(place))
        splices = plan(units, mapping, piece, _with_references(units, quote, charrefs.decode))
        return splices if quote else _unquoted(units, place, splices, changes)


def _has_references(units: SourceText, place: Place) -> bool:
    """Whether a place can have character references: attributes can, and foreign text outside of CDATA."""
    if place.attribute is not None:
        return True
    start, _ = extent(place)
    return place.namespace != HTML and units.raw(max(start - len(_CDATA), 0), start) != _CDATA


def _with_references(units: SourceText, quote: str, decode: Callable[[str], str]) -> Syntax:
    """How to write in these quotes (`charrefs.escape`), where there are character references."""

    def write(text: str, *, every_ampersand: bool = False) -> str:
        return units.write(charrefs.escape(text, quote, every_ampersand=every_ampersand), markup=True)

    return Syntax((write,), partial(write, every_ampersand=True), decode)


def _of_text(units: SourceText, place: Place) -> Syntax:
    """How to write in the text of an element or a comment.

    What would change where it ends (`</style`, `]]>`, `<!--`), CR and NUL are percent-encoded. If even that does not
    help, the text does not change.
    """
    if _has_references(units, place):
        return _with_references(units, "<", charrefs.decode_text)
    ways = (
        lambda text: units.write(_percent(place, text), markup=False),
        lambda text: units.write(_percent_at_edges(place, text), markup=False),
    )
    closed = extent(place)[1] < len(units.text)
    return Syntax(ways, None, charrefs.normalize, partial(_holds, place, closed=closed))


def _unquoted(
    units: SourceText, place: Place, splices: list[Splice[str]], changes: Sequence[ValueChange]
) -> list[Splice[str]]:
    """The splices that change a value without quotes, derived from those for any quotes.

    It gets quotes when it needs them; an attribute without a value gets `="…"`.
    """
    start, end = extent(place)
    raw = spliced(units.raw(start, end), [(first - start, behind - start, new) for first, behind, new in splices])
    equals = _has_equals(units, start)
    if equals and raw and not _ENDS_UNQUOTED(raw) and not any(_UNFIT_UNQUOTED(change.text) for change in changes):
        return splices
    if '"' not in raw:
        raw = f'"{raw}"'
    elif "'" not in raw:
        raw = f"'{raw}'"
    else:
        write = _with_references(units, '"', charrefs.decode).anew
        assert write is not None
        raw = f'"{write(charrefs.decode(units.decode(raw)))}"'
    return [(start, end, raw if equals else "=" + raw)]


def _has_equals(units: SourceText, position: int) -> bool:
    """Whether there is an "=" before `position`, except for white space."""
    while (before := units.raw(position - 1, position)) in WHITE_SPACE:
        position -= 1
    return before == "="


def _holds(place: Place, text: str, *, closed: bool) -> bool:
    """Whether an element or a comment can hold this text without escapes."""
    if place.element == "#comment":
        return "-->" not in text and "--!>" not in text and not text.endswith(("-", "--!"))
    if place.namespace != HTML:
        return "]]>" not in text
    name = place.element
    return raw_text_end(f"{text}</{name}>" if closed else text, name, 0) == len(text)


def _percent(place: Place, text: str) -> str:
    """New text for an element, without what would end it."""
    text = text.replace("\0", "%00").replace("\r", "%0D")
    if place.element == "#comment":
        return text.replace("--", "-%2D")
    if place.namespace != HTML:
        return text.replace("]]>", "]]%3E")
    if "<" in text:
        text = re.sub(f"<(?=/?{re.escape(place.element)}|!--)", "%3C", text, flags=re.IGNORECASE | re.ASCII)
    return text.replace("-->", "--%3E") if place.element == "script" else text


def _percent_at_edges(place: Place, text: str) -> str:
    """New text without anything that, together with what the author has around it, could end the element."""
    middle = _percent(place, text[1:-1]).replace("<", "%3C").replace(">", "%3E")
    first, last = (
        "".join(f"%{byte:02X}" for byte in edge.encode("utf-8", "replace")) for edge in (text[:1], text[1:][-1:])
    )
    return f"{first}{middle}{last}"


def _removal(units: SourceText, place: Place) -> list[Splice[str]]:
    """What to delete to remove an attribute, with all others of its name on the tag, which would then count.

    A `base` that has nothing else on it is removed as a whole, but not between a `<` of the text and what would become
    a tag with it.
    """
    text = units.text
    whole = tag_at(text, place.tag)
    assert whole is not None
    found: list[tuple[str, int, int, bool]] = []
    position = whole.name_end
    while (attribute := ATTRIBUTE(text, position)) is not None and attribute.lastindex != TAG_END:
        group = attribute.lastindex or 1
        begin = attribute.end() if group == 1 else attribute.start(group)
        found.append((lower(attribute[1]), position, attribute.end(), begin == place.start))
        position = attribute.end()
    mine = next(name for name, _, _, is_mine in found if is_mine)
    extents = [(begin, end) for name, begin, end, _ in found if name == mine]
    joins = text[place.tag - 1 : place.tag] == "<"
    if place.element == "base" and len(extents) == len(found) and not joins:
        return [(place.tag, whole.end, "")]
    return [_without(text, begin, end) for begin, end in extents]


def _without(text: str, start: int, end: int) -> Splice[str]:
    """Delete an attribute, and the white space before it, unless that must separate what is around it."""
    following = text[end]
    if following == ">" or following in WHITE_SPACE:
        behind = end
        while text[behind] in WHITE_SPACE:
            behind += 1
        # "=" may begin a name, but not after a name and white space
        return start, end, " /" if text[behind] == "=" else ""
    if following == "=":
        return start, end, " /"
    return (start + 1, end, "") if text[start] in WHITE_SPACE + "/" else (start, end, "")
