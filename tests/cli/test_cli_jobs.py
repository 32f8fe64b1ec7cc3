"""Many documents: in order, in several processes, with a bar that shows how far they are."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from rehref.cli import progress
from rehref.cli.jobs import WORTH_A_PROCESS, how_many, ordered_map


@pytest.mark.parametrize(
    ("asked", "items", "jobs"),
    [(None, 0, 1), (None, 1, 1), (None, WORTH_A_PROCESS, 1), (5, 100, 5), (5, 3, 3), (1, 0, 1)],
)
def test_how_many_jobs(asked: int | None, items: int, jobs: int) -> None:
    assert how_many(asked, items) == jobs


def test_no_more_jobs_than_cores_unless_asked_for() -> None:
    assert 1 <= how_many(None, 1_000_000) <= (os.cpu_count() or 1)


def test_one_job_is_done_here_and_only_as_far_as_results_are_taken() -> None:
    done: list[int] = []
    results = ordered_map(lambda item: done.append(item) or -item, [1, 2, 3], 1)  # type: ignore[func-returns-value]
    assert next(results) == -1
    assert done == [1]


def in_a_process(script: str) -> str:
    """What a script prints. No pool is started from here: pytest may have threads, which do not go with forks."""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert ran.stderr == ""
    return ran.stdout


def test_results_come_in_the_order_of_the_items() -> None:
    script = (
        "from rehref.cli.jobs import ordered_map\n"
        "print(list(ordered_map(abs, range(-500, 0), 3)) == list(range(500, 0, -1)))"
    )
    assert in_a_process(script) == "True\n"


def test_a_process_that_dies_is_told() -> None:
    script = (
        "import os\n"
        "from rehref.cli.errors import OptionError\n"
        "from rehref.cli.jobs import ordered_map\n"
        "try: list(ordered_map(os._exit, [1] * 40, 2))\n"
        "except OptionError as error: print(error)\n"
    )
    assert in_a_process(script) == "--jobs: a process died, perhaps for want of memory; try --jobs 1\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminals", "quiet", "no_progress", "prints", "shown"),
    [
        (("stderr",), False, False, True, True),
        (("stderr", "stdout"), False, False, False, True),
        (("stderr", "stdout"), False, False, True, False),
        (("stderr",), True, False, False, False),
        (("stderr",), False, True, False, False),
        (("stdout",), False, False, False, False),
        ((), False, False, False, False),
    ],
)
def test_when_there_is_a_bar(
    monkeypatch: pytest.MonkeyPatch,
    terminals: tuple[str, ...],
    quiet: bool,
    no_progress: bool,
    prints: bool,
    shown: bool,
) -> None:
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal() if name in terminals else io.StringIO())
    assert progress.wanted(quiet=quiet, no_progress=no_progress, prints_results=prints) is shown


def test_without_a_bar_results_only_pass() -> None:
    assert list(progress.Progress(3, shown=False).watch(iter("abc"))) == ["a", "b", "c"]


def test_a_bar_shows_how_far_things_are_and_goes_away(tmp_path: Path) -> None:
    script = (
        "from rehref.cli import progress\n"
        "progress._PATIENCE = progress._EVERY = 0\n"
        "bar = progress.Progress(3, shown=True)\n"
        "for each in bar.watch('abc'):\n"
        "    if each == 'c': bar.say('a message')\n"
    )
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=child,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(child)
    shown = b""
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(parent)
    assert process.wait(60) == 0
    assert b"documents" in shown
    assert b"2/3" in shown
    assert b"\nrehref: a message\r\n" in shown.replace(b"\x1b[2K", b"\n")
    assert shown.endswith(b"\x1b[2K")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_processes_end_with_the_one_that_began_them(tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"{number}.html").write_text("<a href=x>" * 2000, encoding="utf-8")
    arguments = ["links", "--jobs", "2", "--format", "jsonl", str(tmp_path)]
    main = subprocess.Popen([sys.executable, "-m", "rehref", *arguments], stdout=subprocess.PIPE)
    assert main.stdout is not None
    main.stdout.read(1)  # the processes are at work
    main.kill()
    # the pipe ends when nobody holds it any more: it would never, were they left
    main.stdout.read()
    main.stdout.close()
    assert main.wait(timeout=60) != 0
