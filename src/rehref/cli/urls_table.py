"""`--urls TABLE`: the URIs that the files of a mirror were saved from.

1. CSV: two columns, a path and a URI (`two_column_csv` says what a header is; a row with the name of a file of the
   source is not one). A byte order mark does not count. Of several rows for one file the first counts; if they
   contradict each other, one line reports it.
2. CDXJ: lines of a key, a timestamp and a JSON object that has `url` and `filename`. A line without a `filename`, or
   with that of a web archive, is skipped. Of several captures in one file the last counts.
3. The table is CDXJ if its first line, apart from empty lines and headers of CDXJ (`!meta`), ends in a JSON object.
4. Paths have slashes, and are relative to the folder that is the source, or to the folder of a file that is the source.
   A `./` before them does not count.
5. A row takes precedence over `--url`. Files without a row are treated as without the table. One line counts these
   files, and the rows for files that do not exist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rehref.cli.two_column_csv import TableRow, in_one_line, read_text, rows
from rehref.files.discovery import Discovered, is_container_name
from rehref.files.file_documents import FileDocument, with_uris
from rehref.files.file_errors import FileError
from rehref.reports.text import count
from rehref.uri.components import split

_SHAPE = "write CSV with two columns, path and URI, or CDXJ with url and filename"
_CDXJ = re.compile(r"\S+ \S+ (\{.*\})\s*\Z").match


def with_urls(discovered: Discovered, table: str, sources: Sequence[str]) -> tuple[Discovered, list[str]]:
    """Return the documents with the URIs of a table, and the lines to print (rules 1, 5). Raises `FileError`."""
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
    """Return the URIs of a table by paths, and the line about contradicting rows. `sources`: those of the files."""
    text = read_text(name)
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("!")), "")
    is_cdxj = _CDXJ(first) is not None
    uris: dict[str, str] = {}
    lines: dict[str, int] = {}
    contradictions: list[str] = []
    for line, written, uri in _cdxj(name, text) if is_cdxj else rows(name, text, _SHAPE, _is_file_of(sources)):
        if split(uri).scheme is None:
            raise FileError(name, f"line {line}: {uri!r} is not a URI with a scheme", "write absolute URIs")
        path = written.removeprefix("./")
        if is_cdxj or path not in uris:
            uris[path], lines[path] = uri, line
        elif uris[path] != uri:
            contradictions.append(f"line {line}: {path} has another URI in line {lines[path]}; the first counts")
    if not uris:
        raise FileError(name, "names no file", _SHAPE)
    return uris, in_one_line(name, contradictions)


def _is_file_of(sources: Sequence[str]) -> Callable[[str], bool]:
    """Return whether a path names a file of the sources (rule 4)."""
    folders = [path if path.is_dir() else path.parent for path in map(Path, sources)]

    def is_there(path: str) -> bool:
        try:
            return any((folder / path).is_file() for folder in folders)
        except (OSError, ValueError):  # cannot be the name of a file
            return False

    return is_there


def _cdxj(name: str, text: str) -> Iterator[TableRow]:
    """Yield the rows of CDXJ that name a file (rule 2)."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("!"):
            continue
        row = _CDXJ(line)
        try:
            fields = json.loads(row[1]) if row is not None else None
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            raise FileError(name, f"line {number}: is not a line of CDXJ", _SHAPE)
        uri, path = fields.get("url"), fields.get("filename")
        if isinstance(uri, str) and isinstance(path, str) and not is_container_name(path):
            yield TableRow(number, path, uri)
