"""Revisit records (ISO 28500 §6.7) of documents that change: the payload that they refer to is another one then.

A revisit of the same URI refers to the new payload by its digest; one of another URI becomes a full response, since the
references of a document depend on its URI. One whose original stays, and would stay under its URI, stays too; so does
one whose original is not found. Originals are found by id, by URI and date, or by digest, in all of the file, and in
all WARC files of a WACZ, when the first revisit is met.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, lru_cache
from io import BufferedReader, BytesIO
from typing import BinaryIO, Final, NamedTuple

from rehref.containers._http.http_message import (
    head_without_codings,
    http_status,
    with_fields,
    with_hashes,
)
from rehref.containers._warc.archive_copy import Pieces
from rehref.containers._warc.current_record import CurrentRecord, http_head_of
from rehref.containers._warc.decompressed_stream import UnreadableArchiveError
from rehref.containers._warc.new_records import digest_like
from rehref.containers._warc.record_heads import BEHIND, RecordHead, bracketed
from rehref.containers._warc.warc_archive import Archive
from rehref.containers.parts import ChangePart, ContainerOptions, Part, WantsDocument
from rehref.containers.streams import pieces_of
from rehref.documents.integrity import Digests
from rehref.text.header_fields import Head

_NOT_MODIFIED: Final = 304
_OF_REVISITS: Final = ("WARC-Profile", "WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date")
_RESPONSE: Final = "application/http;msgtype=response"


class _Payload(NamedTuple):
    """A new payload: its digest, None if that is not known, its length, and what hashes become (`ChangedPart`)."""

    digest: str | None
    length: int
    hashes: Mapping[str, Sequence[Digests]]


class _Place(NamedTuple):
    """Where a record begins: an offset of a file."""

    file: int
    offset: int


class Originals:
    """The records of some files that revisits may refer to. The files are at the beginning of archives.

    They must be seekable, and in a compressed file an original must begin a member of its own.
    """

    def __init__(self, files: Sequence[BinaryIO]) -> None:
        """Prepare to look into the files, as far as they are seekable."""
        self._sources = [_Source(_identity(file), file.tell(), file) for file in files if file.seekable()]

    def of(self, revisit: RecordHead) -> _Place | None:
        """Return the place of the original of a revisit; None if it is not known."""
        keys = _refers_to(revisit) if self._sources else ()
        found = (
            _Place(file, known[key]) for key in keys for file, known in enumerate(self._known_captures) if key in known
        )
        return next(found, None)

    @contextmanager
    def at(self, place: _Place) -> Iterator[Archive]:
        """The archive in which the original is read; afterwards the file is where it was."""
        source = self._sources[place.file]
        with _at(source.file, source.begins + place.offset), closing(Archive(source.file, None)) as archive:
            yield archive

    @cached_property
    def _known_captures(self) -> Sequence[Mapping[int, int]]:
        return [_of_file(source) if source.is_known else _offsets(source) for source in self._sources]


class Revisits:
    """The revisits of a file that is rewritten."""

    def __init__(
        self, originals: Originals, options: ContainerOptions, wanted: WantsDocument, change: ChangePart
    ) -> None:
        """`change`: as that of `rewrite`; it is also called for originals, with `is_counted` False."""
        self._originals, self._options, self._wanted, self._change = originals, options, wanted, change
        self._payloads = lru_cache(maxsize=1 << 12)(self._new_payload)

    def rewritten(self, archive: Archive) -> Pieces | None:
        """Return the new record for the current one, which is a revisit; None if it stays."""
        head = archive.head
        if head is None or archive.problem or head.is_segment:
            return None
        place = self._originals.of(head)
        if place is None:
            return None
        with self._record_at(place) as (original, part):
            if part is None or original is None or part.uri == "":
                return None
            if part.uri == head.uri:
                return self._referring(archive, head, place)
            http = http_head_of(archive, head)
            whole = _whole(head, http if _is_whole(http) else original.head, part)
        return self._changed(whole, archive.place, stays=self._payloads(place, "") is None)

    def _changed(self, whole: bytes, offset: int, *, stays: bool) -> Pieces | None:
        """Return a full response at an offset, rewritten; None if neither it nor its original (`stays`) changes."""
        with closing(Archive(BytesIO(whole), None)) as archive:
            archive.begin()
            record = CurrentRecord(archive, self._options, self._wanted)
            record.change(lambda part: self._change(part._replace(offset=offset)))
            if record.new is not None:
                return record.new
        return None if stays else (whole,)

    def _referring(self, archive: Archive, head: RecordHead, place: _Place) -> Pieces | None:
        """Return a revisit of the same URI that refers to the new payload, which has no codings."""
        new = self._payloads(place, head.payload_digest or "")
        block = None if new is None else archive.block(self._options.limits)
        if new is None or block is None:
            return None
        http = http_head_of(archive, head)
        before = head_without_codings(with_hashes(http, new.hashes), new.length) if http.data else b""
        changes: dict[str, str | None] = {"Content-Length": str(len(before) + len(block) - len(http.data))}
        rest = block[len(http.data) :]
        if head.block_digest is not None:
            changes["WARC-Block-Digest"] = digest_like(head.block_digest, (before, rest))
        if head.payload_digest is not None:
            changes["WARC-Payload-Digest"] = new.digest
        return with_fields(head.fields, changes), before, rest, BEHIND

    def _new_payload(self, place: _Place, like: str) -> _Payload | None:
        """Return a payload after its change, with a digest in the form of another; None if it does not change."""
        with self._record_at(place) as (_, part):
            changed = None if part is None else self._change(part._replace(is_counted=False, offset=place.offset))
        if changed is None:
            return None
        digest = digest_like(like or "sha1:", pieces_of(changed.content))
        return _Payload(digest, len(changed.content), changed.hashes)

    @contextmanager
    def _record_at(self, place: _Place) -> Iterator[tuple[CurrentRecord | None, Part | None]]:
        """The record at a place, and its body, if these are wanted and can be read."""
        with self._originals.at(place) as archive:
            is_there = archive.begin() and archive.problem is None
            record = CurrentRecord(archive, self._options, self._wanted) if is_there else None
            yield record, None if record is None else record.body_part()


def _is_whole(http: Head) -> bool:
    return bool(http.data) and http_status(http) != _NOT_MODIFIED


def _whole(head: RecordHead, http: Head, part: Part) -> bytes:
    """Return a full record made of a revisit: with this HTTP head, if there is one, and a body without codings."""
    before = head_without_codings(http, len(part.data)) if http.data else b""
    block = before + part.data
    changes: dict[str, str | None] = dict.fromkeys((*_OF_REVISITS, "WARC-Truncated"))
    changes |= {"WARC-Type": "response" if before else "resource", "Content-Length": str(len(block))}
    changes["Content-Type"] = _RESPONSE if before else part.media_type
    if head.block_digest is not None:
        changes["WARC-Block-Digest"] = digest_like(head.block_digest, (block,))
    if head.payload_digest is not None:
        changes["WARC-Payload-Digest"] = digest_like(head.payload_digest, (part.data,))
    return with_fields(head.fields, changes) + block + BEHIND


def _refers_to(head: RecordHead) -> list[int]:
    """Return the keys of the original of a revisit, the surest first."""
    fields = head.fields
    uri = (fields.get("WARC-Refers-To-Target-URI") or "").strip("<> ")
    return _keys(
        bracketed(fields.get("WARC-Refers-To") or ""), uri, fields.get("WARC-Refers-To-Date") or "", head.payload_digest
    )


def _keys(id_: str, uri: str, date: str, digest: str | None) -> list[int]:
    """Return hashes of what identifies a record."""
    found = [hash(("id", id_))] if id_ else []
    found += [hash((uri, date))] if uri and date else []
    return found + ([hash(("digest", digest))] if digest else [])


@contextmanager
def _at(file: BinaryIO, position: int) -> Iterator[None]:
    """Read a file at another position, and go back."""
    here = file.tell()
    file.seek(position)
    try:
        yield
    finally:
        file.seek(here)


class _Source(NamedTuple):
    """A file, and where the archive in it begins. `identity`: of its content, () if unknown."""

    identity: tuple[int, ...]
    begins: int
    file: BinaryIO

    @property
    def is_known(self) -> bool:
        """Whether it is the same file as another one with this identity."""
        return self.identity != ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source) and self[:2] == other[:2]

    def __hash__(self) -> int:
        return hash(self[:2])


def _identity(file: BinaryIO) -> tuple[int, ...]:
    if not isinstance(file, BufferedReader):  # a copy, or something in memory
        return ()
    try:
        stat = os.fstat(file.fileno())
    except OSError:
        return ()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns


def _offsets(source: _Source) -> Mapping[int, int]:
    """Return the offsets of the responses and resources of a file, by their keys; of equal ones the first counts."""
    found: dict[int, int] = {}
    try:
        with _at(source.file, source.begins), closing(Archive(source.file, None)) as archive:
            while archive.begin():
                head = archive.head
                if (
                    head is not None
                    and head.kind in ("response", "resource")
                    and not (archive.problem or archive.unpacked)
                ):
                    for key in _keys(head.id, head.uri, head.date, head.payload_digest):
                        found.setdefault(key, archive.offset)
                archive.end()
    except UnreadableArchiveError:
        return {}
    return found


_of_file = lru_cache(maxsize=2)(_offsets)  # an archive that is divided is rewritten piece by piece
