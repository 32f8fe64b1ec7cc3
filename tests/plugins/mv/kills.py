"""Work that is killed before its nth change of a disk, and what is on the disk then."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

WRITING = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"}


def content(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def killed(at: int, work: Callable[[], object]) -> bool:
    """Run some work in a process that ends before its nth change of a disk; return whether it did."""
    child = os.fork()
    if child == 0:
        count = 0

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal count
            changes = event in WRITING or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
            count += bool(changes)
            if changes and count > at:
                os._exit(9)

        sys.addaudithook(watch)
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
