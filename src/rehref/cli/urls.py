"""`--urls TABLE`: where the files of a mirror were saved from.

1. CSV: two columns, a path and a URI. The first line is a header if its second cell is no URI. Empty lines do not
   count. A byte order mark neither.
2. CDXJ: lines of a key, a timestamp and a JSON object that has `url` and `filename`. What has no `filename`, or one
   that is a web archive's, tells of no file. Of several captures in one file the last counts.
3. It is CDXJ if its first line that is not empty, and no header of CDXJ (`!meta`), ends in a JSON object.
4. Paths are relative to the folder that is the source, with slashes; for a file as the source, to the folder it is in.
   `./` before them does not count.
5. A row goes before `--url`. What the table does not have is treated as without it. Both, and rows for what is not
   there, are counted in one line.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rehref.cli.options import Settings
from rehref.entities.discovery import Discovered, is_container_name
from rehref.entities.files import FileDocument, FileError, Found
from rehref.uri.components import split

_SHAPE = "write CSV with two columns, path and URI, or CDXJ with url and filename"
_CDXJ = re.compile(r"\S+ \S+ (\{.*\})\s*\Z").match


@dataclass(frozen=True, slots=True)
class Table:
    """The URIs of files, by their paths; `name`: that of the table."""

    name: str
    uris: Mapping[str, str]

    def given(self, discovered: Discovered) -> Discovered:
        """What was found, with the URIs of the table."""
        return replace(discovered, found=[self._given(each) for each in discovered.found])

    def _given(self, found: Found) -> Found:
        if isinstance(found, FileError) or found.relative not in self.uris:
            return found
        return replace(found, url=self.uris[found.relative])

    def note(self, found: Sequence[Found], sources: Sequence[str]) -> str | None:
        """What does not fit, in one line (rule 5); None if everything does."""
        folders = [path if path.is_dir() else path.parent for path in map(Path, sources)]
        lost = sum(not any(_is_file(folder / path) for folder in folders) for path in self.uris)
        without = sum(isinstance(each, FileDocument) and each.relative not in self.uris for each in found)
        said = []
        if lost:
            said.append("1 row names no file" if lost == 1 else f"{lost:,} rows name no file")
        if without:
            said.append("1 document has no row" if without == 1 else f"{without:,} documents have no row")
        return f"{self.name}: {'; '.join(said)}" if said else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that cannot be one
        return False


def urls_of(settings: Settings) -> Mapping[str, str]:
    """The URIs of files, by their paths, if a table was given. Raises `FileError`."""
    return {} if settings.urls is None else read_table(settings.urls).uris


def read_table(name: str) -> Table:
    """Read a table. Raises `FileError`."""
    try:
        text = Path(name).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise FileError.of(name, "cannot be read", error) from error
    except UnicodeDecodeError as error:
        raise FileError(name, f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("!")), "")
    rows = _cdxj(name, text) if _CDXJ(first) else _csv(name, text)
    uris: dict[str, str] = {}
    for line, path, uri in rows:
        if split(uri).scheme is None:
            raise FileError(name, f"line {line}: {uri!r} is no URI with a scheme", "write URIs in full")
        uris[path.removeprefix("./")] = uri
    if not uris:
        raise FileError(name, "tells of no file", _SHAPE)
    return Table(name, uris)


def _csv(name: str, text: str) -> Iterator[tuple[int, str, str]]:
    """The rows of CSV: line, path, URI (rule 1)."""
    rows = csv.reader(text.splitlines(keepends=True), strict=True)
    first = True
    try:
        for row in rows:
            if not row:
                continue
            if len(row) != 2:
                raise FileError(name, f"line {rows.line_num}: two columns are needed, not {len(row)}", _SHAPE)
            if not first or split(row[1]).scheme is not None:
                yield rows.line_num, row[0], row[1]
            first = False
    except csv.Error as error:
        raise FileError(name, f"is not CSV: line {rows.line_num}: {error}", _SHAPE) from error


def _cdxj(name: str, text: str) -> Iterator[tuple[int, str, str]]:
    """The rows of CDXJ that tell of a file (rule 2)."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("!"):
            continue
        row = _CDXJ(line)
        try:
            fields = json.loads(row[1]) if row is not None else None
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, dict):
            raise FileError(name, f"line {number}: is no line of CDXJ", _SHAPE)
        uri, path = fields.get("url"), fields.get("filename")
        if isinstance(uri, str) and isinstance(path, str) and not is_container_name(path):
            yield number, path, uri
