"""How many processes work, and on which chunks of the items.

1. A few items are not worth a process: if no number of jobs is given, every so many items add a job, up to one for
   each core.
2. Chunks get shorter towards the end, so that all processes end at about the same time.
3. Windows can wait for at most 61 processes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TypeVar

_MOST_ON_WINDOWS = 61

_Item = TypeVar("_Item")


def how_many(asked: int | None, items: int, worth: int) -> int:
    """The number of jobs (rules 1 and 3). `worth`: how many items are worth a process."""
    if asked is not None:
        jobs = min(asked, items)
    else:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        jobs = min(cores, items // worth)
    return max(1, min(jobs, _MOST_ON_WINDOWS) if sys.platform == "win32" else jobs)


def chunks_of(items: Sequence[_Item], jobs: int, longest: int) -> list[Sequence[_Item]]:
    """The items in chunks of at most `longest`, in their order (rule 2)."""
    chunks = []
    at = 0
    while at < len(items):
        size = max(1, min(longest, (len(items) - at) // (jobs * 4)))
        chunks.append(items[at : at + size])
        at += size
    return chunks
