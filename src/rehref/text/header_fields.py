"""Header fields, of HTTP, WARC, MIME and mail: their lines, with the place of every value, and parameters in values.

A head is a start line (or none), fields, and an empty line, which belongs to it (RFC 9112 §2, §5; ISO 28500 §4). Lines
end in CRLF or in LF alone; a line that is not a field is skipped. Names are compared without regard to case. Bytes are
read as ISO 8859-1, one character each: what they mean depends on the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import methodcaller
from typing import ClassVar, Final, NamedTuple
from urllib.parse import quote

from rehref.text import lower

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSAFE = re.compile(r"[^\x21-\x7e]")

_EMPTY_LINE = re.compile(rb"\n\r?\n").search
# RFC 9110 §5.1, §5.6.2: a name is a token; RFC 9112 §5: no white space before it
_TOKEN = rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]++)[\t ]*+:"
_VALUE = rb"([^\n]*+(?:\n[\t ][^\n]*+)*)"
_FIELD = rb"^" + _TOKEN + _VALUE
_FIELDS = re.compile(_FIELD, re.MULTILINE).finditer
_NAME = re.compile(_TOKEN).match
_FIELD_AT = re.compile(_FIELD, re.MULTILINE).match
# all names and values of a text, which is faster than one match after another
_PAIRS = re.compile((rb"^" + _TOKEN + rb"[\t ]*+" + _VALUE).decode("ascii"), re.MULTILINE).findall
_WHITE = b" \t\r\n"
_WHITE_TEXT = _WHITE.decode("ascii")
_FOLD = str.maketrans("\r\n", "  ")
_PAIR = re.compile(r"\\([\s\S])")
_START = methodcaller("start")

POLICY: Final = "content-security-policy"
"""The name of the field that has them, and of the pragma of a `meta`."""


class FieldLine(NamedTuple):
    """A field: its name as written and its value, without the white space at its ends.

    `start` and `end` delimit the value, `line_start` and `line_end` all its lines with their ends: bytes of the data.
    In a folded value each character of the line break is a space (RFC 9112 §5.2): character i is byte `start + i`.
    """

    name: str
    value: str
    start: int
    end: int
    line_start: int
    line_end: int


class Head:
    """The head of a message; without arguments, one without anything in it.

    `data`: its bytes. `end`: where the body begins. `complete`: whether its empty line is there.
    """

    CARRIERS: ClassVar[frozenset[str]] = frozenset(
        {
            *("link", "location", "refresh", "content-location", "sourcemap", "x-sourcemap", "speculation-rules"),
            *("reporting-endpoints", POLICY, f"{POLICY}-report-only"),
        }
    )
    """The names of the fields that may have references (`rehref.documents._formats.parsed_headers`)."""

    def __init__(self, data: bytes = b"", first: int = 0, *, complete: bool = False) -> None:
        """`first`: where the fields begin, which must be at the beginning of a line (or 0)."""
        self.data = data
        self.end = len(data)
        self.complete = complete
        self._first = first
        self._values: Mapping[str, str] | None = None
        # the empty line belongs to no field, nor can a value fold into it
        self._last = len(data) - complete * (2 if data.endswith(b"\r\n") else 1)

    @classmethod
    def read(cls, data: bytes) -> Head:
        """Read the head at the beginning of `data`, a body may follow: without an empty line, all is the head. Raises
        nothing.
        """
        end = len(data) if (empty := cls.end_in(data)) is None else empty
        has_start_line = _NAME(data, 0, end) is None
        first = data.find(b"\n", 0, end) + 1 or end if has_start_line else 0
        return cls(data[:end], first, complete=empty is not None)

    @staticmethod
    def end_in(data: bytes, start: int = 0, end: int | None = None) -> int | None:
        """Where the first empty line ends, from `start` on and up to `end`; None if there is none."""
        end = len(data) if end is None else end
        if data.startswith((b"\n", b"\r\n"), start, end):
            return data.find(b"\n", start) + 1
        empty = _EMPTY_LINE(data, start, end)
        return None if empty is None else empty.end()

    @staticmethod
    def text_of(value: bytes) -> str:
        """The text of a value, which is UTF-8 if it can be."""
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value.decode("latin-1")

    @property
    def start_line(self) -> str:
        """The line before the fields, without its end; "" if there is none."""
        return self.data[: self._first].rstrip(_WHITE).decode("latin-1")

    @property
    def fields(self) -> tuple[FieldLine, ...]:
        """The fields, in order."""
        return tuple(map(self._field, _FIELDS(self.data, self._first, self._last)))

    @property
    def values(self) -> Mapping[str, str]:
        """The value of the first field of each name, which is in lower case."""
        if self._values is None:
            text = self.data[self._first : self._last].decode("latin-1")
            values = {name.lower(): value.strip(_WHITE_TEXT) for name, value in reversed(_PAIRS(text))}
            is_folded = "\n " in text or "\n\t" in text  # few are
            self._values = {name: _unfolded(value) for name, value in values.items()} if is_folded else values
        return self._values

    def all(self, *names: str) -> list[FieldLine]:
        """The fields of these names, in order."""
        lowered = b"\n" + self.data[self._first : self._last].lower()
        found = []
        for line in {b"\n" + name.lower().encode() for name in names}:
            at = lowered.find(line)  # faster than one match after another
            while at >= 0:
                match = _FIELD_AT(self.data, self._first + at, self._last)
                if match is not None and len(match[1]) == len(line) - 1:
                    found.append(match)
                at = lowered.find(line, at + 1)
        found.sort(key=_START)
        return list(map(self._field, found))

    def find(self, name: str) -> FieldLine | None:
        """The first field of that name."""
        return next(iter(self.all(name)), None)

    def get(self, name: str) -> str | None:
        """The value of the first field of that name."""
        return self.values.get(name.lower())

    def text(self, name: str) -> str | None:
        """The same, read as UTF-8 if it is that."""
        value = self.get(name)
        return value if value is None or value.isascii() else self.text_of(value.encode("latin-1"))

    @property
    def has_references(self) -> bool:
        """Whether there is a field with references; a policy that sends no reports has none."""
        found = self.CARRIERS.intersection(self.values)
        policies = {name for name in found if name.startswith(POLICY)}
        return found > policies or any("report-uri" in field.value.lower() for field in self.all(*policies))

    @property
    def policies(self) -> tuple[str, ...]:
        """The Content Security Policies that a response has (CSP 3 §3.1)."""
        if POLICY not in self.values:  # the usual case, which needs no search for fields
            return ()
        return tuple(field.value for field in self.all(POLICY))

    def _field(self, match: re.Match[bytes]) -> FieldLine:
        name, value = match.groups()
        line_start, end = match.span()
        stripped = value.lstrip(_WHITE)
        start = end - len(stripped) if stripped else match.start(2)
        text = _unfolded(stripped.rstrip(_WHITE).decode("latin-1"))
        line_end = end if end == self._last else end + 1
        return FieldLine(name.decode("ascii"), text, start, start + len(text), line_start, line_end)


def _unfolded(value: str) -> str:
    """A value on one line."""
    return value.translate(_FOLD) if "\n" in value else value


_BETWEEN = re.compile(r"[\t\n\f\r ,]*+")
# up to the next comma outside quotes
_RUBBISH = re.compile(r'[^",]*+(?:"[^"\\]*+(?:\\[\s\S][^"\\]*+)*\\?+"?+[^",]*+)*')


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


_LINK_PARAMETERS = ParameterSyntax(
    re.compile(r"[\t\n\f\r ]*+"),
    re.compile(r"[^\t\n\f\r =;,]*+"),
    re.compile(r'"(?P<inside>[^"\\]*+(?:\\[\s\S][^"\\]*+)*)\\?+"?+'),
    re.compile(r"[^;,]*+"),
)
"""Those of a link, in a list that commas separate: without a closing quote, all the rest is the value."""
_PARAMETERS = ParameterSyntax(
    re.compile(r"\s*+"),
    re.compile(r'[^=;"\s]*+'),
    re.compile(r'"(?P<inside>[^"\\]*+(?:\\[\s\S][^"\\]*+)*)"'),
    re.compile(r"[^;]*+"),
)
"""Those of any other value: a quote that is not ended is a character like any other."""


def parameters(value: str) -> Iterator[Parameter]:
    r"""The parameters of a value, in order. Never fails; other text is skipped up to the next `;`.

    Each follows a `;`, `name=value` (RFC 9110 §5.6.6, RFC 2045 §5.1). White space around `;` and `=` is not part of
    anything; in a quoted value `\` escapes the next character.
    """
    position = value.find(";")
    while position >= 0:
        found, position = _parameters_at(value, position, _PARAMETERS)
        yield from found
        position = value.find(";", position)


def _parameters_at(value: str, position: int, syntax: ParameterSyntax) -> tuple[list[Parameter], int]:
    """The parameters that begin at `position`, one after the other, and where they end. RFC 8288 appendix B.3."""
    found: list[Parameter] = []
    while True:
        position = _skip(syntax.white, value, position)
        if value[position : position + 1] != ";":
            return found, position
        start = _skip(syntax.white, value, position + 1)
        position = _skip(syntax.name, value, start)
        name = lower(value[start:position])
        position = _skip(syntax.white, value, position)
        text, form, start, end = "", "none", position, position
        if value[position : position + 1] == "=":
            start = _skip(syntax.white, value, position + 1)
            quoted = syntax.quoted.match(value, start)
            if quoted is not None:
                form, text = "quoted", unquoted(quoted["inside"])
                start, end = quoted.span("inside")
                position = quoted.end()
            else:
                form, position = "bare", _skip(syntax.bare, value, start)
                text = value[start:position].rstrip("\t\n\f\r ")
                end = start + len(text)
        if name:
            found.append(Parameter(name, text, start, end, form))


def _skip(pattern: re.Pattern[str], value: str, position: int) -> int:
    """Where the match of a pattern that always matches ends."""
    match = pattern.match(value, position)
    assert match is not None
    return match.end()


class LinkValue(NamedTuple):
    """A link: `start` and `end` delimit the text in its angle brackets, in characters."""

    start: int
    end: int
    parameters: tuple[Parameter, ...]

    def get(self, name: str) -> str | None:
        """The value of the first parameter of that name (in lower case); None if there is no such parameter."""
        found = self.parameter(name)
        return None if found is None else found.value

    def parameter(self, name: str) -> Parameter | None:
        """The first parameter of that name (in lower case)."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


def links_in(value: str) -> list[LinkValue]:
    """The links of a field value, in order (RFC 8288 §3). Raises nothing; takes linear time."""
    # RFC 8288 appendix B.2
    links = []
    position = _skip(_BETWEEN, value, 0)
    while position < len(value):
        if value[position] == "<":
            start, end = position + 1, value.find(">", position)
            if end < 0:
                break
            parameters, position = _parameters_at(value, end + 1, _LINK_PARAMETERS)
            links.append(LinkValue(start, end, tuple(parameters)))
        position = _skip(_BETWEEN, value, _skip(_RUBBISH, value, position))
    return links


def unquoted(text: str) -> str:
    r"""The text in quotes, without the `\` of quoted pairs."""
    return _PAIR.sub(r"\1", text)


def in_ascii(reference: str, safe: str = "") -> str:
    """A reference for a field, percent-encoded: ASCII without white space and control characters.

    `safe`: what stays as it is.
    """
    return _UNSAFE.sub(lambda found: quote(_SURROGATE.sub("\ufffd", found[0]), safe), reference)
