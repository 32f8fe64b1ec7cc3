"""The captures in an archive file: which URI, when, with what result; and the body, if wanted.

1. Captures are responses over HTTP, resources, ARC records that hold an HTTP response, and revisits. Requests,
   metadata, conversions, DNS answers and all others are not captures; nor is one segment of several.
2. The status is that of the HTTP response; for a resource it is 200 (RFC 9110 §15.3.1), as the resource existed.
3. A revisit has no body of its own. It refers to a capture by a record's id, by its URI and date, or by the digest of
   its payload (ISO 28500 §6.7).
4. `wanted` is called before a body is unpacked. A body that cannot be read is left out, and the reason is reported.
   An empty body is one, unless its record or its HTTP head says that there was more.
5. If a body has no media type, or one that browsers ignore (MIME Sniffing Standard §5), its type comes from the
   extension in its URI's path, or else from its content. What begins like an image, an archive or the like is not a
   document, whatever its media type.
6. Captures are numbered in order, so that a second reading can select the same ones.
7. Line ends behind as many bytes as the HTTP head says are not of the body: some programs write an empty line after it,
   and Chromium rejects a font that is longer than it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import BinaryIO, Final, NamedTuple, TypeAlias
from urllib.parse import unquote

from rehref.containers.http.bodies import is_coded
from rehref.containers.http.message import status_of
from rehref.containers.parts import ContainerOptions, Diagnostic, Part
from rehref.containers.warc.archive import Archive
from rehref.containers.warc.current_record import SEGMENT, CurrentRecord, diagnostic_of, http_head_of
from rehref.containers.warc.decompressed_stream import UnreadableArchiveError
from rehref.containers.warc.record_heads import RecordHead, bracketed
from rehref.documents.types.media_types import LOOKED_AT, essence, reader_of, type_of_name
from rehref.documents.types.sniffing import magic, type_of_content
from rehref.text.header_fields import Head, utf8
from rehref.uri.components import split

PARTIAL: Final = 206
"""The status of a response with a part of the resource (RFC 9110 §15.3.7)."""
_OK = 200
_UNKNOWN = ("unknown/unknown", "application/unknown", "*/*")


class Capture(NamedTuple):
    """A capture. Values that are not known are "".

    `number`: from 0. `date`: `2024-01-02T03:04:05Z`. `status`: of HTTP, 0 if it has none. `location`: the value of the
    HTTP field. `id`: of the record, in angle brackets. `digest`: of the payload, as it is written. `is_revisit`, and
    then `original`, `original_uri`, `original_date`: the capture it refers to. `part`: its body, if that was wanted and
    can be read. `content_range`, and `validator` (ETag or Last-Modified): of a response with the status 206.
    """

    number: int
    uri: str
    date: str
    status: int
    location: str
    id: str
    digest: str
    is_revisit: bool = False
    original: str = ""
    original_uri: str = ""
    original_date: str = ""
    part: Part | None = None
    content_range: str = ""
    validator: str = ""


WantsCapture: TypeAlias = Callable[[Capture], bool]
"""Whether the body of a capture is wanted (rule 4); `part` is None in the call."""


def captures(
    file: BinaryIO, options: ContainerOptions, wanted: WantsCapture, first: int = 0
) -> Iterator[Capture | Diagnostic]:
    """Yield the captures in an archive file, in order; `first`: the number of the first one.

    Raises OSError if the stream cannot be read, nothing because of the content.
    """
    try:
        archive = Archive(file, None)
    except UnreadableArchiveError as error:
        yield error.diagnostic
        return
    with closing(archive):
        number = first
        while archive.begin():
            for found in _found(archive, number, options, wanted):
                number += isinstance(found, Capture)
                yield found
            problem = archive.end()
            if problem:
                yield diagnostic_of(archive, problem)


def _found(
    archive: Archive, number: int, options: ContainerOptions, wanted: WantsCapture
) -> Iterator[Capture | Diagnostic]:
    """The capture in the current record, if it is one."""
    if archive.problem:
        yield diagnostic_of(archive, archive.problem)
        return
    record = archive.head
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
    """The body without line ends that the server did not send (rule 7)."""
    length = http.get("Content-Length") or ""
    if is_coded(http) or not (length.isascii() and length.isdecimal() and len(length) < 20):
        return part
    sent = int(length)
    return part if part.data[sent:].strip(b"\r\n") else part._replace(data=part.data[:sent])


def _typed(part: Part) -> Part:
    """The body with a media type, if one can be determined (rule 5)."""
    declared = essence(part.media_type)
    if reader_of(declared) is not None and magic(part.data[:LOOKED_AT]) is not None:
        return part._replace(media_type=None, encoding=None)
    if "/" in declared and declared not in _UNKNOWN:
        return part
    name = unquote(split(part.uri).path.rpartition("/")[2])
    return part._replace(media_type=type_of_name(name) or type_of_content(part.data[:LOOKED_AT]))


def _capture(record: RecordHead, number: int, http: Head) -> Capture:
    fields = record.fields
    status = status_of(http) if http.data else _OK if record.kind == "resource" else 0
    is_partial = status == PARTIAL
    return Capture(
        number,
        record.uri,
        record.date,
        status=status,
        location=utf8(http.get("Location") or ""),
        id=record.id,
        digest=fields.get("WARC-Payload-Digest") or "",
        is_revisit=record.kind == "revisit",
        original=bracketed(fields.get("WARC-Refers-To") or ""),
        original_uri=(fields.get("WARC-Refers-To-Target-URI") or "").strip("<> "),
        original_date=fields.get("WARC-Refers-To-Date") or "",
        content_range=(is_partial and http.get("Content-Range")) or "",
        validator=(is_partial and (http.get("ETag") or http.get("Last-Modified"))) or "",
    )
