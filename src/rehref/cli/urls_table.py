"""`--urls TABLE`: where the files of a mirror were saved from.

1. CSV: two columns, a path and a URI (`two_column_csv` says what a header is; a cell that names a file of the source is
   none). A byte order mark does not count. Of several rows for one file the first counts; where they
   contradict each other, one line says so.
2. CDXJ: lines of a key, a timestamp and a JSON object that has `url` and `filename`. What has no `filename`, or one
   that is a web archive's, tells of no file. Of several captures in one file the last counts.
3. It is CDXJ if its first line that is not empty, and no header of CDXJ (`!meta`), ends in a JSON object.
4. Paths are relative to the folder that is the source, with slashes; for a file as the source, to the folder it is in.
   `./` before them does not count.
5. A row goes before `--url`. What the table does not have is treated as without it. Both, and rows for what is not
   there, are counted in one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rehref.cli.options import Settings
from rehref.cli.two_column_csv import in_one_line, read_text, rows
from rehref.files.discovery import Discovered, is_container_name
from rehref.files.file_documents import DocumentOrError, FileDocument
from rehref.files.file_errors import FileError
from rehref.uri.components import split

_SHAPE = "write CSV with two columns, path and URI, or CDXJ with url and filename"
_CDXJ = re.compile(r"\S+ \S+ (\{.*\})\s*\Z").match


@dataclass(frozen=True, slots=True)
class Table:
    """The URIs of files, by their paths; `name`: that of the table.

    `contradiction`: what to say of rows that contradict each other; None if none do.
    """

    name: str
    uris: Mapping[str, str]
    contradiction: str | None = None

    def given(self, discovered: Discovered) -> Discovered:
        """What was found, with the URIs of the table."""
        return replace(discovered, found=[self._given(each) for each in discovered.found])

    def _given(self, found: DocumentOrError) -> DocumentOrError:
        if isinstance(found, FileError) or found.relative not in self.uris:
            return found
        return replace(found, url=self.uris[found.relative])

    def note(self, found: Sequence[DocumentOrError], sources: Sequence[str]) -> str | None:
        """What does not fit, in one line (rule 5); None if everything does."""
        is_there = _is_file_of(sources)
        lost = sum(not is_there(path) for path in self.uris)
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


def urls_of(settings: Settings, sources: Sequence[str]) -> Mapping[str, str]:
    """The URIs of files, by their paths, if a table was given. Raises `FileError`."""
    return {} if settings.urls is None else read_table(settings.urls, sources).uris


def read_table(name: str, sources: Sequence[str]) -> Table:
    """Read a table. Raises `FileError`. `sources`: whose files it tells of."""
    text = read_text(name)
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("!")), "")
    is_cdxj = _CDXJ(first) is not None
    uris: dict[str, str] = {}
    lines: dict[str, int] = {}
    contradictions: list[str] = []
    for line, written, uri in _cdxj(name, text) if is_cdxj else rows(name, text, _SHAPE, _is_file_of(sources)):
        if split(uri).scheme is None:
            raise FileError(name, f"line {line}: {uri!r} is no URI with a scheme", "write URIs in full")
        path = written.removeprefix("./")
        if is_cdxj or path not in uris:
            uris[path], lines[path] = uri, line
        elif uris[path] != uri:
            contradictions.append(f"line {line}: {path} has another URI in line {lines[path]}; the first counts")
    if not uris:
        raise FileError(name, "tells of no file", _SHAPE)
    return Table(name, uris, in_one_line(name, contradictions))


def _is_file_of(sources: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path names a file of the sources."""
    folders = _folders(sources)
    return lambda path: any(_is_file(folder / path) for folder in folders)


def _folders(sources: Sequence[str]) -> list[Path]:
    """What paths in the table are relative to (rule 4)."""
    return [path if path.is_dir() else path.parent for path in map(Path, sources)]


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
