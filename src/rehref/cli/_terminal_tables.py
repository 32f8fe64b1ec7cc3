"""Tables that options name: CSV with two columns, `--urls TABLE`, `--map FILE`; also CDXJ, and JSON.

If two rows contradict each other, the first counts; one line reports this, with the number of the later row. All files
are UTF-8, with or without a byte order mark.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rehref.files.discovery import Discovered, is_container_name
from rehref.files.file_documents import FileDocument, with_uris
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file
from rehref.reports.terminal import count
from rehref.rewriting.mapping import entry_key
from rehref.uri.components import split
from rehref.uri.resolver import Profile

_LIKE_A_PATH = re.compile(r"\S*(?:[/*]|[^\s.:][.:]\w)\S*").fullmatch


class TableRow(NamedTuple):
    """A row: the number of its last line, from 1, and its cells."""

    line: int
    first: str
    second: str


def read_text(name: str) -> str:
    """Return the text of a table's file, which is UTF-8. Raises `FileError`."""
    try:
        return read_file(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(name, f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from error


def rows(name: str, text: str, shape: str, is_entry: Callable[[str], bool] = lambda _: False) -> Iterator[TableRow]:
    """Yield the rows except a header; empty lines do not count. Raises `FileError`.

    The first row is a header if neither of its cells is an entry: a URI, or a text that looks like a path (no white
    space, and a slash, `*`, or a dot or colon within a name). A first row that is not one is read like any other, so
    that its errors are reported. `name`: the name of the file; `shape`: for people, how to write the table; `is_entry`:
    finds other entries, such as the files there are.
    """
    read = csv.reader(text.splitlines(keepends=True), strict=True)
    first = True
    try:
        for row in read:
            if not row:
                continue
            if len(row) != 2:
                raise FileError(name, f"line {read.line_num}: two columns are needed, not {len(row)}", shape)
            if not first or any(split(cell).scheme is not None or _LIKE_A_PATH(cell) or is_entry(cell) for cell in row):
                yield TableRow(read.line_num, row[0], row[1])
            first = False
    except csv.Error as error:
        raise FileError(name, f"is not CSV: line {read.line_num}: {error}", shape) from error


def contradicted(name: str, contradictions: list[str]) -> str | None:
    """The line about rows that contradict earlier ones; None if there are none."""
    if not contradictions:
        return None
    more = f" (and {len(contradictions) - 1:,} more like it)" if len(contradictions) > 1 else ""
    return f"{name}: {contradictions[0]}{more}"


_URLS_SHAPE = "write CSV with two columns, path and URI, or CDXJ with url and filename"
_CDXJ = re.compile(r"\S+ \S+ (\{.*\})\s*\Z").match


def with_urls(discovered: Discovered, table: str, sources: Sequence[str]) -> tuple[Discovered, list[str]]:
    """The documents with the URIs of a table, and the lines to print. Raises `FileError`.

    A row takes precedence over `--url`. Files without a row are treated as without the table. One line counts these
    files, and the rows for files that do not exist.
    """
    uris, contradiction = _read(table, sources)
    found = with_uris(discovered.found, lambda document: uris.get(document.relative, document.url))
    is_there = _is_file_of(sources)
    lost = sum(not is_there(path) for path in uris)
    without = sum(isinstance(each, FileDocument) and each.relative not in uris for each in found)
    counted = []
    if lost:
        counted.append(f"{count(lost, 'row')} {'names' if lost == 1 else 'name'} no existing file")
    if without:
        counted.append(f"{count(without, 'document')} {'has' if without == 1 else 'have'} no row")
    notes = [contradiction] if contradiction is not None else []
    if counted:
        notes.append(f"{table}: {'; '.join(counted)}")
    return replace(discovered, found=found), notes


def urls_of(table: str | None, sources: Sequence[str]) -> Mapping[str, str]:
    """Return the URIs of files by their paths, if a table is given. Raises `FileError`."""
    return {} if table is None else _read(table, sources)[0]


def _read(name: str, sources: Sequence[str]) -> tuple[dict[str, str], str | None]:
    """The URIs of a table by paths, and the line about contradicting rows. `sources`: those of the files.

    It is CDXJ if its first line, apart from empty lines and headers of CDXJ (`!meta`), ends in a JSON object.
    """
    text = read_text(name)
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("!")), "")
    is_cdxj = _CDXJ(first) is not None
    uris: dict[str, str] = {}
    lines: dict[str, int] = {}
    contradictions: list[str] = []
    for line, written, uri in _cdxj(name, text) if is_cdxj else rows(name, text, _URLS_SHAPE, _is_file_of(sources)):
        if split(uri).scheme is None:
            raise FileError(name, f"line {line}: {uri!r} is not a URI with a scheme", "write absolute URIs")
        path = written.removeprefix("./")
        if is_cdxj or path not in uris:
            uris[path], lines[path] = uri, line
        elif uris[path] != uri:
            contradictions.append(f"line {line}: {path} has another URI in line {lines[path]}; the first counts")
    if not uris:
        raise FileError(name, "names no file", _URLS_SHAPE)
    return uris, contradicted(name, contradictions)


