"""The files in a folder that configure its host: which they are, and their content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from rehref.files.file_documents import read_within
from rehref.files.file_errors import FileError
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

HTACCESS: Final = ".htaccess"
MARK: Final = b"\xef\xbb\xbf"
"""May precede the text of a file: the byte order mark of UTF-8."""


def host_files(name: str | None, paths: AbstractSet[str]) -> list[str]:
    """Return the paths below a folder that the host reads as a file of that name; None: it reads none.

    `.htaccess` counts in every folder, all other files in the folder itself.
    """
    if name == HTACCESS:
        return sorted(path for path in paths if path.rpartition("/")[2] == HTACCESS)
    return [name] if name is not None and name in paths else []


def read_host_file(folder: Path, path: str) -> bytes:
    """Return the content of an ordinary file, below the folder, of at most 1 MiB. Raises `FileError`."""
    try:
        data = read_within(folder, folder / path)
    except FileError as error:
        raise FileError(path, error.what, error.remedy) from error
    if data is None:
        raise FileError(path, "cannot be read: it is not there any more", "check again")
    return data


def text_of(data: bytes) -> SourceText:
    """Return the text of such a file, which knows lines and columns."""
    return SourceText(Source(data, "utf-8", len(MARK) if data.startswith(MARK) else 0))


def logical_lines(data: bytes) -> Iterator[tuple[int, bytes, Sequence[int]]]:
    """Yield lines, each with the lines that continue it after a backslash.

    Each has its number in the file, its bytes, and the offsets in the file of these and of its end.
    """
    start = first = len(MARK) if data.startswith(MARK) else 0
    pieces: list[bytes] = []
    offsets: list[int] = []
    for number, line in enumerate(data[start:].split(b"\n"), 1):
        content = line.removesuffix(b"\r")
        is_continued = content.endswith(b"\\")
        content = content[:-1] if is_continued else content
        first = first if pieces else number
        pieces.append(content)
        offsets += range(start, start + len(content))
        if not is_continued:
            yield first, b"".join(pieces), [*offsets, start + len(content)]
            pieces, offsets = [], []
        start += len(line) + 1
