"""Documents in files, found and not yet read: the name of each, and its retrieval URI."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rehref.files.file_errors import FileError

STDIN = "-"


class FileDocument(NamedTuple):
    """A document that was found, not yet read.

    `name`: for people, as the user wrote it: `site/a/b.html`, or `-`. `path`: None for standard input. `relative`: its
    path below the source, with slashes; of a single file its name. `url`: the retrieval URI that was given for it.
    `own`: its `file:` URI, None if it has none.
    `source`: the number of the source it belongs to, from 0; `in_folder`: whether that is a folder. `media_type`: its
    type, if that is known before it is read. `headers`: the HTTP header fields that it came with.
    """

    name: str
    path: Path | None
    relative: str
    url: str | None
    source: int = 0
    in_folder: bool = False
    media_type: str | None = None
    own: str | None = None
    headers: bytes | None = None


DocumentOrError: TypeAlias = "FileDocument | FileError"


def with_uris(found: Iterable[DocumentOrError], uri_of: Callable[[FileDocument], str | None]) -> list[DocumentOrError]:
    """The same list, each document with the retrieval URI that a function returns for it."""
    return [each if isinstance(each, FileError) else each._replace(url=uri_of(each)) for each in found]
