"""The bytes of an archive file as they are unpacked: the feed, chosen by the first bytes.

A feed returns the content of a file, piece by piece: see `PlainStream` and `CompressedStream`.
"""

from __future__ import annotations

from typing import BinaryIO, TypeAlias

from rehref.codes import DiagnosticCode
from rehref.containers.file_pieces import ByteRange
from rehref.containers.http.bodies import ZSTD
from rehref.containers.parts import Diagnostic
from rehref.containers.warc.compressed_stream import CompressedStream
from rehref.containers.warc.compression_formats import DICTIONARY, DICTIONARY_SIZE, GZIP, gzip_format, zstd_format
from rehref.containers.warc.plain_stream import PlainStream
from rehref.exceptions import RehrefError


class UnreadableArchiveError(RehrefError):
    """A file that cannot be read at all: the reason, and the bytes already read from it."""

    def __init__(self, taken: bytes, code: DiagnosticCode, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.taken = taken
        self.diagnostic = Diagnostic("", message, remedy, code)


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
