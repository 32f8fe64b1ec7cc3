"""The types of the values that a program gives for the options of `rehref.check`.

1. A value of a wrong type, which only a program can give, is a TypeError that names the option and says what is wanted.
   It is raised before any file is read.
2. A sequence of texts is never a single text, except where the command line separates texts by commas.
3. A message does not show a secret value.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from types import UnionType
from typing import Any, Final

from rehref.checking.option_table import ROWS
from rehref.option_errors import OptionError, refuse_no_flags
from rehref.option_rows import Kind, Option
from rehref.options import refuse_other_value
from rehref.text.nearest import nearest


def refuse_unknown_names(given: Mapping[str, object]) -> None:
    """Raise `TypeError` for a name that no option has."""
    for name in given:
        if name not in ROWS:
            near = nearest(name, ROWS)
            known = f"there are {', '.join(ROWS)}" if near is None else f"did you mean {near}?"
            raise TypeError(f"unknown argument {name!r}; {known}")


def refuse_other_types(given: Mapping[str, Any]) -> None:
    """Raise TypeError for a value of the wrong type, ValueError for one that is not among the choices.

    `given`: options by name.
    """
    for name, value in given.items():
        row = ROWS[name]
        if row.kind in _REFUSING:
            _REFUSING[row.kind](row, value)
        if row.choices:
            _refuse_others(row, value)


def refuse_no_path(option: str, path: object) -> None:
    """Raise TypeError for what is not a path, `OptionError` for a text that cannot be one."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{option} is a path, not {type(path).__name__}")
    try:
        is_usable = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_usable = False
    if not is_usable:
        raise OptionError(option, f"{os.fspath(path)!r} cannot be the name of a file or folder", "correct it")


def _refuse_no_flag(row: Option, value: object) -> None:
    refuse_no_flags(**{row.name: value})


def _refuse_no_number(row: Option, value: object) -> None:
    refuse_other_value(row.name, value)


def _refuse_no_text(row: Option, value: object) -> None:
    if not isinstance(value, str | None):
        raise TypeError(f"{row.name} is a str, not {type(value).__name__}")


def _refuse_no_folder(row: Option, value: object) -> None:
    if not isinstance(value, str | os.PathLike | None):
        raise TypeError(f"{row.name} is the path of a folder, not {type(value).__name__}")


def _refuse_no_file(row: Option, value: object) -> None:
    if not isinstance(value, str | os.PathLike | None):
        raise TypeError(f"{row.name} must be the path of a file, not {type(value).__name__}")


def _refuse_no_statuses(row: Option, value: object) -> None:
    if not _are(value, str | int) and not isinstance(value, str | int):
        raise TypeError(f"{row.name} must be statuses, such as 404 or ['200..=299', 403], not {value!r}")


def _refuse_no_texts(row: Option, value: object) -> None:
    if isinstance(value, str | bytes):
        shown = "[…]" if row.is_secret else f"[{value!r}]"
        raise TypeError(f"{row.name} is a sequence of texts, such as {shown}")
    if not _are(value, str):
        shown = type(value).__name__ if row.is_secret else repr(value)
        raise TypeError(f"{row.name} is a sequence of texts, and not {shown}")


def _refuse_not_separated(row: Option, value: object) -> None:
    if not isinstance(value, str | None) and not _are(value, str):
        what = f"{row.name} is a sequence of texts, such as [{row.example!r}], or one text with commas between them"
        raise TypeError(f"{what}, not {value!r:.80}")


def _refuse_no_codes_of_paths(row: Option, value: object) -> None:
    if not isinstance(value, Mapping) or not all(
        isinstance(glob, str) and (isinstance(names, str) or _are(names, str)) for glob, names in value.items()
    ):
        raise TypeError(f"{row.name} is a mapping from globs to codes, such as {{'drafts/**': ['missing-file']}}")


def _refuse_others(row: Option, given: Any) -> None:
    """Raise `OptionError` for values that are not among the choices; None is allowed."""
    for one in [given] if isinstance(given, str) else given or ():
        if one not in row.choices:
            raise OptionError(row.name, f"there is no {one!r}", f"there are {', '.join(row.choices)}")


def _refuse_no_jobs(row: Option, value: object) -> None:
    if not isinstance(value, int | None) or isinstance(value, bool):
        raise TypeError(f"{row.name} is a number of processes, not {type(value).__name__}")
    if value is not None and value < 1:
        raise OptionError(row.name, f"{value} is not a number of processes", "give a whole number, 1 or more")


def _refuse_no_call(row: Option, value: object) -> None:
    if value is not None and not callable(value):
        raise TypeError(f"{row.name} is a function of two numbers, not {type(value).__name__}")


def _are(values: Any, types: type | UnionType) -> bool:
    return (
        isinstance(values, Collection)
        and not isinstance(values, str | bytes)
        and all(isinstance(value, types) for value in values)
    )


_REFUSING: Final[Mapping[Kind | None, Callable[[Option, Any], None]]] = {
    "flag": _refuse_no_flag,
    "seconds": _refuse_no_number,
    "text": _refuse_no_text,
    "texts": _refuse_no_texts,
    "codes": _refuse_no_texts,
    "separated": _refuse_not_separated,
    "statuses": _refuse_no_statuses,
    "file": _refuse_no_file,
    "folder": _refuse_no_folder,
    "codes of paths": _refuse_no_codes_of_paths,
    "jobs": _refuse_no_jobs,
    "call": _refuse_no_call,
}
"""What refuses a value, by what an option takes."""
