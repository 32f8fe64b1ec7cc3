"""The references of places, as Python finds them, in the columns of a table: the plain twin of `_native/tables.c`.

A row is a distinct text in a class in a setting: what a reference means follows from its row. A use is one reference.
Here the position of a use is characters of its place's decoded value.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, compress
from operator import not_
from typing import NamedTuple

from rehref.documents._bases.bound_resolver import BoundResolver
from rehref.documents._formats.html_carriers import ASK, DECIDES, KIND_OF_ONE, NOTHING, ODD
from rehref.documents._table.place_edits import changes, edit_of, edits_of
from rehref.documents.link import Answer, PlacesSource, Reference, ReferenceRow, RowSetting, Use, Values, innermost
from rehref.markup.places import Edit, Place
from rehref.markup.twin_exchange import DocumentCarriers
from rehref.text import WHITE_SPACE

_NO_REFERENCE = frozenset({NOTHING, DECIDES})
_END = Use(-1, -1, -1, -1, -1, -1)


class RowClass(NamedTuple):
    """What carries references. `place`: the first place that does."""

    element: str
    attribute: str | None
    kind: str
    rel: str | None
    place: int


class CarriedCodes(dict[tuple[str, str, "str | None"], int]):
    """What places carry, by namespace, element and attribute; `ODD` if names do not decide it."""

    def __init__(self, carriers: DocumentCarriers | None) -> None:
        super().__init__()
        self._carriers = carriers

    def __missing__(self, names: tuple[str, str, str | None]) -> int:
        is_odd = self._carriers is None or names[1] == "#comment"
        code = self[names] = ODD if is_odd or self._carriers is None else self._carriers.carries(*names)
        return code

    def of_place(self, document: PlacesSource, number: int, place: Place) -> int:
        """What a place carries, also if other attributes of its element decide."""
        code = self[place.namespace, place.element, place.attribute]
        return code if code != ASK or self._carriers is None else self._carriers.carried(document.parsed, number)


class PythonRows:
    """The columns. `classes`; `texts`: of each row, with the number of its class; `settings`: of each row."""

    def __init__(self) -> None:
        self.classes: list[RowClass] = []
        self.texts: list[tuple[str, int]] = []
        self.settings: list[RowSetting] = []
        self._counts: list[int] = []  # of the uses of each row
        self._uses = array("I")  # of each use: place, row, from, to
        self._answers: dict[int, Answer] = {}  # of rows, and behind them of uses

    def __len__(self) -> int:
        """The number of references."""
        return len(self._uses) // 4

    @property
    def uses_as_bytes(self) -> bytes:
        """Of each use, in document order, place, row, from, to (characters): 32 bits each."""
        return self._uses.tobytes()

    def rows_relative_to(self, resolver: BoundResolver) -> list[tuple[str, int, bool]]:
        """The rows: text, class, and whether a resolver says all of them. Of a `link`, rules may want to know `as`."""
        usual = [each.element != "link" for each in self.classes]
        return [
            (text, of_class, usual[of_class] and each.resolver is resolver and not each.notes and each.base_place == -1)
            for (text, of_class), each in zip(self.texts, self.settings, strict=True)
        ]

    def read(self, document: PlacesSource, places: Sequence[int], carriers: DocumentCarriers | None) -> None:
        """Read the references of places. `carriers`: see `Table`. Raises `OutOfTimeError`."""
        reading = self._reading(document, places, carriers)
        if document.limit is None:
            for _ in reading:
                pass
        else:
            while document.limit.within(next, reading, True) is None:
                pass

    def _reading(
        self, document: PlacesSource, places: Sequence[int], carriers: DocumentCarriers | None
    ) -> Iterator[None]:
        """Read places; the time is looked at before each that may have more than one reference."""
        all_places, find, used = document.parsed.places, document.references_at, list[int]()
        last = len(all_places) - 1
        codes, usual = CarriedCodes(carriers), RowSetting(document, document.resolver, is_whole=True)
        is_own = document.base is document.own  # else an empty text may be relative to another base
        classes: dict[tuple[object, ...], int] = {}
        rows: dict[tuple[object, ...], int] = {}
        wholes: dict[tuple[object, ...], tuple[int, dict[str, int]]] = {}  # class, and rows by their texts

        def class_of(place: Place, kind: str, rel: str | None, number: int) -> int:
            names = place.element, place.attribute, kind, rel
            known = classes.setdefault(names, len(classes))
            if known == len(self.classes):
                self.classes.append(RowClass(*names, number))
            return known

        def add(text: str, of_class: int, setting: RowSetting) -> None:
            self.texts.append((text, of_class))
            self.settings.append(setting)
            self._counts.append(0)

        for number in places:
            place = all_places[number]
            code = codes.of_place(document, number, place)
            if code in _NO_REFERENCE:
                continue
            kind, text = KIND_OF_ONE.get(code), place.value.strip(WHITE_SPACE)
            if kind is not None and (text != "" or (is_own and place.attribute is not None)):
                is_first = all_places[number - 1].tag != place.tag
                is_alone = is_first and (number == last or all_places[number + 1].tag != place.tag)
                rel = None if is_alone and place.attribute != "rel" else document.rel_at(number, place.element)
                names = place.element, place.attribute, kind, rel
                whole = wholes.get(names)
                if whole is None:
                    whole = wholes[names] = class_of(place, kind, rel, number), {}
                of_class, rows_of_texts = whole
                row = rows_of_texts.get(text)
                if row is None:
                    row = rows_of_texts[text] = len(self.texts)
                    add(text, of_class, usual)
                self._counts[row] += 1
                start = place.value.find(text)
                used += number, row, start, start + len(text)
                continue
            yield
            for reference in find(number):
                owner, inmost, place = document, reference, all_places[number]
                if reference.inner is not None:
                    owner, inmost = innermost(document, reference)
                    place = owner.parsed.places[inmost.place]
                _, _, _, text, form, syntax, kind, resolver, _, notes, _ = inmost
                of_class = class_of(place, kind, owner.rel_at(inmost.place, place.element), number)
                base_place = inmost.place if kind == "base" and _has_own_row(owner, place, inmost.place) else -1
                resolver = resolver or owner.resolver
                key = text, of_class, id(owner), id(resolver), notes, syntax, form, base_place
                row = rows.setdefault(key, len(self.texts))
                if row == len(self.texts):
                    is_inner = reference.inner is not None
                    add(text, of_class, RowSetting(owner, resolver, notes, syntax, form, base_place, is_inner))
                self._counts[row] += 1
                used += number, row, reference.start, reference.end
        self._uses.extend(used)

    def values(self, folders: tuple[str, ...], names: Mapping[str, bool] | None) -> Values:
        """The texts that are whole values, and the places of all other references (`Table.values`)."""
        from rehref.documents._table.values import targets_of  # only the checker asks

        known = dict[str, int]()
        numbers = [
            known.setdefault(text, len(known)) if setting.is_whole else -1
            for (text, _), setting in zip(self.texts, self.settings, strict=True)
        ]
        found = Values(list(known), list(targets_of(known, folders, names)), counts=[0] * len(known))
        for number, count in zip(numbers, self._counts, strict=True):
            if number != -1:
                found.counts[number] += count
        places, of_uses = self._uses[::4], [numbers[row] for row in self._uses[1::4]]
        is_whole = [number != -1 for number in of_uses]
        found.numbers.extend(compress(of_uses, is_whole))
        found.places.extend(compress(places, is_whole))
        found.others += dict.fromkeys(compress(places, map(not_, is_whole)))
        return found

    def rows(self, numbers: list[int] | None = None) -> list[ReferenceRow]:
        """The rows with these numbers, or all."""
        found = []
        for number in range(len(self.texts)) if numbers is None else numbers:
            text, of_class = self.texts[number]
            element, attribute, kind, rel, place = self.classes[of_class]
            count = self._counts[number]
            found.append(ReferenceRow(text, None, False, element, attribute, kind, rel, number, count, place, -1))
        return found

    def uses(self, rows: list[int] | None = None) -> Iterator[Use]:
        """The uses of these rows, or all, in document order."""
        wanted, last, within, first = rows if rows is None else set(rows), -1, 0, len(self.texts)
        numbers = iter(self._uses)
        for at, (place, row, start, end) in enumerate(zip(numbers, numbers, numbers, numbers, strict=True)):
            within, last = within + 1 if place == last else 0, place
            if wanted is None or row in wanted:
                yield Use(first + at, row, place, within, start, end)

    def write(self, numbers: list[int] | None, answers: Sequence[Answer]) -> None:
        """Set the answers with these numbers; None: those of all uses."""
        rows = len(self.texts)
        if numbers is None:
            self._answers = dict.fromkeys(range(rows), True)
            numbers = list(range(rows, rows + len(self)))
        self._answers.update(zip(numbers, answers, strict=True))

    def answers(self, numbers: list[int]) -> list[Answer]:
        """The answers with these numbers."""
        return list(map(self._answers.get, numbers))

    def _answer(self, use: Use) -> Answer:
        answer = self._answers.get(use.row)
        return self._answers.get(use.number) if answer is True else answer

    def edits(self, document: PlacesSource, refused: list[Reference]) -> tuple[int, list[Edit]]:
        """How many references change, and the edits of all places, in order. `refused`: see `edits_of`."""
        changed, last, edits, inside = 0, -1, list[Edit](), list[Answer]()
        for use in chain(self.uses(), (_END,)):
            if inside and use.place != last:
                edits += edits_of(document.references_at(last), inside, refused)
                inside = []
            if use is _END:
                break
            last, answer = use.place, self._answer(use)
            text, setting = self.texts[use.row][0], self.settings[use.row]
            is_change = answer is not None and changes(text, answer)
            changed += is_change
            if setting.is_inner:
                inside.append(answer)
            elif is_change:
                edits.append(edit_of(last, use.start, use.end, text, answer, setting.syntax, setting.form))
        return changed, edits

    def edits_of(
        self, document: PlacesSource, place: int, answers: Sequence[Answer], refused: list[Reference]
    ) -> list[Edit]:
        """The edits of one place, for the answers about all its references, in whatever way it was read."""
        first, last = self._extents.get(place, (0, 0))
        rows = self._uses[4 * first + 1 : 4 * last : 4]
        if first == last or self.settings[rows[0]].is_inner:
            return edits_of(document.references_at(place), answers, refused)
        edits = []
        for at, row, answer in zip(range(first, last), rows, answers, strict=True):
            text, setting = self.texts[row][0], self.settings[row]
            if changes(text, answer):
                start, end = self._uses[4 * at + 2 : 4 * at + 4]
                edits.append(edit_of(place, start, end, text, answer, setting.syntax, setting.form))
        return edits

    @cached_property
    def _extents(self) -> dict[int, tuple[int, int]]:
        """The first and the last (exclusive) use of each place."""
        found: dict[int, tuple[int, int]] = {}
        for at, place in enumerate(self._uses[::4]):
            found[place] = found.get(place, (at,))[0], at + 1
        return found


def _has_own_row(document: PlacesSource, place: Place, number: int) -> bool:
    """Whether more than its text says what the name of a base means: its place may have problems."""
    if place.attribute == "xml:base":
        return number in document.noticed
    return place.attribute != "codebase"
