"""Captures of a part of a resource (206), joined to the whole resource.

1. `Content-Range` says which bytes a part has, and of how many (RFC 9110 §14.4). A part that has all of them is whole.
2. Parts are joined if they have the same URI, length and validator (ETag, or else Last-Modified; §15.3.7.3), and cover
   the resource without a gap. Bytes that two of them have are taken from the later part of the archive.
3. A resource larger than `Limits.size` is not joined. While some of its parts are missing, the others are in a
   temporary file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rehref.containers.parts import Diagnostic, Limits, Part
from rehref.containers.warc.captures import Capture

_RANGE = re.compile(r"\s*bytes\s+([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})\s*", re.IGNORECASE).fullmatch


class Extent(NamedTuple):
    """The bytes of a part, from `start` up to `end`, of `total` ones."""

    start: int
    end: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether these are all bytes."""
        return self.start == 0 and self.end == self.total


def extent_of(content_range: str) -> Extent | None:
    """Return what a `Content-Range` says; None if it does not say it, or it is impossible."""
    found = _RANGE(content_range)
    if found is None:
        return None
    first, last, total = map(int, found.groups())
    return Extent(first, last + 1, total) if first <= last < total else None


class Piece(NamedTuple):
    """A part of a resource: where it is in the resource, and the number of its capture."""

    extent: Extent
    number: int


def covering(pieces: Iterable[Piece]) -> list[Piece]:
    """Return parts that cover the resource, in order; none if there is a gap, or it is too large (rules 2, 3)."""
    chosen: list[Piece] = []
    end = total = 0
    for piece in sorted(pieces, key=lambda piece: (piece.extent, -piece.number)):
        total = piece.extent.total
        if piece.extent.start > end:
            return []
        if piece.extent.end > end:
            chosen.append(piece)
            end = piece.extent.end
    return chosen if end == total <= Limits().size else []


@dataclass(slots=True)
class Joint:
    """A resource that is joined; `number`: the capture of its first part, which stands for it."""

    number: int
    total: int
    missing: int
    """How many parts are missing."""
    begins: int = 0
    """Where it begins in the temporary file."""
    first: Part | None = None


def bodies(
    found: Iterable[Capture | Diagnostic], joints: Mapping[int, tuple[Joint, int]]
) -> Iterator[tuple[int, Part]]:
    """Yield the number and the body of each capture; of parts that are joined, when all have been read.

    `joints`: the resource that is joined, and the place of the part in it, by the number of the capture.
    """
    with tempfile.TemporaryFile() as waiting:
        for capture in found:
            if isinstance(capture, Diagnostic) or capture.part is None:
                continue  # reported when the archive was read the first time
            if capture.number not in joints:
                yield capture.number, capture.part
                continue
            joint, start = joints[capture.number]
            waiting.seek(joint.begins + start)
            waiting.write(capture.part.data)
            if capture.number == joint.number:
                joint.first = capture.part._replace(data=b"")
            joint.missing -= 1
            if joint.missing == 0 and joint.first is not None:
                waiting.seek(joint.begins)
                yield joint.number, joint.first._replace(data=waiting.read(joint.total))
