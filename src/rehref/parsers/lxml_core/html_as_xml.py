"""The XML form of a tree of HTML: its tags, unambiguous enough to be searched quickly.

lxml writes XML even faster than it reads HTML, and searching that text is quicker than visiting every element of a
tree.

1. In the form, a tag is `<name`, any number of ` name="value"`, and `>`, or `/>` if the element is empty.
2. `&`, `<` and `>` in text are character references; in values, so are quotes and control characters. So a `>` always
   ends a tag, except in a comment, and a `"` in a tag begins or ends a value, or is part of a name.
3. Names may contain what HTML allows: everything except white space, `/` and `>`, and `=` except at the start of an
   attribute's name. So a `<` does not always begin a tag; the first one after a `>` does.
4. Comments look as in HTML, where none contains `-->`.
5. The form's landmarks are the comments, and the elements of some names; between two landmarks that are opaque (a
   comment, or raw text) there is nothing but tags and text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rehref.parsers.html_serializer import RAW_TEXT

TOKEN = re.compile("<(?:!--(.*?)--|(/)?([^ />]+)([^>]*))>", re.DOTALL)
"""A comment or tag, if the search begins outside of them. Groups: the comment's data; the slash of an end tag, the
name, the attributes and the slash of an empty element."""

ATTRIBUTE = re.compile(r' (=?[^ =>]*)="([^"]*)"')
"""An attribute, if the search begins after its tag's name. Groups: name and value."""

COMMENT = "!--"
AROUND = frozenset({"svg", "math", "template", "noscript"})
"""Elements that affect the meaning of their content."""
OPENED = frozenset({"bgsound", "embed", "keygen", "source", "track", "wbr"})
"""Void elements that libxml2 does not know to be void."""

_BY_LETTER = groupby(sorted(RAW_TEXT | AROUND | OPENED), key=itemgetter(0))
_NAMES = "|".join(f"{letter}(?:{'|'.join(name[1:] for name in names)})" for letter, names in _BY_LETTER)
_LANDMARK = re.compile(f"<({COMMENT}|(?:{_NAMES})(?=[ />]))")
_REFERENCE = re.compile(r"&(?:#(\d+)|#x([\dA-Fa-f]+)|(lt|gt|quot|apos|amp));")
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}


class Landmark(NamedTuple):
    """A comment, or an element of one of some names."""

    name: str
    at: int
    """Where it begins."""
    start: int
    """Where its data or raw text starts; at the `/>` if it is empty. For another element, where its start tag ends."""
    end: int
    """Where its data or raw text ends. For another element, where its start tag ends."""

    @property
    def opaque(self) -> bool:
        """Whether its data or raw text is neither tags nor escaped text."""
        return self.name == COMMENT or self.name in RAW_TEXT


@dataclass(frozen=True, slots=True)
class XmlForm:
    """A tree in its XML form."""

    text: str
    landmarks: Sequence[Landmark]
    odd: bool = False
    """Whether something that looks like a landmark is part of a name (rule 3)."""


def xml_form(text: str) -> XmlForm:
    """Make a form of a serialized tree."""
    landmarks: list[Landmark] = []
    odd = False
    done = 0  # never within a tag
    while (match := _LANDMARK.search(text, done)) is not None:
        at, name = match.start(), match[1]
        if text.find("<", max(text.rfind(">", done, at), done), at) >= 0:  # there is an unfinished tag
            odd = True
            done = text.index(">", at) + 1
        elif name == COMMENT:
            end = text.index("-->", at + 4)
            landmarks.append(Landmark(name, at, at + 4, end))
            done = end + 3
        else:
            done = start = text.index(">", at) + 1
            if name in RAW_TEXT:
                start, done = (start - 2, start) if text[start - 2] == "/" else (start, text.index("<", start))
            landmarks.append(Landmark(name, at, start, done))
    return XmlForm(text, landmarks, odd)


def decode(value: str) -> str:
    """Resolve the references in a value or text."""
    return _REFERENCE.sub(_character, value) if "&" in value else value


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name is not None:
        return _NAMED[name]
    return chr(int(decimal)) if decimal is not None else chr(int(hexadecimal, 16))


def encode(value: str) -> str:
    """Write a value with references. A NUL, which HTML reads as U+FFFD, is written as U+FFFD."""
    if not ("&" in value or "<" in value or ">" in value or '"' in value or "\r" in value or "\0" in value):
        return value
    value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return value.replace("\r", "&#13;").replace("\0", "\ufffd")
