"""Files, read as a whole or as a stream; documents that are gzipped (`page.html.gz`, `*.svgz`), packed again.

An error names the file, standard input too: a bare OSError could be from a file that is being written at the same time.
The size of files that options name is unknown: a device may be endless.
"""

from __future__ import annotations

import errno
import io
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from rehref.documents.media_types import Beginning
from rehref.files.file_errors import FileError

if TYPE_CHECKING:
    from rehref.containers.parts import Limits
    from rehref.containers.streams import AnyBytes

_HOW: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_PIECE: Final = 1 << 16
MOST: Final = 1_000_000_000_000
"""More of anything than there is: bytes, links, seconds."""


def read_file(path: Path | str) -> bytes:
    """All bytes of a file. Raises `FileError`, which names it."""
    try:
        file = os.open(path, _HOW)  # a file object takes twice as long
        try:
            return _read(file)
        finally:
            os.close(file)
    except OSError as error:
        raise FileError.of(str(path), "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(str(path), f"cannot be read: {error}", "check the name") from error


def _read(file: int) -> bytes:
    """All bytes of an open file, nearly always at once; those of a pipe, or of a file that grows, in pieces."""
    size = os.fstat(file).st_size
    pieces = [os.read(file, size + 1)]
    if len(pieces[0]) != size or size == 0:
        while piece := os.read(file, _PIECE):
            pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


@contextmanager
def stream_of(name: str, path: Path | None) -> Iterator[BinaryIO]:
    """Open a file, or standard input if there is no path. Errors, then and while it is read, raise `FileError`."""
    if path is None:
        if sys.stdin is None:
            raise FileError(name, "cannot be read: standard input is closed", "name a file")
        yield cast(BinaryIO, io.BufferedReader(_NamingFile(sys.stdin.buffer, name), _PIECE))
        return
    try:
        file = path.open("rb", buffering=0)
    except OSError as error:
        raise FileError.of(name, "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(name, f"cannot be read: {error}", "check the name") from error
    with io.BufferedReader(_NamingFile(file, name), _PIECE) as stream:
        yield stream


class _NamingFile(io.RawIOBase):
    """A file whose errors name it. Standard input is left open."""

    def __init__(self, file: BinaryIO | io.FileIO, name: str) -> None:
        self._file, self._name = file, name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, buffer: Any) -> Any:
        return self._named(self._file.readinto, buffer)  # type: ignore[union-attr]

    def readall(self) -> Any:
        return self._named(self._file.read)

    def _named(self, read: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return read(*arguments)
        except OSError as error:
            raise FileError.of(self._name, "cannot be read", error) from error

    def close(self) -> None:
        if isinstance(self._file, io.FileIO):
            self._file.close()
        super().close()


_LARGEST = 10 * 1024 * 1024


def read_small(path: str) -> bytes:
    """The bytes of a file that the user named, at most `_LARGEST` of them. Raises `OSError`."""
    if "\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    with Path(path).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


# RFC 1952 §2.3: a header without optional fields; no time, no system
_PLAIN: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_HAS_CHECK, _HAS_EXTRA, _HAS_NAME, _HAS_COMMENT = 2, 4, 8, 16


def is_packed(data: bytes) -> bool:
    """Whether data are gzipped: their first bytes decide, never the name of the file."""
    return Beginning(data).is_gzipped


def unpacked(name: str, data: bytes, limits: Limits | None = None) -> bytes:
    """The unpacked data, within `Limits`; data that are not gzipped, as they are. `name`: for people. Raises
    `FileError`.

    Data that are broken or end too early are an error: they could not be written again.
    """
    if not is_packed(data):
        return data
    from rehref.containers.codings import unzip  # few files are
    from rehref.containers.parts import Limits

    found = unzip(data, limits or Limits())
    if found.data is None or found.note:
        if found.data is not None:
            raise FileError(name, "is gzipped, but ends too early", "get it again", code="damaged")
        remedy = "get it again, or allow more with --max-size"
        raise FileError(name, f"is gzipped, but {found.note}", remedy, code="damaged")
    return found.data


def packed_like(old: bytes, data: bytes) -> bytes:
    """Data packed like the old data: gzipped, with their header (the name of the file in it, its time), if those were.

    They are one member, so the same document always gives the same bytes.
    """
    return bytes(packed_in_pieces_like(old, data))


def packed_in_pieces_like(old: bytes, content: AnyBytes) -> AnyBytes:
    """The same, packed whenever it is needed."""
    if not is_packed(old):
        return content
    from rehref.text.large_bytes import LargeBytes

    return LargeBytes(partial(_packed, _header(old), content))


def _packed(header: bytes, content: AnyBytes) -> Iterator[bytes]:
    """Gzipped data, in pieces."""
    from rehref.containers.streams import pieces_of

    packer, checksum = zlib.compressobj(9, zlib.DEFLATED, -15), 0
    yield header
    for piece in pieces_of(content):
        yield packer.compress(piece)
        checksum = zlib.crc32(piece, checksum)
    yield packer.flush() + struct.pack("<II", checksum, len(content) & 0xFFFFFFFF)


def _header(data: bytes) -> bytes:
    """The header of gzipped data (RFC 1952 §2.3.1); a plain one if it is not known."""
    flags, end = data[3], 10
    if flags & _HAS_EXTRA:
        end += 2 + int.from_bytes(data[10:12], "little")
    for flag in (_HAS_NAME, _HAS_COMMENT):
        if flags & flag:
            end = data.find(b"\0", end) + 1
    end += 2 if flags & _HAS_CHECK else 0
    return data[:end] if 10 <= end <= len(data) else _PLAIN


def whole_number(value: object, least: int = 0, most: int = MOST) -> int:
    """A whole number in a file that rehref wrote, and that may have been changed since.

    Raises ValueError if it is not one, or out of bounds.
    """
    if type(value) is not int or not least <= value <= most:
        raise ValueError("not a whole number within its bounds")
    return value
