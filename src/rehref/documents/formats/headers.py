r"""The head of an HTTP message as a document: the references in its fields (media type `message/http`).

1. The references are: each target in `Link`, and its `anchor`, which names another context for the link (RFC 8288
   §3.2); `Location` (RFC 9110 §10.2.2); the URL in `Refresh`; `Content-Location` (RFC 9110 §8.7). The kind is
   `header`; for `Content-Location`, which identifies the content and leads nowhere, it is `metadata`.
2. All are relative to the base from outside the message, usually its retrieval URI: RFC 9110 resolves `Location` and
   `Content-Location` against the target URI; RFC 8288 resolves a link's target (§3.1) and its `anchor` (§3.2) by RFC
   3986 §5, and says that bases in the message's content do not apply. `anchor` is a reference like any other, and not
   a base for the target beside it.
3. There is one place for each of these fields: no element; the attribute is the field's name as written. A value is
   decoded as UTF-8 if it is valid UTF-8, else as ISO 8859-1; a line break in it is read as spaces (RFC 9112 §5.2).
4. Only the reference is replaced in a value. It is written in ASCII without white space and control characters: these
   and all other characters are percent-encoded, as UTF-8. So no reference can end a field or begin another.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from urllib.parse import quote as percent_encode

from rehref.base import Layers
from rehref.carriers.syntaxes import Carrier
from rehref.documents.document import Document, Reference, carried_references
from rehref.documents.formats.contract import Format, plain_document
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.parsers.contract import Edit, Place
from rehref.text.ascii import lower
from rehref.text.encoding import Sniffed
from rehref.text.header_fields import parse_head
from rehref.text.source import Source

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSAFE = re.compile(r"[^\x21-\x7e]")


_CARRIERS = {
    "link": Carrier("link-header", "header", "RFC 8288 §3"),
    "location": Carrier("url", "header", "RFC 9110 §10.2.2"),
    "refresh": Carrier("refresh", "header", "HTML Standard, shared declarative refresh steps"),
    "content-location": Carrier("url", "metadata", "RFC 9110 §8.7"),
}


class HeadersParsed:
    """The fields of a head that carry references, as a `rehref.parsers.contract.Parsed`."""

    __slots__ = ("_characters", "_data", "_in_bytes", "_line_starts", "_source", "direct", "places")

    def __init__(self, source: Source) -> None:
        """Take the fields that carry references (rule 3). Raises nothing because of the content."""
        self._source = source.data
        data = source.data
        self._data = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        self.direct = isinstance(source.data, bytes) or source.data.isascii()
        errors = "strict" if self.direct else "surrogatepass"
        places: list[Place] = []
        # for each place, the offset in bytes of each character of the value, and of the end of the value
        self._in_bytes: list[Sequence[int]] = []
        for field in parse_head(self._data).fields:
            if lower(field.name) not in _CARRIERS:
                continue
            value, offsets = _decoded(field.value.encode("latin-1"), field.start, errors)
            start, end, tag = field.start, field.end, field.line_start
            places.append(
                Place(
                    element="", namespace="", attribute=field.name, value=value, start=start, end=end, tag=tag, flags=0
                )
            )
            self._in_bytes.append(offsets)
        self.places: Sequence[Place] = places
        self._line_starts = [0, *(found.end() for found in re.finditer(rb"\n", self._data))]
        # the byte offset of each character of a str
        self._characters = [] if self.direct else [at for at, byte in enumerate(self._data) if byte & 0xC0 != 0x80]

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """The line and the column (1-based, characters) of each place's value."""
        found = [self.locate(number, 0) for number in range(len(self.places))]
        return [line for line, _ in found], [column for _, column in found]

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """The span in the source of characters `start` to `end` of the place's value."""
        first, behind = self._in_bytes[place][start], self._in_bytes[place][end]
        if self.direct:
            return first, behind
        return bisect_left(self._characters, first), bisect_left(self._characters, behind)

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of the place's value; None: of its field."""
        if offset is None:
            return bisect_right(self._line_starts, self.places[place].tag), 1
        offsets = self._in_bytes[place]
        line = bisect_right(self._line_starts, offsets[offset])
        line_start = self._line_starts[line - 1]
        if line_start <= offsets[0]:  # the text before the value is ASCII
            return line, offsets[0] - line_start + offset + 1
        return line, offset - bisect_left(offsets, line_start) + 1

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """Return the source with the edits made (rule 4). Removing an attribute does nothing here."""
        pieces: list[bytes] = []
        last = 0
        for place, start, end, new in edits:
            if new is not None:
                offsets = self._in_bytes[place]
                pieces += (self._data[last : offsets[start]], percent_encoded(new).encode("ascii"))
                last = offsets[end]
        if not pieces:
            return self._source
        changed = b"".join((*pieces, self._data[last:]))
        return changed if isinstance(self._source, bytes) else changed.decode("utf-8", "surrogatepass")


def percent_encoded(text: str) -> str:
    """A reference in ASCII without white space and control characters (rule 4)."""
    return _UNSAFE.sub(lambda found: percent_encode(_SURROGATE.sub("\ufffd", found[0])), text)


def _decoded(raw: bytes, start: int, errors: str) -> tuple[str, Sequence[int]]:
    """A value as a text, and the offset of each character and of the end, given that its byte 0 is at `start`."""
    try:
        text = raw.decode("utf-8", errors)
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    if len(text) == len(raw):
        return text, range(start, start + len(raw) + 1)
    lengths = (len(char.encode("utf-8", errors)) for char in text)
    return text, list(accumulate(lengths, initial=start))


def _find(document: Document, number: int) -> Sequence[Reference]:
    """The references in one field (rule 1)."""
    return carried_references(document, number, _CARRIERS[lower(document.parsed.places[number].attribute or "")])


def read(source: Source, layers: Layers, how: ReadOptions = READ_OPTIONS) -> Document:
    """Read the head of a message: find its references, establish their base. Raises nothing because of the content.

    Content after the empty line is ignored.
    """
    return plain_document(HeadersParsed(source), _find, layers, how)


FORMAT = Format(read, lambda data, declared, is_response: Sniffed("windows-1252", 0, "declared"))
