"""The outcome of a piece of work on a collection, as values that a manifest can store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from rehref.files.file_errors import FileError
from rehref.rewriting.containers import RewriteCounts
from rehref.rewriting.link_properties import PLACES

_COUNTS: Final = tuple(each.name for each in fields(RewriteCounts))


@dataclass(frozen=True, slots=True)
class PieceOutcome:
    """The counts of a piece, how many of its files are not documents (`others`), notes, and errors with the fields of
    `FileError`; `places`: the first places that browsers read differently. Its counts must not be changed.
    """

    counts: RewriteCounts = field(default_factory=RewriteCounts)
    others: int = 0
    notes: tuple[str, ...] = ()
    errors: tuple[tuple[str, str, str], ...] = ()
    places: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        counts: RewriteCounts,
        notes: Iterable[str],
        errors: Iterable[FileError],
        others: int = 0,
        places: tuple[str, ...] = (),
    ) -> PieceOutcome:
        """The outcome with these counts, notes and errors."""
        fields_of_errors = tuple((each.file, each.what, each.remedy) for each in errors)
        return cls(counts, others, tuple(notes), fields_of_errors, places)

    @property
    def file_errors(self) -> list[FileError]:
        """The errors as `FileError`."""
        return [FileError(*error) for error in self.errors]

    def as_object(self) -> dict[str, Any]:
        """What there is of it, for JSON: each count by its name, and the other fields."""
        numbers = {name: getattr(self.counts, name) for name in _COUNTS}
        whole = {**numbers, "others": self.others, "notes": self.notes, "errors": self.errors, "places": self.places}
        return {name: value for name, value in whole.items() if value}

    @classmethod
    def of_object(cls, found: Mapping[str, Any]) -> PieceOutcome | None:
        """The outcome that a JSON object describes; None if it does not describe one."""
        numbers = {name: found.get(name, 0) for name in (*_COUNTS, "others")}
        notes, errors, places = found.get("notes", ()), found.get("errors", ()), found.get("places", ())
        if any(type(number) is not int for number in numbers.values()) or not _are_texts(notes):
            return None
        if not _are_texts(places):
            return None
        if not isinstance(errors, list | tuple) or not all(map(_is_error, errors)):
            return None
        others = numbers.pop("others")
        return cls(RewriteCounts(**numbers), others, tuple(notes), tuple(map(tuple, errors)), tuple(places))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _is_error(value: Any) -> bool:
    return _are_texts(value) and len(value) == 3


def together(outcomes: Sequence[PieceOutcome]) -> PieceOutcome:
    """The outcomes of several pieces as one."""
    return PieceOutcome(
        RewriteCounts(*(sum(getattr(each.counts, name) for each in outcomes) for name in _COUNTS)),
        sum(each.others for each in outcomes),
        tuple(note for each in outcomes for note in each.notes),
        tuple(error for each in outcomes for error in each.errors),
        tuple(place for each in outcomes for place in each.places)[:PLACES],
    )


class PieceDone(NamedTuple):
    """A finished piece: its outcome, the bytes done, the bytes in all, and whether this run did it.

    `outcome`: None for the first `PieceDone`, when nothing is done, and for a piece of a file before its last one.
    `name`: of the file, "" if there are several.
    """

    outcome: PieceOutcome | None
    done: int
    total: int
    is_new: bool
    name: str = ""
