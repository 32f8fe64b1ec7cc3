"""The directory of an untrusted zip file (APPNOTE.TXT 6.3.10, here "APPNOTE").

What counts is the central directory, found by its end record, the last one in the file; ZIP64 too. Data before the
first member and after the end record are accepted. Without a directory that can be read, there are no members.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, NamedTuple

STORED: Final = 0
DEFLATED: Final = 8
MOST_MEMBERS = 100_000
"""How many members are read, whatever is claimed."""

RECORD = struct.Struct("<4s6H3L5H2L")  # APPNOTE 4.3.12
LOCAL = struct.Struct("<4s5H3L2H")  # 4.3.7
END = struct.Struct("<4s4H2LH")  # 4.3.16
END64 = struct.Struct("<4sQ2H2L4Q")  # 4.3.14
LOCATOR = struct.Struct("<4sLQL")  # 4.3.15
ZIP64 = 0x0001
"""The extra field that holds what does not fit into 32 bits (APPNOTE 4.5.3)."""
FULL = 0xFFFF_FFFF

_LARGEST_DIRECTORY = 64 << 20
_LONGEST_COMMENT = 0xFFFF
_ENCRYPTED = 0x0001 | 0x0040
_NAME_OF_NO_FILE = re.compile(r"\A/|\\|(?:\A|/)\.\.(?:/|\Z)|\A[A-Za-z]:|[\x00-\x1f\x7f]").search


class Member(NamedTuple):
    """A file in the archive. Offsets are bytes of the archive.

    `start`: of its own header. `data`, `end`: of its packed data, without the checksum after it. `packed`, `size`:
    bytes, packed and unpacked. `record`: its record in the directory. `why`: why it cannot be read; "" if it can. It
    cannot if its name leads out of the archive, or could on some system (an absolute one, one with `..`, a backslash, a
    drive or a control character); if it is encrypted, or compressed by another method than deflate; if another of the
    same name comes before it; if its own header disagrees with the directory; if it reaches beyond the data or overlaps
    with another.
    """

    name: str
    start: int
    data: int
    end: int
    method: int
    flags: int
    crc: int
    packed: int
    size: int
    record: bytes
    why: str = ""


def find_end(tail: bytes) -> int:
    """Where the end record begins: the last whose comment ends the file, or the last of all; -1 if there is none."""
    last = at = tail.rfind(b"PK\x05\x06", 0, max(len(tail) - END.size + 4, 0))
    while at >= 0:
        if at + END.size + END.unpack_from(tail, at)[7] == len(tail):
            return at
        at = tail.rfind(b"PK\x05\x06", 0, at + 3)
    return last


class CentralDirectory(NamedTuple):
    """The position of the central directory, and the number of members that it claims."""

    start: int
    end: int
    shift: int
    members: int

    @classmethod
    def find(cls, file: BinaryIO, length: int) -> CentralDirectory | str:
        """Find it by its end record; if it is missing, return the reason. It ends before that, whatever the record
        says.
        """
        tail_start = max(length - END.size - _LONGEST_COMMENT, 0)
        file.seek(tail_start)
        tail = file.read()
        at = find_end(tail)
        if at < 0:
            return "the zip file's directory is missing: the file is cut off, or is not a zip file"
        _, disk, _, _, count, size, offset, _ = END.unpack_from(tail, at)
        end = tail_start + at
        if disk not in (0, 0xFFFF):
            return "the zip file is one volume of several; such files are not read"
        if count == 0xFFFF or FULL in (size, offset):
            found64 = _find_end64(file, end)
            if found64 is not None:
                end, count, size, offset = found64
        if size > end or size > _LARGEST_DIRECTORY:
            return "the zip file's directory is too large"
        # data before the archive shift everything; then the claimed offset is wrong
        start = end - size
        if count and start != offset and offset < end and _is_record(file, offset) and not _is_record(file, start):
            start = offset
        if start < offset or (count and not _is_record(file, start)):
            return "the zip file's directory is not where the end record says"
        return cls(start, min(start + size, end), start - offset, count)


def _find_end64(file: BinaryIO, end: int) -> tuple[int, int, int, int] | None:
    """The ZIP64 end record before the end record: its position, and the count, size and offset of the directory."""
    if end < LOCATOR.size:
        return None
    file.seek(end - LOCATOR.size)
    signature, _, offset, _ = LOCATOR.unpack(file.read(LOCATOR.size))
    if signature != b"PK\x06\x07":
        return None
    for at in (offset, end - LOCATOR.size - END64.size):
        if 0 <= at <= end - LOCATOR.size - END64.size:
            file.seek(at)
            fields = END64.unpack(file.read(END64.size))
            if fields[0] == b"PK\x06\x06":
                return at, fields[7], fields[8], fields[9]
    return None


def _is_record(file: BinaryIO, at: int) -> bool:
    file.seek(at)
    return file.read(4) == b"PK\x01\x02"


def listed(directory: bytes, shift: int) -> Iterator[Member]:
    """The members of a directory, as long as it consists of records, and up to one too many."""
    at = count = 0
    while at + RECORD.size <= len(directory) and count <= MOST_MEMBERS:
        fields = RECORD.unpack_from(directory, at)
        signature, _, _, flags, method, _, _, crc, packed, size, name_length, extra_length, comment_length, *_ = fields
        name_end = at + RECORD.size + name_length
        end = name_end + extra_length + comment_length
        if signature != b"PK\x01\x02" or end > len(directory):
            return
        name = directory[at + RECORD.size : name_end]
        size, packed, start = wide_values(directory[name_end : name_end + extra_length], size, packed, fields[16])
        start += shift
        yield Member(
            decode_name(name),
            start=start,
            data=start,
            end=start,
            method=method,
            flags=flags,
            crc=crc,
            packed=packed,
            size=size,
            record=directory[at:end],
        )
        at, count = end, count + 1


def extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    """The extra fields of a member: the id of each, and its data (APPNOTE 4.5.1)."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        yield kind, extra[at + 4 : at + 4 + length]
        at += 4 + length


