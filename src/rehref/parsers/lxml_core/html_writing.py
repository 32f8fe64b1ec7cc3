"""From an XML form to HTML (HTML Standard §13.3, "serializing HTML fragments"), with some values replaced.

1. The form does not change. Values and text are escaped as the Standard does, and not changed in any other way: no
   percent-encoding.
2. A void element has no end tag, every other one has. A parser that does not know that an element is void may have put
   content into it: that follows.
3. The text of `style`, `script` and the like is written as it is, and so are comments.
4. TAB and LF are kept, U+00A0 in text becomes `&nbsp;`, and a carriage return `&#13;`.
5. No end tag follows text that only the end of the document ends (`plaintext`, or a script with `<!--<script>`).
6. A void element that loses its last attribute is removed too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from rehref.parsers.html_serializer import unending
from rehref.parsers.lxml_core.html_as_xml import COMMENT, OPENED, XmlForm, encode
from rehref.parsers.lxml_core.html_places import FormPlaces
from rehref.parsers.source.names import VOID


class _Edit(NamedTuple):
    """Put `text` in place of characters `start` to `end` of the form."""

    start: int
    end: int
    text: str


_REMOVED = "\0"  # replaces a removed attribute: no form contains that
_BARE = re.compile(f"<(?:{'|'.join(sorted(VOID))}){_REMOVED}+/?>")
_END_OF_VOID = re.compile(f"</(?:{'|'.join(sorted(VOID))})>")
# In long text, these patterns are faster than methods of str.
_NUMERIC = re.compile("&(?=#)")
_EMPTY = re.compile("/>")
_NOTHING_MORE = re.compile("(?:</[^>]*>|<[^ />]+/>)*")


def write(form: XmlForm, found: FormPlaces, values: Mapping[int, str | None]) -> str:
    """Write a form as HTML, with new values for some of its places (in order); None: the attribute is removed."""
    return "".join(_pieces(form, [_edit(found, number, value) for number, value in values.items()]))


def _edit(found: FormPlaces, number: int, value: str | None) -> _Edit:
    start, end = found.spans[number]
    attribute = found.places[number].attribute
    if attribute is None:
        return _Edit(start, end, value or "")
    if value is None:
        return _Edit(start - len(f' {attribute}="'), end + 1, _REMOVED)
    return _Edit(start, end, encode(value))


def _pieces(form: XmlForm, edits: Sequence[_Edit]) -> Iterator[str]:
    """Yield markup, raw texts and comments in turn."""
    text = form.text
    opened = any(landmark.name in OPENED for landmark in form.landmarks)
    done = made = 0
    for landmark in form.landmarks:
        if not landmark.opaque:
            continue
        name, _, start, end = landmark
        ahead = bisect_left(edits, start, made, key=attrgetter("start"))
        yield _markup(_spliced(text, done, start, edits[made:ahead]), opened=opened)
        new = edits[ahead].text if ahead < len(edits) and edits[ahead].start == start else None
        done, made = end, ahead if new is None else ahead + 1
        if name == COMMENT:
            yield text[start:end] if new is None else new
            continue
        empty = text[start:end] == "/>"
        raw = new if new is not None else "" if empty else _raw(text[start:end])
        yield f">{raw}" if empty else raw
        if unending(name, raw) and _NOTHING_MORE.fullmatch(text, end):
            return
        if empty:
            yield f"</{name}>"
    yield _markup(_spliced(text, done, len(text), edits[made:]), opened=opened)


def _raw(text: str) -> str:
    """Resolve the references in text that is raw text in HTML."""
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&#13;", "\r")
    return text.replace("&amp;", "&")


def _spliced(text: str, start: int, stop: int, edits: Iterable[_Edit]) -> str:
    """Make edits in a stretch of text."""
    pieces: list[str] = []
    for at, end, new in edits:
        pieces += (text[start:at], new)
        start = end
    pieces.append(text[start:stop])
    spliced = "".join(pieces)
    return _BARE.sub("", spliced).replace(_REMOVED, "") if _REMOVED in pieces else spliced


def _markup(text: str, *, opened: bool) -> str:
    """Turn a stretch of the form that contains nothing opaque into HTML."""
    if _NUMERIC.search(text):  # an ampersand that is text is `&amp;`
        text = text.replace("&#10;", "\n").replace("&#9;", "\t")
    if "\xa0" in text:
        text = "".join(_with_nbsp(text))
    text = _with_end_tags(text)
    return _END_OF_VOID.sub("", text) if opened else text


def _with_nbsp(text: str) -> Iterator[str]:
    """Write U+00A0 by name, except in tags, where it may be part of a name."""
    *parts, last = text.split("\xa0")
    in_tag = False
    for part in parts:
        closing = part.rfind(">")
        in_tag = part.find("<", closing + 1) >= 0 or (in_tag and closing < 0)
        yield part
        yield "\xa0" if in_tag else "&nbsp;"
    yield last


def _with_end_tags(text: str) -> str:
    """Write end tags for empty elements that are not void."""
    pieces: list[str] = []
    *parts, last = _EMPTY.split(text)
    for part in parts:
        begin = part.find("<", part.rfind(">") + 1) + 1
        space = part.find(" ", begin)
        name = part[begin:] if space < 0 else part[begin:space]
        pieces += (part, ">") if name in VOID else (part, f"></{name}>")
    return "".join(pieces) + last
