"""The documents in records, and what records say of them.

1. Documents stand in responses, resources and conversions, and in ARC records. Requests, revisits, metadata and all
   else hold none.
2. The block of a response is an HTTP message: its body, without codings, is the document, and its Content-Type and
   charset count. Of other records the block is the document, and the record's Content-Type counts.
3. Where there is no Content-Type, WARC-Identified-Payload-Type counts; without that, what begins with "<" is XML or
   HTML, as it looks.
4. An HTTP head that carries references (Link, Location, Refresh, Content-Location) is a document of its own, of type
   `message/http`, before the body.
5. The target URI is what encloses a document (RFC 3986 §5.1.2); around it stands what encloses the file.
6. A record that is one segment of several is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from rehref.base import Candidate, Layers
from rehref.containers.http.bodies import Decoded, decode_body
from rehref.containers.http.message import XML_TYPE, type_of_body
from rehref.containers.parts import Diagnostic, Fault, Limits, Part, WantsDocument
from rehref.containers.warc.archive import Archive
from rehref.containers.warc.record_heads import HEAD_SIZE, RecordHead
from rehref.documents.types.media_types import HEAD_TYPE, HTML_TYPE, essence
from rehref.text.header_fields import Head, charset_of, parse_head

_HTTP = "application/http"
_KINDS = ("response", "resource", "conversion", "arc")
_CARRIERS = frozenset(("link", "location", "refresh", "content-location"))


@dataclass(frozen=True, slots=True)
class Names:
    """What a record is called: by machines, by people, and by people who look for it in the file."""

    name: str
    label: str
    where: str


@dataclass(frozen=True, slots=True)
class Payload:
    """What a record may hold that is wanted.

    `http`: the HTTP head with its empty line, b"" if there is none; `head`: the same, read. `wants_head`: whether it is
    a document that is wanted; `wants_body` the same of the body, as far as its type tells.
    """

    names: Names
    layers: Layers
    uri: str
    date: str
    http: bytes
    head: Head
    media_type: str | None
    wants_head: bool
    wants_body: bool

    def head_part(self) -> Part:
        """The HTTP head as a document (rule 4)."""
        label = f"headers of {self.names.label}"
        return Part(self.names.name, label, self.http, HEAD_TYPE, None, self.layers, uri=self.uri, date=self.date)

    def decoded(self, block: bytes, limits: Limits) -> Decoded:
        """The body in a block, without codings."""
        return decode_body(self.head, block[len(self.http) :], limits)

    def body_part(self, data: bytes, wanted: WantsDocument) -> Part | None:
        """The body as a document; None if it is not wanted after all, or empty."""
        media_type = self.media_type or type_of_body(data)
        if data == b"" or (self.media_type is None and not wanted(media_type or "", self.uri)):
            return None
        charset = None if media_type is None else charset_of(media_type)
        if self.media_type is None and media_type == XML_TYPE:
            media_type = None
        return Part(
            self.names.name,
            self.names.label,
            data,
            media_type,
            charset,
            self.layers,
            uri=self.uri,
            date=self.date,
        )


def names_of(record: RecordHead | None, offset: int, *, unpacked: bool) -> Names:
    """What a record is called that begins at an offset; None: what stands there is no record."""
    at = f"byte {offset}" + (" of what is unpacked" if unpacked else "")
    if record is None:
        return Names(at, at, at)
    if record.id == "":
        return Names(at, f"record at {at}", f"record at {at}")
    return Names(record.id[1:-1], f"record {record.id}", f"record {record.id} at {at}")


def diagnostic_of(archive: Archive, fault: Fault) -> Diagnostic:
    """What is wrong with the record at hand."""
    where = names_of(archive.head, archive.offset, unpacked=archive.unpacked).where
    return Diagnostic(where, fault.message, code=fault.code)


def may_hold(record: RecordHead) -> bool:
    """Whether a record is of a kind that holds documents (rule 1)."""
    return record.kind in _KINDS


def is_segment(record: RecordHead) -> bool:
    """Whether it is one of several (rule 6)."""
    return record.fields.find("WARC-Segment-Number") is not None


def http_head(record: RecordHead, beginning: bytes) -> bytes | None:
    """The HTTP head that a block begins with, b"" if it has none; None if it does not end in `beginning`."""
    if not beginning.startswith(b"HTTP/") or essence(record.media_type if record.kind != "arc" else None) not in (
        _HTTP,
        "",
    ):
        return b""
    head = parse_head(beginning)
    if head.complete:
        return beginning[: head.end]
    return beginning if len(beginning) in (record.length, HEAD_SIZE) else None


def payload_of(record: RecordHead, names: Names, http: bytes, outer: Layers, wanted: WantsDocument) -> Payload:
    """What a record holds, given the HTTP head that its block begins with."""
    head = parse_head(http)
    media_type = head.get("Content-Type") if http else record.media_type
    if not media_type or essence(media_type) == _HTTP:
        media_type = record.fields.get("WARC-Identified-Payload-Type") or None
    carries = http != b"" and any(field.name.lower() in _CARRIERS for field in head.fields)
    kind = essence(media_type)
    wants_body = wanted(kind, record.uri) or (kind == "" and wanted(HTML_TYPE, record.uri))
    wants_head = carries and wanted(HEAD_TYPE, record.uri)
    layers = _layers(record, names, outer)
    return Payload(names, layers, record.uri, record.date, http, head, media_type, wants_head, wants_body)


def _layers(record: RecordHead, names: Names, outer: Layers) -> Layers:
    if record.uri == "":
        return outer
    what = "URL" if record.kind == "arc" else "WARC-Target-URI"
    candidate = Candidate(record.uri, "entity", f"{what} of {names.label}")
    return Layers((candidate, *outer.entity), outer.retrieval, outer.default, outer.file)
