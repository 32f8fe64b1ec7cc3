r"""Header fields, of HTTP, WARC, MIME and mail: their lines, with the place of every value, and parameters in values.

1. A head is a start line, fields, and an empty line, which belongs to it (RFC 9112 §2, §5; ISO 28500 §4). Lines end in
   CRLF or in LF alone. Where the empty line is missing, all data is the head. The rest is the body.
2. There may be no start line: then the first line is a field already.
3. A line that is not a field (it does not begin with a token and ":") is skipped; so is white space before the first
   field. White space between name and ":" is accepted. Names are compared without regard to case.
4. A value is the text after the ":", without the white space at its ends. In a folded one each character of the
   line break is read as a space (RFC 9112 §5.2), so character i of a value is byte `start + i` of the data.
5. Bytes are read as ISO 8859-1, one character each: what they mean depends on the field.
6. Each parameter follows a `;`, `name=value` (RFC 9110 §5.6.6, RFC 2045 §5.1, RFC 8288 §3). Names are compared
   without regard to case, white space around `;` and `=` is not part of anything. In a quoted value `\` escapes the
   next character. `ParameterSyntax` says how values end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from rehref.text.ascii import lower

_EMPTY_LINE = re.compile(rb"\n\r?\n").search
# RFC 9110 §5.1, §5.6.2: a name is a token; RFC 9112 §5: no white space before it
_TOKEN = rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]++)[\t ]*+:"
_is_token = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+").fullmatch
_VALUE = rb"([^\n]*+(?:\n[\t ][^\n]*+)*)"
_FIELD = rb"^" + _TOKEN + _VALUE
_FIELDS = re.compile(_FIELD, re.MULTILINE).finditer
_MOST_PATTERNS = 64
_PAIRS = re.compile(_FIELD.decode("ascii"), re.MULTILINE | re.ASCII).findall
_WHITE = b" \t\r\n"
_WHITE_SPACE = " \t\r\n"
_FOLD = str.maketrans("\r\n", "  ")
_PAIR = re.compile(r"\\([\s\S])")

field_name = re.compile(_TOKEN + rb"[\t ]*+").match
"""The name that a field begins with, in group 1, up to its value."""
mail_field = re.compile(rb"([!-9;-~]++)[\t ]*+:" + _VALUE + rb"\n?+").match
"""A field of a mail (RFC 5322 §2.2, which allows more in names): its name, and its value as it is written."""


class Field(NamedTuple):
    """A field: its name as written and its value (rules 4 and 5).

    `start` and `end` delimit the value, `line_start` and `line_end` all its lines with their ends: bytes of the data.
    """

    name: str
    value: str
    start: int
    end: int
    line_start: int
    line_end: int


class Head:
    """The head of a message.

    `data`: its bytes. `start_line`: "" if there is none. `end`: where the body begins. `complete`: whether its empty
    line is there.
    """

    def __init__(self, data: bytes = b"", start_line: str = "", first: int = 0, *, complete: bool = False) -> None:
        """`first`: where the fields begin."""
        self.data = data
        self.start_line = start_line
        self.end = len(data)
        self.complete = complete
        self._first = first
        self._values: Mapping[str, str] | None = None
        # the empty line belongs to no field, nor can a value fold into it
        self._last = len(data.removesuffix(b"\n").removesuffix(b"\r")) if complete else len(data)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields, in order, each with its place."""
        return tuple(self._fields())

    @property
    def values(self) -> Mapping[str, str]:
        """The value of the first field of each name, which is in lower case: without places, so in less time."""
        if self._values is None:
            text = self.data[self._first : self._last].decode("latin-1")
            pairs = reversed(_PAIRS(text))  # the first of a name is what counts
            if "\n " in text or "\n\t" in text:
                self._values = {name.lower(): _unfolded(raw.strip(_WHITE_SPACE)) for name, raw in pairs}
            else:
                self._values = {name.lower(): raw.strip(_WHITE_SPACE) for name, raw in pairs}
        return self._values

    def all(self, *names: str) -> list[Field]:
        """The fields of these names, in order."""
        first = self._first
        # each line is found by the end of the one before it
        data, shift = (self.data, 0) if first > 0 else (b"\n" + self.data, 1)
        found = _fields_named(tuple(map(str.lower, names)))(data, first - 1 + shift, self._last + shift)
        return [self._field(match, shift) for match in found]

    def find(self, name: str) -> Field | None:
        """The first field of that name."""
        return next(iter(self.all(name)), None)

    def get(self, name: str) -> str | None:
        """The value of the first field of that name."""
        return self.values.get(name.lower())

    def _fields(self) -> Iterator[Field]:
        for match in _FIELDS(self.data, self._first, self._last):
            yield self._field(match, 0)

    def _field(self, match: re.Match[bytes], shift: int) -> Field:
        """A field that was found in the data, behind `shift` other bytes."""
        raw = match[2]
        stripped = raw.lstrip(_WHITE)
        start = (match.end() - len(stripped) if stripped else match.start(2)) - shift
        stripped = stripped.rstrip(_WHITE)
        line_end = min(match.end() + 1 - shift, self._last)
        name = match[1].decode("ascii")
        return Field(name, _text(stripped), start, start + len(stripped), match.start(1) - shift, line_end)


