"""Bodies of HTTP messages without their codings, and the head for such a body.

A stored body often does not match its head, since archives remove codings and keep the head. A body that does not begin
with a chunk header is not chunked; one that does not begin as its coding does, and is text, or begins like an image or
another known kind of file, is not coded. The known codings are chunked, gzip, deflate (in the zlib format, or raw, as
some servers send it), br and zstd; the last two need a package.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from io import BytesIO
from typing import Any, Final, NamedTuple

from rehref.containers.parts import Limits
from rehref.documents.media_types import Beginning
from rehref.text import lower
from rehref.text.header_fields import Head

_CHUNK_HEADER = re.compile(rb"[\t ]*+([0-9A-Fa-f]{1,16})[\t ]*+(?:;[^\r\n]{0,4096})?\r?\n").match
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]").search
_CODED = frozenset(("content-encoding", "transfer-encoding"))
_GZIP = b"\x1f\x8b"
_TOO_EARLY: Final = "the body ends too early, and was read as far as it goes"
_SMALL, _LARGE = 1 << 10, 1 << 20
ZSTD = b"\x28\xb5\x2f\xfd"
"""The first bytes of a zstd frame (RFC 8878 §3.1.1)."""


class Decoded(NamedTuple):
    """A body without its codings; None if it cannot be read. `note`: the reason, or a fault in a body that was read.

    `is_too_large`: whether it cannot be read because it is larger than the limits allow.
    """

    data: bytes | None
    note: str = ""
    is_too_large: bool = False


class _Bounds(NamedTuple):
    """The maximum size of a body in bytes, and the message for a larger one."""

    size: int
    limits: Limits
    packed: int

    @classmethod
    def of(cls, data: bytes, limits: Limits) -> _Bounds:
        """The bounds for unpacking `data`."""
        return cls(min(limits.size, max(limits.free, len(data) * limits.ratio)), limits, len(data))

    def unpack(self, pieces: Iterator[bytes], broken: type[Exception]) -> Decoded | None:
        """The joined pieces; None if `broken` is raised. EOFError: they end too early."""
        joined = BytesIO()  # which gives its bytes without a copy
        room = self.size
        note = ""
        try:
            for piece in pieces:
                joined.write(piece)
                room -= len(piece)
                if room < 0:
                    return Decoded(None, self.limits.exceeded(self.packed, self.size + 1), is_too_large=True)
        except EOFError:
            note = _TOO_EARLY
        except broken:
            return None
        return Decoded(joined.getvalue(), note)


def decode_body(head: Head, body: bytes, limits: Limits) -> Decoded:
    """Remove the codings that its head names from a body. Raises nothing.

    Transfer codings are removed first, then content codings, the last applied first (RFC 9112 §6.1, RFC 9110 §8.4).
    """
    if _CODED.isdisjoint(head.values):  # the usual case
        return Decoded(body)
    return without_codings([*_codings(head, "Content-Encoding"), *_codings(head, "Transfer-Encoding")], body, limits)


def without_codings(codings: Sequence[str], body: bytes, limits: Limits) -> Decoded:
    """Remove codings, given in the order they were applied in, from a body. Raises nothing.

    The limits apply to all of them together. A body that ends too early is read as far as it goes, with a note.
    """
    if not codings or body == b"":
        return Decoded(body)
    bounds = _Bounds.of(body, limits)
    notes = []
    for coding in reversed(codings):
        data, note, is_too_large = _DECODERS.get(coding, _unknown(coding))(body, bounds)
        if data is None:
            return Decoded(None, note, is_too_large)
        if note:
            notes.append(note)
        body = data
    return Decoded(body, notes[0] if notes else "")


def codings_of(value: str) -> list[str]:
    """The codings in the value of a field, lower case, in its order, without those that do nothing."""
    names = (lower(each.partition(";")[0].strip()) for each in value.split(","))
    return [name for name in names if name not in ("", "identity", "none")]


def unzip(data: bytes, limits: Limits) -> Decoded:
    """The content of gzipped data, within limits."""
    return _gzip(data, _Bounds.of(data, limits))


def is_coded(head: Head) -> bool:
    """Whether the head names a coding."""
    if _CODED.isdisjoint(head.values):  # the usual case, which needs no search for fields
        return False
    return bool(_codings(head, "Content-Encoding") or _codings(head, "Transfer-Encoding"))


def optional(name: str) -> Any:
    """An optional package; None if it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def _codings(head: Head, name: str) -> list[str]:
    """The codings in a field, lower case, in the order they were applied, without those that do nothing."""
    return [coding for field in head.all(name) for coding in codings_of(field.value)]


def _is_plain(data: bytes) -> bool:
    """Whether these bytes are text, or begin like a known kind of file."""
    return _NOT_TEXT(data, 0, 512) is None or Beginning.of(data).no_document is not None


def _unknown(coding: str) -> Callable[[bytes, _Bounds], Decoded]:
    def decode(data: bytes, bounds: _Bounds) -> Decoded:
        return Decoded(data) if _is_plain(data) else Decoded(None, f"the coding {coding[:40]!r} is unknown")

    return decode


