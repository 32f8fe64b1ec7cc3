"""Work on many items in several processes, chunk by chunk; results come as they are ready, in no order.

1. A few items are not worth a process: if no number is asked for, there is one for each `WORTH_A_PROCESS` items, up to
   one for each core. One job is done here, without processes.
2. No more chunks are on their way than the processes can be busy with, so memory does not grow with their number.
3. Whoever stops taking results stops the work.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

WORTH_A_PROCESS = 40
_LONGEST_CHUNK = 100
_SHORTEST_CHUNK = 4
_AHEAD = 3
_SELDOM = 100_000

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class WorkerError(Exception):
    """A process died; its text is a line for people."""


def how_many(asked: int | None, items: int) -> int:
    """The number of jobs (rule 1)."""
    if asked is not None:
        return max(1, min(asked, items))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, items // WORTH_A_PROCESS))


def chunks_of(items: Sequence[_Item], jobs: int) -> list[Sequence[_Item]]:
    """The items in chunks, in their order, which get shorter, so that all processes end at about the same time."""
    chunks = []
    at = 0
    while at < len(items):
        size = max(_SHORTEST_CHUNK, min(_LONGEST_CHUNK, (len(items) - at) // (jobs * 8)))
        chunks.append(items[at : at + size])
        at += size
    return chunks


def results(
    task: Callable[[Sequence[_Item]], _Result], chunks: Sequence[Sequence[_Item]], jobs: int
) -> Iterator[_Result]:
    """What the task makes of each chunk. With more than one job, all must be picklable, and the order is any.

    Raises `WorkerError` if a process dies.
    """
    if jobs <= 1:
        yield from map(task, chunks)
        return
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool

    waiting: set[Future[_Result]] = set()
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(task,))
    try:
        for chunk in chunks:
            waiting.add(pool.submit(_work, chunk))
            if len(waiting) >= jobs * _AHEAD:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from [future.result() for future in ready]
        while waiting:
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from [future.result() for future in ready]
    except BrokenProcessPool as error:
        raise WorkerError("a process died, perhaps for want of memory; try --jobs 1") from error
    finally:
        # waited for: a pool that is still ending when the interpreter does can trip over its closed pipe
        pool.shutdown(wait=True, cancel_futures=True)


_TASK: list[Callable[[Any], Any]] = []
"""In a process of the pool: the task. It comes once, since it may be large (all files of a site)."""


def _begin(task: Callable[[Any], Any]) -> None:
    _TASK[:] = [task]
    # what is there stays, and pages leave next to no cycles: there is little to collect, and no need to touch memory
    # that is shared with the first process
    gc.freeze()
    gc.set_threshold(_SELDOM)
    # Ctrl-C reaches every process: these finish what they are reading, and are told to end by the first one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def end_with_parent() -> None:
    """Have the system end this process when the one that began it is killed; where it can (Linux)."""
    if sys.platform == "linux":
        import ctypes

        parent_death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
        ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL)


def _work(chunk: Sequence[Any]) -> Any:
    return _TASK[0](chunk)
