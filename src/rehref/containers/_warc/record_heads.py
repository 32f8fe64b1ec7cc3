"""The heads of WARC and ARC records (ISO 28500:2017; the ARC file format, versions 1 and 2).

A WARC record begins with `WARC/1.0`, or another version, and fields as in HTTP up to an empty line; lines may end in LF
alone. An ARC record begins with a line: URL, IP address, date (14 digits), media type, length; in version 2 there are
result code, checksum, location, offset and file name before the length.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rehref.text.header_fields import Head

HEAD_SIZE = 1 << 20
"""The maximum size of the head of a record, or of an HTTP message, in bytes."""

BEHIND: Final = b"\r\n\r\n"
"""The bytes after the block of a record."""

_WARC = re.compile(rb"WARC/\d{1,2}\.\d{1,2}[\t ]*\r?\n").match
_NEXT = b"\nWARC/"
_NEXT_LINES = re.compile(rb"(?<=\n)[A-Za-z][A-Za-z0-9+.\-]{0,30}:[^\n]{1,8192}\n").finditer
_URL = re.compile(rb"[A-Za-z][A-Za-z0-9+.\-]{0,30}:").match
_LINE = 1 << 14
# an empty line, or the first line of another record, since some heads have no end
_END_OF_HEAD = re.compile(rb"\n(?:(\r?\n)|WARC/[0-9])").search
_DATE = re.compile(r"[0-9]{14}").fullmatch
_NUMBER = re.compile(r"[0-9]{1,18}").fullmatch


class RecordHead(NamedTuple):
    """The content of the head of a record.

    `data`: its bytes, the empty line included. `kind`: the WARC-Type in lower case, "arc" for ARC. `id`: with its angle
    brackets, "" if there is none: then the record is named by its position. `uri`: the target, "" if there is none.
    `date`: when it was captured, in the form of WARC (2024-01-02T03:04:05Z), "" if not known. `length`: of the block,
    in bytes; None if not known. `payload_type`: as WARC-Identified-Payload-Type says. `is_segment`: whether the record
    is one of several. `http`: the size of the HTTP head at the beginning of the block, 0 if that is not known.
    `block_digest`, `payload_digest`: as they are written.
    """

    data: bytes
    kind: str
    length: int | None
    id: str = ""
    uri: str = ""
    date: str = ""
    media_type: str | None = None
    payload_type: str | None = None
    is_segment: bool = False
    http: int = 0
    block_digest: str | None = None
    payload_digest: str | None = None

    @property
    def fields(self) -> Head:
        """The fields, parsed again at each call; none for ARC."""
        return _fields(self.data) if self.data.startswith(b"WARC/") else Head()


def begins_record(data: bytes) -> bool:
    """Whether these bytes, the first of a file or after a record, may begin a record."""
    return data.startswith((b"WARC/", b"filedesc:")) or _is_arc_line(data[: data.find(b"\n", 0, _LINE) + 1])


def begins_archive(data: bytes) -> bool:
    """Whether these bytes, the first of a file, are those of a WARC or ARC file."""
    return _WARC(data) is not None or data.startswith(b"filedesc:")


def next_record(data: bytes | bytearray, start: int, end: int, *, arc: bool) -> int:
    """Where the next record seems to begin, after a line end, from `start` on and before `end`; -1 if there is none."""
    found = data.find(_NEXT, max(start - 1, 0), end) + 1
    while found > 0 and _WARC(data, found) is None:
        found = data.find(_NEXT, found, end) + 1
    if arc:
        for other in _NEXT_LINES(data, start, found if found > 0 else end):
            if _is_arc_line(other[0]):
                return other.start()
    return found if found > 0 else -1


def head_end(data: bytes | bytearray, most: int = HEAD_SIZE) -> int:
    """The number of bytes of the head at the beginning of `data`; -1 if its end is missing, 0 if it is not a head.

    `most`: the number of bytes in which it must end, or fewer.
    """
    most = min(most, HEAD_SIZE)
    if data.startswith(b"WARC/"):
        end = _END_OF_HEAD(data, 0, most)
        if end is None:
            return -1
        return end.end() if end[1] is not None and _WARC(data) is not None else 0
    end_of_line = data.find(b"\n", 0, most) + 1
    if end_of_line == 0:
        return -1
    return end_of_line if data.startswith(b"filedesc:") or _is_arc_line(bytes(data[:end_of_line])) else 0


def _is_arc_line(line: bytes) -> bool:
    """Whether a line can be the head of an ARC record. URLs may contain spaces: the date shows where one ends."""
    if len(line) > _LINE or _URL(line) is None:
        return False
    words = line.decode("latin-1").rstrip("\r\n\t ").split(" ")
    return _NUMBER(words[-1]) is not None and any(map(_DATE, words[2:-1]))


def parse_record_head(data: bytes, http: int = 0) -> RecordHead:
    """Parse a head that `head_end` has found. `http`: see `RecordHead`."""
    if not data.startswith(b"WARC/"):
        return _arc_head(data)
    fields = _fields(data)
    length, kind, id_, date, media_type, payload_type, segment, *digests = map(fields.values.get, _NAMES)
    return RecordHead(
        data,
        (kind or "").lower(),
        int(length) if length is not None and _NUMBER(length) else None,
        bracketed(id_ or ""),
        _without_brackets(fields.text("WARC-Target-URI") or ""),
        date or "",
        media_type,
        payload_type,
        segment is not None,
        http,
        *digests,
    )


_NAMES = (
    *("content-length", "warc-type", "warc-record-id", "warc-date", "content-type"),
    *("warc-identified-payload-type", "warc-segment-number", "warc-block-digest", "warc-payload-digest"),
)


def _fields(data: bytes) -> Head:
    """The fields of the head of a WARC record: its first and its last line are known."""
    return Head(data, data.find(b"\n") + 1, complete=True)


def plain_record(data: bytes) -> RecordHead | None:
    """The head of the WARC record that makes up all of `data`, as in nearly every member.

    The record is the head, a block of the right length, and the CR LF CR LF after it. None for any other data.
    """
    size = head_end(data) if data.startswith(b"WARC/") and data.endswith(BEHIND) else 0
    if size <= 0:
        return None
    end, http = len(data) - len(BEHIND), None
    if data.startswith(b"HTTP/", size):
        http = Head.end_in(data, size, min(size + HEAD_SIZE, end))
    head = parse_record_head(data[:size], 0 if http is None else http - size)
    return head if head.length == end - size else None


def _arc_head(data: bytes) -> RecordHead:
    words = Head.text_of(data).rstrip("\r\n\t ").split(" ")
    date = next((number for number in range(2, len(words)) if _DATE(words[number])), None)
    length = int(words[-1]) if len(words) > 2 and _NUMBER(words[-1]) else None
    if date is None:
        return RecordHead(data, "arc", length, uri=words[0])
    media_type = words[date + 1] if date + 2 < len(words) else None
    uri, digits = " ".join(words[: date - 1]), words[date]
    iso = f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}T{digits[8:10]}:{digits[10:12]}:{digits[12:]}Z"
    return RecordHead(data, "arc", length, uri=uri, date=iso, media_type=media_type)


def _without_brackets(uri: str) -> str:
    """A URI without the angle brackets around it, which older programs write. It may be UTF-8."""
    return uri[1:-1].strip() if uri.startswith("<") and uri.endswith(">") else uri


def bracketed(id_: str) -> str:
    """An id in angle brackets, whether it has them or not; "" stays."""
    bare = id_.strip("<> \t")
    return f"<{bare}>" if bare else ""
