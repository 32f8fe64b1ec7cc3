"""One task over many items, in several processes: chunk by chunk, with the results in the order of the chunks.

A process never has more than a few unfinished chunks, and no more results than that wait for their turn, so that memory
does not grow with the number of items. If a process dies (`kill -9`, out of memory), nothing is lost: another one is
started, and gets the unfinished chunks. There are no threads and no locks here in the first process, so that an
interrupt leaves no inconsistent state, and forking is safe.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from rehref.exceptions import WorkerError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

_AHEAD = 2
_KEPT = 3
_PATIENCE = 3.0
_SELDOM = 100_000

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def results(
    task: Callable[[Sequence[_Item]], _Result], chunks: Sequence[Sequence[_Item]], jobs: int
) -> Generator[_Result, None, None]:
    """Yield the task's result for each chunk, in order. With more than one job, the results must be picklable.

    A single job runs here, without processes. When the caller stops taking results (an interrupt, a closed pipe), the
    work stops. Raises what the task raises, and `WorkerError` if two processes have died on a chunk.
    """
    if jobs <= 1:
        yield from map(task, chunks)
        return
    ready: dict[int, _Result] = {}
    number = 0
    with closing(_by_processes(task, chunks, jobs, lambda: number + jobs * _KEPT)) as done:
        for at, result in done:
            ready[at] = result
            while number in ready:
                yield ready.pop(number)
                number += 1


def results_as_they_come(
    task: Callable[[Sequence[_Item]], _Result], chunks: Sequence[Sequence[_Item]], jobs: int
) -> Generator[tuple[int, _Result], None, None]:
    """Yield the number of each chunk and the task's result for it, as soon as it is done. Otherwise like `results`."""
    if jobs <= 1:
        yield from enumerate(map(task, chunks))
    else:
        yield from _by_processes(task, chunks, jobs, lambda: len(chunks))


def _by_processes(
    task: Callable[[Sequence[_Item]], _Result],
    chunks: Sequence[Sequence[_Item]],
    jobs: int,
    most: Callable[[], int],
) -> Generator[tuple[int, _Result], None, None]:
    """Yield the result of each chunk as it is done. `most`: the chunk before which processes pause."""
    workers: list[_Worker] = []
    is_done = False
    try:
        context = _context()
        with _interrupts_held_back():
            for _ in range(min(jobs, len(chunks))):
                workers.append(_begin(context, task, chunks))  # noqa: PERF401 -- those started are ended if the next fails
        yield from _as_done(workers, len(chunks), lambda: _begin(context, task, chunks), most)
        is_done = True
    finally:
        _end(workers, is_done=is_done)


class _Worker:
    """A process, the connection to it, and its unfinished chunks."""

    __slots__ = ("chunks", "connection", "process")

    def __init__(self, process: BaseProcess, connection: Connection[Any, Any]) -> None:
        self.process = process
        self.connection = connection
        self.chunks: list[int] = []

    @property
    def given(self) -> int:
        """How many chunks it has."""
        return len(self.chunks)


def _context() -> BaseContext:
    """How processes are started.

    Where there are other threads (of a program that uses rehref, or threads that wait for silent name servers:
    `web/_connections.py`), or forking does not work as on Linux, processes are spawned, which takes a little longer;
    the task and all items must be picklable for that.
    """
    import multiprocessing

    is_forked = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if is_forked else "spawn")


def _begin(context: BaseContext, task: Callable[..., Any], chunks: Sequence[Any]) -> _Worker:
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(task, chunks, there, os.getpid()), daemon=True)  # type: ignore[attr-defined]
    process.start()
    there.close()  # only the process itself holds it now, so that its death is noticed
    return _Worker(process, here)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Block Ctrl-C, here and in the processes that are started meanwhile.

    It reaches every process of a terminal, but only the first one acts on it: the others ignore it.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _as_done(
    workers: list[_Worker], count: int, begin: Callable[[], _Worker], most: Callable[[], int]
) -> Iterator[tuple[int, Any]]:
    """Do all chunks, by their numbers, and yield each result as it comes. `begin`: starts a process."""
    from multiprocessing.connection import wait

    waiting: list[int] = []
    died_of: list[int] = []
    given = done = 0
    while done < count:
        limit = min(count, most())
        while (waiting or given < limit) and (worker := min(workers, key=attrgetter("given"))).given < _AHEAD:
            _send_chunk(worker, waiting.pop(0) if waiting else given)
            given = max(given, worker.chunks[-1] + 1)
        waited = wait([worker.connection for worker in workers if worker.given])
        for at, worker in enumerate(workers):
            if worker.connection not in waited:
                continue
            taken = _take(worker)
            if taken is not None:
                done += 1
                yield taken
                continue
            waiting += _lost(worker, died_of)
            with _interrupts_held_back():
                workers[at] = begin()


