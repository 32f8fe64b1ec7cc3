"""Writing new values into a source: what to replace, and by what.

1. The least is changed: of the old and the new text, what they begin and end with in common stays as the author
   wrote it, escapes and all; only what lies between is written anew, escaped for its quotes.
2. Should the author's part and the new part together mean something that neither did alone (`&am` and `p;`), the whole
   value is written anew; so is, in UTF-16 and ISO-2022-JP, a value with broken bytes.
3. An unquoted value gets quotes when it needs them; an attribute without a value gets `="…"`.
4. The text of an HTML element, and a CDATA section, have no escapes. What would change where they end (`</style`,
   `]]>`, `<!--`), CR and NUL are percent-encoded. Where not even that does, the text stays as it was.
5. A removed attribute takes the white space before it along, unless that is needed, and all others of its name on
   the tag, which would come to count. A `base` that has nothing else on it goes as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rehref.parsers import charrefs
from rehref.parsers.ascii_case import lower
from rehref.parsers.contract import HTML, EditTuple, PlaceTuple
from rehref.parsers.source.ends import raw_text_end
from rehref.parsers.source.tags import ATTRIBUTE, TAG_END, tag_at
from rehref.parsers.units import Splice, Units

_CDATA = "<![CDATA["
_WHITE = "\t\n\f\r "

# what an unquoted value cannot hold, and what it should not (HTML Standard, "unquoted attribute value syntax")
_ENDS_UNQUOTED = re.compile("[\t\n\f\r >]|\\A[\"']").search
_UNFIT_UNQUOTED = re.compile("[\"'=<`]").search


class _Change(NamedTuple):
    """Characters `start` to `end` of a decoded value become `text`."""

    start: int
    end: int
    text: str


def splices_for(units: Units, place: PlaceTuple, offsets: Sequence[int], edits: Sequence[EditTuple]) -> list[Splice]:
    """What to replace to make the edits of one place; `offsets` has the offset of each character, and of the end."""
    if edits[0][3] is None:
        return [] if place[2] is None else _removal(units, place)
    changes = _trimmed(place[3], edits)
    if not changes:
        return []
    if place[2] is not None:
        return _in_attribute(units, place, offsets, changes)
    if has_references(units, place):
        return _escaped(units, place, offsets, changes, "<", charrefs.decode_text)[0]
    return _in_plain_text(units, place, offsets, changes)


def extent(place: PlaceTuple) -> tuple[str, int, int]:
    """The decoded value of a place, and where its raw value begins and ends."""
    _, _, _, value, start, end, _, _ = place
    assert start is not None
    assert end is not None
    return value, start, end


def has_references(units: Units, place: PlaceTuple) -> bool:
    """Whether character references mean something in a place: in attributes, and in foreign text outside of CDATA."""
    _, start, _ = extent(place)
    return place[2] is not None or (place[1] != HTML and not _is_cdata(units, start))


def _is_cdata(units: Units, start: int) -> bool:
    return units.text.startswith(_CDATA, max(start - len(_CDATA), 0))


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
            tail = common(old[::-1], new[::-1])
            head = min(common(old, new), len(old) - tail, len(new) - tail)
        changes.append(_Change(start + head, end - tail, new[head : len(new) - tail]))
    return changes


def common(first: str, second: str) -> int:
    """How many characters two texts begin with in common."""
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length


def _escaped(
    units: Units,
    place: PlaceTuple,
    offsets: Sequence[int],
    changes: Sequence[_Change],
    quote: str,
    decode: Callable[[str], str],
) -> tuple[list[Splice], str, str]:
    """Make changes where character references can be written: the splices, the raw value they give, and its meaning."""
    value, start, end = extent(place)
    splices = [
        (offsets[first], offsets[behind], units.write(charrefs.escape(text, quote), markup=True))
        for first, behind, text in changes
    ]
    raw = _spliced(units.text, start, end, splices)
    if raw.isascii() and "&" not in raw and units.text[start:end] == value:
        return splices, raw, raw  # all stands for itself
    intended = _composed(value, changes, [decode(units.decode(new)) for _, _, new in splices])
    # (where bytes are not the units, that does not show what they come to, side by side, if some are broken)
    unsure = units.wide and "\ufffd" in units.text[start:end]
    if decode(units.decode(raw)) == intended and not unsure:
        return splices, raw, intended
    raw = _written_out(units, intended, quote)
    return [(start, end, raw)], raw, intended


def _written_out(units: Units, value: str, quote: str) -> str:
    """A value with every ampersand escaped: it cannot be misread, whatever stands next to what (rule 2)."""
    return units.write(charrefs.escape(value, quote, every_ampersand=True), markup=True)


def _in_attribute(units: Units, place: PlaceTuple, offsets: Sequence[int], changes: Sequence[_Change]) -> list[Splice]:
    """The splices that change the value of an attribute (rules 1 to 3)."""
    text = units.text
    _, start, end = extent(place)
    quote = text[start - 1]
    if quote not in "\"'" or text[end : end + 1] != quote:
        quote = ""
    splices, raw, intended = _escaped(units, place, offsets, changes, quote, charrefs.decode)
    if quote:
        return splices
    equals = _has_equals(text, start)
    wanting = raw == "" or _ENDS_UNQUOTED(raw) or any(_UNFIT_UNQUOTED(change.text) for change in changes)
    if equals and not wanting:
        return splices
    if '"' not in raw:
        raw = f'"{raw}"'
    elif "'" not in raw:
        raw = f"'{raw}'"
    else:
        raw = f'"{_written_out(units, intended, chr(34))}"'
    return [(start, end, raw if equals else "=" + raw)]


def _has_equals(text: str, position: int) -> bool:
    """Whether "=" stands before `position`, white space aside."""
    while text[position - 1] in _WHITE:
        position -= 1
    return text[position - 1] == "="


def _in_plain_text(units: Units, place: PlaceTuple, offsets: Sequence[int], changes: Sequence[_Change]) -> list[Splice]:
    """The splices that change text without escapes (rule 4)."""
    value, start, end = extent(place)
    closed = end < len(units.text)
    for percent in (_percent, _percent_at_edges):
        new = [units.write(percent(place, change.text), markup=False) for change in changes]
        splices = [
            (offsets[change.start], offsets[change.end], text) for change, text in zip(changes, new, strict=True)
        ]
        raw = _spliced(units.text, start, end, splices)
        intended = _composed(value, changes, [units.decode(text) for text in new])
        if charrefs.normalize(units.decode(raw)) == intended and _holds(place, intended, closed=closed):
            return splices
    return []


def _holds(place: PlaceTuple, text: str, *, closed: bool) -> bool:
    """Whether an element or a comment can hold this text without escapes."""
    if place[0] == "#comment":
        return "-->" not in text and "--!>" not in text and not text.endswith(("-", "--!"))
    if place[1] != HTML:
        return "]]>" not in text
    name = place[0]
    return raw_text_end(f"{text}</{name}>" if closed else text, name, 0) == len(text)


def _percent(place: PlaceTuple, text: str) -> str:
    """New text for an element, without what would end it."""
    text = text.replace("\0", "%00").replace("\r", "%0D")
    if place[0] == "#comment":
        return text.replace("--", "-%2D")
    if place[1] != HTML:
        return text.replace("]]>", "]]%3E")
    text = re.sub(f"<(?=/?{re.escape(place[0])}|!--)", "%3C", text, flags=re.IGNORECASE)
    return text.replace("-->", "--%3E") if place[0] == "script" else text


def _percent_at_edges(place: PlaceTuple, text: str) -> str:
    """New text without anything that, together with what the author has around it, could end the element."""
    middle = _percent(place, text[1:-1]).replace("<", "%3C").replace(">", "%3E")
    first, last = (
        "".join(f"%{byte:02X}" for byte in edge.encode("utf-8", "replace")) for edge in (text[:1], text[1:][-1:])
    )
    return f"{first}{middle}{last}"


def _removal(units: Units, place: PlaceTuple) -> list[Splice]:
    """What to delete for an attribute to be gone (rule 5)."""
    text = units.text
    whole = tag_at(text, place[6])
    assert whole is not None
    _, start, _ = extent(place)
    found: list[tuple[str, int, int, bool]] = []
    position = whole.name_end
    while (attribute := ATTRIBUTE(text, position)) is not None and attribute.lastindex != TAG_END:
        group = attribute.lastindex or 1
        begin = attribute.end() if group == 1 else attribute.start(group)
        found.append((lower(attribute[1]), position, attribute.end(), begin == start))
        position = attribute.end()
    mine = next(name for name, _, _, is_mine in found if is_mine)
    extents = [(begin, end) for name, begin, end, _ in found if name == mine]
    if place[0] == "base" and len(extents) == len(found):
        return [(place[6], whole.end, "")]
    return [_without(text, begin, end) for begin, end in extents]


def _without(text: str, start: int, end: int) -> Splice:
    """Delete an attribute, and what separates it from what is before, unless that has to separate what is behind."""
    following = text[end]
    if following == ">" or following in _WHITE:
        behind = end
        while text[behind] in _WHITE:
            behind += 1
        # "=" may begin a name, but not behind a name and white space
        return start, end, " /" if text[behind] == "=" else ""
    if following == "=":
        return start, end, " /"
    return (start + 1, end, "") if text[start] in _WHITE + "/" else (start, end, "")


def _spliced(text: str, start: int, end: int, splices: Sequence[Splice]) -> str:
    pieces = []
    for first, last, new in splices:
        pieces += [text[start:first], new]
        start = last
    return "".join(pieces) + text[start:end]


def _composed(value: str, changes: Sequence[_Change], texts: Sequence[str]) -> str:
    """A value with these texts in the places of the changes."""
    pieces = []
    last = 0
    for (start, end, _), text in zip(changes, texts, strict=True):
        pieces += [value[last:start], text]
        last = end
    return "".join(pieces) + value[last:]
