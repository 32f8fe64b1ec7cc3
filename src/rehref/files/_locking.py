"""One run at a time writes into a folder in place: locks of the system on the folders themselves.

A run locks what it writes into, and shares the folders above, so that nobody writes above it meanwhile. The system
drops the locks of a process that ends, however it ends, and nothing is written for them. Where a system or a disk has
no such locks (Windows, some network disks), there are none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_MOST: Final = 100
"""How many folders are locked; of more, the one above all."""


@contextmanager
def alone_in(folders: Iterable[str | os.PathLike[str]], say: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """Be the only run of rehref that writes into some folders, and below them; wait for another one that does.

    What is not a folder is one's own (a new one). `say`: called with one line for people before it waits.
    """
    opened: list[int] = []
    try:
        for folder, is_own in _wanted(folders):
            _lock(folder, is_own, opened, say)
        yield
    finally:
        for descriptor in opened:
            os.close(descriptor)


def _wanted(folders: Iterable[str | os.PathLike[str]]) -> list[tuple[str, bool]]:
    """Return the folders to lock, and whether each for oneself, in an order that all runs have."""
    if fcntl is None:
        return []
    own = {os.path.realpath(folder) for folder in folders}
    if len(own) > _MOST:
        own = {os.path.commonpath(own)}
    above = {str(each) for folder in own for each in Path(folder).parents}
    return sorted((each, each in own) for each in own | above if Path(each).is_dir())


def _lock(folder: str, is_own: bool, opened: list[int], say: Callable[[str], None]) -> None:
    how = fcntl.LOCK_EX if is_own else fcntl.LOCK_SH
    try:
        if not is_own and Path(folder).stat().st_uid != os.geteuid():
            return  # others could hold it forever
        opened.append(os.open(folder, os.O_RDONLY))
        fcntl.flock(opened[-1], how | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"{folder}: waiting for another run of rehref that writes there")
        fcntl.flock(opened[-1], how)
    except OSError:
        return
