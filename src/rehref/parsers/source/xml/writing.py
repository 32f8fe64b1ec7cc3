"""Writing new values into an XML document: what to replace, and by what.

1. The least is changed: of the old and the new text, what they begin and end with in common stays as the author wrote
   it. An edit that reaches over several segments of a text is written into the first, and deleted from the others.
2. In character data and attributes `&`, `<` and `>` are escaped, in attributes the quote and what would be normalized
   too. Should the author's part and the new part together mean something that neither did alone, or only a part of what
   a reference stands for change, the whole segment is written anew.
3. In a CDATA section nothing is escaped. What cannot stand there (`]]>`, a carriage return, what the encoding lacks) is
   put outside: `]]]]><![CDATA[>`.
4. Characters that XML does not allow are percent-encoded: what is written are references.
5. A text may stand behind an end tag that only its own `<` ends, as in `</< a`. If that is written anew, the tag gets a
   `>`, which changes nothing else.
6. An unquoted value gets quotes. A removed attribute takes the white space before it along, a stray `=` behind it, and
   all others of its name on the tag. An XHTML `base` written `<base …/>` that has nothing else on it goes as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote as percent_encode

from rehref.parsers.contract import HTML, EditTuple, PlaceTuple, Source
from rehref.parsers.encoding import encodable
from rehref.parsers.source.writing import common
from rehref.parsers.source.xml.content import Segment, segments, text_value
from rehref.parsers.source.xml.entities import NONE, Entities
from rehref.parsers.source.xml.mapping import Mapping, extent
from rehref.parsers.source.xml.patterns import CDATA, LOOSE, START_NAME
from rehref.parsers.units import Splice, Units

# XML 1.0 §2.2 [2] Char: what it leaves out, but for lone surrogates, which only a str can hold
_NOT_ALLOWED = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_WHITE = "\t\n\r "


class _Change(NamedTuple):
    """Characters `start` to `end` of a decoded value become `text`."""

    start: int
    end: int
    text: str


class _Style(NamedTuple):
    """How a segment is written, and read again."""

    write: Callable[[str], str]
    """From characters to units."""
    read: Callable[[str], str | None]
    """From raw characters to the value they stand for; None if they do not stand there."""
    misread: Callable[[str], object]
    """Whether there is something in a raw value that would be read as markup, or might."""


def splices_for(
    units: Units, entities: Entities, place: PlaceTuple, mapping: Mapping, edits: Sequence[EditTuple]
) -> list[Splice]:
    """What to replace to make the edits of one place; in order, not overlapping."""
    if edits[0][3] is None:
        return _removal(units, place)
    changes = _trimmed(place[3], edits)
    if not changes:
        return []
    start, end = extent(place)
    attribute = place[2] is not None
    quote = units.text[start - 1] if attribute else "<"
    if attribute and not (quote in "\"'" and units.text[end : end + 1] == quote):  # rule 6
        return [(start, end, f'"{_written(units, _composed(place[3], changes), chr(34))}"')]
    splices: list[Splice] = []
    for segment, begin, behind, mine in _by_segment(mapping, changes):
        if segment.cdata:
            style = _Style(lambda text: _as_cdata(units, text), _read_cdata, lambda _: False)
        else:
            style = _style(units, entities, place, segment.start, quote)
        written = _in_segment(units, segment, place[3][begin:behind], mapping, begin, mine, style)
        if not (attribute or segment.cdata or units.text[segment.start - 1] == ">"):  # rule 5
            first, last, new = written[0]
            written[0] = (first, last, ">" + new)
        splices += written
    return splices


def _style(units: Units, entities: Entities, place: PlaceTuple, start: int, quote: str) -> _Style:
    """How to write where references can be written."""
    return _Style(
        lambda text: _written(units, text, quote),
        lambda raw: entities.decode(raw, start, attribute=place[2] is not None),
        re.compile(r"\?>" if place[0].startswith("?") else "<" if place[2] is not None else "<|]]>").search,
    )


def _by_segment(mapping: Mapping, changes: Sequence[_Change]) -> list[tuple[Segment, int, int, list[_Change]]]:
    """The changes of each segment that has any, with where it begins and ends in the value (rule 1)."""
    found: dict[int, list[_Change]] = {}
    begins = mapping.begins
    ends = [*begins[1:], mapping.size]
    for start, end, text in changes:
        at = bisect_right(begins, start) - 1
        new = text
        while True:
            found.setdefault(at, []).append(_Change(max(start, begins[at]), min(end, ends[at]), new))
            at, new = at + 1, ""
            if at == len(begins) or begins[at] >= end:
                break
    return [(mapping.segments[at], begins[at], ends[at], mine) for at, mine in found.items()]


def _in_segment(
    units: Units,
    segment: Segment,
    value: str,
    mapping: Mapping,
    begin: int,
    changes: Sequence[_Change],
    style: _Style,
) -> list[Splice]:
    """The splices that change a segment, whose part of the value begins at `begin`."""
    first, behind, _ = segment
    splices = []
    for start, end, text in changes:
        at = first if start == begin else mapping.end(start) if start == begin + len(value) else mapping.start(start)
        splices.append((at, mapping.end(end) if start < end else at, style.write(text)))
    local = [_Change(start - begin, end - begin, text) for start, end, text in changes]
    if all(one[1] <= other[0] for one, other in pairwise(splices)):
        raw = units.decode(_spliced(units.text, first, behind, splices))
        # what is written may be percent-encoded
        meant = [
            _Change(start, end, style.read(units.decode(new)) or "")
            for (start, end, _), (_, _, new) in zip(local, splices, strict=True)
        ]
        unsure = units.wide and "\ufffd" in units.text[first:behind]
        if not unsure and not style.misread(raw) and style.read(raw) == _composed(value, meant):
            return splices
    return [(first, behind, style.write(_composed(value, local)))]


def _trimmed(value: str, edits: Sequence[EditTuple]) -> list[_Change]:
    """The edits without what old and new text have in common at their ends (rule 1); none that changes nothing."""
    changes = []
    for _, start, end, new in edits:
        old = value[start:end]
        if new is None or old == new:
            continue
        if new.endswith(old):
            head, tail = 0, len(old)
        else:
            head = common(old, new)
            tail = min(common(old[::-1], new[::-1]), len(old) - head, len(new) - head)
        changes.append(_Change(start + head, end - tail, _allowed(new[head : len(new) - tail])))
    return changes


def _allowed(text: str) -> str:
    """Text without what XML does not allow (rule 4)."""
    return _NOT_ALLOWED.sub(lambda found: percent_encode(found[0]), text)


def _written(units: Units, text: str, quote: str) -> str:
    """Write text so that it means itself in these quotes, or with "<" for `quote` as character data (rule 2)."""
    special = "[&<>\r]" if quote == "<" else f"[&<>\r\t\n{quote}]"
    escaped = re.sub(special, lambda found: _ESCAPES.get(found[0]) or f"&#{ord(found[0])};", text)
    return units.write(escaped, markup=True)


def _as_cdata(units: Units, text: str) -> str:
    """Write text so that it means itself in a CDATA section (rule 3)."""
    text = text.replace("]]>", f"]]]]>{CDATA}>")
    if "\r" in text or not _holds(units, text):
        text = re.sub(
            "[\r\x80-\U0010ffff]",
            lambda found: (
                found[0]
                if found[0] != "\r" and _holds(units, found[0])
                else f"]]>{_written(units, found[0], '<')}{CDATA}"
            ),
            text,
        )
    return units.write(text, markup=False)


def _holds(units: Units, text: str) -> bool:
    """Whether the encoding can say a text."""
    return isinstance(units.source.data, str) or encodable(text, units.encoding)


def _read_cdata(raw: str) -> str | None:
    """The text that a CDATA section with this inside stands for; None if it would end too early."""
    content = Units(Source(f" {CDATA}{raw}]]>"))
    parts = segments(content, 1, len(content.text))
    if parts and not parts[-1].cdata and parts[-1].end == len(content.text):
        return None
    return text_value(content, NONE, parts)


def _removal(units: Units, place: PlaceTuple) -> list[Splice]:
    """What to delete for an attribute to be gone (rule 6)."""
    if place[2] is None or place[0].startswith("?"):
        return []
    text, tag = units.text, place[6]
    name = START_NAME(text, tag + 1)
    assert name is not None
    position = name.end()
    found: list[tuple[str, int, int]] = []
    mine = instead = ""
    while (piece := LOOSE(text, position)) is not None and piece.lastindex not in (None, 1):
        group = piece.lastindex or 0
        if group < 6:
            found.append((piece[2], position, piece.end()))
            if group > 2 and piece.start(group) == place[4]:
                mine = piece[2]
        else:
            instead = " "  # a stray character must not come to stand beside what it did not
            if piece[6] == "=" and found and found[-1][2] == position:  # a name before it would take it for its own
                found[-1] = (*found[-1][:2], piece.end())
        position = piece.end()
    extents = [(start, end) for raw, start, end in found if raw == mine]
    empty = piece is not None and piece[1] == "/"
    if (place[0], place[1]) == ("base", HTML) and empty and len(extents) == len(found):
        assert piece is not None
        return [(tag, piece.end(), "")]
    return [(start, end, instead if text[end] in _WHITE + "/>" else " ") for start, end in extents]


def _spliced(text: str, start: int, end: int, splices: Sequence[Splice]) -> str:
    pieces = []
    for first, last, new in splices:
        pieces += [text[start:first], new]
        start = last
    return "".join(pieces) + text[start:end]


def _composed(value: str, changes: Sequence[_Change]) -> str:
    """A value with the changes made."""
    pieces = []
    last = 0
    for start, end, text in changes:
        pieces += [value[last:start], text]
        last = end
    return "".join(pieces) + value[last:]
