"""One task over many items, in several processes, with the results in the order of the items.

1. A few items are not worth a process: without a number asked for, there is one job for each `WORTH_A_PROCESS` items,
   up to one for each core. One job is done here, without processes.
2. No more items are on their way than the processes can be busy with, so that memory does not grow with their number.
3. Whoever stops taking results (an interrupt, a reader that has gone) stops the work: what has not begun is not done.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from rehref.checking.workers import end_with_parent
from rehref.cli.errors import OptionError

WORTH_A_PROCESS = 12
_LONGEST_CHUNK = 16
_AHEAD = 3

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def how_many(asked: int | None, items: int) -> int:
    """The number of jobs (rule 1)."""
    if asked is not None:
        return min(asked, max(1, items))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, items // WORTH_A_PROCESS))


def ordered_map(task: Callable[[_Item], _Result], items: Sequence[_Item], jobs: int) -> Iterator[_Result]:
    """The result of `task` for each item, in order. With more than one job, both must be picklable.

    Raises `OptionError` if a process dies.
    """
    if jobs <= 1:
        yield from map(task, items)
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    size = max(1, min(_LONGEST_CHUNK, len(items) // (jobs * 4)))
    chunks = (items[at : at + size] for at in range(0, len(items), size))
    waiting: deque[Future[list[_Result]]] = deque()
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(task,))
    try:
        for chunk in chunks:
            waiting.append(pool.submit(_work, chunk))
            if len(waiting) >= jobs * _AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise OptionError("--jobs", "a process died, perhaps for want of memory", "try --jobs 1") from error
    finally:
        # waited for: a pool that is still ending when the interpreter does can trip over its closed pipe
        pool.shutdown(wait=True, cancel_futures=True)


_TASK: list[Callable[[Any], Any]] = []
"""In a process of the pool: the task. It comes once, since it may be large (a map of a million URIs)."""


def _begin(task: Callable[[Any], Any]) -> None:
    _TASK[:] = [task]
    # Ctrl-C reaches every process: these finish the document they are writing, and are told to end by the first one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _work(chunk: Sequence[Any]) -> list[Any]:
    return [_TASK[0](item) for item in chunk]
