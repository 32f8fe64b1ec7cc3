"""Writing new values into XML: how, in each kind of context. `splicing` uses it to plan what to replace.

Characters that XML does not allow are percent-encoded: the texts written are URI references. An unquoted value gets
quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import quote as percent_encode

from rehref.markup._charrefs import normalize, normalized
from rehref.markup._source.splicing import (
    CharacterMap,
    Segment,
    Syntax,
    changes_of,
    pieces,
    plan,
    quote_around,
)
from rehref.markup._source.xml.entities import NONE, Entities
from rehref.markup._source.xml.markup import CDATA, LOOSE, START_NAME, segments
from rehref.markup.places import HTML, Edit, Place, extent
from rehref.text.encoding import Source, Splice, spliced
from rehref.text.source_text import SourceText

# XML 1.0 §2.2 [2] Char: what it excludes, except lone surrogates, which only a str can contain
_NOT_ALLOWED = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_WHITE = "\t\n\r "


class XmlMarkup(NamedTuple):
    """How values are written in XML."""

    units: SourceText
    entities: Entities

    def mapping(self, place: Place) -> CharacterMap:
        """Where the characters of a place's value are."""
        start, end = extent(place)
        attribute = place.attribute is not None
        parts = [Segment(start, end)] if attribute else segments(self.units, start, end)
        replaced = partial(self._known_entities(place).replaced, decode=self.units.decode, attribute=attribute)

        def replaced_in(segment: Segment, raw: str) -> Iterator[tuple[int, int, str]]:
            return normalized(raw) if segment.cdata else replaced(raw, segment.start)

        return CharacterMap(self.units, parts, replaced_in)

    def _known_entities(self, place: Place) -> Entities:
        """The entities that are known in a place: in an instruction, only the predefined ones."""
        return NONE if place.element.startswith("?") else self.entities

    def takes_plain(self, place: Place, start: int, end: int) -> bool:
        """Whether a plain text can be put into a place unescaped: in quotes it can, and after a tag that ends."""
        if place.attribute is not None:
            return not place.element.startswith("?") and quote_around(self.units, start, end) != ""
        text = self.units.text
        return text[start - 1] == ">" or text.startswith(CDATA, start - len(CDATA))

    def splices(self, place: Place, mapping: CharacterMap, edits: Sequence[Edit]) -> list[Splice[str]]:
        """What to replace to make the edits of one place; in order, not overlapping."""
        units, attribute = self.units, place.attribute is not None
        if any(new is None for _, _, _, new in edits):
            return _removal(units, place) if attribute and not place.element.startswith("?") else []
        changes = [
            change._replace(text=_NOT_ALLOWED.sub(lambda found: percent_encode(found[0]), change.text))
            for change in changes_of(place.value, edits)
        ]
        quote = quote_around(units, *extent(place)) if attribute else "<"
        if changes and quote == "":
            return [(*extent(place), f'"{_written(units, spliced(place.value, changes), chr(34))}"')]
        splices: list[Splice[str]] = []
        for piece in pieces(mapping, place.value, changes):
            start, _, cdata = piece.segment
            syntax = _in_cdata(units) if cdata else self._with_references(place, start, quote)
            written = plan(units, mapping, piece, syntax)
            # the text may follow an end tag that ends only at the `<` of the next markup, as in `</< a`
            if not (attribute or cdata or units.text[start - 1] == ">"):
                first, last, new = written[0]
                written[0] = (first, last, ">" + new)
            splices += written
        return splices

    def _with_references(self, place: Place, start: int, quote: str) -> Syntax:
        """How to write from offset `start` on in these quotes, or with "<" for `quote` as character data."""
        write = partial(_written, self.units, quote=quote)
        attribute = place.attribute is not None
        ends = re.compile(r"\?>" if place.element.startswith("?") else "<" if attribute else "<|]]>").search
        decode = partial(self._known_entities(place).decode, start=start, attribute=attribute)
        return Syntax((write,), write, decode, lambda raw: ends(raw) is None)


def _in_cdata(units: SourceText) -> Syntax:
    """How to write in a CDATA section, where nothing is escaped."""
    write = partial(_as_cdata, units)
    return Syntax((write,), write, _read_cdata, _stands_in_cdata)


def _written(units: SourceText, text: str, quote: str) -> str:
    """Write text so that it is literal in these quotes, or with "<" for `quote` as character data.

    `&`, `<` and `>` are escaped; in attributes also the quote and what would be normalized.
    """
    special = "[&<>\r]" if quote == "<" else f"[&<>\r\t\n{quote}]"
    escaped = re.sub(special, lambda found: _ESCAPES.get(found[0]) or f"&#{ord(found[0])};", text)
    return units.write(escaped, markup=True)


def _as_cdata(units: SourceText, text: str) -> str:
    """Write text so that it is literal in a CDATA section.

    What that cannot hold (`]]>`, a carriage return, characters that the encoding lacks) is put outside:
    `]]]]><![CDATA[>`.
    """
    text = text.replace("]]>", f"]]]]>{CDATA}>")
    if "\r" in text or not units.holds(text):
        text = re.sub(
            "[\r\x80-\U0010ffff]",
            lambda found: (
                found[0]
                if found[0] != "\r" and units.holds(found[0])
                else f"]]>{_written(units, found[0], '<')}{CDATA}"
            ),
            text,
        )
    return units.write(text, markup=False)


def _read_cdata(raw: str) -> str:
    """The text that a CDATA section with this content means."""
    content, parts = _cdata(raw)
    texts = [(content[start:end], cdata) for start, end, cdata in parts]
    return "".join(normalize(text) if cdata else NONE.decode(text, 0, attribute=False) for text, cdata in texts)


def _stands_in_cdata(raw: str) -> bool:
    """Whether a CDATA section with this content ends at its end."""
    content, parts = _cdata(raw)
    return not parts or parts[-1].cdata or parts[-1].end < len(content)


def _cdata(raw: str) -> tuple[str, list[Segment]]:
    content = f" {CDATA}{raw}]]>"
    return content, segments(SourceText(Source(content)), 1, len(content))


def _removal(units: SourceText, place: Place) -> list[Splice[str]]:
    """What to delete to remove an attribute: also a stray `=` after it, and all others of its name on the tag.

    An XHTML `base` written `<base …/>` that has nothing else on it is removed as a whole.
    """
    text, tag = units.text, place.tag
    name = START_NAME(text, tag + 1)
    assert name is not None
    position = name.end()
    found: list[tuple[str, int, int]] = []
    mine = instead = ""
    while (piece := LOOSE(text, position)) is not None and piece.lastindex not in (None, 1):
        group = piece.lastindex or 0
        if group < 6:
            found.append((piece[2], position, piece.end()))
            if group > 2 and piece.start(group) == place.start:
                mine = piece[2]
        else:
            instead = " "  # a stray character must not come directly after what it did not follow
            if piece[6] == "=" and found and found[-1][2] == position:  # a name before it would read it as its own
                found[-1] = (*found[-1][:2], piece.end())
        position = piece.end()
    extents = [(start, end) for raw, start, end in found if raw == mine]
    empty = piece is not None and piece[1] == "/"
    if (place.element, place.namespace) == ("base", HTML) and empty and len(extents) == len(found):
        assert piece is not None
        return [(tag, piece.end(), "")]
    return [(start, end, instead if text[end] in _WHITE + "/>" else " ") for start, end in extents]
