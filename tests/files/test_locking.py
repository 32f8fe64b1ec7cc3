"""One run at a time writes into a folder, and below it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from checked.contexts import written
from patience import PATIENCE
from rehref import check, move
from rehref.cli import program as of_programs
from rehref.cli.program import program
from rehref.exceptions import OptionError
from rehref.files.writing import alone_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")


def waits(held: Path, wanted: Path) -> bool:
    """Whether a run that wants a folder waits for one that has another one."""
    said, began = threading.Event(), threading.Event()

    def second() -> None:
        with alone_in([wanted], lambda _: said.set()):
            began.set()
        said.set()

    with alone_in([held]):
        thread = threading.Thread(target=second)
        thread.start()
        assert said.wait(PATIENCE)
        has_waited = not began.is_set()
    thread.join(PATIENCE)
    assert began.is_set()
    return has_waited


def test_a_folder_and_what_is_above_and_below_it(tmp_path: Path) -> None:
    for name in ("a/b", "c"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    a, b, c = tmp_path / "a", tmp_path / "a" / "b", tmp_path / "c"
    assert [waits(*each) for each in ((a, a), (a, b), (b, a), (a, tmp_path / "link"))] == [True] * 4
    assert [waits(*each) for each in ((a, c), (b, c))] == [False] * 2
    with alone_in([a, b, a]), alone_in([c, tmp_path / "new"]):
        pass


def test_nothing_is_left_of_a_lock(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with alone_in([tmp_path]):
            os.write(writer, b"x")
            signal.pause()
    os.read(reader, 1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said: list[str] = []
    with alone_in([tmp_path], said.append):
        assert (said, list(tmp_path.iterdir())) == ([], [])


def test_moves_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    names = [f"p{number}.html" for number in range(6)]
    folder = written(tmp_path, {name: "".join(f"<a href={each}>" for each in names) for name in names})
    with ThreadPoolExecutor(len(names)) as pool:
        moved = [pool.submit(move, folder / name, folder / f"to/{name}", folder=folder) for name in names]
        assert [each.result(PATIENCE).files for each in moved] == [(name,) for name in names]
    assert check(folder).summary.broken == 0


@pytest.mark.parametrize(
    "command",
    [
        ["check", "--fix", "{folder}"],
        ["check", "--fix", "{folder}/a.html"],
        ["rewrite", "--in-place", "{folder}"],
        ["rewrite", "--in-place", "{folder}/a.html"],
        ["mv", "--folder", "{folder}", "{folder}/a.html", "{folder}/b.html"],
        ["compare", "{folder}", "{folder}", "--write-redirects", "{folder}/_redirects"],
    ],
)
def test_every_command_that_writes_in_place_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    def raise_waiting(line: str) -> None:
        raise OptionError("waits", line, "")

    folder = written(tmp_path, {"a.html": "<a href=a.html>"})
    monkeypatch.setattr(of_programs, "say", raise_waiting)
    monkeypatch.setattr("rehref.plugins.mv.command.say", raise_waiting)
    with alone_in([folder]):
        done = CliRunner().invoke(program, [each.format(folder=folder) for each in command])
    assert f"{folder}: waiting for another run of rehref that writes there" in done.output