def _chunked(data: bytes, bounds: _Bounds) -> Decoded:
    """Remove the chunks from a body. RFC 9112 §7.1; trailers are dropped."""
    chunks = BytesIO()  # which gives its bytes without a copy
    view = memoryview(data)
    position = 0
    while True:
        header = _CHUNK_HEADER(data, position)
        if header is None:
            if position == 0:
                return Decoded(data)
            if position >= len(data) or (len(data) - position < _SMALL and b"\n" not in data[position:]):
                return Decoded(chunks.getvalue(), _TOO_EARLY)
            return Decoded(None, f"there is no chunk header at byte {position} of the body")
        size = int(header[1], 16)
        if size == 0:
            return Decoded(chunks.getvalue())
        start = header.end()
        chunks.write(view[start : start + size])
        if start + size >= len(data):
            return Decoded(chunks.getvalue(), _TOO_EARLY)
        position = start + size
        if data[position : position + 2] == b"\r\n":
            position += 2
        elif data[position : position + 1] == b"\n":
            position += 1


def _gzip(data: bytes, bounds: _Bounds) -> Decoded:
    """RFC 1952: one or more members; data after the last are ignored."""
    if not data.startswith(_GZIP):
        return _not_coded(data, "gzip")
    return bounds.unpack(_inflated(data, 31), zlib.error) or _broken("gzip")


def _deflate(data: bytes, bounds: _Bounds) -> Decoded:
    """RFC 9110 §8.4.1.2: the zlib format; some servers leave out its frame."""
    found = bounds.unpack(_inflated(data, 15), zlib.error)
    if found is None or found.note == _TOO_EARLY:
        found = bounds.unpack(_inflated(data, -15), zlib.error) or found
    # nearly any bytes are the beginning of raw deflate data
    return _not_coded(data, "deflate") if found is None or (found.note == _TOO_EARLY and _is_plain(data)) else found


def _inflated(data: bytes, format_: int) -> Iterator[bytes]:
    """The content of data in a format of zlib (its `wbits`). Raises zlib.error, EOFError."""
    view = memoryview(data)
    position, step = 0, _LARGE
    while True:
        unpacker = zlib.decompressobj(format_)
        while not unpacker.eof:
            piece = view[position : position + step]
            unpacked = unpacker.decompress(piece, _LARGE)
            if len(piece) == 0 and not unpacked:
                raise EOFError
            yield unpacked
            position += len(piece) - len(unpacker.unused_data) - len(unpacker.unconsumed_tail)
            step = min(step * 2, _LARGE)
        if format_ != 31 or view[position : position + 2] != _GZIP:
            return
        # the data after a member are copied: small pieces keep many small members linear
        step = _SMALL


def _brotli(data: bytes, bounds: _Bounds) -> Decoded:
    """RFC 7932."""
    brotli = optional("brotli")
    if brotli is None:
        return Decoded(data) if _is_plain(data) else _missing("br", "brotli")
    found = bounds.unpack(_brotli_pieces(brotli.Decompressor(), data), brotli.error)
    if found is None:
        return _not_coded(data, "br")
    return Decoded(data) if found.note == _TOO_EARLY and _is_plain(data) else found


def _brotli_pieces(unpacker: Any, data: bytes) -> Iterator[bytes]:
    if hasattr(unpacker, "can_accept_more_data"):
        piece = unpacker.process(data, output_buffer_limit=_LARGE)
        while piece:
            yield piece
            piece = b"" if unpacker.is_finished() else unpacker.process(b"", output_buffer_limit=_LARGE)
    else:  # before 1.2 only small pieces bound the output
        for start in range(0, len(data), 64):
            yield unpacker.process(data[start : start + 64])
    if not unpacker.is_finished():
        raise EOFError


def _zstd(data: bytes, bounds: _Bounds) -> Decoded:
    """RFC 8878: one or more frames."""
    if not data.startswith(ZSTD):
        return _not_coded(data, "zstd")
    zstandard = optional("zstandard")
    if zstandard is None:
        return _missing("zstd", "zstandard")
    return bounds.unpack(_zstd_pieces(zstandard, data), zstandard.ZstdError) or _broken("zstd")


def _zstd_pieces(zstandard: Any, data: bytes) -> Iterator[bytes]:
    position = 0
    while data.startswith(ZSTD, position):
        unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
        while not unpacker.eof:
            # only the size of the input bounds the output: a kilobyte makes 32 MB at most
            piece = data[position : position + _SMALL]
            if piece == b"":
                raise EOFError
            yield unpacker.decompress(piece)
            position += len(piece) - len(unpacker.unused_data)


def _not_coded(data: bytes, coding: str) -> Decoded:
    """The result for a body that is not in its coding: as it is, if it is plain; else it cannot be read."""
    return Decoded(data) if _is_plain(data) else _broken(coding)


def _broken(coding: str) -> Decoded:
    return Decoded(None, f"its data in the coding {coding} are damaged")


def _missing(coding: str, package: str) -> Decoded:
    return Decoded(None, f"the coding {coding} needs the package {package}: pip install {package}")


_DECODERS: dict[str, Callable[[bytes, _Bounds], Decoded]] = {
    "chunked": _chunked,
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
