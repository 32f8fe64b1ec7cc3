"""The references of a scanned source as a table, which the compiled twin fills (`_native/table.h`).

1. Every reference has a row: its text, and what carries it. What it means depends on its row alone; so does the answer
   of a rule that needs no more. So both are computed once for a row.
2. The twin computes the targets of ordinary references (`rehref.uri.ordinary_references`). Those of all other rows are
   left to Python.
3. Odd places are read by Python as a whole (`odd_places`): their values, or their references, take more than the twin
   can do. In some micro-syntaxes Python finds the references, and the table has them (`find` of `How`).
4. A new text is written as it is. A place that does not take it unescaped has no references in the table any more, and
   Python writes it (`fit`).
5. Large changed sources are made in pieces, cut where nothing is replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from rehref.parsers.source.parsed_source import Recoded
from rehref.parsers.source.twin_exchange import ByteSplice
from rehref.text.charsets import first_bytes
from rehref.text.large_bytes import LARGE, AnyBytes, LargeBytes

_PIECE = 1 << 20
BATCH = 2_000
"""The number of links that are made at a time."""

_START = itemgetter(0)


class ReferenceRow(NamedTuple):
    """A row. `target`: None if Python must compute it; then `same_document` counts only for fragments, too."""

    text: str
    target: str | None
    same_document: bool
    element: str
    attribute: str | None
    kind: str
    rel: str | None
    number: int
    uses: int
    """The number of references that have it."""
    place: int
    """The first place of its element, attribute and kind; of a `base`, its own."""


RowOutcome: TypeAlias = "str | bool | None"
"""The outcome of a reference: a text; None, it stays; False, Python must read its place."""


class Unfit(NamedTuple):
    """A place that does not take a new text as it is, and the first and the last (exclusive) of its references."""

    place: int
    first: int
    last: int


class SomeLinks(NamedTuple):
    """Links; and for each odd place the index of its links among them, and its number."""

    links: list[Any]
    odd: list[tuple[int, int]]


class Counting(NamedTuple):
    """How the twin counts lines and columns (`_native/positions.h`)."""

    begin: int
    """Where the first character is."""
    lines: bytes | None = None
    """What has its lines and characters (`rehref.text.charsets.first_bytes`); None: the source itself."""
    utf8: bool = False
    """Whether characters are as in UTF-8; else they are bytes."""
    form: int = 0
    """In which form it was given (`rehref.parsers.source.parsed_source`)."""


def counting_in_utf8(scan: Any, source: Callable[[], bytes], begin: int) -> Counting:
    """How it counts in a source in UTF-8 that it has scanned."""
    beyond_ascii: bool | None = scan.utf8  # None if the source is not valid
    return Counting(begin, first_bytes(source(), "utf-8") if beyond_ascii is None else None, beyond_ascii is not False)


class ReferenceTable:
    """The references of a source.

    `table`: the twin's. `length`: of the source, in bytes. `count`: says how lines and columns are counted. `recoded`:
    the source, if it was given otherwise. `is_text`: whether it is a str all the same.

    To change the source, call `decide` or `write`, then `fit`, and then `spliced` or `byte_splices`.
    """

    def __init__(
        self,
        table: Any,
        length: int,
        count: Callable[[], Counting],
        recoded: Recoded | None = None,
        *,
        is_text: bool = False,
    ) -> None:
        self._table = table
        self._length = length
        self._count = count
        self._counted: Counting | None = None
        self._recoded = recoded
        self._is_text = is_text

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
    def odd_places(self) -> list[int]:
        """The numbers of the odd places (rule 3)."""
        found: list[int] = self._table.odd_places
        return found

    @property
    def unread_places(self) -> list[int]:
        """The numbers of places with metadata that were not asked for."""
        found: list[int] = self._table.unread_places
        return found

    def rows(self, numbers: list[int] | None = None) -> list[ReferenceRow | None]:
        """The rows with these numbers, or all; None for one that no reference has."""
        found: list[ReferenceRow | None] = self._table.rows(ReferenceRow, numbers)
        return found

    def odd_rows(self) -> list[ReferenceRow]:
        """The rows whose targets Python computes (rule 2)."""
        found: list[ReferenceRow] = self._table.rows(ReferenceRow, self._table.odd_rows)
        return found

    def links(
        self,
        link_type: type[Any],
        shared: tuple[object, ...],
        others: Mapping[int, tuple[object, ...]],
        problems: Callable[[str], tuple[object, ...]],
        *,
        by_faults: bool,
    ) -> Iterator[SomeLinks]:
        """All links, in batches.

        `link_type`: a tuple type with the fields of `rehref.documents.link.Link`. `shared`: `base`, `part`, `page` and
        `date` of all of them. `others`: `target`, `same_document`, `problems` and `base` of the odd rows, by number.
        `problems`: those of a text whose target the twin knows. `by_faults`: whether they follow from its `Faults`
        (`_native/links.c`).
        """
        of_known: tuple[dict[bytes | str, object], object, bool] = ({}, problems, by_faults)
        cursor: tuple[int, ...] | None = None
        while True:
            links, odd, cursor = self._table.links(link_type, shared, others, of_known, self._counting, cursor, BATCH)
            yield SomeLinks(links, odd)
            if cursor is None:
                return

    def link_texts(
        self,
        before: bytes,
        base: bytes,
        behind: bytes,
        odd: Callable[[int], tuple[bytes, int]],
        take: Callable[[bytearray], object],
    ) -> tuple[bytearray, int]:
        """All links as JSON, and their number. `take` gets the text in pieces of 1 MB, except for the
        last one, which is returned: usually that is all.

        `before` precedes the reference of each link, `base` is between its target and its element, and `behind` follows
        its `rel`. `odd`: returns the text for the links of a place that the twin cannot write, by its number, and their
        number. No beginning of a target may need escapes.
        """
        found: tuple[bytearray, int] = self._table.link_texts(before, base, behind, odd, self._counting, take)
        return found

    def decide(
        self,
        of_beginning: Callable[..., tuple[str | None, tuple[str, ...], bool, str] | None],
        *,
        of_class: bool,
        fragments: bool,
        metadata: bool,
        valid: bool,
    ) -> list[int]:
        """Set the outcomes of rows by what their targets begin with; return the numbers of the others, undecided.

        `of_beginning`: returns, for a beginning, an element, an attribute, a kind, a `rel` and an `as`, what replaces
        it (None: the text stays), the beginnings of a rest that is undecided, whether one is that may be written
        otherwise (a "%", or characters of no URI), and the extension of one that is (or ""); or None.
        `of_class`: whether more than the beginning matters to it. `fragments`: a fragment may change, too. `metadata`:
        so may metadata; it is undecided. `valid`: what has characters that no URI has is undecided.
        """
        undecided: list[int] = self._table.decide(of_beginning, of_class, fragments, metadata, valid)
        return undecided

    def write(self, numbers: list[int] | None, news: Sequence[RowOutcome], *, by_use: bool = False) -> None:
        """Set the outcomes of the rows with these numbers, or of all of them, or of all references (`by_use`)."""
        self._table.write(list(range(len(news))) if numbers is None else numbers, list(news), by_use)

    def fit(self) -> tuple[int, list[Unfit]]:
        """Return how many references change, and the places that Python must write (rule 4)."""
        changed, unfit = self._table.fit()
        return changed, [Unfit(*each) for each in unfit]

    def spliced(self, others: Sequence[ByteSplice]) -> AnyBytes | str:
        """The changed source, with other splices (in order); it keeps its type."""
        if self._length > LARGE and self._recoded is None and not self._is_text:
            return LargeBytes(partial(self._in_pieces, others))
        data = self._part(others, 0, self._length)
        if self._recoded is not None:
            return self._recoded.again(data)
        return data.decode("utf-8", "surrogatepass") if self._is_text else data

    def _in_pieces(self, others: Sequence[ByteSplice]) -> Iterator[bytes]:
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

    def _part(self, others: Sequence[ByteSplice], start: int, end: int) -> bytes:
        """A part of the changed source, with other splices in it."""
        pieces: list[bytes] = []
        for first, behind, new in others:
            pieces += self._table.spliced(start, first), new
            start = behind
        return b"".join((*pieces, self._table.spliced(start, end)))

    def byte_splices(self, others: Sequence[ByteSplice]) -> list[ByteSplice]:
        """What is replaced in the source, and other splices, in order."""
        return sorted([*self._table.splices(), *others], key=_START)
