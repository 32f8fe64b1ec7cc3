"""A zip file: its members, unpacked within limits.

They are those of its central directory that can be read (`rehref.containers._zip.directory`).
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import BinaryIO, NamedTuple

from rehref.containers._zip.directory import (
    MOST_MEMBERS,
    STORED,
    CentralDirectory,
    Member,
    checked,
    listed,
    placed,
)
from rehref.containers.parts import Diagnostic, Limits, few
from rehref.containers.streams import joined_file, pieces_of_file

_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class ZipArchive:
    """A zip file. Its directory is `file[directory:directory_end]`; offsets in it are counted from byte `shift`.

    `members`: in the order of the directory. `length`: of the file. `diagnostics`: about the file, a few of each kind.
    `is_sound`: whether the directory consists of records, as many as it claims; if not, the file must not be changed.
    """

    file: BinaryIO
    length: int
    members: tuple[Member, ...] = ()
    directory: int = 0
    directory_end: int = 0
    shift: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    is_sound: bool = False

    def files(self) -> list[Member]:
        """The members that are files and can be read, in the order of their data."""
        found = [member for member in self.members if not member.why and not member.name.endswith("/")]
        return sorted(found, key=lambda member: member.start)

    def find(self, name: str) -> Member | None:
        """The readable member of that name, or None."""
        return next((member for member in self.members if member.name == name and not member.why), None)


def diagnostics_of(archive: ZipArchive, kind: str) -> Iterator[Diagnostic]:
    """Yield the diagnostics of a zip file of a kind ("EPUB"), which is named if all of the file is damaged."""
    for diagnostic in archive.diagnostics:
        whole = diagnostic.where == "" and diagnostic.code == "damaged"
        yield replace(diagnostic, message=f"a damaged {kind}: {diagnostic.message}") if whole else diagnostic


def open_archive(file: BinaryIO) -> ZipArchive:
    """Read the directory of a zip file, which must be seekable. Raises nothing because of the content."""
    length = file.seek(0, io.SEEK_END)
    found = CentralDirectory.find(file, length)
    if isinstance(found, str):
        return ZipArchive(file, length, diagnostics=(Diagnostic("", found, code="damaged"),))
    file.seek(found.start)
    members = list(listed(file.read(found.end - found.start), found.shift))
    diagnostics = []
    if len(members) > MOST_MEMBERS:
        return ZipArchive(
            file,
            length,
            diagnostics=(Diagnostic("", f"the zip file has more than {MOST_MEMBERS:,} members", code="too-large"),),
        )
    is_sound = (
        len(members) == found.members and sum(len(member.record) for member in members) == found.end - found.start
    )
    if not is_sound:
        what = f"the zip file's directory claims {found.members:,} members, and {len(members):,} were found"
        diagnostics.append(Diagnostic("", what, "none is changed", code="damaged"))
    members = checked(placed(file, members, found.start))
    diagnostics += [Diagnostic(f"file {member.name!r}", member.why) for member in members if member.why]
    return ZipArchive(
        file,
        length,
        tuple(members),
        directory=found.start,
        directory_end=found.end,
        shift=found.shift,
        diagnostics=tuple(few(diagnostics)),
        is_sound=is_sound,
    )


def is_damaged(archive: ZipArchive, head: bytes) -> bool:
    """Whether a file that begins with `head` is a zip too damaged to know its content."""
    return head.startswith(b"PK\x03\x04") and not archive.is_sound


class UnpackedMember(NamedTuple):
    """The content of a member; None if it cannot be read, and the reason."""

    data: bytes | None
    why: str = ""


def read_member(archive: ZipArchive, member: Member, limits: Limits) -> UnpackedMember:
    """Unpack a member within `Limits`; its length and its checksum must be right. Raises nothing because of the
    content.
    """
    why = limits.exceeded(member.packed, member.size)
    if why:
        return UnpackedMember(None, why)
    unpacked: list[bytes] = []
    size = crc = 0
    try:
        for piece in member_pieces(archive, member):
            size += len(piece)
            # the claimed size may be wrong
            why = limits.exceeded(member.packed, size)
            if why or size > member.size:
                return UnpackedMember(None, why or "it unpacks to more than the zip file's directory says")
            crc = zlib.crc32(piece, crc)
            unpacked.append(piece)
    except zlib.error:
        return UnpackedMember(None, "its compressed data are damaged")
    if size != member.size:
        return UnpackedMember(None, "its data end too early")
    if crc != member.crc:
        return UnpackedMember(None, "its checksum is wrong")
    return UnpackedMember(b"".join(unpacked))


def member_pieces(archive: ZipArchive, member: Member) -> Iterator[bytes]:
    """The content of a member, in small pieces, unchecked. Raises zlib.error."""
    packed = pieces_of_file(archive.file, member.data, member.end)
    if member.method == STORED:
        yield from packed
        return
    unpacker = zlib.decompressobj(-15)
    for piece in packed:
        yield unpacker.decompress(piece, _CHUNK)
        while unpacker.unconsumed_tail and not unpacker.eof:
            yield unpacker.decompress(unpacker.unconsumed_tail, _CHUNK)
        if unpacker.eof:
            return


def stream(archive: ZipArchive, member: Member, limits: Limits) -> BinaryIO:
    """The content of a member, as a stream that can be read once.

    It is bounded by the ratio of the limits only, and ends where it cannot be unpacked.
    """
    most = member.size if member.method == STORED else max(limits.free, member.packed * limits.ratio)
    return joined_file(_up_to(most, member_pieces(archive, member)))


def _up_to(most: int, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pieces until they cannot be unpacked, or exceed `most` bytes."""
    with suppress(zlib.error):
        for piece in pieces:
            yield piece[:most]
            most -= len(piece)
            if most <= 0:
                return


class _Stretch(io.RawIOBase):
    """A range of a file as a file of its own."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        """`start`, `end`: bytes of the file."""
        self._file, self._start, self._length, self._at = file, start, end - start, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = max(offset + (0, self._at, self._length)[whence], 0)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._file.seek(self._start + self._at)  # others read in between
        data = self._file.read(min(len(buffer), max(self._length - self._at, 0)))
        self._at += len(data)
        buffer[: len(data)] = data
        return len(data)


def stored_file(archive: ZipArchive, member: Member) -> BinaryIO:
    """The content of a stored member, as a seekable file."""
    return io.BufferedReader(_Stretch(archive.file, member.data, member.end), _CHUNK)
