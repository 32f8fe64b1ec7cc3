"""WARC and ARC files (ISO 28500:2017, versions 1.0 and 1.1): their documents, read and rewritten record by record.

Files are read as streams; at most a record of 8 MB is in memory at a time, or a larger one that is wanted. A record
that is damaged, or too large to be unpacked, becomes a `Diagnostic` with its id and its position; it is copied as it
is, and the next one is read. Unchanged content is copied byte for byte: in a compressed file, the very same members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import BinaryIO, Final
from urllib.parse import unquote

from rehref.containers._http.http_message import content_length, http_status
from rehref.containers._warc.archive_copy import Pieces
from rehref.containers._warc.compression_formats import DICTIONARY, GZIP, unpacked_beginning
from rehref.containers._warc.current_record import (
    HTTP,
    SEGMENT,
    CurrentRecord,
    diagnostic_of,
    http_head_of,
    may_hold_documents,
)
from rehref.containers._warc.decompressed_stream import UnreadableArchiveError
from rehref.containers._warc.new_records import Conversion
from rehref.containers._warc.record_heads import RecordHead, begins_archive, bracketed
from rehref.containers._warc.requests import BEGINNING, concurrent_to, method_of
from rehref.containers._warc.revisits import Originals, Revisits
from rehref.containers._warc.warc_archive import Archive
from rehref.containers.codings import ZSTD, is_coded
from rehref.containers.parts import (
    PARTIAL,
    Capture,
    ChangePart,
    ContainerOptions,
    Diagnostic,
    Part,
    Request,
    WantsCapture,
    WantsDocument,
)
from rehref.documents.media_types import Beginning, MediaType
from rehref.text.header_fields import Head
from rehref.uri.components import split

_OK = 200
_UNKNOWN = ("unknown/unknown", "application/unknown", "*/*")
_MARKS = (b"WARC/", b"filedesc:")
_ARC = "rewrite its records themselves (without --as-conversion)"


NO_METHODS: Final[Mapping[int, str]] = {}


def recognizes(head: bytes, file: BinaryIO | None = None) -> bool:
    """Whether a file that begins with these bytes is a WARC or ARC file, compressed or not.

    A few hundred bytes are enough. Compressed data count as one if that cannot be decided: if they begin with a
    dictionary of zstd, if the package zstandard is missing, or if nothing or almost nothing can be unpacked: they are
    not a document either, and a file that was cut off at once should be reported as such.
    """
    beginning = unpacked_beginning(head)
    if head.startswith((GZIP, ZSTD)) and any(mark.startswith(beginning[: len(mark)]) for mark in _MARKS):
        return True
    return head.startswith(DICTIONARY) or begins_archive(beginning)


def read(file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
    """Yield the documents of an archive file, in order.

    Raises OSError if the stream cannot be read, nothing because of the content.

    `wanted` is called with a type and the target URI of its record, and with `message/http` for HTTP heads that carry
    references.
    """
    try:
        archive = Archive(file, None, options.within)
    except UnreadableArchiveError as error:
        yield error.diagnostic
        return
    with closing(archive):
        while archive.begin():
            if not may_hold_documents(archive):
                yield from _ended(archive)
                continue
            record = CurrentRecord(archive, options, wanted)
            yield from _parts(record)
            yield from record.end()


def _parts(record: CurrentRecord) -> Iterator[Part | Diagnostic]:
    """Yield the documents of a record, and its diagnostics. They are not kept: a document may be large."""
    yield from record.diagnostics()
    if record.wants_head:
        yield record.head_part()
    if record.wants_body:
        part = record.body_part()
        yield from record.diagnostics()
        if part is not None:
            yield part


def _ended(archive: Archive, new: Pieces | None = None) -> Sequence[Diagnostic]:
    """Copy the current record, or write `new` in its place; what is reported about it."""
    problem = archive.end(new)
    return () if problem is None else (diagnostic_of(archive, problem),)


def rewrite(
    file: BinaryIO,
    out: BinaryIO,
    change: ChangePart,
    options: ContainerOptions,
    wanted: WantsDocument,
    originals: Originals | None = None,
) -> Iterator[Diagnostic]:
    """Copy an archive file with its documents changed, and yield its diagnostics. Raises as `read`.

    A changed record becomes a member of its own, without codings, its heads adapted (`new_records`, `http_message`),
    and its revisits, too (`revisits`). With `options.as_conversion`, the changed document is written after its record
    instead, and after the conversions that this already has, unless it equals one of them; conversions are not
    converted, and in ARC, which has none, nothing changes, which is reported once. `originals`: what revisits may refer
    to; None: what is in this file. The other arguments are those of `read`.
    """
    originals = originals or Originals([file])
    revisits = None if options.as_conversion else Revisits(originals, options, wanted, change)
    try:
        archive = Archive(file, out, options.within)
    except UnreadableArchiveError as error:
        import shutil

        out.write(error.taken)
        shutil.copyfileobj(file, out)
        yield error.diagnostic
        return
    waiting: Conversion | None = None
    is_arc = False
    with closing(archive):
        while archive.begin():
            if waiting is not None and not waiting.may_follow(archive.head):
                archive.add(waiting.data)
                waiting = None
            elif waiting is not None and waiting.is_same(archive.head):
                waiting = None
            if not may_hold_documents(archive):
                is_revisit = archive.head is not None and archive.head.kind == "revisit"
                yield from _ended(archive, revisits.rewritten(archive) if is_revisit and revisits else None)
                continue
            if options.as_conversion and archive.head is not None and archive.head.kind == "arc":
                if not is_arc:
                    yield Diagnostic("", "an ARC file has no conversion records, and stays as it is", _ARC, "kept")
                is_arc = True
                yield from _ended(archive)
                continue
            record = CurrentRecord(archive, options, wanted)
            if options.as_conversion:
                waiting = record.convert(change) or waiting
            else:
                record.change(change)
            yield from record.diagnostics()
            yield from record.end()
        if waiting is not None:
            archive.add(waiting.data)


def captures(
    file: BinaryIO,
    options: ContainerOptions,
    wanted: WantsCapture,
    first: int = 0,
    methods: Mapping[int, str] = NO_METHODS,
) -> Iterator[Capture | Request | Diagnostic]:
    """Yield the captures in an archive file, and requests, in order; `first`: the number of the first capture.

    Captures are responses over HTTP, resources (status 200, RFC 9110 §15.3.1, as they existed), ARC records that hold
    an HTTP response, and revisits, which have no body of their own (ISO 28500 §6.7). They are numbered in order, so
    that a second reading can select the same ones. Requests are yielded between them, since the method decides what a
    capture is good for; `methods`: those that an index says, by the offsets of captures. `wanted` is called before a
    body is unpacked; one that cannot be read is left out, and reported. Raises OSError if the stream cannot be read,
    nothing because of the content.
    """
    try:
        archive = Archive(file, None)
    except UnreadableArchiveError as error:
        yield error.diagnostic
        return
    with closing(archive):
        number = first
        while archive.begin():
            method = "" if archive.unpacked else methods.get(archive.offset, "")
            for found in _capture_in(archive, number, options, wanted):
                if isinstance(found, Capture):
                    number += 1
                    yield found._replace(method=method) if method else found
                else:
                    yield found
            yield from _ended(archive)


def _capture_in(
    archive: Archive, number: int, options: ContainerOptions, wanted: WantsCapture
) -> Iterator[Capture | Request | Diagnostic]:
    """The capture or the request in the current record, if it is one."""
    if archive.problem:
        yield diagnostic_of(archive, archive.problem)
        return
    record = archive.head
    if record is not None and record.kind == "request" and MediaType.of(record.media_type) in (HTTP, ""):
        method = method_of(archive.peek(BEGINNING))
        if method:
            yield Request(record.uri, record.date, record.id, concurrent_to(record), method)
        return
    if record is None or record.uri == "" or record.kind not in ("response", "resource", "revisit", "arc"):
        return
    http = http_head_of(archive, record)
    if not http.data and record.kind in ("response", "arc"):
        return
    if record.is_segment:
        yield diagnostic_of(archive, SEGMENT)
        return
    capture = _capture(record, number, http)
    if capture.is_revisit or not wanted(capture):
        yield capture
        return
    current = CurrentRecord(archive, options, lambda media_type, uri: True)
    is_all = not record.fields.get("WARC-Truncated") and (http.get("Content-Length") or "0").strip("0") == ""
    part = current.body_part(empty=is_all)
    yield from current.diagnostics()
    yield capture._replace(part=None if part is None else _typed(_as_long_as_sent(part, http)))


def _as_long_as_sent(part: Part, http: Head) -> Part:
    """The body without line ends behind as many bytes as the HTTP head says.

    Some programs write an empty line after it, and Chromium rejects a font that is longer than it says.
    """
    sent = None if is_coded(http) else content_length(http)
    return part if sent is None or part.data[sent:].strip(b"\r\n") else part._replace(data=part.data[:sent])


def _typed(part: Part) -> Part:
    """The body with a media type, if one can be determined.

    If it has none, or one that browsers ignore (MIME Sniffing Standard §5), its type comes from the extension in its
    URI's path, or else from its content. What begins like an image, an archive or the like is not a document, whatever
    its type.
    """
    declared = MediaType.of(part.media_type)
    if declared.reader is not None and Beginning.of(part.data).no_document is not None:
        return part._replace(media_type=None, encoding=None)
    if "/" in declared and declared not in _UNKNOWN:
        return part
    name = unquote(split(part.uri).path.rpartition("/")[2])
    return part._replace(media_type=MediaType.by_extension(name) or Beginning.of(part.data).media_type)


def _capture(record: RecordHead, number: int, http: Head) -> Capture:
    fields = record.fields
    status = http_status(http) if http.data else _OK if record.kind == "resource" else 0
    is_partial = status == PARTIAL
    return Capture(
        number,
        record.uri,
        record.date,
        status=status,
        location=http.text("Location") or "",
        id=record.id,
        digest=fields.get("WARC-Payload-Digest") or "",
        is_revisit=record.kind == "revisit",
        original=bracketed(fields.get("WARC-Refers-To") or ""),
        original_uri=(fields.get("WARC-Refers-To-Target-URI") or "").strip("<> "),
        original_date=fields.get("WARC-Refers-To-Date") or "",
        content_range=(is_partial and http.get("Content-Range")) or "",
        validator=(is_partial and (http.get("ETag") or http.get("Last-Modified"))) or "",
        refresh=http.text("Refresh") or "",
        concurrent=() if record.kind == "resource" else concurrent_to(record),
    )
