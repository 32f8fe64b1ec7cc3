"""The types of the values that a program gives for the options of `rehref.check`.

A value of a wrong type, which only a program can give, is a TypeError that names the option and says what is wanted. It
is raised before any file is read. A sequence of texts is never a single text, except where the command line separates
texts by commas. A message does not show a secret value.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from types import UnionType
from typing import Any

from rehref.documents.options import SourceOptions
from rehref.exceptions import OptionError, nearest, refuse_no_flags
from rehref.option_rows import Option
from rehref.site.check_options import ROWS


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
        row, shown = ROWS[name], type(value).__name__
        if row.kind == "flag":
            refuse_no_flags(**{name: value})
        elif row.kind == "seconds":
            SourceOptions.of({name: value})  # a row for reading
        elif row.kind in ("texts", "codes"):
            _refuse_no_texts(row, value)
        elif row.kind == "jobs":
            _refuse_no_jobs(row, value)
        elif row.kind == "text" and not isinstance(value, str | None):
            raise TypeError(f"{name} is a str, not {shown}")
        elif row.kind == "folder" and not isinstance(value, str | os.PathLike | None):
            raise TypeError(f"{name} is the path of a folder, not {shown}")
        elif row.kind == "file" and not isinstance(value, str | os.PathLike | None):
            raise TypeError(f"{name} must be the path of a file, not {shown}")
        elif row.kind == "statuses" and not _are(value, str | int) and not isinstance(value, str | int):
            raise TypeError(f"{name} must be statuses, such as 404 or ['200..=299', 403], not {value!r}")
        elif row.kind == "separated" and not isinstance(value, str | None) and not _are(value, str):
            what = f"{name} is a sequence of texts, such as [{row.example!r}], or one text with commas between them"
            raise TypeError(f"{what}, not {value!r:.80}")
        elif row.kind == "codes of paths" and not _are_codes_of_paths(value):
            raise TypeError(f"{name} is a mapping from globs to codes, such as {{'drafts/**': ['missing-file']}}")
        elif row.kind == "rules" and (isinstance(value, Mapping) or not _are(value, Mapping | str)):
            raise TypeError(f"{name} is a sequence of tables, such as [{{'targets': 'x', 'severity': 'ignore'}}]")
        elif row.kind == "call" and value is not None and not callable(value):
            raise TypeError(f"{name} is a function of two numbers, not {shown}")
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


def _refuse_no_texts(row: Option, value: object) -> None:
    if isinstance(value, str | bytes):
        shown = "[…]" if row.is_secret else f"[{value!r}]"
        raise TypeError(f"{row.name} is a sequence of texts, such as {shown}")
    if not _are(value, str):
        shown = type(value).__name__ if row.is_secret else repr(value)
        raise TypeError(f"{row.name} is a sequence of texts, and not {shown}")


def _are_codes_of_paths(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(glob, str) and (isinstance(names, str) or _are(names, str)) for glob, names in value.items()
    )


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


def _are(values: Any, types: type | UnionType) -> bool:
    return (
        isinstance(values, Collection)
        and not isinstance(values, str | bytes)
        and all(isinstance(value, types) for value in values)
    )
