"""Files that options name. Their size is unknown: a device may be endless."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_LARGEST = 10 * 1024 * 1024


def read_small(path: str) -> bytes:
    """The bytes of a file that the user named, at most `_LARGEST` of them. Raises `OSError`."""
    if "\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    with Path(path).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data
