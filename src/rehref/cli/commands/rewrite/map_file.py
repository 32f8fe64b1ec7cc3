"""`--map FILE`: what becomes of which target.

1. JSON: an object whose names are target URIs and whose values are what is to be written for them.
2. CSV: two columns, target and replacement (`rehref.cli.two_column_csv` says what a header is).
3. It is JSON if it begins with `{`. Either is UTF-8, with or without a byte order mark.
4. A target that ends in `*` is a prefix. Every other one must be a URI, for nothing else is ever looked up.
5. How targets are compared is in `rehref.rewriting.rules.mapping_table`.
6. Where two entries have the same target, or equivalent ones, and different replacements, the first counts, and one
   line says so; but where a target is written exactly like one of equivalent entries, that entry does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rehref.cli.two_column_csv import in_one_line, read_text, rows
from rehref.files.file_errors import FileError
from rehref.rewriting.rules.mapping_table import entry_key
from rehref.uri.components import split
from rehref.uri.resolver import Profile

_SHAPE = 'write a JSON object, {"https://old.example/*": "https://new.example/*"}, or CSV with two columns'
_IN_FULL = "write target URIs in full, or end them in *"


class MapFile(NamedTuple):
    """What becomes of which target; `note`: what to say of entries that contradict each other, None if none do."""

    replacements: dict[str, str]
    note: str | None = None


class _Entry(NamedTuple):
    """An entry of the file; `where`: `line 2`, for people."""

    where: str
    target: str
    new: str


def read_map(path: str, profile: Profile = "rfc3986") -> MapFile:
    """Read a map: target URI to replacement. Raises `FileError`. `profile`: how targets are compared."""
    text = read_text(path)
    if text.lstrip()[:1] == "{":
        return _map_of(path, _json(path, text), profile)
    found = _map_of(path, _csv(path, text), profile)
    if not found.replacements:
        raise FileError(path, "maps nothing", _SHAPE)
    return found


def _map_of(path: str, entries: Iterable[_Entry], profile: Profile) -> MapFile:
    """The map of entries; of those for the same target the first counts (rule 6)."""
    found: dict[str, str] = {}
    first: dict[tuple[bool, str], _Entry] = {}
    contradictions: list[str] = []
    for entry in entries:
        earlier = first.setdefault(entry_key(entry.target, profile), entry)
        if earlier.new != entry.new:
            what = f"{entry.where}: {entry.target!r} has another replacement in {earlier.where}"
            if entry.target == earlier.target:
                what += "; the first counts"
            elif entry.target.endswith("*"):
                what += f", as {earlier.target!r}; the first counts"
            else:
                what += f", as {earlier.target!r}; each counts where it is written so, and the first elsewhere"
            contradictions.append(what)
        found.setdefault(entry.target, entry.new)
    return MapFile(found, in_one_line(path, contradictions))


def _json(path: str, text: str) -> Iterator[_Entry]:
    try:
        # all the names there are: a dict would lose those that are there twice
        found = json.loads(text, object_pairs_hook=tuple)
    except json.JSONDecodeError as error:
        raise FileError(
            path, f"is not JSON: {error.msg}, line {error.lineno}, column {error.colno}", "correct it"
        ) from error
    except RecursionError:
        raise FileError(path, "is not a map: it is nested too deeply", _SHAPE) from None
    for number, (target, new) in enumerate(found, 1):
        if not isinstance(new, str):
            raise FileError(path, f"the value of {target!r} is not a text", _SHAPE)
        if not _is_target(target):
            raise FileError(path, f"{target!r} is not a URI", _IN_FULL)
        yield _Entry(f"entry {number}", target, new)


def _csv(path: str, text: str) -> Iterator[_Entry]:
    for row in rows(path, text, _SHAPE):
        if not _is_target(row.first):
            raise FileError(path, f"line {row.line}: {row.first!r} is not a URI", _IN_FULL)
        yield _Entry(f"line {row.line}", row.first, row.second)


def _is_target(text: str) -> bool:
    return text.endswith("*") or split(text).scheme is not None
