"""Whether a path stays within a folder once symbolic links are followed.

1. `real_path_within` alone decides it: for what is written below a folder (`-o`, `--copy-others`, `--unpack`,
   `--in-place FOLDER`, `--fix`), and for the small files in a folder that say how to treat it.
2. The folder itself may be reached through links: the user who names it means the folder they lead to. Below it, a link
   that leads out of it is not followed, whether it is a file, a folder on the way, or leads to something that does not
   exist yet. A link that stays within the folder is followed.
3. The check is done immediately before the file is opened, and the path that is opened has its links resolved. A user
   who may write to the folder could put a link there in between; the folder's permissions protect it from other users.
4. A small file that says how to treat a folder is read by `read_within`: an ordinary file of at most 1 MiB, not a pipe
   or device, which could be endless, or block forever.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from rehref.files.case_insensitive import relative_to
from rehref.files.file_errors import FileError

LARGEST = 1 << 20
"""The most bytes of a file that says how to treat a folder."""
_READ = "cannot be read"


def real_path_within(folder: Path, path: Path, *, done: str = "written") -> Path:
    """The path of a file below a folder, with every symbolic link resolved. Raises `FileError` if it leads out of it.

    `done`: what would have been done with the file, for people.
    """
    real = Path(os.path.realpath(path))  # unlike `Path.resolve`, it accepts loops
    if relative_to(str(real), os.path.realpath(folder)) is None:
        raise FileError(
            str(path),
            f"leads out of the folder {folder} through a symbolic link, and is not {done}",
            "remove the link, or name the file itself",
        )
    return real


def read_within(folder: Path, path: Path) -> bytes | None:
    """The bytes of a small file below a folder (rule 4); None if there is no such file. Raises `FileError`."""
    if not os.path.lexists(path):
        return None
    real = real_path_within(folder, path, done="read")
    try:
        # neither of these waits until someone writes to a pipe
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(real, flags), "rb") as file:  # noqa: PTH123 -- a descriptor is not a path
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
