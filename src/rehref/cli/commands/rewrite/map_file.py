"""`--map FILE`: the replacements of targets.

1. JSON: an object whose names are target URIs and whose values are their replacements.
2. CSV: two columns, target and replacement (`rehref.cli.two_column_csv` says what a header is).
3. A file is JSON if it begins with `{`. Both are UTF-8, with or without a byte order mark.
4. A target that ends in `*` is a prefix. Every other target must be a URI, since only URIs are looked up.
5. `rehref.rewriting.rules.mapping` says how targets are compared.
6. If two entries have the same target, or equivalent ones, and different replacements, the first counts, and one line
   reports it. If a target is written exactly like one of equivalent entries, that entry counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rehref.cli.two_column_csv import TableRow, in_one_line, read_text, rows
from rehref.files.file_errors import FileError
from rehref.rewriting.rules.mapping import entry_key
from rehref.uri.components import split
from rehref.uri.resolver import Profile

_SHAPE = 'write a JSON object, {"https://old.example/*": "https://new.example/*"}, or CSV with two columns'
_IN_FULL = "write absolute target URIs, or end them in *"


class MapFile(NamedTuple):
    """The replacements of targets; `note`: the line about entries that contradict each other, None if none do."""

    replacements: dict[str, str]
    note: str | None = None


def read_map(path: str, profile: Profile) -> MapFile:
    """Read the replacements of target URIs. Raises `FileError`. `profile`: how targets are compared."""
    if path.lstrip()[:1] == "{" and not Path(path).exists():
        raise FileError(f"--map {path}", "is a table, not the name of a file", "write it into a file, and name that")
    text = read_text(path)
    if text.lstrip()[:1] == "[":
        raise FileError(path, "is a JSON array, not an object", _SHAPE)
    is_json = text.lstrip()[:1] == "{"
    unit, entries = ("entry", _json(path, text)) if is_json else ("line", rows(path, text, _SHAPE))
    replacements: dict[str, str] = {}
    first: dict[tuple[bool, str], TableRow] = {}
    contradictions: list[str] = []
    for entry in entries:
        number, target, new = entry
        if not target.endswith("*") and split(target).scheme is None:
            raise FileError(path, f"{unit} {number}: {target!r} is not a URI", _IN_FULL)
        earlier = first.setdefault(entry_key(target, profile), entry)
        if earlier.second != new:
            what = f"{unit} {number}: {target!r} has another replacement in {unit} {earlier.line}"
            contradictions.append(what + _which_counts(target, earlier.first))
        replacements.setdefault(target, new)
    if not replacements and not is_json:
        raise FileError(path, "maps nothing", _SHAPE)
    return MapFile(replacements, in_one_line(path, contradictions))


def _which_counts(target: str, earlier: str) -> str:
    """Return which of two entries for equivalent targets counts (rule 6)."""
    if target == earlier:
        return "; the first counts"
    if target.endswith("*"):
        return f", as {earlier!r}; the first counts"
    return f", as {earlier!r}; each counts where it is written so, and the first elsewhere"


def _json(path: str, text: str) -> Iterator[TableRow]:
    try:
        # keep all names: a dict would lose repeated ones
        found = json.loads(text, object_pairs_hook=tuple)
    except json.JSONDecodeError as error:
        what = f"is not JSON: {error.msg.lower()} at {error.lineno}:{error.colno}"
        raise FileError(path, what, _SHAPE) from error
    except RecursionError:
        raise FileError(path, "is not a map: it is nested too deeply", _SHAPE) from None
    for number, (target, new) in enumerate(found, 1):
        if not isinstance(new, str):
            raise FileError(path, f"the value of {target!r} is not a text", _SHAPE)
        yield TableRow(number, target, new)
