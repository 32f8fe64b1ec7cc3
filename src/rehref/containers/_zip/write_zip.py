"""Rewriting a zip file with some of its members replaced.

The bytes before, between and after the replaced members are copied: packed data, their own headers, gaps, comments. The
order stays. If nothing is replaced, the output equals the input.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from bisect import bisect_right
from typing import IO, BinaryIO, Final, NamedTuple

from rehref.containers._zip.directory import (
    DEFLATED,
    END,
    END64,
    FULL,
    LOCAL,
    LOCATOR,
    RECORD,
    ZIP64,
    Member,
    extra_fields,
    find_end,
    wide_values,
)
from rehref.containers._zip.zip_archive import ZipArchive
from rehref.containers.streams import pieces_of_file

_SPOOLED = 8 << 20
_HAS_DESCRIPTOR: Final = 0x0008
_NEEDS_ZIP64: Final = 45  # APPNOTE 4.4.3
_LONGEST_EXTRA: Final = 0xFFFF


class _New(NamedTuple):
    """The values in the directory for a replaced member."""

    method: int
    crc: int
    packed: int
    size: int


class Writer:
    """Writes a zip file to `out`: replace members in the order of their data, then call `finish`.

    Nothing may be replaced in one that is not sound (`ZipArchive.is_sound`).
    """

    def __init__(self, archive: ZipArchive, out: BinaryIO) -> None:
        self._archive = archive
        self._out = out
        self._read = self._written = 0  # bytes of the old file that are done, and bytes of the new file
        self._new: dict[int, _New] = {}  # by the start of the old member
        # from which offset of the old file on members have moved, and how far
        self._starts, self._moves = [0], [0]

    def replace(self, member: Member, content: IO[bytes], method: int | None = None) -> None:
        """Replace a member, the next in the order of the file, by the whole of `content`. `method`: by default, as
        before.

        It keeps its place, its name, its date and attributes, and its extra fields except that of ZIP64. Its lengths
        and checksum are in its own header; a data descriptor is dropped.
        """
        self._copy(member.start)
        method = member.method if method is None else method
        with tempfile.SpooledTemporaryFile(_SPOOLED) as spool:
            new = _pack(content, method, spool if method == DEFLATED else None)
            packed = spool if method == DEFLATED else content
            self._new[member.start] = new
            self._write(self._local_header(member, new))
            for piece in pieces_of_file(packed):
                self._write(piece)
        self._read = member.end + self._descriptor_length(member)
        self._starts.append(self._read)
        self._moves.append(self._written - self._read)

    def finish(self) -> None:
        """Write the rest: the other members, and the directory."""
        archive = self._archive
        if not self._new:
            self._copy(archive.length)
            return
        self._copy(archive.directory)
        directory = self._written
        for member in archive.members:
            self._write(self._record(member))
        self._end(directory, self._written - directory)

    def _write(self, data: bytes) -> None:
        self._out.write(data)
        self._written += len(data)

    def _copy(self, end: int) -> None:
        """Copy the old file up to byte `end`."""
        for piece in pieces_of_file(self._archive.file, self._read, end):
            self._read += len(piece)
            self._write(piece)

    def _local_header(self, member: Member, new: _New) -> bytes:
        self._archive.file.seek(member.start)
        header = self._archive.file.read(member.data - member.start)
        signature, version, flags, _, time, date, _, _, _, name_length, _ = LOCAL.unpack_from(header)
        name, extra = header[LOCAL.size : LOCAL.size + name_length], header[LOCAL.size + name_length :]
        # APPNOTE 4.5.3: a member's own header has both lengths there, or neither
        wide = (new.size, new.packed) if max(new.size, new.packed) >= FULL else ()
        size, packed = (FULL, FULL) if wide else (new.size, new.packed)
        extra = _with_zip64(extra, wide)
        fields = (new.method, time, date, new.crc, packed, size, name_length, len(extra))
        version = max(version, _NEEDS_ZIP64) if wide else version
        return LOCAL.pack(signature, version, flags & ~_HAS_DESCRIPTOR, *fields) + name + extra

    def _descriptor_length(self, member: Member) -> int:
        """The size of the data descriptor after a member (APPNOTE 4.3.9), which may have a signature or not."""
        if not member.flags & _HAS_DESCRIPTOR:
            return 0
        self._archive.file.seek(member.end)
        behind = self._archive.file.read(24)
        for signature in (b"PK\x07\x08", b""):
            for layout in ("<LQQ", "<LLL"):
                try:
                    expected = signature + struct.pack(layout, member.crc, member.packed, member.size)
                except struct.error:  # too large for 32 bits
                    continue
                if behind.startswith(expected):
                    return len(expected)
        return 0

    def _record(self, member: Member) -> bytes:
        """The directory's record of a member: only offsets, lengths, checksums, methods and ZIP64 fields change."""
        record = member.record
        fields = list(RECORD.unpack_from(record))
        name_end = RECORD.size + fields[10]
        name, extra = record[RECORD.size : name_end], record[name_end : name_end + fields[11]]
        comment = record[name_end + fields[11] :]
        old = (fields[9], fields[8], fields[16])
        is_there = member.start < self._archive.directory
        move = self._moves[bisect_right(self._starts, member.start) - 1] if is_there else 0
        start = member.start + move - self._archive.shift
        values = (*wide_values(extra, fields[9], fields[8]), start)
        new = self._new.get(member.start)
        if new is not None:
            fields[3] &= ~_HAS_DESCRIPTOR
            fields[4], fields[7], values = new.method, new.crc, (new.size, new.packed, start)
        # values in the ZIP64 field stay there
        is_wide = [value >= FULL or was == FULL for value, was in zip(values, old, strict=True)]
        if any(is_wide):
            fields[2] = max(fields[2], _NEEDS_ZIP64)
        narrow = [FULL if wide else value for value, wide in zip(values, is_wide, strict=True)]
        fields[9], fields[8], fields[16] = narrow
        extra = _with_zip64(extra, tuple(value for value, wide in zip(values, is_wide, strict=True) if wide))
        fields[11], fields[13] = len(extra), 0  # one disk, whose number may have been in the ZIP64 field
        return RECORD.pack(*fields) + name + extra + comment

    def _end(self, directory: int, length: int) -> None:
        """Write the part after the directory (APPNOTE 4.3.14 to 4.3.16)."""
        archive = self._archive
        archive.file.seek(archive.directory_end)
        tail = archive.file.read()
        offset = directory - archive.shift
        at = find_end(tail)
        end = list(END.unpack_from(tail, at))
        between, behind = tail[:at], tail[at + END.size :]
        at64 = between.rfind(b"PK\x06\x06")
        has64 = 0 <= at64 <= len(between) - END64.size - LOCATOR.size
        has64 = has64 and between[-LOCATOR.size :][:4] == b"PK\x06\x07"
        if has64:
            end64 = list(END64.unpack_from(between, at64))
            end64[8:] = length, offset
            rest = between[at64 + END64.size : -LOCATOR.size]
            self._write(between[:at64])
            self._put64(END64.pack(*end64) + rest)
        elif max(length, offset) >= FULL:
            self._write(between)
            versions, count = (_NEEDS_ZIP64, _NEEDS_ZIP64), len(archive.members)
            self._put64(END64.pack(b"PK\x06\x06", END64.size - 12, *versions, 0, 0, count, count, length, offset))
        else:
            self._write(between)
        end[5] = FULL if end[5] == FULL and has64 else min(length, FULL)
        end[6] = FULL if end[6] == FULL and has64 else min(offset, FULL)
        self._write(END.pack(*end) + behind)

    def _put64(self, record: bytes) -> None:
        """Write the ZIP64 end record and its locator."""
        at = self._written - self._archive.shift
        self._write(record)
        self._write(LOCATOR.pack(b"PK\x06\x07", 0, at, 1))


def _pack(content: IO[bytes], method: int, out: IO[bytes] | None) -> _New:
    """Measure a member's new content, and if `out` is given, write it there, deflated."""
    packer = zlib.compressobj(wbits=-15)
    size = packed = crc = 0
    for piece in pieces_of_file(content):
        size += len(piece)
        crc = zlib.crc32(piece, crc)
        if out is not None:
            packed += out.write(packer.compress(piece))
    if out is not None:
        packed += out.write(packer.flush())
    return _New(method, crc, packed if out is not None else size, size)


def _with_zip64(extra: bytes, values: tuple[int, ...]) -> bytes:
    """Extra fields with these values in the ZIP64 field, in its place or first; without it if there are no values."""
    field = struct.pack(f"<HH{len(values)}Q", ZIP64, 8 * len(values), *values) if values else b""
    fields: list[bytes] = []
    length = 0
    has = False
    for kind, data in extra_fields(extra):
        written = extra[length : length + 4 + len(data)]
        length += len(written)
        if kind != ZIP64:
            fields.append(written)
        elif not has:
            has = True
            fields.append(field)
    if not has:
        fields.insert(0, field)
    written = b"".join(fields) + extra[length:]
    return written if len(written) <= _LONGEST_EXTRA else field
