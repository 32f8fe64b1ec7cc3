"""Documents put back into files.

1. A file is written whole or not at all: into a new file beside it, which then takes its place. Nobody ever sees half a
   document, and what was there stays if anything fails.
2. What takes a file's place has its mode, and its owner where the system lets us. A new file has the mode that the
   document it comes from has, or what the system gives new files.
3. A symbolic link is written through: the file it leads to is replaced, the link stays.
4. A file that nobody may write stays, though its folder would let us replace it.
5. A backup is a copy with `.bak` at the end of its name; an older one is replaced.
6. Folders that are missing are made.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path

from rehref.entities.files import FileError

_ACTION = "cannot be written"


def write_atomically(path: Path, data: bytes, *, like: Path | None = None, backup: bool = False) -> None:
    """Write a file, whole or not at all. Raises `FileError`.

    `like`: the file whose mode a new file gets. `backup`: keep what was there, as `NAME.bak`.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            _replace(target, data, _status(like), owner=False)
            return
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):  # /dev/null, a pipe: nothing to replace
            target.write_bytes(data)
            return
        if backup:
            _replace(target.with_name(target.name + ".bak"), target.read_bytes(), status, owner=True)
        _replace(target, data, status, owner=True)
    except OSError as error:
        raise FileError.of(str(path), _ACTION, error) from error


def copy(source: Path, target: Path) -> None:
    """Copy a file, or a symbolic link as a link; what stands there is replaced. Raises `FileError`."""
    try:
        if not source.is_symlink():
            write_atomically(target, source.read_bytes(), like=source)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.symlink_to(source.readlink())
    except OSError as error:
        raise FileError.of(str(target), _ACTION, error) from error


def _status(path: Path | None) -> os.stat_result | None:
    return path.stat() if path is not None and path.is_file() else None


def _replace(target: Path, data: bytes, status: os.stat_result | None, *, owner: bool) -> None:
    """Put a new file in the place of `target`, with the mode (and the owner) that `status` tells."""
    new = target.with_name(f".rehref-{secrets.token_hex(8)}.tmp")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        if status is not None:
            if owner:
                _give(new, status)
            new.chmod(stat.S_IMODE(status.st_mode))
        new.replace(target)
    except BaseException:  # an interrupt, too, leaves nothing behind
        new.unlink(missing_ok=True)
        raise


def _give(new: Path, status: os.stat_result) -> None:
    """Give a file the owner and group of another, as far as we may."""
    own = new.stat()
    if (own.st_uid, own.st_gid) == (status.st_uid, status.st_gid) or not hasattr(os, "chown"):
        return
    try:
        os.chown(new, status.st_uid, status.st_gid)
    except OSError:
        # not ours to give away; the group alone perhaps
        try:
            os.chown(new, -1, status.st_gid)
        except OSError:
            return
