"""JSON texts, with the position of every string.

RFC 8259, read as `JSON.parse` of ECMAScript reads, on which the HTML Standard builds: a text that is not JSON, as a
whole, has no value (no comments, no trailing commas, no byte order mark). Linear, without recursion; a text nested more
than 1,000 deep has no value either, since parsers may limit the depth (RFC 8259 §9), and most that are not browsers do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from rehref._native import TWIN
from rehref.text.encoding import Splice

_WHITE = r"[\t\n\r\x20]*+"  # RFC 8259 §2
# §7
_STRING = r"""
    " (?P<inside> [^"\\\x00-\x1f]*+
      (?: \\ (?: ["\\/bfnrt] | u[0-9A-Fa-f]{4} ) [^"\\\x00-\x1f]*+ )*
    ) "
"""
_NUMBER_OR_NAME = r"true | false | null | -? (?: 0 | [1-9][0-9]*+ ) (?: \. [0-9]++ )? (?: [eE] [-+]? [0-9]++ )?"
_SCALAR = re.compile(_NUMBER_OR_NAME, re.VERBOSE).fullmatch
_VALUE = re.compile(  # §3 to §6
    rf"""{_WHITE}
    (?: (?P<string> {_STRING} )
      | (?P<no_items> \[ {_WHITE} \] )
      | (?P<array> \[ )
      | (?P<no_members> \{{ {_WHITE} \}} )
      | (?P<object> \{{ )
      | (?P<scalar> {_NUMBER_OR_NAME} )
    )""",
    re.VERBOSE,
)
_NAME = re.compile(rf"{_WHITE} {_STRING} {_WHITE} :", re.VERBOSE)  # §4
_BEHIND = re.compile(rf"{_WHITE} ([,\]}}])", re.VERBOSE)
_END = re.compile(rf"{_WHITE} \Z", re.VERBOSE)

_DEEPEST = 1000
ITEMS = "\n"
"""In a path, the items of an array: no name can be that."""

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SPECIAL = re.compile('["\\\\<\\x00-\\x1f\ud800-\udfff]')
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_SHORT = {character: f"\\{letter}" for character, letter in zip('"\\\b\f\n\r\t', '"\\bfnrt', strict=True)}


class String(NamedTuple):
    """A string, or a member's name: `start` and `end` delimit the text inside its quotes, in characters.

    An escaped surrogate pair is one character; a lone surrogate stays one, escaped or not.
    """

    start: int
    end: int
    text: str
    """Its meaning, with escapes decoded."""
    form: str
    """How to write another text in its place: a list of words, for `write`."""


class Array(NamedTuple):
    """An array."""

    items: list[Value]


class Object(NamedTuple):
    """An object: all its members, in order."""

    items: list[tuple[String, Value]]

    @classmethod
    def read(cls, text: str) -> Object | None:
        """The object that a text is; None if it is not JSON, or something else."""
        found = read(text)
        return found if isinstance(found, Object) else None

    @property
    def members(self) -> dict[str, Value]:
        """The members in their order; of those of the same name the last counts."""
        counting = {name.text: value for name, value in self.items}
        if len(counting) < len(self.items):  # some names are the same, as nearly never
            counting.clear()
            for name, value in self.items:
                counting.pop(name.text, None)
                counting[name.text] = value
        return counting

    def objects_in(self, name: str) -> list[Object] | None:
        """The objects in the array that a member is; None if it is not one."""
        array = self.members.get(name)
        return [each for each in array.items if isinstance(each, Object)] if isinstance(array, Array) else None

    def text_of(self, name: str) -> str | None:
        """The value of a member: a string's text, any other scalar as it is written; None if there is none."""
        for own, value in reversed(self.items):
            if own.text == name:
                return value.text if isinstance(value, String) else value if isinstance(value, str) else None
        return None

    def splices(self, text: str, values: Mapping[str, str]) -> list[Splice[str]]:
        """The splices in `text`, from which it was read, that give members these values; none is added."""
        found = []
        for name, value in self.items:
            new = values.get(name.text)
            if new is None:
                continue
            if isinstance(value, String):
                found.append((value.start, value.end, write(new, value.form)))
            elif isinstance(value, str):
                start = text.index(value, text.index(":", name.end))  # after the name there are white space and ":"
                found.append((start, start + len(value), new))
        return sorted(found)


Value: TypeAlias = "String | Array | Object | str"
"""A value; a `str` is a number, `true`, `false` or `null`, as it is written."""


def read(text: str) -> Value | None:
    """The value of a JSON text; None if it is not JSON, or nested too deep. Never raises."""
    value: Value | Literal[False] | None = False
    if TWIN is not None:
        value = TWIN.json_value(text, String, Array, Object, _checked, _SCALAR)
    return read_by_reference(text) if value is False else value


def read_by_reference(text: str) -> Value | None:
    """The same, without the compiled twin (`_native/json_reading.c`)."""
    outermost = Array([])
    open_: list[Array | Object] = [outermost]
    name = String(0, 0, "", "")
    position = 0
    while True:
        match = _VALUE.match(text, position)
        if match is None:
            return None
        position = match.end()
        value = _value(match)
        if len(open_) > _DEEPEST and isinstance(value, Array | Object):
            return None
        outer = open_[-1]
        if isinstance(outer, Object):
            outer.items.append((name, value))
        else:
            outer.items.append(value)
        if match.lastgroup in ("array", "object") and isinstance(value, Array | Object):
            open_.append(value)
        else:
            while len(open_) > 1:  # what this value ends, up to a comma
                match = _BEHIND.match(text, position)
                if match is None:
                    return None
                position = match.end()
                if match[1] == ",":
                    break
                if match[1] != ("]" if isinstance(open_.pop(), Array) else "}"):
                    return None
            else:
                return None if _END.match(text, position) is None else outermost.items[0]
        if isinstance(open_[-1], Object):
            match = _NAME.match(text, position)
            if match is None:
                return None
            position = match.end()
            name = _string(match)


class Strings(NamedTuple):
    """The strings of a JSON text, each with the number of its path."""

    triples: bytes
    """For each, as 32-bit numbers: from, to (bytes in UTF-8), the number of its path."""
    paths: list[tuple[int, str]]
    """The paths from 1 on: the number of the one around (0: the text), and a name, or `ITEMS` in an array."""


def strings(text: str) -> Strings | None:
    """The strings of a JSON text; None without the twin, or where that leaves the text to Python
    (`_native/json_strings.c`).
    """
    found = None if TWIN is None else TWIN.json_strings(text, _checked, _SCALAR)
    return None if found is None else Strings(*found)


def write(text: str, form: str) -> str:
    r"""Write `text` inside the quotes of a string of that form, so that it reads back; words of other modules are
    ignored.

    Quotes, backslashes, control characters and lone surrogates are escaped (a high and a low one side by side read back
    as one character), and `<`, so that no text can end a `script` element or begin a comment in it. The author's style
    stays: `\/` for every slash if the old string writes all so; ASCII only if the old string escapes all other
    characters.
    """
    words = form.split()
    written = _SPECIAL.sub(_escaped, text)
    if "slashed" in words:
        written = written.replace("/", "\\/")
    return _BEYOND_ASCII.sub(_escaped, written) if "ascii" in words else written


def _value(match: re.Match[str]) -> Value:
    """The value that `_VALUE` found; of an array or object, an empty one."""
    what = match.lastgroup
    if what == "string":
        return _string(match)
    if what == "scalar":
        return match["scalar"]
    return Array([]) if what in ("array", "no_items") else Object([])


def _string(match: re.Match[str]) -> String:
    raw = match["inside"]
    text, form = _decoded(raw) if "\\" in raw else (raw, "")
    return String(*match.span("inside"), text, form)


def _decoded(raw: str) -> tuple[str, str]:
    """The meaning and the form of a string with escapes, as it is written between its quotes."""
    without_slashes = raw.replace("\\/", "/")
    if "\\" not in without_slashes:  # as most are
        return without_slashes, "slashed"
    from json import loads  # most texts have no such string

    text = _PAIR.sub(_joined, loads(f'"{raw}"'))
    words = ["slashed"] if "\\/" in raw.replace("\\\\", "") else []
    if raw.isascii() and not text.isascii():
        words.append("ascii")
    return text, " ".join(words)


def _checked(raw: str) -> tuple[str, str] | None:
    """The same of a string whose escapes have not been checked; None if there is another one."""
    try:
        return _decoded(raw)
    except ValueError:
        return None


def _joined(match: re.Match[str]) -> str:
    return match[0].encode("utf-16-be", "surrogatepass").decode("utf-16-be")


def _escaped(match: re.Match[str]) -> str:
    short = _SHORT.get(match[0])
    if short is not None:
        return short
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))
