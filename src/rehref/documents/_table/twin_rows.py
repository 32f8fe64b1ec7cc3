"""The references of a scanned source as a table, as far as the compiled twin fills it (`_native/table.h`).

The twin computes the targets of ordinary references (`rehref.uri.ordinary_references`); those of odd rows are left to
Python. So are odd places as a whole: their values, or their references, take more than the twin can do. It takes what
Python has found there (`take`), and then the table is complete. Large changed sources are made in pieces, cut where
nothing is replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from rehref.documents.link import Answer, ReferenceRow, Use
from rehref.markup.twin_exchange import Counting, ScannedTable
from rehref.text.encoding import Splice
from rehref.text.large_bytes import LARGE, LargeBytes
from rehref.text.source_text import Recoded

_PIECE = 1 << 20
BATCH = 2_000
"""The number of links that are made at a time."""

_START = itemgetter(0)


Decide: TypeAlias = "Callable[..., tuple[str | None, tuple[str, ...], bool, str] | None]"
"""What replaces a beginning (`TwinRows.decide`)."""


class UnfitPlace(NamedTuple):
    """A place that Python must write, and the answers for all its references."""

    place: int
    answers: list[Answer]


class TwinRows:
    """The references of a source.

    `scanned`: what the twin has read. `recoded`: the source, if it was given otherwise.

    To change the source, call `decide` or `write`, then `fit`, and then `spliced` or `byte_splices`.
    """

    def __init__(self, scanned: ScannedTable, recoded: Recoded | None = None) -> None:
        self._table = scanned.table
        self._length = scanned.length
        self._count = scanned.counting
        self._counted: Counting | None = None
        self._recoded = recoded
        self._is_text = scanned.is_text

    def __len__(self) -> int:
        """The number of references."""
        return len(self._table)

    @property
    def _counting(self) -> Counting:
        if self._counted is None:
            counting = self._count()  # which reads the whole source: only for lines and columns
            self._counted = counting if self._recoded is None else counting._replace(form=self._recoded.form)
        return self._counted

    @property
    def size(self) -> int:
        """The number of rows before `take`."""
        found: int = self._table.size
        return found

    @property
    def odd(self) -> list[int]:
        """The numbers of the places that Python must read, until `take`."""
        found: list[int] = self._table.odd_places
        return found

    @property
    def unread(self) -> list[int]:
        """The numbers of places with metadata that were not asked for."""
        found: list[int] = self._table.unread_places
        return found

    def take(self, classes: Sequence[tuple[object, ...]], rows: list[tuple[str, int, bool]], uses: bytes) -> None:
        """Add what Python has read of the odd places."""
        self._table.take(classes, rows, uses)

    def rows(self, numbers: list[int] | None = None) -> list[ReferenceRow]:
        """The rows with these numbers, or all, as far as they have references."""
        found: list[ReferenceRow | None] = self._table.rows(ReferenceRow, numbers)
        return [row for row in found if row is not None]

    def odd_rows(self) -> list[ReferenceRow]:
        """The rows whose targets Python computes."""
        numbers: list[int] = self._table.odd_rows
        return self.rows(numbers) if numbers else []

    def uses(self, rows: list[int] | None = None) -> Iterator[Use]:
        """The uses of these rows, or all, in document order."""
        return map(Use._make, self._table.uses(rows))

    def texts(
        self, folders: tuple[str, ...], names: Mapping[str, bool] | None, whole: bytes | None
    ) -> tuple[tuple[Any, ...], bytes, bytes, bytes]:
        """The texts that are whole values (`rehref.documents._table.values`); see `_native/tables.h`."""
        found: tuple[tuple[Any, ...], bytes, bytes, bytes] = self._table.texts(folders, names, whole)
        return found

    def links(self, shape: tuple[object, ...]) -> Iterator[list[Any]]:
        """All links, in batches; `shape`: see `_native/links.c`."""
        cursor: tuple[int, ...] | None = None
        while True:
            links, cursor = self._table.links(shape, self._counting, cursor, BATCH)
            yield links
            if cursor is None:
                return

    def row_links(self, shape: tuple[object, ...], numbers: list[int]) -> list[Any]:
        """The links of rows, without positions."""
        found: list[Any] = self._table.row_links(shape, (0, None, False, 0), numbers)
        return found

    def json(
        self,
        before: bytes,
        base: Callable[[Any], bytes | None],
        behind: bytes,
        written: Callable[[list[Any]], bytes],
        shape: tuple[object, ...],
        take: Callable[[bytearray], object],
    ) -> tuple[bytearray, int]:
        """All links as JSON, and their number (`Table.json`). No beginning of a target may need escapes."""
        found: tuple[bytearray, int] = self._table.json(before, base, behind, written, shape, self._counting, take)
        return found

    def decide(
        self,
        of_beginning: Decide,
        *,
        of_class: bool,
        fragments: bool,
        metadata: bool,
        codebases: bool,
        valid: bool,
        only_relative: bool,
    ) -> tuple[list[int], int]:
        """Set the answers of rows by what their targets begin with; return the numbers of the others, undecided.

        `of_beginning`: returns, for a beginning, an element, an attribute, a kind, a `rel` and an `as`, what replaces
        it (None: the text stays), the beginnings of a rest that is undecided, whether one is that may be written
        otherwise (a "%", or characters of no URI), and the extension of one that is (or ""); or None.
        `of_class`: whether more than the beginning matters to it. `fragments`: a fragment may change, too. `metadata`:
        so may metadata; it is undecided. `codebases`: a `codebase` is decided, and what is below one; it stays if
        browsers read it differently, and is also counted. `valid`: what has characters that no URI has is undecided.
        `only_relative`: what does not depend on the base stays.
        """
        decided: tuple[list[int], int] = self._table.decide(
            of_beginning, of_class, fragments, metadata, codebases, valid, only_relative
        )
        return decided

    def write(self, numbers: list[int] | None, answers: list[Answer]) -> None:
        """Set the answers with these numbers (`Table.write`)."""
        self._table.write(numbers, answers)

    def answers(self, numbers: list[int]) -> list[Answer]:
        """The answers with these numbers."""
        found: list[Answer] = self._table.answers(numbers)
        return found

    def fit(self) -> tuple[int, list[UnfitPlace]]:
        """How many references change, and the places that do not take a new text as it is, so that Python writes it."""
        changed, unfit = self._table.fit()
        return changed, list(map(UnfitPlace._make, unfit))

    def spliced(self, others: Sequence[Splice[bytes]]) -> bytes | LargeBytes | str:
        """The changed source, with other splices (in order); it keeps its type."""
        if self._length > LARGE and self._recoded is None and not self._is_text:
            return LargeBytes(partial(self._in_pieces, others))
        data = self._part(others, 0, self._length)
        if self._recoded is not None:
            return self._recoded.again(data)
        return data.decode("utf-8", "surrogatepass") if self._is_text else data

    def _in_pieces(self, others: Sequence[Splice[bytes]]) -> Iterator[bytes]:
        start = first = 0
        while start < self._length:
            end, last = self._length, len(others)
            if start + _PIECE < end:
                end = start + _PIECE
                while True:  # until nothing is cut
                    last = bisect_left(others, end, key=_START)
                    behind = max(self._table.cut(end), others[last - 1][1] if last else 0)
                    if behind <= end:
                        break
                    end = behind
            yield self._part(others[first:last], start, end)
            start, first = end, last

    def _part(self, others: Sequence[Splice[bytes]], start: int, end: int) -> bytes:
        """A part of the changed source, with other splices in it."""
        pieces: list[bytes] = []
        for first, behind, new in others:
            pieces += self._table.spliced(start, first), new
            start = behind
        return b"".join((*pieces, self._table.spliced(start, end)))

    def byte_splices(self, others: Sequence[Splice[bytes]]) -> list[Splice[bytes]]:
        """What is replaced in the source, and other splices, in order."""
        return sorted([*self._table.splices(), *others], key=_START)
