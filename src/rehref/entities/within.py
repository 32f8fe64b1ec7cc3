"""Whether a path stays within a folder, once symbolic links are followed.

1. `real_path_within` is the one place that decides it: for what is written below a folder (`-o`, `--copy-others`,
   `--unpack`, `--in-place FOLDER`, `--fix`), and for the small files in it that say how it is to be treated.
2. The folder itself may be reached through links: whoever names it means where they lead. Below it, a link that leads
   out of it is not followed, whether it is a file, a folder on the way, or leads to what is not there yet. One that
   stays within the folder is followed.
3. It is asked immediately before the file is opened, and what is opened is the path with its links resolved. Whoever
   may write to the folder could put a link there in between; from other users the modes of the folder protect it.
"""

from __future__ import annotations

import os
from pathlib import Path

from rehref.entities.files import FileError


def real_path_within(folder: Path, path: Path, *, done: str = "written") -> Path:
    """The path of a file below a folder, with every symbolic link resolved. Raises `FileError` if it leads out of it.

    `done`: what would have been done with it, for people.
    """
    real = Path(os.path.realpath(path))  # which, other than `Path.resolve`, fails on no loop
    if not real.is_relative_to(os.path.realpath(folder)):
        raise FileError(
            str(path),
            f"leads out of the folder {folder} through a symbolic link, and is not {done}",
            "remove the link, or name the file itself",
        )
    return real
