"""The bytes of an archive file as they are unpacked: the feed, chosen by the first bytes.

A feed returns the content of a file, piece by piece: see `PlainStream` and `CompressedStream`.
"""

from __future__ import annotations

from collections import deque
from typing import BinaryIO, Final, TypeAlias

from rehref.codes import DiagnosticCode
from rehref.containers.file_pieces import ByteRange
from rehref.containers.http.bodies import ZSTD
from rehref.containers.parts import Diagnostic, Fault
from rehref.containers.warc.compressed_stream import CompressedStream
from rehref.containers.warc.compression_formats import DICTIONARY, DICTIONARY_SIZE, GZIP, gzip_format, zstd_format
from rehref.exceptions import RehrefError

_CHUNK: Final = 1 << 18


class UnreadableArchiveError(RehrefError):
    """A file that cannot be read at all: the reason, and the bytes already read from it."""

    def __init__(self, taken: bytes, code: DiagnosticCode, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.taken = taken
        self.diagnostic = Diagnostic("", message, remedy, code)


class PlainStream:
    """A file that is not compressed: its content is the file itself. It is never `broken`, and has no `marks`."""

    def __init__(self, stream: BinaryIO, first: bytes, within: ByteRange | None = None) -> None:
        """`first`: the bytes already read from the stream. `within`: the range to read; `stream` began there."""
        self.broken: Fault | None = None
        self.marks: deque[tuple[int, int]] = deque()
        self.start = 0 if within is None else within.start
        self._left = None if within is None else within.end - within.start
        self._stream = stream
        self._first = first
        try:
            self._origin = stream.tell() - len(first) - self.start if stream.seekable() else None
        except OSError:
            self._origin = None

    def more(self) -> bytes:
        """The next bytes; b"" at the end."""
        first, self._first = self._first, b""
        if self._left is None:
            return first or self._stream.read(_CHUNK) or b""
        piece = first[: self._left] or self._stream.read(min(_CHUNK, self._left)) or b""
        self._left -= len(piece)
        return piece

    def look(self, offset: int, size: int) -> bytes | None:
        """The bytes at an offset of the file, out of order; None if the stream cannot seek there."""
        if self._origin is None:
            return None
        here = self._stream.tell()
        self._stream.seek(self._origin + offset)
        data = self._stream.read(size)
        self._stream.seek(here)
        return data


ArchiveStream: TypeAlias = PlainStream | CompressedStream


def open_feed(stream: BinaryIO, *, keep: bool, within: ByteRange | None = None) -> ArchiveStream:
    """The feed of an archive file, chosen by its first bytes. Raises `UnreadableArchiveError`.

    `keep`: whether the bytes will be copied. `within`: see `CompressedStream`; not for zstd.
    """
    first = _read(stream, 8)
    if first.startswith(GZIP):
        return CompressedStream(stream, gzip_format(), b"", first, keep=keep, within=within)
    preamble = b""
    dictionary = b""
    if first.startswith(DICTIONARY) and len(first) == 8:
        size = int.from_bytes(first[4:], "little")
        if size > DICTIONARY_SIZE:
            raise UnreadableArchiveError(first, "too-large", "its zstd dictionary is too large")
        dictionary = _read(stream, size)
        preamble = first + dictionary
        first = _read(stream, 4)
    elif not first.startswith(ZSTD):
        return PlainStream(stream, first, within)
    try:
        form = zstd_format(dictionary)
    except ValueError as error:
        raise UnreadableArchiveError(preamble + first, "damaged", "its zstd dictionary is damaged") from error
    if form is None:
        raise UnreadableArchiveError(
            preamble + first, "unsupported", "it is compressed with zstd", "pip install zstandard"
        )
    return CompressedStream(stream, form, preamble, first, keep=keep)


def _read(stream: BinaryIO, size: int) -> bytes:
    """Read so many bytes, fewer only at the end."""
    pieces = []
    while size > 0 and (piece := stream.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
