"""Many documents: in order, in several processes, with a bar that shows how far they are."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from patience import PATIENCE
from rehref.cli import messages


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
    assert messages.wanted(quiet=quiet, no_progress=no_progress, prints_results=prints) is shown


def test_without_a_bar_nothing_is_shown(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_PATIENCE", 0)
    monkeypatch.setattr(messages, "_EVERY", 0)
    with messages.Progress(shown=False) as bar:
        bar.show(1, 3)
    assert capfd.readouterr() == ("", "")


def shown_by(clock: list[float], *calls: tuple[int, bool], total: int, of_bytes: bool = True) -> list[str]:
    """What a bar shows after each call, at these seconds, on a terminal without colours."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, no_color=True, legacy_windows=False)
    times = iter(clock)
    texts = []
    with messages.Progress(shown=True, of_bytes=of_bytes, clock=lambda: next(times), console=console) as bar:
        for done, is_new in calls:
            bar.show(done, total, "rewriting", is_new=is_new)
            texts.append(" ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[━╸╺]|\r", "", out.getvalue()).split()))
            out.seek(0)
            out.truncate()
    return texts


def test_a_bar_of_bytes_has_rate_and_time_left() -> None:
    megabyte = 1_000_000
    calls = ((0, False), (20 * megabyte, True), (60 * megabyte, True), (100 * megabyte, True))
    assert shown_by([0, 0, 10, 20, 50], *calls, total=100 * megabyte) == [
        "rewriting 0.0/100.0 MB",
        "rewriting 20.0/100.0 MB 2.0 MB/s 0:00:40 left",
        "rewriting 60.0/100.0 MB 3.0 MB/s 0:00:13 left",
        "rewriting 100.0/100.0 MB 2.0 MB/s 0:00:00 left",
    ]


def test_what_was_done_by_another_run_counts_for_no_rate() -> None:
    megabyte = 1_000_000
    calls = ((0, False), (900 * megabyte, False), (910 * megabyte, True))
    assert shown_by([0, 0, 1, 10], *calls, total=1000 * megabyte) == [
        "rewriting 0.0/1.0 GB",
        "rewriting 0.9/1.0 GB",
        "rewriting 0.9/1.0 GB 1.0 MB/s 0:01:30 left",
    ]


def test_a_bar_waits_for_half_a_second_where_there_is_little_to_do() -> None:
    calls = ((0, False), (1000, True), (2000, True))
    texts = shown_by([0, 0, 0.4, 0.8], *calls, total=4000)
    assert texts[:2] == ["", ""]
    assert texts[2] == "rewriting 2.0/4.0 kB 2.5 kB/s 0:00:01 left"


def test_a_bar_of_documents_has_no_rate() -> None:
    assert shown_by([0, 10], (5, True), total=20, of_bytes=False) == ["rewriting 5/20 0:00:30 left"]


@pytest.mark.parametrize("no_color", ["", "1"])
def test_without_colours_a_bar_has_none(monkeypatch: pytest.MonkeyPatch, no_color: str) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm-256color")
    out = Terminal()
    times = iter((0, 10))
    console = Console(file=out, width=80, legacy_windows=False)
    with messages.Progress(shown=True, of_bytes=True, clock=lambda: next(times), console=console) as bar:
        bar.show(5, 20)
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-9][0-9;]*m", out.getvalue())) is (no_color == "")


def test_a_bar_shows_how_far_things_are_and_goes_away(tmp_path: Path) -> None:
    script = (
        "from rehref.cli import messages\n"
        "messages._PATIENCE = messages._EVERY = 0\n"
        "with messages.Progress(shown=True) as bar:\n"
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
