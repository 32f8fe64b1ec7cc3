"""Documents in files, found and not yet read: what each is called, and where it was retrieved from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rehref.files.file_errors import FileError

STDIN = "-"


@dataclass(frozen=True, slots=True)
class FileDocument:
    """A document that was found, not yet read.

    `name`: for people, and as it was asked for: `site/a/b.html`, or `-`. `path`: None for standard input. `relative`:
    its path below the source, with slashes; of a single file its name. `url`: the retrieval URI that was given for it.
    `own`: its `file:` URI, None if it has none.
    `source`: the number of the source it belongs to, from 0; `in_folder`: whether that is a folder. `media_type`: what
    it is, where that is known before it is read.
    """

    name: str
    path: Path | None
    relative: str
    url: str | None
    source: int = 0
    in_folder: bool = False
    media_type: str | None = None
    own: str | None = None


DocumentOrError: TypeAlias = "FileDocument | FileError"
