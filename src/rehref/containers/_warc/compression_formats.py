"""The compression formats of archive files, member by member (ISO 28500 annex D; WARC-Zstandard 1.0).

A file is a series of gzip members (RFC 1952), of zstd frames (RFC 8878), or it is not compressed. A member is unpacked
piece by piece, each at most about a megabyte. A new record becomes one member, the same for the same data: there is no
time and no name in it. Each member has an unpacker or packer of its own, so that one is packed in another thread while
the next is read.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from rehref.containers.codings import ZSTD, optional
from rehref.containers.streams import AnyBytes

GZIP = b"\x1f\x8b\x08"
_PLAIN_HEADER: Final = GZIP + bytes(7)
_GZIP_NAME: Final = 1 << 12  # the maximum size of a name or comment in the header of a member that is tried, in bytes
_TRIED, _TRIED_CONTENT = 1 << 11, 1 << 12
"""The number of bytes of a possible gzip member that are tried, and of its content that are wanted."""
_ZSTD_BLOCK: Final = 1 << 17
_EMPTY_BLOCKS: Final = 4
DICTIONARY = b"\x5d\x2a\x4d\x18"
"""The first bytes of the skippable frame that holds the dictionary of all others, itself compressed or not. It stays in
its place, and is used for new frames."""
_LARGE = 1 << 20
_ZSTD_LEVEL = 3
DICTIONARY_SIZE = 16 << 20
"""The maximum size of a dictionary, in bytes."""
FREE: Final = 1 << 26
TIMES: Final = 64
"""How many bytes may be unpacked in vain, and how many times those of the file so far (`RepeatedWork`)."""
FAILED: Final = 1 << 17
"""The number of bytes that a failed step of unpacking may have given before it failed."""


class Unpacker:
    """Unpacks one member. `done`: whether its end was reached."""

    __slots__ = ("_error", "_most", "_unpacker", "done")

    def __init__(self, make: Callable[[], Any], error: type[Exception], *most: int) -> None:
        """`make`: makes zlib's or zstandard's unpacker, which raises `error`. `most`: bytes of a piece, if limited."""
        self._unpacker, self._error, self._most = make(), error, most
        self.done = False

    def feed(self, piece: bytes | memoryview) -> tuple[bytes, int]:
        """Unpack the next piece: the output, and the number of bytes used. Raises ValueError if damaged."""
        unpacker = self._unpacker
        try:
            data: bytes = unpacker.decompress(piece, *self._most)
        except self._error as error:
            raise ValueError(str(error)) from error
        self.done = unpacker.eof
        left = unpacker.unused_data if self.done else getattr(unpacker, "unconsumed_tail", b"")
        return data, len(piece) - len(left)


Packer: TypeAlias = Any
"""Packs one member: zlib's or zstandard's object with `compress(data)`, which returns bytes, and `flush()`."""


class CompressionFormat(NamedTuple):
    """A compression format: its `name` for people, the first bytes of members, the best first and maximum input sizes.

    `packed`: packs a whole member. `trial`: what to unpack of a possible member, given bytes and the position of its
    magic in them; b"" if no member begins there. `trial_step`: how many bytes of it to unpack at once. `is_slow`:
    whether packing takes so long that another thread should do it.
    """

    name: str
    magic: bytes
    unpacker: Callable[[], Unpacker]
    packer: Callable[[], Packer]
    packed: Callable[[bytes], bytes]
    feeds: tuple[int, int]
    trial: Callable[[bytes, int], bytes]
    trial_step: int
    is_slow: bool = True

    def pack(self, pieces: Iterable[AnyBytes]) -> bytes:
        """A member with these bytes as its content, given in pieces; where they are cut changes nothing.

        The packer gets them whole: isal's output for an HTML page is half as large again if the record's head comes
        alone.
        """
        return self.packed(b"".join(map(bytes, pieces)))

    def packed_in_pieces(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The same for a large member (8 MB and more), which the packer gets in blocks of a megabyte."""
        packer = self.packer()
        for block in _in_blocks(pieces):
            yield packer.compress(block)
        yield packer.flush()

    def tried(self, packed: bytes, size: int = _TRIED_CONTENT) -> bytes:
        """The same for a possible member: in small steps, so that what comes before damage is known."""
        return self.beginning(packed, size, self.trial_step)

    def beginning(self, packed: bytes, size: int, step: int) -> bytes:
        """The first bytes of a member's content, given its own first bytes; as many as can be known."""
        data = b""
        unpacker = self.unpacker()
        position = 0
        with suppress(ValueError):
            while len(data) < size and position < len(packed) and not unpacker.done:
                piece, used = unpacker.feed(packed[position : position + step])
                data += piece
                position += used
        return data[:size]


def gzip_format() -> CompressionFormat:
    """The format of .warc.gz and .arc.gz, by isal if it is installed, else by zlib.

    isal unpacks in half of the time and packs in a seventh to a tenth; HTML pages become 7 to 21 % larger. (Its best
    compression takes 1.5 times as long, for 1 to 4 % less.) Its function for whole data is not used: for small data,
    one of 400 processes gets other bytes from it (isal 1.9.1).
    """
    isal = optional("isal.isal_zlib")
    library, level = (zlib, 6) if isal is None else (isal, isal.ISAL_DEFAULT_COMPRESSION)

    packer = partial(library.compressobj, level, zlib.DEFLATED, 31)

    def packed(data: bytes) -> bytes:
        one = packer()
        content: bytes = one.compress(data) + one.flush()
        return content

    return CompressionFormat(
        "gzip",
        GZIP,
        partial(Unpacker, partial(library.decompressobj, 31), library.error, _LARGE),
        packer=packer,
        packed=packed,
        feeds=(4096, 1 << 16),
        trial=_gzip_trial,
        trial_step=64,
        is_slow=isal is None,
    )


