"""The index of a git repository, which gets new paths for files that have moved.

The repository may have come with the folder, and its configuration, hooks and attributes can name programs
(`core.fsmonitor`, filters, `post-index-change`, `core.sshCommand` ...). So git never reads it: it runs in an empty
repository made for the moment, with nothing of the folder but its index, and with no configuration but its defaults.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_LONGEST: Final = 60.0
"""Seconds that git may take."""
_SUBMODULE: Final = b"160000"


def repository_of(path: Path) -> Path | None:
    """Return the folder of the repository that a path is in; None if it is in none."""
    return next((each for each in path.absolute().parents if os.path.lexists(each / ".git")), None)


def renamed_in_index(repository: Path, old: Path, new: Path) -> bool:
    """Give the files of a folder, or a file, that moved its new path in the index; return whether the index is right.

    It is right, too, if git knows nothing at the old path. It is left alone where `.git` is not an ordinary folder (in
    a worktree, a submodule), where a submodule has moved or the new path is in another repository, and where git is
    missing or refuses.
    """
    git, index = shutil.which("git"), repository / ".git" / "index"
    if repository_of(new) != repository:
        return False
    if git is None or not os.path.isabs(git) or (repository / ".git").is_symlink():  # noqa: PTH117 -- `which` returns a text
        return False
    try:
        if not stat.S_ISREG(index.lstat().st_mode):
            return False
        before, after = (os.fsencode(each.absolute().relative_to(repository).as_posix()) for each in (old, new))
        with TemporaryDirectory(prefix="rehref-") as empty:
            for name in ("objects", "refs"):
                (Path(empty) / name).mkdir()
            (Path(empty) / "HEAD").write_bytes(b"ref: refs/heads/main\n")
            known = _run(git, empty, index, b"", "ls-files", "-s", "-z", "--", os.fsdecode(before))
            rows = [row.partition(b"\t") for row in known.split(b"\0") if row]
            if any(row[0].startswith(_SUBMODULE) for row in rows):
                return False
            changes = [(b"0 %b\t%b" % (b"0" * len(row[0].split()[1]), row[2]), row) for row in rows]
            lines = [
                line
                for gone, (entry, _, path) in changes
                for line in (gone, b"%b\t%b" % (entry, after + path[len(before) :]))
            ]
            if lines:
                _run(
                    git, empty, index, b"".join(b"%b\0" % line for line in lines), "update-index", "-z", "--index-info"
                )
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return True


def _run(git: str, empty: str, index: Path, given: bytes, *arguments: str) -> bytes:
    """Run git in an empty repository with the index of another one; return its output."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    own = {
        "GIT_DIR": empty,
        "GIT_WORK_TREE": str(index.parent.parent),
        "GIT_INDEX_FILE": str(index),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
    }
    command = [git, "--literal-pathspecs", *arguments]
    ended = subprocess.run(
        command, cwd=index.parent.parent, env=kept | own, input=given, capture_output=True, check=True, timeout=_LONGEST
    )
    return ended.stdout
