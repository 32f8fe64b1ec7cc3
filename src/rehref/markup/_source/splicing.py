"""Where the characters of a value are in the source, and what to replace there for it to change, in any markup.

As little as possible is changed: the common beginning and end of the old and the new text stay as the author wrote
them, with their escapes. Where the author's part and the new part together would mean something that neither did alone
(`&am` and `p;`), the whole value is written anew. A value has one or more segments, between which there is markup that
is not text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from rehref.markup.places import Edit
from rehref.text.encoding import Splice, alike_up_to, spliced
from rehref.text.source_text import SourceText


class Segment(NamedTuple):
    """A run of raw text: from, to (units), and whether it is in a CDATA section."""

    start: int
    end: int
    cdata: bool = False


Replaced: TypeAlias = Callable[[Segment, str], Iterable[tuple[int, int, str]]]
"""What is not literal in a segment, whose units are given: from, to (in it), and its meaning."""


class CharacterMap:
    """The characters of one value, which consists of these segments.

    A character is where its raw form is: a reference (`&amp;`), a CR LF or a multi-byte character is one character of
    the value, and several units of the source. If a raw form gives two or more characters, each of them has its
    position.
    """

    __slots__ = ("_begins", "_inside", "_runs", "_units", "begins", "segments", "size")

    def __init__(self, units: SourceText, segments: Sequence[Segment], replaced: Replaced) -> None:
        """Map a value to its segments."""
        self.segments = segments
        self.begins: list[int] = []
        """Where each segment begins in the value."""
        self._units = units
        self._begins: list[int] = []  # where each run begins in the value
        # from, to (units), and whether each of its characters has its own position
        self._runs: list[tuple[int, int, bool]] = []
        self._inside: dict[int, Sequence[int]] = {}  # offsets within runs that are not ASCII
        size = 0
        for segment in segments:
            self.begins.append(size)
            for first, behind, text in _runs(units, segment, replaced):
                self._begins.append(size)
                self._runs.append((first, behind, text is None))
                raw = units.raw(first, behind)
                size += len(units.decode(raw)) if text is None else len(text)
        self.size = size

    def start(self, character: int) -> int:
        """Where a character begins (units); for the end of the value, where the last one ends."""
        if character >= self.size:
            return self.end(self.size)
        return self._find(character, 0)

    def end(self, character: int) -> int:
        """Where the character before this one ends (units); for the beginning of the value, where it begins."""
        if self.size == 0:
            return self.segments[0].start if self.segments else 0
        return self._find(character - 1, 1) if character else self._find(0, 0)

    def _find(self, character: int, more: int) -> int:
        """Where a character begins, or with 1 for `more`, where it ends."""
        number = bisect_right(self._begins, character) - 1
        first, behind, own = self._runs[number]
        if not own:
            return behind if more else first
        at = character - self._begins[number] + more
        if number not in self._inside:
            self._inside[number] = self._units.decode_with_offsets(self._units.raw(first, behind))[1]
        return first + self._inside[number][at]


def _runs(units: SourceText, segment: Segment, replaced: Replaced) -> Iterator[tuple[int, int, str | None]]:
    """The runs of a segment: from, to (units), and the meaning; None: each character is literal."""
    start, end, _ = segment
    raw = units.raw(start, end)
    found = [(0, 0, ""), *replaced(segment, raw), (len(raw), len(raw), "")]
    for (_, last, _), (first, behind, text) in pairwise(found):
        if last < first:
            yield start + last, start + first, None
        if text:
            yield start + first, start + behind, text


class ValueChange(NamedTuple):
    """Characters `start` to `end` of a decoded value become `text`."""

    start: int
    end: int
    text: str


class Syntax(NamedTuple):
    """How a text is written in one kind of context, and how it is read there."""

    ways: Sequence[Callable[[str], str]]
    """From new characters to units that mean them in their context; each is tried if those before it fail."""
    anew: Callable[[str], str] | None
    """From a whole value to units that mean it in any context; None if there are none."""
    decode: Callable[[str], str]
    """From raw characters to their meaning."""
    stands: Callable[[str], bool] = lambda raw: True
    """Whether raw characters are one whole value: nothing in them ends it or is other markup."""


class Share(NamedTuple):
    """A segment of a value that changes: its part of the value, which begins at character `begin` of the whole."""

    segment: Segment
    value: str
    begin: int
    changes: Sequence[ValueChange]
    """As offsets in `value`."""


def changes_of(value: str, edits: Iterable[Edit]) -> list[ValueChange]:
    """The edits of a value without the common ends of old and new text; edits that change nothing are dropped."""
    changes = []
    for _, start, end, new in edits:
        old = value[start:end]
        if new is None or old == new:
            continue
        if new.endswith(old):
            head, tail = 0, len(old)
        else:
            tail = alike_up_to(old[::-1], new[::-1])
            head = min(alike_up_to(old, new), len(old) - tail, len(new) - tail)
        changes.append(ValueChange(start + head, end - tail, new[head : len(new) - tail]))
    return changes


def pieces(mapping: CharacterMap, value: str, changes: Iterable[ValueChange]) -> list[Share]:
    """The segments that changes of a value affect; one that spans several is written into the first, and deleted from
    others.
    """
    found: dict[int, list[ValueChange]] = {}
    begins = mapping.begins
    ends = [*begins[1:], mapping.size]
    for start, end, text in changes:
        at = bisect_right(begins, start) - 1
        new = text
        while True:
            first = begins[at]
            found.setdefault(at, []).append(ValueChange(max(start, first) - first, min(end, ends[at]) - first, new))
            at, new = at + 1, ""
            if at == len(begins) or begins[at] >= end:
                break
    return [Share(mapping.segments[at], value[begins[at] : ends[at]], begins[at], mine) for at, mine in found.items()]


def plan(units: SourceText, mapping: CharacterMap, piece: Share, syntax: Syntax) -> list[Splice[str]]:
    """What to replace for a segment to change; in order, not overlapping. Nothing, if no way writes the text literally.

    The whole is written anew if only a part of a reference's meaning changes, and, in UTF-16 and ISO-2022-JP, if it has
    broken bytes.
    """
    first, behind, _ = piece.segment
    extents = [_extent(mapping, piece, change) for change in piece.changes]
    apart = all(one[1] <= other[0] for one, other in pairwise(extents))
    meant = ""
    for write in syntax.ways:
        splices = [(*extent, write(change.text)) for extent, change in zip(extents, piece.changes, strict=True)]
        # (written text may be percent-encoded)
        texts = [syntax.decode(units.decode(new)) for _, _, new in splices]
        changes = [change._replace(text=text) for change, text in zip(piece.changes, texts, strict=True)]
        meant = spliced(piece.value, changes)
        here = [(start - first, end - first, new) for start, end, new in splices]
        raw = units.decode(spliced(units.raw(first, behind), here))
        # (if bytes are not the units and some are broken, characters do not show what the bytes mean side by side)
        sure = not units.wide or raw.isascii() or syntax.anew is None or "\ufffd" not in units.raw(first, behind)
        if apart and sure and syntax.stands(raw) and syntax.decode(raw) == meant:
            return splices
    return [] if syntax.anew is None else [(first, behind, syntax.anew(meant))]


def _extent(mapping: CharacterMap, piece: Share, change: ValueChange) -> tuple[int, int]:
    """The range (units) that a change of a segment affects."""
    start, end = piece.begin + change.start, piece.begin + change.end
    if change.start == 0:
        at = piece.segment.start
    else:
        at = mapping.end(start) if change.start == len(piece.value) else mapping.start(start)
    return at, mapping.end(end) if start < end else at


def quote_around(units: SourceText, start: int, end: int) -> str:
    """The quote around the units from `start` to `end`; "" if there is none."""
    quote = units.raw(start - 1, start)
    return quote if quote in ('"', "'") and units.raw(end, end + 1) == quote else ""
