"""The references of a document as a table: complete, in every core and format.

A use is one reference; a row is a distinct text in a class, relative to one base. What a reference means follows from
its row, and so does the answer of a rule that does not look at places. The compiled twin fills the table, and asks
Python once for what it leaves; without it, Python reads all places. Nobody outside can see which of them read a row.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from rehref.documents._bases.bound_resolver import Resolved, differing
from rehref.documents._table.python_rows import PythonRows
from rehref.documents._table.twin_rows import Decide, TwinRows
from rehref.documents.base import Base
from rehref.documents.link import (
    Answer,
    BaseName,
    Link,
    PlacesSource,
    Reference,
    ReferenceRow,
    RowSetting,
    Use,
    Values,
    WrittenRow,
    as_kind,
    innermost,
    marked,
)
from rehref.markup.places import on_same_element
from rehref.markup.twin_exchange import DocumentCarriers
from rehref.text.encoding import Splice
from rehref.text.large_bytes import LargeBytes
from rehref.uri.ordinary_references import LEVELS

_SOME = 500  # links that are made between two looks at the time
_AT_ONCE = 5000  # how many places are edited at a time: edits take much more memory than splices
_PIECE = 1 << 20
_MOST_CLASSES = 60_000  # that the twin can take
_NO_ROWS = PythonRows()  # if Python has read none


class Made(NamedTuple):
    """A rewritten source, and how many references changed.

    `splices`: what was replaced in its bytes, if requested and known. `refused`: lines and columns of references that
    stay, since the new ones would be read differently there.
    """

    content: bytes | LargeBytes | str
    changed: int
    splices: Sequence[Splice[bytes]] | None
    refused: tuple[tuple[int | None, int | None], ...] = ()


class Table:
    """The references of a document.

    `twin`: what the compiled twin has read of it; None: Python reads all. `carriers`: say what places carry; None if
    names do not decide it, or parts of the document have other bases.
    """

    def __init__(self, document: PlacesSource, twin: TwinRows | None, carriers: DocumentCarriers | None = None) -> None:
        self._document = document
        self._carriers = carriers
        self._rows = _NO_ROWS
        self._first = 0  # the number of the first of the rows that Python has read
        self._found: tuple[int, Sequence[Reference]] = -1, ()
        if twin is not None and (odd := twin.odd):
            self._rows = PythonRows()
            self._rows.read(document, odd, carriers)
            if len(self._rows.classes) <= _MOST_CLASSES:
                self._first = twin.size
                rows = self._rows.rows_relative_to(document.resolver)
                twin.take(self._rows.classes, rows, self._rows.uses_as_bytes)
            else:
                twin = None
        self._twin = twin
        if twin is None:
            self._rows = PythonRows()
            self._rows.read(document, range(len(document.parsed.places)), carriers)

    def __len__(self) -> int:
        """The number of references, without metadata that was not asked for."""
        return len(self._rows if self._twin is None else self._twin)

    def references(self) -> int:
        """The number of references, with all metadata, which is read for that."""
        unread = () if self._twin is None else self._twin.unread
        return len(self) + sum(len(self._document.references_at(number)) for number in unread)

    # ---- rows

    def rows(self, numbers: list[int] | None = None) -> list[ReferenceRow]:
        """The rows with these numbers, or all, as far as they have references."""
        return (self._rows if self._twin is None else self._twin).rows(numbers)

    def setting(self, row: ReferenceRow) -> RowSetting:
        """What the references of a row are relative to, and how they are written."""
        if self._rows.settings and row.number >= self._first:
            return self._rows.settings[row.number - self._first]
        document = self._document
        return RowSetting(document, document.resolver_of(row.kind, row.attribute, row.base), base_place=row.place)

    def resolved(self, row: ReferenceRow, text: str | None = None) -> Resolved:
        """Target, whether that is in the document, and problems of a row, or of another text in its place."""
        if row.target is not None and text is None:
            return row.target, row.same_document, ()
        return self._resolved(row, row.text if text is None else text, self.setting(row))

    def _resolved(self, row: ReferenceRow, text: str, setting: RowSetting, alone: bool = False) -> Resolved:
        """Target, whether that is in the document, and problems of a text in the place of a row's.

        `alone`: without problems for which other references must be read.
        """
        target, same, problems = as_kind(row.kind, text, setting.resolver(text))
        problems += setting.notes
        if row.kind == "base":
            document = setting.document
            problems += (document.noticed_alone if alone else document.noticed).get(setting.base_place, ())
        return target, same, problems

    def link(self, row: ReferenceRow, text: str | None = None) -> Link:
        """The link of a row, or with another text in its place; without a position."""
        before, behind = self._around_position(row, row.text if text is None else text, self.setting(row))
        return self._marked([Link._make((*before, None, None, None, *behind, None))])[0]

    def _around_position(
        self, row: ReferenceRow, text: str, setting: RowSetting
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The fields of a row's link before and behind its line, column and span."""
        target, same, problems = self._resolved(row, text, setting)
        document = self._document
        before = text, target, setting.resolver.base, row.element, row.attribute, row.kind
        return before, (same, problems, document.part_of.name, None, document.own.uri, document.part_of.date, row.rel)

    def row_links(self, rows: Sequence[ReferenceRow]) -> list[Link]:
        """The links of rows, for rules: without positions, and problems for which other references must be read."""
        if self._twin is None:
            return [self.link(row) for row in rows]
        numbers = [row.number for row in rows]
        return self._marked(self._twin.row_links(self._shape(frozenset(numbers)), numbers))

    def _marked(self, links: list[Link]) -> list[Link]:
        """Links, those marked that lead to another part of the container."""
        part_of = self._document.part_of
        return [marked(link, part_of) for link in links] if part_of.others else links

    # ---- uses

    def uses(self, rows: list[int] | None = None) -> Iterator[Use]:
        """The uses of these rows, or all, in document order."""
        return (self._rows if self._twin is None else self._twin).uses(rows)

    def reference_of(self, use: Use) -> tuple[PlacesSource, Reference]:
        """The reference of a use, and the document that directly contains it."""
        document = self._document
        if self._found[0] != use.place:
            self._found = use.place, document.references_at(use.place)
        return innermost(document, self._found[1][use.within])

    def attributes(self, use: Use) -> Mapping[str, str]:
        """The attributes, as far as the core reads them, of the element with a reference."""
        owner, reference = self.reference_of(use)
        places = on_same_element(owner.parsed.places, reference.place)
        return {each.attribute: each.value for each in places if each.attribute is not None}

    def links(self) -> Iterator[list[Link]]:
        """All links, in document order, in batches. Raises `OutOfTimeError`."""
        if self._twin is not None:
            yield from map(self._marked, self._twin.links(self._shape()))
            return
        limit, made = self._document.limit, self._links()
        while some := list(islice(made, _SOME)) if limit is None else limit.within(list, islice(made, _SOME)):
            yield self._marked(some)

    def _links(self) -> Iterator[Link]:
        """All links, of rows that Python has read."""
        rows, settings, document = self.rows(), self._rows.settings, self._document
        known: dict[int, tuple[tuple[Any, ...], tuple[Any, ...]]] = {}
        for use in self._rows.uses():
            around = known.get(use.row)
            if around is None:
                row = rows[use.row]
                around = known[use.row] = self._around_position(row, row.text, settings[use.row])
            before, behind = around
            text = None
            if document.how.text and before[5] == "hyperlink":
                owner, reference = self.reference_of(use)
                text = owner.texts.get(owner.parsed.places[reference.place].tag)
            yield Link._make((*before, *self._where(use.place, use.start, use.end), *behind, text))

    def _where(self, place: int, start: int, end: int) -> tuple[Any, ...]:
        """Line, column and span of characters of a place."""
        parsed = self._document.parsed
        return (*parsed.locate(place, start), parsed.span(place, start, end))

    def _shape(self, rows: frozenset[int] | None = None) -> tuple[object, ...]:
        """What the twin makes links of (`LinkShape` in `_native/tables.h`): of all rows, or those for a rule."""
        assert self._twin is not None
        document, others = self._document, dict[int, tuple[object, ...]]()
        alone = rows is not None
        for row in self._twin.odd_rows():
            if rows is not None and row.number not in rows:
                continue
            setting, limit = self.setting(row), document.limit
            found = (
                self._resolved(row, row.text, setting, alone)
                if limit is None
                else limit.within(self._resolved, row, row.text, setting, alone)
            )
            others[row.number] = (*found, setting.resolver.base)
        shared = document.base, document.part_of.name, document.own.uri, document.part_of.date

        def problems(text: str, base: BaseName) -> tuple[object, ...]:
            return document.resolver_of("", None, base).problems_of_known(text)

        by_faults = document.how.profile != "rfc2396"
        return Link, shared, ({}, document.base_of), others, ({}, problems, differing, by_faults), self._where, ()

    def json(
        self,
        before: bytes,
        base: Callable[[Base], bytes | None],
        behind: bytes,
        written: Callable[[list[Link]], bytes],
        take: Callable[[bytearray], object],
    ) -> tuple[bytearray, int]:
        """All links as JSON, and their number. `take` gets the text in pieces of 1 MB, except for the last one, which
        is returned: usually that is all.

        `before` precedes the reference of each link, and `behind` follows its `rel`. `base`: returns what is between
        the target and the element of links with a base; None if that needs more. `written`: writes links that do.
        """
        if self._twin is not None and not self._document.part_of.others:
            return self._twin.json(before, base, behind, written, self._shape(), take)
        text, count = bytearray(), 0
        for links in self.links():
            if len(text) >= _PIECE:
                take(text)
                text = bytearray()
            text += written(links)
            count += len(links)
        return text, count

    # ---- values

    def values(self, folders: tuple[str, ...], names: Mapping[str, bool] | None) -> Values:
        """The texts that are whole values, and the places of all other references.

        `folders`: the paths of the base's folder, of its parent, and so on; empty if no target is found by them.
        `names`: those that fragments lead to; None if they lead elsewhere.
        """
        folders = folders[:LEVELS]
        if self._twin is None:
            return self._rows.values(folders, names)
        whole = bytes(setting.is_whole for setting in self._rows.settings)
        found, *columns = self._twin.texts(folders, names, None if self._carriers is None else whole)
        counts, numbers, places = (array("I", column) for column in columns)
        texts, targets, others = found
        return Values(texts, targets, sorted((*others, *self._twin.unread)), counts.tolist(), numbers, places)

    # ---- answers

    def decide(self, of_beginning: Decide, **how: bool) -> tuple[list[int] | None, int]:
        """Let the twin answer by what targets begin with; the numbers of the rows that are left; None: all.

        And how many references stay only because browsers read them differently.
        """
        return (None, 0) if self._twin is None else self._twin.decide(of_beginning, **how)

    def write(self, numbers: list[int] | None, answers: list[Answer]) -> None:
        """Set the answers with these numbers: of rows, and behind them of uses; None: of all uses.

        An answer is a text; None, the reference stays; False, it goes with its attribute; True, each use has its own.
        """
        (self._rows if self._twin is None else self._twin).write(numbers, answers)

    def written(self) -> Iterator[WrittenRow]:
        """What was answered: for each row, or each of its uses, if these have answers of their own."""
        columns = self._rows if self._twin is None else self._twin
        rows = {row.number: row for row in self.rows()}
        answers = dict(zip(rows, columns.answers(list(rows)), strict=True))
        for number, row in rows.items():
            if answers[number] is not True:
                yield WrittenRow(row, answers[number], row.uses)
        uses = list(self.uses([number for number, new in answers.items() if new is True]))
        of_uses = columns.answers([use.number for use in uses])
        yield from (WrittenRow(rows[use.row], new, 1) for use, new in zip(uses, of_uses, strict=True))

    def rewritten(self, *, splices: bool) -> Made:
        """The source with the answers in it. `splices`: also say what was replaced in its bytes."""
        if self._twin is None:
            return self._rewritten_by_core(splices=splices)
        changed, unfit = self._twin.fit()
        others, places = list[Splice[bytes]](), iter(unfit)
        while some := list(islice(places, _AT_ONCE)):
            document = self._document
            edits = [edit for place, answers in some for edit in self._rows.edits_of(document, place, answers, [])]
            others += document.parsed.byte_splices(edits) or ()
        others.sort(key=itemgetter(0))  # what a removed attribute takes along may be behind others
        replaced = self._twin.byte_splices(others) if splices else None
        return Made(self._twin.spliced(others), changed, replaced)

    def _rewritten_by_core(self, *, splices: bool) -> Made:
        document, inside = self._document, list[Reference]()
        parsed = document.parsed
        changed, edits = self._rows.edits(document, inside)
        replaced = parsed.byte_splices(edits) if splices else None
        content = parsed.apply(edits)
        left = [(each.place, each.start) for each in inside]
        left += parsed.refused
        refused = tuple(sorted(parsed.locate(place, start) for place, start in left))
        return Made(content, changed - len(refused), replaced, refused)
