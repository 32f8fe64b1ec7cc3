"""The bytes of an archive file as they are unpacked: the feed, chosen by the first bytes.

A feed returns the content of a file, piece by piece, to its end, or to damage: where no member begins, or a member
cannot be unpacked. Then `broken` is the reason, and `resume` continues at the next good one, which begins like a member
and has a record in it. After damage, few bytes of each possible member are tried.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final, TypeAlias

from rehref.containers._warc.archive_file import PackedBytes, PlainStream
from rehref.containers._warc.compression_formats import (
    DICTIONARY,
    DICTIONARY_SIZE,
    FAILED,
    GZIP,
    CompressionFormat,
    RepeatedWork,
    Unpacker,
    gzip_format,
    zstd_format,
)
from rehref.containers._warc.record_heads import begins_record
from rehref.containers.codings import ZSTD
from rehref.containers.parts import Diagnostic, DiagnosticCode, Fault, Limits
from rehref.containers.streams import ByteRange
from rehref.exceptions import RehrefError

_LOOK: Final = 1 << 18  # the number of bytes of a possible member that are in memory when it is tried
_PASSED: Final = 1 << 20  # the number of bytes after which a search drops those that it has passed
_ANY_SIZE: Final = Limits(size=sys.maxsize)
_READ_TOO_FAR: Final = 16  # the number of bytes that an unpacker may take from the next member
_CHECK_SUM: Final = 8  # the number of bytes after the data of a gzip member (RFC 1952 §2.3.1)
_SMALL: Final = 1 << 10
_SHORT: Final = 1 << 18  # the number of bytes that are copied in one piece
_PADDING: Final = 1 << 20  # the maximum size of padding after the last member, in bytes

Sink: TypeAlias = Callable[[bytes], object]
"""A function that writes bytes."""


class CompressedStream:
    """A file that is a series of compressed members.

    `form`: the compression format. `preamble`: the bytes before the members, used for all. `broken`: why there is no
    more now, None at the end of the file. `marks`: the ends of members, as bytes unpacked and offset in the file; the
    caller removes those it has used. `offset`: how far the file has been unpacked.
    """

    def __init__(
        self,
        stream: BinaryIO,
        form: CompressionFormat,
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
        self._file = PackedBytes(stream, first, self.offset, keep=keep)
        self._unpacker: Unpacker | None = None
        self._began = self.offset
        self._step = 0
        self._given = 0
        self._given_at = 0  # the output before the member
        self._care = 0  # how often it was begun again
        self._in_vain = RepeatedWork(self.offset)

    def more(self) -> bytes:
        """Unpack the next bytes; b"" at the end, or if `broken` is set."""
        file = self._file
        while not self.broken:
            unpacker = self._unpacker
            if unpacker is None:
                unpacker = self._begin()
                if unpacker is None:
                    break
            elif not file.reaches(self.offset + 1, self.offset):
                self.broken = Fault("truncated", f"the file ends within a {self.form.name} member")
                break
            at = self.offset - file.start
            try:
                data, used = unpacker.feed(file.view[at : at + self._step])
            except ValueError:
                if self._begin_carefully():
                    continue
                self.broken = Fault("damaged", f"its {self.form.name} data are damaged")
                break
            self.offset += used
            self._given += len(data)
            if unpacker.done:
                self.marks.append((self._given, self.offset))
                self._unpacker = None
            else:
                self._step = min(self._step * 2, self.form.feeds[1])
            if data:
                return data
        return b""

    def _begin(self) -> Unpacker | None:
        """Begin a member; None at the end, or if there is none.

        One that is as small as nearly all are is unpacked at once. What follows it in the file may be given to the
        unpacker too, which ignores it: that takes less time than to search for its end.
        """
        if self.offset == self._stop:
            return None
        file, magic, most = self._file, self.form.magic, self.form.feeds[1]
        at = self.offset - file.start
        if len(file.data) - at < most:
            if not file.reaches(self.offset + most, self.offset) and file.end == self.offset:
                return None
            at = self.offset - file.start
        if not file.data.startswith(magic, at):
            self.broken = Fault("damaged", f"these bytes are not a {self.form.name} member")
            return None
        behind = file.data.find(magic, at + len(magic), at + min(_SMALL, most))
        self._step = most if behind < 0 else behind - at
        self._began = self.offset
        self._given_at, self._care = self._given, 0
        if file.held is None:
            file.held = self.offset
        self._unpacker = self.form.unpacker()
        return self._unpacker

    def excess(self) -> str:
        """Why the current member unpacks to too much for its size, for people; "" if it does not, or has ended."""
        if self._unpacker is None or self.marks:
            return ""
        return _ANY_SIZE.exceeded(self.offset - self._began, self._given - self._given_at)

    def skip_padding(self) -> bool:
        """Skip the rest of the file if it is padding, so that the feed is not `broken`; whether it is.

        NUL bytes from the last member to the end are padding, as for gzip; if there are many, they are damage.
        """
        file = self._file
        if self.form.magic != GZIP or self._unpacker or file.reaches(self.offset + _PADDING + 1, self.offset):
            return False
        if file.data[self.offset - file.start :].strip(b"\0"):
            return False
        self.offset, self.broken = file.end, None
        return True

    def _begin_carefully(self) -> bool:
        """Begin the damaged member again, in smaller steps, up to the damage; False if that was done before.

        First all but its check sum, then half of it, which usually has the head of its record, and so its name.
        """
        if self._given != self._given_at or self._began < self._file.start or self._care == 2:
            return False
        self.offset, self._care = self._began, self._care + 1
        data, at, magic, most = self._file.data, self.offset - self._file.start, self.form.magic, self.form.feeds[0]
        end = data.find(magic, at + len(magic), at + most)
        size = (min(len(data), at + most) if end < 0 else end) - at  # apparently, up to the next one
        self._unpacker, self._step = self.form.unpacker(), max(size - _CHECK_SUM if self._care == 1 else size // 2, 1)
        return True

    def hold(self, offset: int | None) -> None:
        """Keep the bytes of the file from an offset on, no others. None: from the start of the next member."""
        if offset is None and self.marks:
            offset = self.marks[0][1]
        self._file.hold(offset)

    def close(self) -> None:
        """Delete the temporary file."""
        self._file.close()

    def kept(self, start: int, end: int) -> Iterable[bytes]:
        """The kept bytes of the file from one offset to another, in pieces."""
        file = self._file
        if start >= file.start and end - start <= _SHORT:  # nearly always
            return (file.piece(start, end),)
        return file.kept(start, end)

    def unpacked_again(self, start: int, size: int) -> Iterator[bytes]:
        """Unpack again the first `size` bytes of the content kept from an offset on."""
        unpacker = None
        for piece in self._file.kept(start, self.offset, self.form.feeds[1]):
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
        file, magic = self._file, self.form.magic
        self.offset = search = self._search_from()
        self._unpacker = None
        file.hold(min(start, search))
        while True:
            at = file.data.find(magic, search - file.start)
            # the last bytes may be the beginning of a member
            search = file.start + at if at >= 0 else max(search, file.end - len(magic) + 1)
            if at < 0 or search - self.offset >= _PASSED:
                start = self._pass(start, search, sink)
            has_more = file.reaches(search + (_LOOK if at >= 0 else len(magic)), self.offset)
            if at >= 0:
                if self._is_good(search):
                    break
                search += 1
            elif not has_more:
                search = file.end
                break
        self._pass(start, search, sink)
        self.broken = None
        self.marks.append((self._given, search))

    def _search_from(self) -> int:
        """The offset from which to search for a good member.

        If more was unpacked in vain than `RepeatedWork` allows, that is where unpacking failed.
        """
        if self._unpacker is None:
            return self.offset
        # the damaged member may be cut short, and its apparent rest a good one
        again = self.offset - self._began + self._given - self._given_at + FAILED
        may_search = self._in_vain.may_take(again, self.offset)
        return max(self._began + 1, self._file.start, 0 if may_search else self.offset - _READ_TOO_FAR)

    def _pass(self, start: int, end: int, sink: Sink | None) -> int:
        """Copy from one offset to another and continue there; returns the offset up to which all is copied."""
        if sink is not None:
            for piece in self._file.kept(start, end):
                sink(piece)
        self.offset = end
        self.hold(end)
        return max(start, end)

    def _is_good(self, offset: int) -> bool:
        """Whether a member begins with the magic at an offset, with a record in it."""
        trial = self.form.trial(self._file.data, offset - self._file.start)
        return trial != b"" and self._in_vain.may_take(len(trial), offset) and begins_record(self.form.tried(trial))


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
