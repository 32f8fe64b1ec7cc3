"""Files that options name, of which nobody knows how large they are: a device may have no end."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_LARGEST = 10 * 1024 * 1024


def read_small(path: str) -> bytes:
    """What a file holds that somebody named, of at most `_LARGEST` bytes. Raises `OSError`."""
    if "\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    with Path(path).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data