_DIED = "--jobs: a process died, perhaps because memory ran out; try --jobs 1"


def _lost(worker: _Worker, died_of: list[int]) -> list[int]:
    """The chunks that a dead process had; it was doing the first one. Raises `WorkerError`."""
    at = worker.chunks[0]
    worker.process.join()
    worker.connection.close()
    if at in died_of:
        raise WorkerError(_DIED)
    died_of.append(at)
    return worker.chunks


def _send_chunk(worker: _Worker, number: int) -> None:
    """Give a process a chunk: only its number, so that the connection is never full."""
    worker.chunks.append(number)
    with suppress(OSError):  # it has died, which shows when its result is awaited
        worker.connection.send(number)


def _take(worker: _Worker) -> tuple[int, Any] | None:
    """Receive the result of a chunk from a process; None if it has died. Raises what the task raised."""
    try:
        number, result, error = worker.connection.recv()
    except (EOFError, OSError):
        return None
    worker.chunks.remove(number)
    if error is not None:
        raise error
    return number, result


def _end(workers: Sequence[_Worker], *, is_done: bool) -> None:
    """End the processes: those that are done may exit by themselves, the others are asked to undo what is half done.

    One that takes too long is killed.
    """
    for worker in workers:
        if is_done:
            with suppress(OSError):  # it has died, or its connection is closed
                worker.connection.send(None)
        else:
            worker.process.terminate()
    latest = time.monotonic() + _PATIENCE
    for worker in workers:
        worker.process.join(max(0.0, latest - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.connection.close()


# in the processes


def _serve(task: Callable[[Any], Any], chunks: Sequence[Any], connection: Connection[Any, Any], parent: int) -> None:
    """Do chunks as they are requested, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end_with_parent(parent)
    # what exists stays, and documents leave almost no cycles: there is little to collect, and no need to touch memory
    # that is shared with the first process
    gc.freeze()
    gc.set_threshold(_SELDOM)
    with suppress(EOFError, OSError):  # the first process has ended
        while (number := connection.recv()) is not None:
            connection.send((number, *_outcome(task, chunks[number])))


def _outcome(task: Callable[[Any], Any], chunk: Any) -> tuple[Any, Exception | None]:
    """The outcome of a chunk: a result, or the exception that was raised.

    Only during the task is there something to undo. While a process waits to send or receive, the system ends it: if
    Python did that, a signal that comes just before would be noticed only afterwards.
    """
    signal.signal(signal.SIGTERM, _leave)
    try:
        return task(chunk), None
    except Exception as error:
        return None, _picklable(error)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _picklable(error: Exception) -> Exception:
    import pickle

    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _leave(*_: object) -> None:
    """End, undoing what is half done; an interrupted task reports nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    raise SystemExit(0)


def end_with_parent(parent: int) -> None:
    """Make this process end when its parent, the process with the number `parent`, ends, however that ends.

    On Linux it requests a signal from the system, then checks whether the parent had already ended; elsewhere it checks
    once a second who its parent is.
    """
    if sys.platform == "linux":
        import ctypes

        parent_death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
        ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended already: no signal will come
            os._exit(1)
    elif sys.platform != "win32":
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


_MOST_ON_WINDOWS = 61


def how_many(asked: int | None, items: int, worth: int) -> int:
    """The number of jobs: as `asked`, or one for every so many items (`worth`), up to one for each core.

    Windows can wait for at most 61 processes.
    """
    if asked is not None:
        jobs = min(asked, items)
    else:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        jobs = min(cores, items // worth)
    return max(1, min(jobs, _MOST_ON_WINDOWS) if sys.platform == "win32" else jobs)


def chunks_of(items: Sequence[_Item], jobs: int, longest: int) -> list[Sequence[_Item]]:
    """The items in chunks of at most `longest`, in their order; shorter towards the end, so that all processes end
    together.
    """
    chunks = []
    at = 0
    while at < len(items):
        size = max(1, min(longest, (len(items) - at) // (jobs * 4)))
        chunks.append(items[at : at + size])
        at += size
    return chunks
