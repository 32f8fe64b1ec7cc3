"""Whether a path stays within a folder, once symbolic links are followed.

1. `real_path_within` is the one place that decides it: for what is written below a folder (`-o`, `--copy-others`,
   `--unpack`, `--in-place FOLDER`, `--fix`), and for the small files in it that say how it is to be treated.
2. The folder itself may be reached through links: whoever names it means where they lead. Below it, a link that leads
   out of it is not followed, whether it is a file, a folder on the way, or leads to what is not there yet. One that
   stays within the folder is followed.
3. It is asked immediately before the file is opened, and what is opened is the path with its links resolved. Whoever
   may write to the folder could put a link there in between; from other users the modes of the folder protect it.
4. A small file that says how a folder is to be treated is read by `read_within`: an ordinary file of at most 1 MiB, and
   no pipe or device, which could be without an end, or wait for ever.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from rehref.files.case_insensitive import relative_to
from rehref.files.file_errors import FileError

LARGEST = 1 << 20
"""Bytes of a file that says how a folder is to be treated."""
_READ = "cannot be read"


def real_path_within(folder: Path, path: Path, *, done: str = "written") -> Path:
    """The path of a file below a folder, with every symbolic link resolved. Raises `FileError` if it leads out of it.

    `done`: what would have been done with it, for people.
    """
    real = Path(os.path.realpath(path))  # which, other than `Path.resolve`, fails on no loop
    if relative_to(str(real), os.path.realpath(folder)) is None:
        raise FileError(
            str(path),
            f"leads out of the folder {folder} through a symbolic link, and is not {done}",
            "remove the link, or name the file itself",
        )
    return real


def read_within(folder: Path, path: Path) -> bytes | None:
    """What a small file below a folder holds (rule 4); None if there is none of that name. Raises `FileError`."""
    if not os.path.lexists(path):
        return None
    real = real_path_within(folder, path, done="read")
    try:
        # neither of these waits for whoever may write to a pipe
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(real, flags), "rb") as file:  # noqa: PTH123 -- a descriptor is no path
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(str(path), "is not an ordinary file, and is not read", "remove it")
            data = file.read(LARGEST + 1)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise FileError(str(path), "is not an ordinary file, and is not read", "remove it") from error
        raise FileError.of(str(path), _READ, error) from error
    if len(data) > LARGEST:
        raise FileError(str(path), "is larger than 1 MiB, and is not read", "shorten it")
    return data