def _is_file_of(sources: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path names a file of the sources.

    Paths have slashes, and are relative to the folder that is the source, or to the folder of a file that is the
    source. A `./` before them does not count.
    """
    folders = [path if path.is_dir() else path.parent for path in map(Path, sources)]

    def is_there(path: str) -> bool:
        try:
            return any((folder / path).is_file() for folder in folders)
        except (OSError, ValueError):  # cannot be the name of a file
            return False

    return is_there


def _cdxj(name: str, text: str) -> Iterator[TableRow]:
    """Yield the rows of CDXJ that name a file: lines of a key, a timestamp and an object that has `url` and `filename`.

    A line with the name of a web archive is skipped. Of several captures in one file the last counts.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("!"):
            continue
        row = _CDXJ(line)
        try:
            fields = json.loads(row[1]) if row is not None else None
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            raise FileError(name, f"line {number}: is not a line of CDXJ", _URLS_SHAPE)
        uri, path = fields.get("url"), fields.get("filename")
        if isinstance(uri, str) and isinstance(path, str) and not is_container_name(path):
            yield TableRow(number, path, uri)


_MAP_SHAPE = 'write a JSON object, {"https://old.example/*": "https://new.example/*"}, or CSV with two columns'
_IN_FULL = "write absolute target URIs, or end them in *"


class MapFile(NamedTuple):
    """The replacements of targets; `note`: the line about entries that contradict each other, None if none do."""

    replacements: dict[str, str]
    note: str | None = None


def read_map(path: str, profile: Profile) -> MapFile:
    """Read the replacements of target URIs. Raises `FileError`. `profile`: how targets are compared
    (`rewriting.mapping`).

    JSON, if it begins with `{`: an object whose names are target URIs; else CSV. A target that ends in `*` is a prefix;
    every other must be a URI, since only URIs are looked up.
    """
    if path.lstrip()[:1] == "{" and not Path(path).exists():
        raise FileError(f"--map {path}", "is a table, not the name of a file", "write it into a file, and name that")
    text = read_text(path)
    if text.lstrip()[:1] == "[":
        raise FileError(path, "is a JSON array, not an object", _MAP_SHAPE)
    is_json = text.lstrip()[:1] == "{"
    unit, entries = ("entry", _json(path, text)) if is_json else ("line", rows(path, text, _MAP_SHAPE))
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
        raise FileError(path, "maps nothing", _MAP_SHAPE)
    return MapFile(replacements, contradicted(path, contradictions))


def _which_counts(target: str, earlier: str) -> str:
    """Which of two entries for equivalent targets counts: the first, or one that is written exactly like the target."""
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
        raise FileError(path, what, _MAP_SHAPE) from error
    except ValueError as error:  # a number with very many digits
        raise FileError(path, "is not a map: a value is not a text", _MAP_SHAPE) from error
    except RecursionError:
        raise FileError(path, "is not a map: it is nested too deeply", _MAP_SHAPE) from None
    for number, (target, new) in enumerate(found, 1):
        if not isinstance(new, str):
            raise FileError(path, f"the value of {target!r} is not a text", _MAP_SHAPE)
        yield TableRow(number, target, new)
