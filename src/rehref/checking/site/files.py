"""The files of a site: listed once, so that no link has to ask the disk.

1. Every file below the folder counts, hidden ones too (`.well-known/`, `.htaccess`), except what is in `.git`, and what
   is no file at all (a pipe, a device).
2. Names are as the disk spells them, with slashes, relative to the folder: `a/b.html`. The folder itself is "".
3. A symbolic link to a file is a file. One to a folder inside is not followed but remembered, with the folder that it
   leads to, so that every file is listed once and no loop is walked.
4. A link that leads nowhere, or in a circle, dangles; one that leads out of the folder leaves it. Whoever copies the
   folder to a host may lose both.
5. A subfolder that cannot be read is an error among the files; only the folder itself must be readable.
6. Of a file whose name does not tell what it is, the beginning is read; not through a link out of the folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from rehref.checking.site.file_types import Types, look_at
from rehref.files.case_insensitive import relative_to
from rehref.files.file_errors import FileError

LinkCode: TypeAlias = Literal["", "dangling-link", "leaves-folder"]

NOT_PUBLISHED: Final = frozenset({".git"})
"""The names of folders that are no part of the site."""


@dataclass(frozen=True, slots=True)
class LinkState:
    """Where a symbolic link leads. `folder`: the folder inside that it leads to; None of all others."""

    code: LinkCode
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Files:
    """What is below a folder, in paths relative to it.

    `paths`: files; `folders`: "" among them; `links`: the symbolic links that are no ordinary files (rules 3, 4), where
    one that leaves the folder and leads to a file is in `paths` too. `errors`: subfolders that could not be read, named
    by their paths. `types`: what the files are (`rehref.checking.site.file_types`).
    """

    paths: frozenset[str]
    folders: frozenset[str]
    links: Mapping[str, LinkState] = field(default_factory=dict)
    errors: tuple[FileError, ...] = ()
    types: Types = field(default_factory=Types)


def list_files(folder: Path, of_html: Sequence[str] = ()) -> Files:
    """List what is below a folder, in one walk. Raises `FileError` if the folder itself cannot be read.

    `of_html`: as in `look_at`.
    """
    root = str(folder)
    real_root = os.path.realpath(root)
    paths: list[str] = []
    folders: list[str] = []
    links: dict[str, LinkState] = {}
    errors: list[FileError] = []
    waiting = [""]
    while waiting:
        relative = waiting.pop()
        try:
            with os.scandir(f"{root}/{relative}" if relative else root) as scanned:
                entries = list(scanned)
        except OSError as error:
            if relative == "":
                raise FileError.of(root, "the folder cannot be read", error) from error
            errors.append(FileError.of(relative, "the folder cannot be read", error))
            continue
        folders.append(relative)
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            if entry.is_symlink():
                state, is_file = _state_of_link(entry.path, real_root)
                if state is not None:
                    links[path] = state
                if is_file:
                    paths.append(path)
            elif entry.is_file(follow_symlinks=False):
                paths.append(path)
            elif entry.is_dir(follow_symlinks=False) and entry.name not in NOT_PUBLISHED:
                waiting.append(path)
    types = look_at(root, (path for path in paths if path not in links), of_html)
    return Files(frozenset(paths), frozenset(folders), links, tuple(errors), types)


def _state_of_link(path: str, real_root: str) -> tuple[LinkState | None, bool]:
    """What there is to say of a symbolic link, and whether it leads to a file."""
    try:
        real = os.path.realpath(path, strict=True)
        mode = os.stat(real).st_mode  # noqa: PTH116 -- a Path for each link would cost more than the question
    except OSError:
        return LinkState("dangling-link"), False
    below = relative_to(real, real_root)
    if below is None:
        return LinkState("leaves-folder"), stat.S_ISREG(mode)
    if not stat.S_ISDIR(mode):
        return None, stat.S_ISREG(mode)
    return LinkState("", below), False
