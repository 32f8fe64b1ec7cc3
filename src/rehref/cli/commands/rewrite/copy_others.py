"""`rehref rewrite --copy-others`: files that are not documents, copied into the mirror.

1. A symbolic link is copied as a relative link if its target is within the source and in the copy; links are copied
   last, so that this is known. A link to nothing, out of the source, or to something that is not copied is reported and
   skipped: nothing outside the source is read.
2. The index of an archive that was rewritten is not copied: it would not fit.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rehref.cli.errors import say
from rehref.files.case_insensitive import relative_to
from rehref.files.discovery import others
from rehref.files.file_errors import FileError
from rehref.files.writing import copy, write_link


def copy_others(sources: Sequence[str], out: Path) -> int:
    """Copy the files that are not documents into the mirror, and return how many failed."""
    failed = 0
    for source in filter(Path.is_dir, map(Path, sources)):
        below = out / source.resolve().name if len(sources) > 1 else out
        for other in sorted(others(source), key=partial(_is_link, source)):  # rule 1
            try:
                _copy(source, other, below, out)
            except FileError as error:
                say(str(error))
                failed += 1
    return failed


def _is_link(source: Path, other: str | FileError) -> bool:
    return isinstance(other, str) and (source / other).is_symlink()


def _copy(source: Path, file: str | FileError, below: Path, out: Path) -> None:
    """Copy a file or a link, but not the index of an archive that was rewritten (rule 2)."""
    from rehref.containers.cdx.beside_warc import would_not_fit

    if isinstance(file, FileError):
        raise FileError(str(source / file.file), file.what, file.remedy)
    if _is_link(source, file):
        _copy_link(source, file, below, out)
        return
    try:
        if file.endswith((".cdx", ".cdxj", ".gz")) and would_not_fit(source / file, below / file):
            return
    except OSError as error:
        raise FileError.of(str(source / file), "cannot be copied", error) from error
    copy(source / file, below / file, within=out)


def _copy_link(source: Path, link: str, below: Path, out: Path) -> None:
    """Copy a symbolic link, if its target is in the copy too (rule 1)."""
    name = str(source / link)
    try:
        real = os.path.realpath(name, strict=True)
    except FileNotFoundError:
        what = "is a symbolic link to nothing, so it is not copied"
        raise FileError(name, what, "correct it, or remove it") from None
    except OSError as error:
        raise FileError.of(name, "cannot be copied", error) from error
    inside = relative_to(real, os.path.realpath(source))
    if inside is None:
        what = f"is a symbolic link out of the folder {source}, so it is not copied"
        raise FileError(name, what, "move its target into the folder")
    if not (below / inside).exists():
        what = f"is a symbolic link to {source / inside}, which is not copied, so the link is not copied either"
        raise FileError(name, what, "copy both, or remove it")
    write_link(below / link, os.path.relpath(inside or ".", os.path.dirname(link) or "."), within=out)  # noqa: PTH120
