"""The outcome of a piece of work on a collection, as values that a manifest can store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, NamedTuple

from rehref.files.file_errors import FileError, fault
from rehref.rewriting.containers import Counts


@dataclass(frozen=True, slots=True)
class Outcome:
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
    def of(cls, counts: Counts, notes: Iterable[str], errors: Iterable[FileError], others: int = 0) -> Outcome:
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
    def of_object(cls, found: Mapping[str, Any]) -> Outcome | None:
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


def failure(name: str, error: Exception) -> FileError:
    """The error that is reported for a file that failed."""
    if isinstance(error, FileError):
        return error
    if isinstance(error, MemoryError):
        return FileError(name, "there is not enough memory for it", "try --jobs 1")
    return FileError(name, fault(error))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _is_error(value: Any) -> bool:
    return _are_texts(value) and len(value) == 3


def together(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcomes of several pieces as one."""
    columns = zip(*([getattr(each, field.name) for field in fields(Outcome)] for each in outcomes), strict=True)
    return Outcome(*(sum(column[1:], column[0]) for column in columns))


class Progress(NamedTuple):
    """A finished piece: its outcome, the bytes done, the bytes in all, and whether this run did it.

    `outcome`: None for the first `Progress`, when nothing is done, and for a piece of a file before its last one.
    `name`: of the file, "" if there are several.
    """

    outcome: Outcome | None
    done: int
    total: int
    is_new: bool
    name: str = ""
