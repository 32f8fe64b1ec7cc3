"""`rehref rewrite --copy-others`: files that are not documents, copied into the mirror.

1. A symbolic link is copied as one, relative, if what it leads to is within the source and is in the copy too; links
   come last, so that this can be seen. One that leads out of the source, nowhere, or to what is not copied is reported
   and skipped: nothing outside the source is read.
2. An index of an archive that was rewritten is not copied: it would not fit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rehref.cli.errors import say
from rehref.files.case_insensitive import relative_to
from rehref.files.discovery import others
from rehref.files.file_errors import FileError
from rehref.files.writing import copy, write_link

_Other = TypeVar("_Other", bound="str | FileError")


def copy_others(sources: Sequence[str], out: Path) -> int:
    """Copy the files that are not documents into the mirror: how many files failed."""
    failed = 0
    for source in map(Path, sources):
        if not source.is_dir():
            continue
        below = out / source.resolve().name if len(sources) > 1 else out
        links: list[str] = []
        for other in others(source):
            if isinstance(other, str) and (source / other).is_symlink():
                links.append(other)
            else:
                failed += _fails(_copy, source, other, below, out)
        for link in links:
            failed += _fails(_copy_link, source, link, below, out)
    return failed


def _fails(copying: Callable[[Path, _Other, Path, Path], None], source: Path, other: _Other, *to: Path) -> bool:
    """Copy something: whether that failed, which is reported then."""
    try:
        copying(source, other, *to)
    except FileError as error:
        say(str(error))
        return True
    return False


def _copy(source: Path, other: str | FileError, below: Path, out: Path) -> None:
    if isinstance(other, FileError):
        raise FileError(str(source / other.file), other.what, other.remedy)
    if other.endswith((".cdx", ".cdxj", ".gz")) and _is_stale(source / other, below / other):
        return
    copy(source / other, below / other, within=out)


def _copy_link(source: Path, link: str, below: Path, out: Path) -> None:
    """Copy a symbolic link, if what it leads to is in the copy too (rule 1)."""
    name = str(source / link)
    try:
        real = os.path.realpath(name, strict=True)
    except FileNotFoundError:
        what = "is a symbolic link that leads nowhere, and is not copied"
        raise FileError(name, what, "correct it, or remove it") from None
    except OSError as error:
        raise FileError.of(name, "cannot be copied", error) from error
    inside = relative_to(real, os.path.realpath(source))
    if inside is None:
        what = f"is a symbolic link that leads out of the folder {source}, and is not copied"
        raise FileError(name, what, "put what it leads to into the folder")
    if not (below / inside).exists():
        what = f"is a symbolic link that leads to {source / inside}, which is not copied, and neither is the link"
        raise FileError(name, what, "copy both, or remove it")
    write_link(below / link, os.path.relpath(inside or ".", os.path.dirname(link) or "."), within=out)  # noqa: PTH120


def _is_stale(index: Path, target: Path) -> bool:
    """Whether a file is the index of an archive that was rewritten. Raises `FileError`."""
    from rehref.containers.cdx.beside_warc import would_not_fit

    try:
        return would_not_fit(index, target)
    except OSError as error:
        raise FileError.of(str(index), "cannot be copied", error) from error
