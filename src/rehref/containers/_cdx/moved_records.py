"""The new positions of the records of a WARC file that has been rewritten.

The records of both files are matched in order, by their ids; there may be new ones between them (`conversion` records).
From the first mismatch on, nothing is known. Offsets and lengths are in bytes of the packed file; a record ends where
the next one begins. Only four numbers are kept for each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import closing
from typing import BinaryIO, NamedTuple

from rehref.containers._warc.current_record import http_head_of
from rehref.containers._warc.new_records import digest_like, hash_of
from rehref.containers._warc.warc_archive import Archive
from rehref.containers.parts import Limits
from rehref.containers.streams import pieces_of_file
from rehref.documents.media_types import MediaType
from rehref.text.header_fields import Head


class _Place(NamedTuple):
    """A record: its start and end, its id, whether it is made from another."""

    offset: int
    end: int
    id: str
    is_conversion: bool


class Moved(NamedTuple):
    """A record, before and after: its start and its number of bytes."""

    offset: int
    length: int
    new_offset: int
    new_length: int


class MovedRecords:
    """The records of a file, old and new. Both files must be seekable, and stay open while this is in use."""

    def __init__(self, old: BinaryIO, new: BinaryIO, new_name: str = "") -> None:
        """Go through both files. Raises `UnreadableArchiveError` (`warc.decompressed_stream`) if one is not a WARC
        file.

        `new_name`: the new name of the file; "" if that has not changed.
        """
        self.new_name = new_name
        self._old, self._new = old, new
        self._numbers = tuple(array("Q") for _ in Moved._fields)
        found = _places(new)
        for place in _places(old):
            other = next((each for each in found if each.id == place.id or not each.is_conversion), None)
            if other is None or other.id != place.id:
                break
            moved = Moved(place.offset, place.end - place.offset, other.offset, other.end - other.offset)
            for numbers, number in zip(self._numbers, moved, strict=True):
                numbers.append(number)

    def find(self, offset: int) -> Moved | None:
        """The record that began at an offset; None if there was none, or it is not known."""
        offsets = self._numbers[0]
        number = bisect_left(offsets, offset)
        if number == len(offsets) or offsets[number] != offset:
            return None
        return Moved(*(numbers[number] for numbers in self._numbers))

    def is_changed(self, moved: Moved) -> bool:
        """Whether a record's bytes have changed."""
        if moved.length != moved.new_length:
            return True
        ours = pieces_of_file(self._old, moved.offset, moved.offset + moved.length)
        theirs = pieces_of_file(self._new, moved.new_offset, moved.new_offset + moved.new_length)
        return any(old != new for old, new in zip(ours, theirs, strict=True))

    def record_digest(self, moved: Moved, length: int) -> str:
        """The SHA-256 of a record's first `length` bytes in the new file."""
        return hash_of("sha256", pieces_of_file(self._new, moved.new_offset, moved.new_offset + length))

    def payload_digest(self, moved: Moved, old: str, limits: Limits) -> str | None:
        """The payload digest in the new file: the one that the record has, or else one in the form of an old one."""
        self._new.seek(moved.new_offset)
        with closing(Archive(self._new, None)) as archive:
            if not archive.begin() or archive.head is None:
                return None
            digest = archive.head.fields.get("WARC-Payload-Digest")
            block = archive.block(limits) if digest is None else None
            if block is None:
                return digest
            is_http = (archive.head.media_type or "").strip().lower().startswith("application/http")
            return digest_like(old, (block[Head.read(block).end :] if is_http else block,))

    def media_type(self, moved: Moved) -> str:
        """The media type of a response in the new file; "" for a revisit, and if it has none."""
        self._new.seek(moved.new_offset)
        with closing(Archive(self._new, None)) as archive:
            if not archive.begin() or archive.head is None or archive.head.kind == "revisit":
                return ""
            http = http_head_of(archive, archive.head)
            return MediaType.of(http.get("Content-Type") if http.data else archive.head.media_type)


def _places(file: BinaryIO) -> Iterator[_Place]:
    """Yield the records of a file; each ends where the next one begins."""
    end = file.seek(0, 2)
    file.seek(0)
    last: _Place | None = None
    with closing(Archive(file, None)) as archive:
        while archive.begin():
            if not archive.unpacked:
                if last is not None:
                    yield last._replace(end=archive.offset)
                head = archive.head
                is_conversion = head is not None and head.kind == "conversion"
                last = _Place(archive.offset, end, "" if head is None else head.id, is_conversion)
            archive.end()
    if last is not None:
        yield last
