"""Several processes: results in order, ends in order."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from examples import examples
from patience import PATIENCE
from rehref.files import pool
from rehref.files.pool import WorkerError, chunks_of, how_many, results


def in_a_process(script: str) -> str:
    """What a script prints: a process in which nothing else is going on."""
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert ran.stderr == ""
    return ran.stdout


@pytest.mark.parametrize(
    ("asked", "items", "jobs"),
    [(None, 0, 1), (None, 1, 1), (None, 12, 1), (5, 100, 5), (5, 3, 3), (1, 0, 1), (2, 0, 1)],
)
def test_how_many_jobs(asked: int | None, items: int, jobs: int) -> None:
    assert how_many(asked, items, 12) == jobs


def test_no_more_jobs_than_cores_unless_asked_for() -> None:
    assert 1 <= how_many(None, 1_000_000, 12) <= (os.cpu_count() or 1)


def test_no_more_jobs_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool.sys, "platform", "win32")
    assert how_many(100, 1000, 12) == 61


@pytest.mark.parametrize("count", [0, 1, 5, 100, 5000])
def test_chunks_hold_everything_in_order_and_get_shorter(count: int) -> None:
    chunks = chunks_of(range(count), 2, 100)
    assert [item for chunk in chunks for item in chunk] == list(range(count))
    sizes = [len(chunk) for chunk in chunks]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes, default=0) <= 100


def test_one_job_is_done_here_and_only_as_far_as_results_are_taken() -> None:
    done: list[Sequence[int]] = []
    found = results(lambda chunk: done.append(chunk) or -chunk[0], [[1], [2], [3]], 1)  # type: ignore[func-returns-value]
    assert next(found) == -1
    assert done == [[1]]


def _sum(items: Sequence[int]) -> int:
    return sum(items)


def _slow_first(items: Sequence[int]) -> list[int]:
    if items[0] == 0:
        for _ in range(3_000_000):
            pass
    return list(items)


def _die(items: Sequence[int]) -> int:
    os._exit(1)


class _OddError(Exception):
    def __init__(self, one: object, other: object) -> None:
        super().__init__(f"{one}, {other}")


def _fail_oddly(items: Sequence[int]) -> int:
    raise _OddError(1, 2)


def _much(items: Sequence[int]) -> bytes:
    return bytes(1_000_000)


def test_results_are_those_of_all_chunks_in_their_order() -> None:
    chunks = chunks_of(range(200), 2, 7)
    assert list(results(_sum, chunks, 1)) == list(results(_sum, chunks, 2)) == [sum(chunk) for chunk in chunks]
    assert list(results(_slow_first, chunks, 3)) == [list(chunk) for chunk in chunks]


def test_large_items_and_large_results_do_not_stand_in_each_others_way() -> None:
    chunks = [[bytes(1_000_000)] for _ in range(20)]
    assert list(results(_much, chunks, 2)) == [bytes(1_000_000)] * 20  # type: ignore[arg-type]


def test_a_process_that_dies_is_an_error_of_one_line() -> None:
    told = "--jobs: a process died, perhaps because memory ran out; try --jobs 1"
    with pytest.raises(WorkerError) as raised:
        list(results(_die, chunks_of(range(20), 2, 9), 2))
    assert str(raised.value) == told


def _die_once(items: Sequence[Path]) -> list[str]:
    """Die the first time that this is done with such a chunk."""
    for item in items:
        with suppress(FileExistsError):
            item.mkdir()
            os.kill(os.getpid(), signal.SIGKILL)
    return [item.name for item in items]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_what_a_process_had_that_was_killed_is_done_again_by_another_one(tmp_path: Path) -> None:
    names = [str(number) for number in range(12)]
    chunks = [[tmp_path / name] for name in names]
    assert list(results(_die_once, chunks, 2)) == [[name] for name in names]
    assert multiprocessing.active_children() == []


def test_what_a_task_raises_is_raised() -> None:
    # many times: a process that is told to end while it begins to wait for more must hear of it
    script = f"""
        from rehref.files.pool import results

        def fail(items):
            raise LookupError(items[0])

        found = set()
        for _ in range({examples(40)}):
            try:
                list(results(fail, [[0], [1]], 2))
            except LookupError as error:
                found.add(str(error))
        print(bool(found), found <= {{"0", "1"}})
    """
    assert in_a_process(script) == "True True\n"
    with pytest.raises(RuntimeError, match="_OddError: 1, 2"):  # it cannot be sent as it is
        list(results(_fail_oddly, [[0], [1]], 2))


def test_where_processes_are_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool.threading, "active_count", lambda: 2)
    assert list(results(abs_of, [[-1], [-2], [-3]], 2)) == [1, 2, 3]


def abs_of(items: Sequence[int]) -> int:
    return abs(items[0])


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_who_stops_taking_results_stops_the_processes(taken: int) -> None:
    script = f"""
        import multiprocessing, time
        from rehref.files.pool import results
        def slow(items):
            if items[0] > 4: time.sleep(1000)
            return items[0]
        found = results(slow, [[number] for number in range(100)], 2)
        print([next(found) for _ in range({taken})])
        found.close()
        print(multiprocessing.active_children())
    """
    assert in_a_process(script) == f"{list(range(taken))}\n[]\n"


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not told there")
def test_a_process_that_is_stopped_undoes_what_it_is_at_without_a_word(tmp_path: Path) -> None:
    script = f"""
        import os, time
        from pathlib import Path
        from rehref.files.writing import write_atomically
        from rehref.files.pool import results
        def write(file):
            file.write(b"half")
            Path({str(tmp_path)!r}, "begun").touch()
            time.sleep(1000)
        def task(items):
            if items[0]: write_atomically(Path({str(tmp_path)!r}, "page.html"), write)
            while not Path({str(tmp_path)!r}, "begun").exists(): time.sleep(0.01)
        found = results(task, [[0], [1]], 2)
        next(found)
        print(len([name for name in os.listdir({str(tmp_path)!r}) if name.endswith(".tmp")]))
        found.close()
    """
    assert in_a_process(script) == "1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["begun"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signal masks there")
def test_an_interrupt_while_processes_are_begun_comes_after_that() -> None:
    """Each process is sent one as soon as it is there, as a terminal does; the first hears of it when all are."""
    script = """
        import multiprocessing.process, os, signal
        from rehref.files import pool
        begin, begun = pool._begin, []
        def interrupted(*arguments):
            worker = begin(*arguments)
            begun.append(worker)
            for process in (worker.process.pid, os.getpid()): os.kill(process, signal.SIGINT)
            return worker
        pool._begin = interrupted
        try:
            list(pool.results(sum, [[1], [2], [3]], 3))
        except KeyboardInterrupt:
            print(len(begun), {worker.process.exitcode in (0, -signal.SIGTERM) for worker in begun})
    """
    assert in_a_process(script) == "3 {True}\n"


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux'")
def test_a_process_whose_parent_is_gone_already_ends() -> None:
    script = """
        import os
        from rehref.files.pool import end_with_parent
        child = os.fork()
        if child == 0:
            end_with_parent(os.getppid() + 1)  # as if it had died before the signal was asked for
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert in_a_process(script) == "1\n"


