"""WARC and ARC files (ISO 28500:2017, versions 1.0 and 1.1): their documents, read and rewritten record by record.

1. Files are read as streams, compressed (gzip, zstd) or not; at most a record of 8 MB is in memory at a time, or a
   larger one that is wanted.
2. A record that is damaged, or too large to be unpacked, becomes a `Diagnostic` with its id and its position; it is
   copied as it is, and the next one is read.
3. Unchanged content is copied byte for byte: in a compressed file, the very same members. A changed record becomes a
   member of its own, and so does each record that shares a member with others.
4. A changed body is written without codings, and both heads of its record are adapted (`rewriting`, `http.bodies`).
   Revisits of it stay.
5. Alternatively, the changed document is written after its record as a conversion; then HTTP heads stay as they are.
   ARC has no such records: then nothing changes, and that is reported once. It comes after the conversions that the
   record already has, unless it equals one of them.
   Conversions themselves are not converted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import BinaryIO

from rehref.containers.http.bodies import ZSTD
from rehref.containers.parts import ChangePart, ContainerOptions, Diagnostic, Part, WantsDocument
from rehref.containers.warc.archive import Archive
from rehref.containers.warc.archive_copy import Pieces
from rehref.containers.warc.captures import captures
from rehref.containers.warc.compression_formats import DICTIONARY, GZIP, unpacked_beginning
from rehref.containers.warc.current_record import CurrentRecord, diagnostic_of, may_hold_documents
from rehref.containers.warc.decompressed_stream import UnreadableArchiveError
from rehref.containers.warc.new_records import Conversion, with_body
from rehref.containers.warc.plain_pages import PageChanges, PlainPage, plain_pages
from rehref.containers.warc.record_heads import begins_archive
from rehref.options import ReadOptions

_MARKS = (b"WARC/", b"filedesc:")
_ARC = "rewrite its records themselves (without --as-conversion)"

__all__ = ["captures", "read", "read_with_pages", "recognizes", "rewrite"]


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
    for each in read_with_pages(file, options, wanted, None):
        assert not isinstance(each, PlainPage)
        yield each


def read_with_pages(
    file: BinaryIO, options: ContainerOptions, wanted: WantsDocument, how: ReadOptions | None
) -> Iterator[Part | PlainPage | Diagnostic]:
    """Yield the same as `read`, but plain pages, which are read as `how` says, as such; None: there are none."""
    try:
        archive = Archive(file, None, options.within)
    except UnreadableArchiveError as error:
        yield error.diagnostic
        return
    pages = None if how is None else plain_pages(archive, options, wanted, how)
    with closing(archive):
        while archive.begin():
            if not may_hold_documents(archive):
                yield from _ended(archive)
                continue
            page = None if pages is None else pages.current()
            if page is not None:
                yield page
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
    changes: PageChanges | None = None,
) -> Iterator[Diagnostic]:
    """Copy an archive file with its documents changed, and yield its diagnostics. Raises as `read`.

    The arguments are those of `read`. `options.as_conversion`: rule 5. `changes`: changes plain pages; None: `change`
    does.
    """
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
    pages = None
    if changes is not None and not options.as_conversion:
        how, change_page = changes
        pages = plain_pages(archive, options, wanted, how)
    with closing(archive):
        while archive.begin():
            if waiting is not None and not waiting.may_follow(archive.head):
                archive.add(waiting.data)
                waiting = None
            elif waiting is not None and waiting.is_same(archive.head):
                waiting = None
            if not may_hold_documents(archive):
                yield from _ended(archive)
                continue
            page = None if pages is None else pages.current()
            if page is not None:
                body = change_page(page)
                yield from _ended(archive, None if body is None else with_body(page.record, page.http, body))
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
