"""What comes of a piece of work on a collection, as values that a manifest can keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, NamedTuple

from rehref.files.file_errors import FileError, fault
from rehref.rewriting.containers import Counts


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts (those of `rehref.rewriting.containers.Counts`), what is reported, and what failed, as `FileError` has it.

    `others`: files that are not documents.
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
        """An outcome of what was counted, reported and failed."""
        numbers = {each.name: getattr(counts, each.name) for each in fields(counts)}
        failed = tuple((each.file, each.what, each.remedy) for each in errors)
        return cls(**numbers, others=others, notes=tuple(notes), errors=failed)

    @property
    def file_errors(self) -> list[FileError]:
        """What failed."""
        return [FileError(*error) for error in self.errors]

    def as_object(self) -> dict[str, Any]:
        """The fields that are not as they are by default, for JSON."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}

    @classmethod
    def of_object(cls, found: Mapping[str, Any]) -> Outcome | None:
        """An outcome read from JSON; None if the object is not one."""
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
    """What is reported of a file that failed."""
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
    """What came of several pieces, as of one."""
    columns = zip(*([getattr(each, field.name) for field in fields(Outcome)] for each in outcomes), strict=True)
    return Outcome(*(sum(column[1:], column[0]) for column in columns))


class Progress(NamedTuple):
    """A piece that is done: what is to be reported, bytes done, of how many, and whether it was done now.

    `outcome`: of a file in several pieces, None until the last one; None of the first `Progress`, of which nothing is
    done. `name`: the file's, "" if there are several.
    """

    outcome: Outcome | None
    done: int
    total: int
    is_new: bool
    name: str = ""
