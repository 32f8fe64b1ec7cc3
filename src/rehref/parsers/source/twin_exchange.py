"""What Python passes to the scanner's compiled twin, and what it gets back (`rehref.parsers.source.twin`).

1. The twin knows places by their numbers. Those that it leaves to Python are called odd.
2. Large changed sources are made in pieces.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from rehref.text.large_bytes import LARGE, AnyBytes, LargeBytes

_PIECE = 1 << 20


class How(NamedTuple):
    """How the twin reads references: the `Prefixes` of their targets, and what follows."""

    folders: tuple[str, ...]
    document: str | None
    query: str | None
    root: str | None
    scheme: str | None
    own: str | None
    """The document's own URI."""
    base_is_own: bool
    """Whether the base is the document's own URI, and nothing in the document can change it."""
    table: bytes
    """What each attribute carries, from `Plan.table`."""
    kinds: tuple[str, ...]
    ask: Callable[[int], int]
    """What a place carries if other attributes decide it."""
    decided: dict[bytes, int]


class Held(NamedTuple):
    """What the places of a page hold (`rehref.checking.pages.inventory`), as far as it is plain."""

    names: dict[str, bool]
    """What fragments can name, and whether each is an id."""
    doubles: list[int]
    """The numbers of places with an id that an earlier place has."""
    values: dict[str, int]
    """Values that are references as a whole, and their numbers."""
    counts: list[int]
    """How often each value occurs."""
    targets: list[str | None]
    """For each the path of a folder and the rest of it; "" for a fragment that one of the names is; None for others."""
    placed: bytes
    """Where they are, as pairs of 32-bit numbers: a value's, a place's."""
    odd: list[int]
    """The numbers of all other places that may hold something."""


ByteSplice: TypeAlias = tuple[int, int, bytes]
"""What to replace in the bytes of a source: from, to, by what."""


class Changes(NamedTuple):
    """How ordinary references are made absolute."""

    references: int
    """How many ordinary references there are."""
    packed: bytes
    """For each that changes: from, to (bytes of the source), the number of the prefix; three 32-bit numbers."""
    odd: list[int]
    """The numbers of the places that are not ordinary."""
    prefixes: tuple[bytes, ...]

    @property
    def changed(self) -> int:
        """How many references change."""
        return len(self.packed) // 12

    def spliced(self, scan: Any, others: Sequence[ByteSplice], length: int) -> AnyBytes:
        """The source that was scanned, which has so many bytes, with these changes, and other splices, made."""
        if length > LARGE:
            return LargeBytes(partial(self._spliced_in_pieces, scan, others, length))
        data: bytes = scan.spliced(self.packed, self.prefixes, list(others))
        return data

    def _spliced_in_pieces(self, scan: Any, others: Sequence[ByteSplice], length: int) -> Iterator[bytes]:
        """The same in pieces, cut where nothing is replaced."""
        numbers = memoryview(self.packed).cast("I")
        starts, ends = numbers[::3], numbers[1::3]
        start = first = first_other = 0
        while start < length:
            end = start + _PIECE
            if end < length:
                last, last_other = bisect_left(starts, end), bisect_left(others, end, key=itemgetter(0))
                end = max(end, ends[last - 1] if last else 0, others[last_other - 1][1] if last_other else 0)
            else:
                last, last_other, end = len(starts), len(others), length
            packed, between = self.packed[12 * first : 12 * last], list(others[first_other:last_other])
            yield scan.spliced(packed, self.prefixes, between, start, end)
            start, first, first_other = end, last, last_other

    def byte_splices(self, others: Sequence[ByteSplice]) -> list[ByteSplice]:
        """The changes, and other splices, in order."""
        numbers = memoryview(self.packed).cast("I")
        made = zip(numbers[::3], numbers[1::3], map(self.prefixes.__getitem__, numbers[2::3]), strict=True)
        return sorted([*made, *others], key=itemgetter(0))


class SomeLinks(NamedTuple):
    """Links of ordinary places; and for each other place the index of its links among them, and its number."""

    links: list[Any]
    odd: list[tuple[int, int]]
