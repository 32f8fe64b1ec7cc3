"""The files of a site: listed once, so that links are looked up without the disk.

1. Every file below the folder counts, hidden ones too (`.well-known/`, `.htaccess`), except files in `.git`, and
   entries that are not files (pipes, devices).
2. Names are spelt as on the disk, with slashes, relative to the folder: `a/b.html`. The folder itself is "".
3. A symbolic link to a file is a file. A link to a folder inside is not followed; it is recorded with its target, so
   that every file is listed once and loops are never entered.
4. A link that leads nowhere, or in a circle, dangles; one that leads out of the folder leaves it. A copy of the folder
   on a host may lack the targets of both.
5. A subfolder that cannot be read is recorded as an error; only the folder itself must be readable.
6. If only some folders are needed, the others are recorded without their content, which is not known then.
7. If the name of a file does not show its type, the beginning of the file is read, but not through a link out of the
   folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.checking.paths import folded
from rehref.checking.site.file_types import Types, look_at
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import relative_to

Listed: TypeAlias = "Callable[[int], None]"
"""Called with the number of files that were found so far."""
LinkCode: TypeAlias = Literal["", "dangling-link", "leaves-folder"]

NOT_PUBLISHED: Final = frozenset({".git"})
"""The names of folders that do not belong to the site."""


class LinkState(NamedTuple):
    """Where a symbolic link leads. `folder`: the folder inside that it leads to; None for all other links."""

    code: LinkCode
    folder: str | None = None


class Files(NamedTuple):
    """The content of a folder, as paths relative to it.

    `paths`: files; `folders`: folders, including ""; `links`: the symbolic links that are not ordinary files (rules 3,
    4). A link that leaves the folder and leads to a file is also in `paths`. `errors`: subfolders that could not be
    read, by their paths. `types`: the types of the files (`rehref.checking.site.file_types`). `unlisted`: folders that
    were not looked into (rule 6).
    """

    paths: frozenset[str]
    folders: frozenset[str]
    links: Mapping[str, LinkState] = {}
    errors: tuple[FileError, ...] = ()
    types: Types = Types()
    unlisted: frozenset[str] = frozenset()


def list_files(
    folder: Path, of_html: Sequence[str] = (), listed: Listed | None = None, needed: Collection[str] | None = None
) -> Files:
    """List the content of a folder, in one walk. Raises `FileError` if the folder itself cannot be read.

    `of_html`: as in `look_at`. `needed`: the paths, folded, of the only folders to look into besides the folder itself.
    """
    root = str(folder)
    real_root = os.path.realpath(root)
    paths: list[str] = []
    folders: list[str] = []
    links: dict[str, LinkState] = {}
    errors: list[FileError] = []
    unlisted: list[str] = []
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
        if listed is not None:
            listed(len(paths))
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
                (waiting if needed is None or folded(path) in needed else unlisted).append(path)
    types = look_at(root, (path for path in paths if path not in links), of_html)
    return Files(frozenset(paths), frozenset(folders), links, tuple(errors), types, frozenset(unlisted))


def _state_of_link(path: str, real_root: str) -> tuple[LinkState | None, bool]:
    """Return what is special about a symbolic link, None for an ordinary one; and whether it leads to a file."""
    try:
        real = os.path.realpath(path, strict=True)
        mode = os.stat(real).st_mode  # noqa: PTH116 -- a Path for each link would cost more than the check
    except OSError:
        return LinkState("dangling-link"), False
    below = relative_to(real, real_root)
    if below is None:
        return LinkState("leaves-folder"), stat.S_ISREG(mode)
    if not stat.S_ISDIR(mode):
        return None, stat.S_ISREG(mode)
    return LinkState("", below), False
