"""The values of the attributes of JSX tags: which may be references, what they mean, and how they are written.

Elements of HTML and SVG have names that begin with a small letter. Of a component only ids are read, and what options
ask for: its program decides what its other attributes mean. In quotes, a value has character references with their
semicolons, and no other escapes. An expression is read if it is one string, or a template without `${`. All other
attributes in `LINKING`, and properties and attributes of that name in code, count as skipped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from rehref.documents._markdown.jsx_code import JsxAttribute, JsxTag, is_component
from rehref.documents._markdown.link_destinations import offsets_of, references
from rehref.markup.places import HTML, ID_NAMES, SVG, Place, Wanted
from rehref.text.encoding import spliced

LINKING: Final = frozenset({"to", "href", "src", "srcset", "poster"})
"""The attributes that lead somewhere, also where a program decides what they say."""
ANY: Final = "*"
"""Instead of the name of an element: any element."""
_STRING = re.compile(
    rb"""\s*(?:"((?:[^"\\\r\n]|\\.)*)"|'((?:[^'\\\r\n]|\\.)*)'|`((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)`)\s*""", re.DOTALL
).fullmatch
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))")
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"} | dict.fromkeys(
    ("\n", "\r", "\r\n", "\u2028", "\u2029"), ""
)
_UNFIT = re.compile(r"[\\\r\n\u2028\u2029]|\$(?=\{)")
_IN_CODE = re.compile(
    rb"(?<![\w$.-])(?:to|href|src|srcSet|poster)(?:=(?=[\"'{`])|[\"']?[ \t]*:[ \t]*(?=[\"'`]))"
).finditer
_ONLY_COMMENT = re.compile(rb"\{\s*/\*[\s\S]*\*/\s*\}").fullmatch
_QUOTED_LINE = re.compile(rb"[\r\n][ \t]*>").search


class TagValue(NamedTuple):
    """A value as it is written: where it is, what is around it, and whether it is a string of a program."""

    start: int
    end: int
    quote: str
    is_code: bool


def read_tags(
    data: bytes, tags: Sequence[JsxTag], wanted: Wanted, asked: Collection[tuple[str, str]]
) -> tuple[list[tuple[Place, TagValue]], int]:
    """The places in tags, and how many attributes were skipped. `asked`: elements and attributes."""
    places: list[tuple[Place, TagValue]] = []
    in_svg = skipped = 0
    for tag in tags:
        name = tag.name.lower()
        in_svg += 0 if name != "svg" or tag.is_whole else 1 - 2 * tag.is_closing
        namespace = SVG if (in_svg > 0 or name == "svg") and not is_component(tag.name) else HTML
        on = wanted.anywhere | wanted.on.get(name, frozenset())
        for attribute in {each.name: each for each in tag.attributes}.values():
            spelt = "xlink:href" if attribute.name == "xlinkHref" else attribute.name.lower()
            is_read = spelt in on if not is_component(tag.name) else spelt in ID_NAMES and spelt in on
            is_asked = not ({(name, spelt), (ANY, spelt)}.isdisjoint(asked))
            value = _value(data, attribute) if is_read or is_asked else None
            if value is not None:
                element = tag.name if is_component(tag.name) or namespace == SVG else name
                text = meaning(data, value)
                places.append((Place(element, namespace, spelt, text, value.start, value.end, tag.start, 0), value))
            elif spelt in LINKING and attribute.form:
                skipped += 1
            elif attribute.form == "{":
                skipped += skipped_in(data, [(attribute.start, attribute.end)])
    return places, skipped


def skipped_in(data: bytes, code: Sequence[tuple[int, int]]) -> int:
    """How many attributes and properties in code lead somewhere."""
    return sum(
        sum(1 for _ in _IN_CODE(data, start, end)) for start, end in code if _ONLY_COMMENT(data, start, end) is None
    )


def _value(data: bytes, attribute: JsxAttribute) -> TagValue | None:
    """The value of an attribute, if it is a string that is written in one piece."""
    start, end = attribute.start, attribute.end
    if _QUOTED_LINE(data, start, end) is not None:
        return None
    if attribute.form in ('"', "'"):
        return TagValue(start, end, attribute.form, is_code=False)
    found = _STRING(data, start, end) if attribute.form == "{" else None
    if found is None or found.lastindex is None:
        return None
    return TagValue(*found.span(found.lastindex), "\"'`"[found.lastindex - 1], is_code=True)


def _escapes(raw: str, value: TagValue) -> list[tuple[int, int, str]]:
    """The escapes in a value: from, to, what they mean."""
    if not value.is_code:
        return references(raw)
    return [(*found.span(), _escaped(found)) for found in _ESCAPE.finditer(raw)]


def _escaped(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    if digits is None:
        return _ESCAPES.get(found[4], found[4])
    code = int(digits, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def meaning(data: bytes, value: TagValue) -> str:
    """What a value means."""
    raw = data[value.start : value.end].decode("utf-8", "replace")
    return spliced(raw, _escapes(raw, value))


def value_offsets(raw: str, value: TagValue) -> list[int]:
    """Where each character of what a value means, and its end, is in what was written."""
    return offsets_of(raw, _escapes(raw, value))


def with_edits(data: bytes, value: TagValue, edits: Sequence[tuple[int, int, str]]) -> bytes:
    """A value with characters of what it means replaced; all others stay as they are written."""
    raw = data[value.start : value.end].decode("utf-8", "replace")
    where = value_offsets(raw, value)
    return spliced(raw, [(where[start], where[end], _written(text, value)) for start, end, text in edits]).encode(
        "utf-8", "replace"
    )


def _written(text: str, value: TagValue) -> str:
    """A text as it is written between the quotes of a value."""
    if not value.is_code:
        text = text.replace("&", "&amp;")
        return text.replace('"', "&quot;") if value.quote == '"' else text.replace("'", "&#39;")
    text = _UNFIT.sub(lambda found: {"\n": "\\n", "\r": "\\r"}.get(found[0], f"\\{found[0]}"), text)
    return text.replace(value.quote, f"\\{value.quote}")
