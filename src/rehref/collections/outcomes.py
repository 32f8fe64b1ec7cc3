"""The outcome of a piece of work on a collection, as values that a manifest can store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, NamedTuple

from rehref.files.file_errors import FileError
from rehref.rewriting.containers import Counts


@dataclass(frozen=True, slots=True)
class PieceOutcome:
    """The counts of `rehref.rewriting.containers.Counts`, notes, and errors with the fields of `FileError`.

    `others`: how many files are not documents.
    """

    documents: int = 0
    references: int = 0
    changed: int = 0
    changed_documents: int = 0
    otherwise: int = 0
    withheld: int = 0
    missing: int = 0
    others: int = 0
    notes: tuple[str, ...] = ()
    errors: tuple[tuple[str, str, str], ...] = ()

    @classmethod
    def of(cls, counts: Counts, notes: Iterable[str], errors: Iterable[FileError], others: int = 0) -> PieceOutcome:
        """The outcome with these counts, notes and errors."""
        numbers = {each.name: getattr(counts, each.name) for each in fields(counts)}
        failed = tuple((each.file, each.what, each.remedy) for each in errors)
        return cls(**numbers, others=others, notes=tuple(notes), errors=failed)

    @property
    def file_errors(self) -> list[FileError]:
        """The errors as `FileError`."""
        return [FileError(*error) for error in self.errors]

    def as_object(self) -> dict[str, Any]:
        """The fields that differ from their defaults, for JSON."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}

    @classmethod
    def of_object(cls, found: Mapping[str, Any]) -> PieceOutcome | None:
        """The outcome that a JSON object describes; None if it does not describe one."""
        values: dict[str, Any] = {}
        for each in fields(cls):
            assert each.default is not MISSING
            value = found.get(each.name, each.default)
            if each.name == "errors":
                value = (
                    tuple(map(tuple, value)) if isinstance(value, list | tuple) and all(map(_is_error, value)) else None
                )
            elif each.name == "notes":
                value = tuple(value) if _are_texts(value) else None
            elif type(value) is not int:
                value = None
            if value is None:
                return None
            values[each.name] = value
        return cls(**values)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _is_error(value: Any) -> bool:
    return _are_texts(value) and len(value) == 3


def together(outcomes: Iterable[PieceOutcome]) -> PieceOutcome:
    """The outcomes of several pieces as one."""
    columns = zip(*([getattr(each, field.name) for field in fields(PieceOutcome)] for each in outcomes), strict=True)
    return PieceOutcome(*(sum(column[1:], column[0]) for column in columns))


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
