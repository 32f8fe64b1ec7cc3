"""Many documents: in order, in several processes, with a bar that shows how far they are."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE
from rehref.cli import progress


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


def test_without_a_bar_nothing_is_shown(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    monkeypatch.setattr(progress, "_EVERY", 0)
    with progress.Progress(shown=False) as bar:
        bar.show(1, 3)
    assert capfd.readouterr() == ("", "")


def test_a_bar_shows_how_far_things_are_and_goes_away(tmp_path: Path) -> None:
    script = (
        "from rehref.cli import progress\n"
        "progress._PATIENCE = progress._EVERY = 0\n"
        "with progress.Progress(shown=True) as bar:\n"
        "    for done in (1, 2, 3):\n"
        "        if done == 3: bar.say('a message')\n"
        "        bar.show(done, 3)\n"
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
    assert process.wait(PATIENCE) == 0
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
    assert main.wait(timeout=PATIENCE) != 0
