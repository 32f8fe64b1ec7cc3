"""The current record: its documents, which of them are wanted, and the changed record.

The block of a response is an HTTP message: its body, without codings, is the document; for other records the block is.
The target URI is the base from the encapsulating entity (RFC 3986 §5.1.2); the next layer out is the file's. A block is
read as a whole only if its body is wanted, or if the HTTP head is wanted and changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rehref.containers._http.http_message import head_without_codings, type_of_body, with_hashes
from rehref.containers._warc.archive_copy import Pieces
from rehref.containers._warc.new_records import Conversion, conversion, rewritten
from rehref.containers._warc.record_heads import HEAD_SIZE, RecordHead
from rehref.containers._warc.warc_archive import Archive
from rehref.containers.codings import decode_body
from rehref.containers.parts import ChangedPart, ChangePart, ContainerOptions, Diagnostic, Fault, Part, WantsDocument
from rehref.documents.base import Candidate
from rehref.documents.media_types import MediaType
from rehref.text.encoding import lookup
from rehref.text.header_fields import Head

SEGMENT = Fault("unsupported", "it is one segment of several, and is left as it is")
HTTP = "application/http"
"""The media type of a block that is an HTTP message."""
_KINDS = ("response", "resource", "conversion", "arc")
_PEEK = 1 << 12


class RecordNames(NamedTuple):
    """The names of a record: for programs, for people, and for people who look for it in the file."""

    name: str
    label: str
    where: str


def record_names(archive: Archive) -> RecordNames:
    """The names of the current record."""
    at = f"byte {archive.offset}" + (" of the unpacked data" if archive.unpacked else "")
    if archive.head is None:
        return RecordNames(at, at, at)
    id_ = archive.head.id
    if id_ == "":
        return RecordNames(at, f"record at {at}", f"record at {at}")
    return RecordNames(id_[1:-1], f"record {id_}", f"record {id_} at {at}")


def place_of_uri(record: RecordHead, label: str) -> str:
    """Where the target URI of a record is, for people; `label`: the name of the record."""
    return f"{'URL' if record.kind == 'arc' else 'WARC-Target-URI'} of {label}"


def diagnostic_of(archive: Archive, fault: Fault) -> Diagnostic:
    """The diagnostic for a fault of the current record."""
    return Diagnostic(record_names(archive).where, fault.message, code=fault.code)


def http_head_of(archive: Archive, record: RecordHead) -> Head:
    """The HTTP head at the beginning of the current record's block; an empty one if it has none."""
    declared = "" if record.kind == "arc" else MediaType.of(record.media_type)
    if declared not in (HTTP, ""):
        return Head()
    if record.http > 0:
        data = archive.peek(record.http)
        return Head(data, data.find(b"\n") + 1, complete=True)
    if archive.peek(5) != b"HTTP/":
        return Head()
    size = _PEEK
    while size <= HEAD_SIZE:
        beginning = archive.peek(size)
        head = Head.read(beginning)
        if head.complete or len(beginning) in (record.length, HEAD_SIZE):
            return head
        size *= 4
    return Head()


def may_hold_documents(archive: Archive) -> bool:
    """Whether the current record may hold documents (responses, resources, conversions, ARC records), or is damaged."""
    head = archive.head
    return archive.problem is not None or (head is not None and head.kind in _KINDS)