def wide_values(extra: bytes, *values: int) -> tuple[int, ...]:
    """The values of a record; those that are full come from its ZIP64 field, which has them in the same order."""
    for kind, data in extra_fields(extra):
        if kind == ZIP64:
            wide = iter(struct.unpack(f"<{len(data) // 8}Q", data[: len(data) // 8 * 8]))
            return tuple(next(wide, value) if value == FULL else value for value in values)
    return values


def decode_name(name: bytes) -> str:
    """The name of a member: UTF-8 if it is valid UTF-8, else code page 437 (APPNOTE D.1)."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("cp437")


def placed(file: BinaryIO, members: list[Member], limit: int) -> Iterator[Member]:
    """The members with the positions of their data, and the faults of each member alone."""
    for member in members:
        file.seek(min(member.start, limit))
        header = file.read(LOCAL.size)
        if member.start + LOCAL.size > limit or not header.startswith(b"PK\x03\x04"):
            yield member._replace(why="there is no member where the zip file's directory says")
            continue
        *_, name_length, extra_length = LOCAL.unpack(header)
        name = file.read(name_length)
        data = member.start + LOCAL.size + name_length + extra_length
        member = member._replace(data=data, end=data + member.packed)
        yield member._replace(why=_objection(member, name, limit))


def _objection(member: Member, name: bytes, limit: int) -> str:
    """The reason not to read a member, or ""; `name`: its name in its own header."""
    if _NAME_OF_NO_FILE(member.name) or member.name == "":
        return "its name leads out of the zip file"
    if decode_name(name) != member.name:
        return "its own header has another name than the zip file's directory"
    if member.end > limit:
        return "it reaches beyond the zip file's data"
    if member.flags & _ENCRYPTED:
        return "it is encrypted"
    if member.method not in (STORED, DEFLATED):
        return f"it is compressed by method {member.method}, which is not read"
    if member.method == STORED and member.packed != member.size:
        return "its length is not what the zip file's directory says"
    return ""


def checked(members: Iterable[Member]) -> list[Member]:
    """The members with the faults that concern several of them."""
    found = []
    names: set[str] = set()
    for member in members:
        if member.name in names:
            member = member._replace(why=member.why or "another of the same name comes before it")
        names.add(member.name)
        found.append(member)
    reach, last = 0, -1
    for number in sorted(range(len(found)), key=lambda number: found[number].start):
        member = found[number]
        if member.data == member.start:  # its header is missing
            continue
        if member.start < reach:
            for each in (last, number):
                found[each] = found[each]._replace(why=found[each].why or "it overlaps with another member")
        if member.end > reach:
            reach, last = member.end, number
    return found
