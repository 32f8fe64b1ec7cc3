"""A collection divided into pieces of work.

1. A piece is some files, or some members or records of one archive (`rehref.containers.warc.borders`), of about `PIECE`
   bytes. Archives that are compressed with zstd are not divided, nor are those that are read as something else: with
   header fields of their own, or as another media type.
2. The division depends on the files alone, not on who does the work: two processes can resume what one has begun.
   Pieces come in the order of the files.
3. A file that cannot be examined is a piece like others: the process that reads it reports it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from rehref.containers.file_pieces import ByteRange
from rehref.containers.registry import HEAD, WARC_TYPE, of_media_type
from rehref.files.file_documents import FileDocument
from rehref.options import SourceOptions

PIECE: Final = 32 << 20
"""Bytes of files as stored."""
_MOST_FILES: Final = 500


class Piece(NamedTuple):
    """Files to process one after the other. `within`: a range of the only one. `size`: bytes, for progress."""

    files: tuple[FileDocument, ...]
    size: int
    within: ByteRange | None = None


def divided(files: Iterable[FileDocument], options: SourceOptions, size: int = PIECE) -> Iterator[Piece]:
    """Divide files into pieces of about `size` bytes."""
    waiting: list[FileDocument] = []
    together = 0
    for file in files:
        length = file.size
        ranges = ranges_of(file.path, length, size) if may_divide(file, options) else []
        if waiting and (together + length > size or len(waiting) == _MOST_FILES):
            yield Piece(tuple(waiting), together)
            waiting, together = [], 0
        if len(ranges) > 1:
            yield from (Piece((file,), each.end - each.start, each) for each in ranges)
        else:
            waiting.append(file)
            together += length
    if waiting:
        yield Piece(tuple(waiting), together)


def may_divide(file: FileDocument, options: SourceOptions) -> bool:
    """Whether a file, if it is an archive, is read as one, so that it may be divided (rule 1)."""
    given = options.media_type
    return file.headers is None and (given is None or of_media_type(given) is of_media_type(WARC_TYPE))


def ranges_of(path: Path | None, length: int, size: int) -> list[ByteRange]:
    """The ranges of about `size` bytes that a file of `length` bytes is divided into; [] if it is not divided."""
    if path is None or length <= size:
        return []
    from rehref.containers.warc.borders import border, has_members, record_border
    from rehref.containers.warc.documents import recognizes
    from rehref.containers.warc.record_heads import begins_archive

    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            if not recognizes(head):
                return []
            ends = [0]
            while ends[-1] < length:
                end = min(ends[-1] + size, length)
                if has_members(head):
                    ends.append(border(stream, end, length))
                elif begins_archive(head):
                    ends.append(record_border(stream, ends[-1], end, length))
                else:
                    return []
    except OSError:
        return []
    return [ByteRange(start, end) for start, end in itertools.pairwise(ends)]