class CurrentRecord:
    """The record that `archive.begin` went to.

    `head`: the HTTP head, and `http`, its bytes with its empty line, b"" if there is none. `new`: the changed record,
    None: it stays. `wants_head`: whether the head is a document that
    is wanted; `wants_body`: the same for the body, as far as its type determines it.
    """

    def __init__(self, archive: Archive, options: ContainerOptions, wanted: WantsDocument) -> None:
        self._archive = archive
        self._options = options
        self._wanted = wanted
        self._diagnostics: list[Diagnostic] = []
        self.new: Pieces | None = None
        self.head: Head = Head()
        self.http = b""
        self.wants_head = self.wants_body = False
        if archive.problem:
            self._report(archive.problem)
        elif archive.head is not None and archive.head.kind in _KINDS:
            self._look(archive.head)

    def _look(self, record: RecordHead) -> None:
        """Determine which parts of the record are wanted.

        If there is no Content-Type, WARC-Identified-Payload-Type counts; without that, a block that begins with "<" is
        XML or HTML, as it looks.
        """
        self.head = http_head_of(self._archive, record)
        self.http = self.head.data
        self._media_type = self.head.get("Content-Type") if self.http else record.media_type
        if not self._media_type or MediaType.of(self._media_type) == HTTP:
            self._media_type = record.payload_type or None
        declared = MediaType.of(self._media_type)
        wants_body = self._wanted(declared, record.uri) or (declared == "" and self._wanted(MediaType.HTML, record.uri))
        wants_head = self.head.has_references and self._wanted(MediaType.HEAD, record.uri)
        if (wants_head or wants_body) and record.is_segment:
            self._report(SEGMENT)
        else:
            self.wants_head, self.wants_body = wants_head, wants_body

    # --- reading

    def head_part(self) -> Part:
        """The HTTP head, if it carries references (Link, Location, Refresh, …), as a document of type `message/http`.

        Only if it `wants_head`.
        """
        return self._part(self.http, MediaType.HEAD, of_head=True)

    def body_part(self, *, empty: bool = False) -> Part | None:
        """The body as a document, if it is wanted and can be read. `empty`: even if there is nothing in it."""
        body = self._body() if self.wants_body else None
        if body is None:
            return None
        decoded = decode_body(self.head, body, self._options.limits)
        if decoded.note:
            self._report(Fault("damaged" if decoded.data is not None else "unreadable", decoded.note))
        if decoded.data is None or (decoded.data == b"" and not empty):
            return None
        if self._media_type is not None:
            return self._part(decoded.data, self._media_type)
        media_type = type_of_body(decoded.data)
        record = self._archive.head
        if record is None or not self._wanted(MediaType.of(media_type), record.uri):
            return None
        return self._part(decoded.data, None if media_type == MediaType.XML else media_type)

    def _part(self, data: bytes, media_type: str | None, *, of_head: bool = False) -> Part:
        record, names, layers = self._archive.head, record_names(self._archive), self._options.outer
        assert record is not None
        if record.uri:
            uri = Candidate(record.uri, "entity", place_of_uri(record, names.label))
            layers = layers.around(uri, self.head.policies)
        label = f"headers of {names.label}" if of_head else names.label
        encoding = None if of_head else lookup(MediaType.charset_of(media_type))
        place = self._archive.place
        return Part(
            names.name, label, data, media_type, encoding, layers, uri=record.uri, date=record.date, offset=place
        )

    def _body(self) -> bytes | None:
        """The block after the HTTP head; None if it cannot be read, and then nothing of it is wanted any more."""
        body = self._archive.block(self._options.limits, len(self.http))
        if body is None:
            self._report(self._archive.problem)
            self.wants_head = self.wants_body = False
        return body

    def diagnostics(self) -> Sequence[Diagnostic]:
        """Its diagnostics, except those returned before."""
        found, self._diagnostics = self._diagnostics, []
        return found

    def _report(self, fault: Fault | None) -> None:
        if fault is not None:
            self._diagnostics.append(diagnostic_of(self._archive, fault))

    # --- changing

    def change(self, change: ChangePart) -> None:
        """Let its documents be changed, and write the new record if they are."""
        http = None
        if self.wants_head:
            changed = change(self.head_part())
            http = None if changed is None else changed.data
        part = self.body_part()
        body = None if part is None else change(part)
        if http is not None or body is not None:
            self._write(http, body)

    def _write(self, http: bytes | None, body: ChangedPart | None) -> None:
        """Write the new record; None: that part of it stays."""
        head = self._archive.head
        if head is None or not (self.wants_head or self.wants_body):
            return
        if body is not None:
            fields = self.head if http is None else Head.read(http)
            behind = b"" if http is None else http[fields.end :]  # a changed head may contain anything
            http = head_without_codings(with_hashes(fields, body.hashes), len(body.content)) + behind
            self.new = rewritten(head, http, body.content, body_changed=True)
            return
        same = self._body()
        if same is not None and http is not None:
            self.new = rewritten(head, http, same, body_changed=False)

    def convert(self, change: ChangePart) -> Conversion | None:
        """Let its body be changed; returns a conversion to put after it, or None. Conversions are not converted."""
        head = self._archive.head
        if head is None or head.kind == "conversion":
            return None
        part = self.body_part()
        changed = None if part is None else change(part)
        if part is None or changed is None:
            return None
        return conversion(head, changed.data, part.media_type)

    def end(self) -> Sequence[Diagnostic]:
        """Go to its end, and copy or write it; returns the diagnostics found on the way."""
        self._report(self._archive.end(self.new))
        return self.diagnostics()