def zstd_format(dictionary: bytes = b"") -> CompressionFormat | None:
    """The format of .warc.zst; None without the package zstandard.

    `dictionary`: the content of its frame, b"" if there is none. Raises ValueError if it is damaged.
    """
    zstandard = optional("zstandard")
    if zstandard is None:
        return None
    options = {}
    if dictionary:
        try:
            if dictionary.startswith(ZSTD):
                dictionary = zstandard.ZstdDecompressor().decompress(dictionary, max_output_size=DICTIONARY_SIZE)
            options["dict_data"] = zstandard.ZstdCompressionDict(dictionary)
            options["dict_data"].precompute_compress(level=_ZSTD_LEVEL)
        except (zstandard.ZstdError, ValueError, MemoryError) as error:
            raise ValueError(str(error)) from error
    window = {"max_window_size": 1 << 27}
    return CompressionFormat(
        "zstd",
        ZSTD,
        partial(Unpacker, lambda: zstandard.ZstdDecompressor(**window, **options).decompressobj(), zstandard.ZstdError),
        packer=lambda: zstandard.ZstdCompressor(_ZSTD_LEVEL, **options).compressobj(),
        packed=lambda data: zstandard.ZstdCompressor(_ZSTD_LEVEL, **options).compress(data),
        # only the size of the input bounds the output
        feeds=(1024, 1024),
        trial=_zstd_trial,
        trial_step=2 * _ZSTD_BLOCK,
    )


def _gzip_trial(data: bytes, at: int) -> bytes:
    """A plain header and the first data of the member that may begin at a position. RFC 1952 §2.3."""
    flags = data[at + 3] if at + 3 < len(data) else 0xFF
    if flags & 0xE0:  # reserved: "must be zero"
        return b""
    start = at + 10
    if flags & 4:  # FEXTRA
        start += 2 + int.from_bytes(data[start : start + 2], "little")
    for flag in (8, 16):  # FNAME, FCOMMENT
        if flags & flag:
            start = data.find(b"\0", start, start + _GZIP_NAME) + 1
            if start == 0:
                return b""
    if flags & 2:  # FHCRC
        start += 2
    content = data[start : start + _TRIED]
    # the first block is of one of three types (RFC 1951 §3.2.3)
    return _PLAIN_HEADER + content if content and content[0] & 6 != 6 else b""


def _zstd_trial(data: bytes, at: int) -> bytes:
    """The frame that may begin at a position, up to the end of its first block that is not empty. RFC 8878 §3.1.1."""
    descriptor = data[at + 4] if at + 4 < len(data) else 0xFF
    if descriptor & 8:  # reserved: "must be zero"
        return b""
    has_window = not descriptor & 32
    size_of_content = (1 - has_window, 2, 4, 8)[descriptor >> 6]
    end = at + 5 + has_window + (0, 1, 2, 4)[descriptor & 3] + size_of_content
    for _ in range(_EMPTY_BLOCKS):
        header = int.from_bytes(data[end : end + 3], "little")
        kind, size = header >> 1 & 3, header >> 3
        if kind == 3 or size > _ZSTD_BLOCK:
            return b""
        end += 3 + (1 if kind == 1 else size)
        if size or header & 1:
            break
    return data[at:end] if end <= len(data) else b""


def unpacked_beginning(head: bytes, size: int = 64) -> bytes:
    """The first bytes of a file's content, given its own first bytes; b"" if they are not known."""
    if head.startswith(GZIP):
        form: CompressionFormat | None = gzip_format()
    elif head.startswith(ZSTD):
        form = zstd_format()
    else:
        return head[:size]
    return b"" if form is None else form.beginning(head, size, form.feeds[0])


class RepeatedWork:
    """Counts the bytes that are unpacked in vain, or may be unpacked again.

    What seems to be a member may be none, or damaged at its end, and others may begin within it: to unpack all of them
    could take time in proportion to the square of a file's size. `FREE` bytes are allowed, and `TIMES` as many as those
    of the file so far. Files that were not made to be slow need far fewer.
    """

    def __init__(self, offset: int) -> None:
        """`offset`: where in the file the work begins."""
        self._from = offset
        self._done = 0

    def may_take(self, size: int, offset: int) -> bool:
        """Whether there may be so many bytes more, up to an offset of the file; if so, they are counted."""
        if self._done + size > FREE + TIMES * (offset - self._from):
            return False
        self._done += size
        return True


def _in_blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in blocks of a megabyte, the last one shorter, wherever they were cut before."""
    waiting = bytearray()
    for piece in pieces:
        view = memoryview(piece)
        while len(view) >= (room := _LARGE - len(waiting)):
            yield b"".join((waiting, view[:room]))
            waiting.clear()
            view = view[room:]
        waiting += view
    if waiting:
        yield bytes(waiting)
