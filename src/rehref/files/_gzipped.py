"""Documents that are gzipped (`page.html.gz`, `*.svgz`): unpacked for reading, packed again for writing.

1. The first bytes of a file decide whether it is gzipped, never its name.
2. Nothing is unpacked beyond `Limits`. Data that are broken or end too early are an error: they could not be written
   again.
3. Data packed again keep their header (the name of the file in it, its time), and are one member; so the same document
   always gives the same bytes.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from rehref.containers.parts import Limits
from rehref.documents._sniffing import GZIP
from rehref.files.file_errors import FileError

if TYPE_CHECKING:
    from rehref.text.large_bytes import AnyBytes

# RFC 1952 §2.3: a header without optional fields; no time, no system
_PLAIN: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_HAS_CHECK, _HAS_EXTRA, _HAS_NAME, _HAS_COMMENT = 2, 4, 8, 16


def is_packed(data: bytes) -> bool:
    """Whether data are gzipped (rule 1)."""
    return data.startswith(GZIP)


def unpacked(name: str, data: bytes, limits: Limits | None = None) -> bytes:
    """The unpacked data; data that are not gzipped, as they are. `name`: for people. Raises `FileError`."""
    if not is_packed(data):
        return data
    from rehref.containers.codings import unzip  # few files are

    found = unzip(data, limits or Limits())
    if found.data is None or found.note:
        if found.data is not None:
            raise FileError(name, "is gzipped, but ends too early", "get it again", code="damaged")
        remedy = "get it again, or allow more with --max-size"
        raise FileError(name, f"is gzipped, but {found.note}", remedy, code="damaged")
    return found.data


def packed_like(old: bytes, data: bytes) -> bytes:
    """Data packed like the old data: gzipped, with their header, if those were (rule 3)."""
    from rehref.text.large_bytes import joined

    return joined(packed_in_pieces_like(old, data))


def packed_in_pieces_like(old: bytes, content: AnyBytes) -> AnyBytes:
    """The same, packed whenever it is needed."""
    if not is_packed(old):
        return content
    from rehref.text.large_bytes import LargeBytes

    return LargeBytes(partial(_packed, _header(old), content))


def _packed(header: bytes, content: AnyBytes) -> Iterator[bytes]:
    """Gzipped data, in pieces."""
    from rehref.text.large_bytes import pieces_of

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
