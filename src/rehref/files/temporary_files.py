"""Files that a killed run left behind: they were being written when it ended.

1. Such a file is called `.rehref-PID-MACHINE-RANDOM.tmp`: the number of the process that writes it, and a check sum of
   the machine (its name, and its process ID namespace where a machine has several).
2. Only a file that is certainly left over is removed: an ordinary file with such a name, owned by this user, written on
   this machine, by a process that no longer exists. Where that is not known (Windows), none is removed.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from zlib import crc32

_NAME = re.compile(r"\.rehref-([0-9]{1,10})-([0-9a-f]{8})-[0-9a-f]{16}\.tmp").fullmatch


def temporary_name() -> str:
    """A name for a file that is being written (rule 1)."""
    return f".rehref-{os.getpid()}-{_machine()}-{os.urandom(8).hex()}.tmp"


def clear_leftovers(folder: Path, *, below: bool = False) -> None:
    """Remove what killed runs left in a folder; `below`: also in the folders inside it. Raises nothing."""
    if sys.platform == "win32":
        return
    if not below:
        with suppress(OSError):
            _clear(folder, [path.name for path in folder.iterdir()])
        return
    for where, _, names in os.walk(folder):
        _clear(Path(where), names)


def _clear(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        found = _NAME(name)
        if found is None or found[2] != _machine() or _is_running(int(found[1])):
            continue
        with suppress(OSError):
            status = (folder / name).lstat()
            if stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid():
                (folder / name).unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    try:  # Linux: a process that has ended keeps its number until its parent waits for it
        state = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in (b"Z", b"X")


@cache
def _machine() -> str:
    numbering = ""
    with suppress(OSError):
        numbering = str(Path("/proc/self/ns/pid").readlink())
    name = os.uname().nodename if hasattr(os, "uname") else ""
    return f"{crc32(f'{name} {numbering}'.encode('utf-8', 'surrogateescape')):08x}"