@pytest.mark.skipif(sys.platform == "win32", reason="processes have no other parents there")
def test_elsewhere_a_process_asks_for_its_parent() -> None:
    script = """
        import os, sys, time
        from rehref.files import pool
        reader, writer = os.pipe()
        middle = os.fork()
        if middle == 0:
            if os.fork() == 0:
                pool.sys.platform = "darwin"
                pool.end_with_parent(os.getppid())
                os.write(writer, b"ready")
                os.close(reader)
                time.sleep(1000)
            os.read(reader, 5)
            os._exit(0)
        os.waitpid(middle, 0)
        os.close(writer)
        print(os.read(reader, 1))  # ends when nobody can write any more
    """
    assert in_a_process(script) == "b''\n"


def test_a_process_that_does_not_end_is_killed() -> None:
    script = """
        import multiprocessing, signal, time
        from rehref.files import pool
        pool._PATIENCE = 0.1
        def stubborn(items):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if items[0]: time.sleep(1000)
        found = pool.results(stubborn, [[0], [1]], 2)
        next(found)
        found.close()
        print(multiprocessing.active_children())
    """
    assert in_a_process(script) == "[]\n"


def test_nothing_else_begins_processes_or_threads() -> None:
    """One pool for all; a single thread compresses records beside the work (`containers/_warc/archive_copy.py`).

    Servers are asked many things at once, in one event loop, and names looked up in threads (`web/_connections.py`).
    `rehref serve` answers each connection in a thread of its own (`plugins/serve/_http_server.py`), and unpacks before.
    `rehref mv` has git change its index (`plugins/mv/_git_index.py`). `rehref lsp` checks documents in one thread, and
    the folder in another (`plugins/lsp/_language_server.py`).
    """
    source = Path(pool.__file__).parents[1]
    begins = re.compile(
        r"^\s*(?:import|from) (?:multiprocessing|concurrent|threading|subprocess|asyncio)\b", re.MULTILINE
    )
    found = {
        path.relative_to(source).as_posix() for path in source.rglob("*.py") if begins.search(path.read_text("utf-8"))
    }
    found = {each for each in found if not each.startswith("web/")}
    assert found == {
        *(
            "files/pool.py",
            "containers/_warc/archive_copy.py",
            "plugins/serve/_http_server.py",
            "plugins/mv/_git_index.py",
        ),
        *("plugins/lsp/_language_server.py", "plugins/lsp/_workspace.py"),
    }