@lru_cache(maxsize=_MOST_PATTERNS)
def _fields_named(names: tuple[str, ...]) -> Callable[[bytes, int, int], Iterator[re.Match[bytes]]]:
    """What finds the fields of some names, given in lower case; each behind the end of a line.

    In much less time than it takes to go through all fields.
    """
    tokens = [re.escape(name.encode("ascii")) for name in names if _is_token(name)]
    any_name = b"|".join(tokens) or b"(?!)"
    return re.compile(rb"\n(?i:(" + any_name + rb"))[\t ]*+:" + _VALUE).finditer


NO_HEAD = Head()
"""A head without anything in it."""


def _text(value: bytes) -> str:
    """A value as text (rules 4 and 5)."""
    return _unfolded(value.decode("latin-1"))


def _unfolded(value: str) -> str:
    """A value of several lines in one (rule 4)."""
    return value.translate(_FOLD) if "\n" in value else value


def parse_head(data: bytes) -> Head:
    """Read the head at the beginning of `data`, a body may follow. Raises nothing."""
    end = len(data) if (empty := _behind_empty_line(data)) is None else empty
    start_line = ""
    position = 0
    if field_name(data, 0, end) is None:  # rule 2
        position = data.find(b"\n", 0, end) + 1 or end
        start_line = data[:position].rstrip(_WHITE).decode("latin-1")
    return Head(data[:end], start_line, position, complete=empty is not None)


def _behind_empty_line(data: bytes) -> int | None:
    """Where the first empty line of `data` ends; None if there is none."""
    if data.startswith((b"\n", b"\r\n")):
        return data.find(b"\n") + 1
    empty = _EMPTY_LINE(data)
    return None if empty is None else empty.end()


def utf8(value: str) -> str:
    """A value read as UTF-8, if it is that (rule 5)."""
    if value.isascii():
        return value
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return value


class Parameter(NamedTuple):
    """A parameter: its name in lower case, its value without quotes and escapes, and the place of the value.

    `form`: `quoted`, `bare`, or `none` of a parameter without `=` and value; that is empty then.
    """

    name: str
    value: str
    start: int
    end: int
    form: str


class ParameterSyntax(NamedTuple):
    """What parameters are made of; each pattern always matches, except `quoted`, whose group is `inside`."""

    white: re.Pattern[str]
    name: re.Pattern[str]
    quoted: re.Pattern[str]
    bare: re.Pattern[str]


LINK_PARAMETERS = ParameterSyntax(
    re.compile(r"[\t\n\f\r ]*+"),
    re.compile(r"[^\t\n\f\r =;,]*+"),
    re.compile(r'"(?P<inside>[^"\\]*+(?:\\[\s\S][^"\\]*+)*)\\?+"?+'),
    re.compile(r"[^;,]*+"),
)
"""Those of a link, in a list that commas separate: without a closing quote, all the rest is the value."""
PARAMETERS = ParameterSyntax(
    re.compile(r"\s*+"),
    re.compile(r'[^=;"\s]*+'),
    re.compile(r'"(?P<inside>[^"\\]*+(?:\\[\s\S][^"\\]*+)*)"'),
    re.compile(r"[^;]*+"),
)
"""Those of any other value: a quote that is not ended is a character like any other."""


def parameters(value: str) -> Iterator[Parameter]:
    """The parameters of a value, in order (rule 6). Never fails; other text is skipped up to the next `;`."""
    position = value.find(";")
    while position >= 0:
        found, position = parameters_at(value, position, PARAMETERS)
        yield from found
        position = value.find(";", position)


def parameters_at(value: str, position: int, syntax: ParameterSyntax) -> tuple[list[Parameter], int]:
    """The parameters that begin at `position`, one after the other, and where they end. RFC 8288 appendix B.3."""
    found: list[Parameter] = []
    while True:
        position = skip(syntax.white, value, position)
        if value[position : position + 1] != ";":
            return found, position
        start = skip(syntax.white, value, position + 1)
        position = skip(syntax.name, value, start)
        name = lower(value[start:position])
        position = skip(syntax.white, value, position)
        text, form, start, end = "", "none", position, position
        if value[position : position + 1] == "=":
            start = skip(syntax.white, value, position + 1)
            quoted = syntax.quoted.match(value, start)
            if quoted is not None:
                form, text = "quoted", unquoted(quoted["inside"])
                start, end = quoted.span("inside")
                position = quoted.end()
            else:
                form, position = "bare", skip(syntax.bare, value, start)
                text = value[start:position].rstrip("\t\n\f\r ")
                end = start + len(text)
        if name:
            found.append(Parameter(name, text, start, end, form))


def skip(pattern: re.Pattern[str], value: str, position: int) -> int:
    """Where the match of a pattern that always matches ends."""
    match = pattern.match(value, position)
    assert match is not None
    return match.end()


def unquoted(text: str) -> str:
    r"""The text in quotes, without the `\` of quoted pairs."""
    return _PAIR.sub(r"\1", text)


def charset_of(media_type: str) -> str | None:
    """The parameter `charset` of a media type, as it is written; None if it has none."""
    return next((each.value for each in parameters(media_type) if each.name == "charset"), None) or None
