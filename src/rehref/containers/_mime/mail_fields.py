"""The header fields of a message or part: their positions, and the values of those that matter here.

They are lines `name: value`, perhaps folded, up to an empty line; or, in damaged messages, up to the first line that
cannot be one (RFC 5322 §2.2). Of several of one name the first counts; case does not matter in names. Only spans are
kept, and only for the names in `NAMES`; a value is read when it is requested.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterable, Iterator, Mapping
from email.errors import HeaderParseError
from email.header import decode_header
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from rehref.documents.media_types import MediaType
from rehref.text.header_fields import parameters as split_parameters

Buffer: TypeAlias = "bytes | mmap.mmap"
"""A message. Values are sliced out of it, so that a mapped file need not fit into memory."""
Span: TypeAlias = tuple[int, int]

LONGEST = 1 << 14
"""The maximum number of bytes of a value that are read."""

NAMES = frozenset(
    {
        "content-base",
        "content-disposition",
        "content-id",
        "content-length",
        "content-location",
        "content-transfer-encoding",
        "content-type",
        "message-id",
        "snapshot-content-location",
    }
)
"""The header fields that are kept, in lower case."""

USUAL = NAMES | {"cc", "date", "from", "message-id", "mime-version", "received", "reply-to", "subject", "to"}
"""Those that are recognized after lines that are not header fields."""

# RFC 5322 §2.2: a name, and its value as it is written
_FIELD = re.compile(rb"([!-9;-~]++)[\t ]*+:([^\n]*+(?:\n[\t ][^\n]*+)*)\n?+").match
_STRAYS = 20
_LONGEST_NAME = 100

BEFORE = re.compile(rb"(?:\xEF\xBB\xBF)?(?:From [^\n]*+\n)?").match
"""The text that may precede the first header field of a file: a byte order mark, a line of an mbox."""

_EMPTY_LINE = re.compile(rb"\r?+\n").match
_FOLD = re.compile(r"\r?\n[ \t]+")
# RFC 2231 §3, §4: name "*" section, and "*" if percent-encoded
_SECTION = re.compile(r"([^*]++)(?:\*([0-9]{1,4}))?(\*)?", re.ASCII).fullmatch


class MailField(NamedTuple):
    """A header field: its name in lower case, the span of its value, and the start of the next line.

    `after_strays`: whether there are lines before it that are not header fields.
    """

    name: str
    span: Span
    stop: int
    after_strays: bool


class HeaderFields(NamedTuple):
    """The header fields of a part.

    `spans`: for each known name (lower case), the span of its value, in bytes. `body`: where the body begins.
    `total`: the number of all header fields. `ended`: whether an empty line ends them. `strays`: whether there
    are other lines among them.
    """

    spans: Mapping[str, Span]
    body: int
    total: int
    ended: bool
    strays: bool


def parse_fields(data: Buffer, start: int, end: int) -> HeaderFields:
    """Find the header fields that begin at `start`, none of them going beyond `end` (offsets in bytes). Never fails."""
    spans: dict[str, Span] = {}
    at, total, strays = start, 0, False
    for field in fields(data, start, end):
        total += 1
        at = field.stop
        strays = strays or field.after_strays
        if field.name in NAMES:
            spans.setdefault(field.name, field.span)
    empty = _EMPTY_LINE(data, at, end)
    return HeaderFields(spans, at if empty is None else empty.end(), total, empty is not None, strays)


def fields(data: Buffer, start: int, end: int) -> Iterator[MailField]:
    """Yield the header fields from `start` on, up to the first other line.

    A line that begins with `--` is not one: if the empty line is missing, the next delimiter ends the header fields.
    """
    at = start
    while at < end:
        found = _field(data, at, end)
        after_strays = found is None and at > start
        if after_strays:
            found = _behind_strays(data, at, end)
        if found is None:
            return
        name = found[1][:_LONGEST_NAME].decode("ascii").lower()
        field = MailField(name, found.span(2), found.end(), after_strays)
        found = None  # so that a mapped file can be closed in between
        yield field
        at = field.stop


def _field(data: Buffer, at: int, end: int) -> re.Match[bytes] | None:
    return None if data[at : at + 2] == b"--" else _FIELD(data, at, end)


def _behind_strays(data: Buffer, at: int, end: int) -> re.Match[bytes] | None:
    """The header field after a few other lines, if its name is a usual one: Chrome wrote titles of several lines."""
    for _ in range(_STRAYS):
        if data[at : at + 2] == b"--" or _EMPTY_LINE(data, at, end):
            return None
        newline = data.find(b"\n", at, end)
        if newline < 0:
            return None
        at = newline + 1
        found = _field(data, at, end)
        if found is not None:
            return found if found[1].decode("ascii").lower() in USUAL else None
    return None


def field_text(data: Buffer, span: Span | None) -> str:
    """A value as text: unfolded, without white space around it; "" if there is none."""
    return _FOLD.sub(" ", _raw(data, span)).strip()


def words(data: Buffer, span: Span | None) -> str:
    """A value for people: as `field_text`, and without encoded words (RFC 2047)."""
    value = field_text(data, span)
    return _decoded(value) if "=?" in value else value


def _raw(data: Buffer, span: Span | None) -> str:
    if span is None:
        return ""
    value = data[span[0] : min(span[1], span[0] + LONGEST)]
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def uri(data: Buffer, span: Span | None) -> str:
    """A URI reference; "" if there is none.

    A fold is not part of it, and is removed with the white space after it (RFC 2557 §4.4.1); a space within it is
    `%20`. Encoded words are decoded (RFC 2047), angle brackets and quotes around the whole value are removed.
    """
    value = _raw(data, span)
    if "=?" in value:
        value = _decoded(_FOLD.sub(" ", value))
    value = _FOLD.sub("", value).strip()
    for opening, closing in ("<>", '""'):
        if len(value) > 1 and value[0] == opening and value[-1] == closing:
            value = value[1:-1].strip()
    return re.sub(r"[\r\n\t]", "", value).replace(" ", "%20")


def _decoded(value: str) -> str:
    """A value without its encoded words (RFC 2047); unchanged if they are malformed."""
    try:
        words = decode_header(value)
    except (HeaderParseError, ValueError):
        return value
    decoded = []
    for word, charset in words:
        if isinstance(word, str):
            decoded.append(word)
            continue
        try:
            decoded.append(word.decode(charset or "latin-1", "replace"))
        except (LookupError, ValueError):
            decoded.append(word.decode("latin-1"))
    return "".join(decoded)


def identifier(data: Buffer, span: Span | None) -> str:
    """A Content-ID or Message-ID without its angle brackets (RFC 2045 §7); "" if there is none."""
    value = "".join(_raw(data, span).split())
    before, opened, rest = value.partition("<")
    return rest.partition(">")[0] if opened and not before else value


class ContentType(NamedTuple):
    """A Content-Type: as it is written, its essence (lower case, "" if invalid), and its parameters."""

    written: str
    essence: MediaType
    parameters: Mapping[str, str]


def media_type_of(value: str) -> ContentType:
    """Parse a Content-Type (RFC 2045 §5.1). Never fails."""
    name = MediaType.of(value)
    return ContentType(value, name if "/" in name else MediaType(), mime_parameters(value))


def mime_parameters(value: str) -> dict[str, str]:
    """The parameters of a value, with names in lower case; the first of a name counts. Never fails.

    They may be quoted, percent-encoded, and split (RFC 2231).
    """
    found: dict[str, str] = {}
    sections: dict[str, dict[int, tuple[bool, str]]] = {}
    for name, content, _, _, form in split_parameters(value):
        section = _SECTION(name)
        if section is None or form == "none":
            continue
        if form == "bare":
            content = content.strip().strip('"')
        if section[2] is None and section[3] is None:
            found.setdefault(name, content)
        else:
            numbered = sections.setdefault(section[1], {})
            numbered.setdefault(int(section[2] or 0), (section[3] is not None, content))
    return {name: _joined(sorted(each.items())) for name, each in sections.items()} | found


def _joined(sections: Iterable[tuple[int, tuple[bool, str]]]) -> str:
    """The value of a parameter in sections (RFC 2231 §3, §4)."""
    charset = "latin-1"
    value = b""
    for number, (encoded, content) in sections:
        if encoded and number == 0 and content.count("'") >= 2:
            charset, _, content = content.split("'", 2)
        value += unquote_to_bytes(content) if encoded else content.encode("utf-8")
    try:
        return value.decode(charset or "latin-1", "replace")
    except (LookupError, ValueError):
        return value.decode("latin-1")
