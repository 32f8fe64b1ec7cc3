"""The bytes of an archive file as they are unpacked, with the packed bytes kept for a copy.

1. A feed returns the content of a file, piece by piece, to its end, or to damage: where no member begins, or a member
   cannot be unpacked. Then `broken` is the reason, and `resume` continues at the next good one:
   it begins like a member, and its content begins like a record.
2. It notes where members end: after how many bytes of content, and at which byte of the file.
3. Packed bytes are kept from the held position on, in memory up to 8 MB, beyond that in a temporary
   file. A feed that only reads drops them instead.
4. A stream need not be seekable.
5. NUL bytes from the last member to the end of the file are padding, as for gzip; if there are many, they are damage.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import IO, BinaryIO, TypeAlias

from rehref.codes import DiagnosticCode
from rehref.containers.file_pieces import ByteRange
from rehref.containers.http.bodies import ZSTD
from rehref.containers.parts import MEGABYTE, Diagnostic, Fault
from rehref.containers.warc.compression_formats import (
    DICTIONARY,
    DICTIONARY_SIZE,
    GZIP,
    Format,
    Unpacker,
    gzip_format,
    zstd_format,
)
from rehref.containers.warc.record_heads import begins_record
from rehref.exceptions import RehrefError

_CHUNK = 1 << 18
_IN_MEMORY = 8 * MEGABYTE
_LOOK = 1 << 17
_PADDING = 1 << 20
"""The maximum size of padding after the last member, in bytes."""

Sink: TypeAlias = Callable[[bytes], object]
"""A function that writes bytes."""


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


class CompressedStream:
    """A file that is a series of compressed members.

    `form`: the compression format. `preamble`: the bytes before the members, used for all. `broken`: why there is no
    more now, None at the end of the file. `marks`: the ends of members, as bytes unpacked and offset in the file; the
    caller removes those it has used. `offset`: how far the file has been unpacked.
    """

    def __init__(
        self,
        stream: BinaryIO,
        form: Format,
        preamble: bytes,
        first: bytes,
        *,
        keep: bool,
        within: ByteRange | None = None,
    ) -> None:
        """`first`: the bytes already read from the stream after the preamble. `keep`: whether copies will be needed.

        `within`: the range of offsets whose members are unpacked; the position of `stream` is the first of them.
        """
        self.form = form
        self.preamble = preamble
        self.broken: Fault | None = None
        self.offset = len(preamble) if within is None else within.start
        self._stop = None if within is None else within.end
        self.marks: deque[tuple[int, int]] = deque()
        self._stream = stream
        self._keep = keep
        self._raw = bytearray(first)
        self._raw_from = self.offset
        self._hold: int | None = self.offset
        self._kept: IO[bytes] | None = None
        self._kept_from = 0
        self._unpacker: Unpacker | None = None
        self._began = self.offset
        self._step = 0
        self._given = 0
        self._given_before: int | None = None  # the output before the member that is fed at once

    def more(self) -> bytes:
        """Unpack the next bytes; b"" at the end, or if `broken` is set."""
        while not self.broken:
            if self._unpacker is None and not self._begin():
                break
            if not self._available(1):
                self.broken = Fault("truncated", f"the file ends within a {self.form.name} member")
                break
            at = self.offset - self._raw_from
            assert self._unpacker is not None
            try:
                data, used = self._unpacker.feed(bytes(memoryview(self._raw)[at : at + self._step]))
            except ValueError:
                if self._begin_carefully():
                    continue
                self.broken = Fault("damaged", f"its {self.form.name} data are damaged")
                break
            self.offset += used
            self._given += len(data)
            if self._unpacker.done:
                self.marks.append((self._given, self.offset))
                self._unpacker = None
            else:
                self._step = min(self._step * 2, self.form.feeds[1])
            if data:
                return data
        return b""

    def _begin(self) -> bool:
        """Begin a member; False at the end, or if there is none."""
        if self.offset == self._stop:
            return False
        if not self._available(len(self.form.magic)) and not self._available(1):
            return False
        if not self._raw.startswith(self.form.magic, self.offset - self._raw_from):
            self.broken = Fault("damaged", f"these bytes are not a {self.form.name} member")
            return False
        self._unpacker = self.form.unpacker()
        self._step = self._seeming_size()
        self._began = self.offset
        self._given_before = self._given
        if self._hold is None:
            self._hold = self.offset
        return True

    def skip_padding(self) -> bool:
        """Skip the rest of the file if it is padding (rule 5), so that the feed is not `broken`; whether it is."""
        if self.form.magic != GZIP or self._unpacker is not None or self._available(_PADDING + 1):
            return False
        if self._raw[self.offset - self._raw_from :].strip(b"\0"):
            return False
        self.offset, self.broken = self._raw_from + len(self._raw), None
        return True

    def _begin_carefully(self) -> bool:
        """Begin the damaged member again, in small steps, up to the damage; False if that was done before."""
        if self._given_before != self._given or self._began < self._raw_from:
            return False
        self.offset, self._given_before = self._began, None
        self._unpacker, self._step = self.form.unpacker(), self.form.feeds[0]
        return True

    def _seeming_size(self) -> int:
        """The apparent size of the member that begins here, up to the next one; at most the best input size."""
        at, magic, most = self.offset - self._raw_from, self.form.magic, self.form.feeds[1]
        end = self._raw.find(magic, at + len(magic), at + most)
        return most if end < 0 else end - at

    def _available(self, size: int, offset: int | None = None) -> bool:
        """Whether the file has so many bytes from an offset on, or from the current position."""
        wanted = (self.offset if offset is None else offset) + size
        while wanted > self._raw_from + len(self._raw):
            chunk = self._stream.read(_CHUNK)
            if not chunk:
                return False
            self._forget()
            self._raw += chunk
        return True

    def _forget(self) -> None:
        """Drop bytes that are not needed, or too many (rule 3)."""
        if self._hold is None or self._hold > self._raw_from:
            self._cut(self.offset if self._hold is None else min(self._hold, self.offset))
        if len(self._raw) > _IN_MEMORY and self.offset > self._raw_from:
            if self._keep and self._hold is not None:
                if self._kept is None:
                    import tempfile

                    self._kept = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `hold` and `close`)
                    self._kept_from = self._raw_from
                self._kept.write(memoryview(self._raw)[: self.offset - self._raw_from])
            self._cut(self.offset)

    def _cut(self, offset: int) -> None:
        del self._raw[: max(offset - self._raw_from, 0)]
        self._raw_from = max(offset, self._raw_from)

    def hold(self, offset: int | None) -> None:
        """Keep the bytes of the file from an offset on, no others. None: from the start of the next member."""
        if offset is None and self.marks:
            offset = self.marks[0][1]
        self._hold = offset
        if self._kept is not None and (offset is None or offset >= self._raw_from):
            self.close()

    def close(self) -> None:
        """Delete the temporary file."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def kept(self, start: int, end: int, size: int = _CHUNK) -> Iterator[bytes]:
        """The kept bytes of the file from one offset to another, in pieces of `size`."""
        if self._kept is not None and start < self._raw_from:
            self._kept.seek(start - self._kept_from)
            while start < min(end, self._raw_from):
                piece = self._kept.read(min(size, min(end, self._raw_from) - start))
                start += len(piece)
                yield piece
            self._kept.seek(0, 2)
        while start < end:
            stop = min(start + size, end)
            yield bytes(memoryview(self._raw)[start - self._raw_from : stop - self._raw_from])
            start = stop

    def unpacked_again(self, start: int, size: int) -> Iterator[bytes]:
        """Unpack again the first `size` bytes of the content kept from an offset on."""
        unpacker = None
        for piece in self.kept(start, self.offset, self.form.feeds[1]):
            rest = piece
            while rest:
                unpacker = unpacker or self.form.unpacker()
                data, used = unpacker.feed(rest)
                rest = rest[used:]
                if unpacker.done:
                    unpacker = None
                yield data[:size]
                size -= len(data)
                if size <= 0:
                    return

    def resume(self, start: int, sink: Sink | None) -> None:
        """Continue after the damage at the next good member, or the end, and copy the bytes between.

        `start`: where these begin, an offset in the file that is kept.
        """
        # the damaged member may be cut short, and its apparent rest a good one
        search = max(self.offset if self._unpacker is None else self._began + 1, self._raw_from)
        self._unpacker = None
        self.offset = search
        self._hold = min(start, search)
        magic = self.form.magic
        while True:
            at = self._raw.find(magic, search - self._raw_from)
            if at >= 0:
                search = self._raw_from + at
                if self._is_good(search):
                    break
                search += 1
                continue
            # the last bytes may be the beginning of a member
            search = max(search, self._raw_from + len(self._raw) - len(magic) + 1)
            start = self._pass(start, search, sink)
            if not self._available(len(magic), search):
                search = self._raw_from + len(self._raw)
                break
        self._pass(start, search, sink)
        self.broken = None
        self.marks.append((self._given, search))

    def _pass(self, start: int, end: int, sink: Sink | None) -> int:
        """Copy from one offset to another and continue there; returns the offset up to which all is copied."""
        if sink is not None:
            for piece in self.kept(start, end):
                sink(piece)
        self.offset = end
        self.hold(end)
        return max(start, end)

    def _is_good(self, offset: int) -> bool:
        """Whether a member begins at an offset, with a record in it (rule 1)."""
        at = offset - self._raw_from
        if at < 0 or not self._raw.startswith(self.form.magic, at):
            return False
        self._available(_LOOK, offset)
        at = offset - self._raw_from
        beginning = bytes(memoryview(self._raw)[at : at + _LOOK])
        return begins_record(self.form.beginning(beginning))


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
