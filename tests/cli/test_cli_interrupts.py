"""Ctrl-C at any moment: 130, not a word, no process and no file left behind.

It is sent to the whole group of processes, as a terminal does. Where, is counted in calls of functions, not in seconds.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")

PAGES = 30

# the profile function goes with forks: a process of the pool sends the interrupt, too, if it gets there first
PROGRAM = """
import os, signal, sys
from rehref.cli import main
left = int(sys.argv.pop(1))
def called(frame, event, argument):
    global left
    if event == "call":
        left -= 1
        if left == 0:
            os.killpg(0, signal.SIGINT)
            {more}
if left:
    sys.setprofile(called)
main(sys.argv[1:])
"""

COMMANDS = {
    "links": ("links", "--jobs", "2", "--format", "jsonl", "site"),
    "here": ("links", "--jobs", "1", "--format", "csv", "site"),
    "rewrite": ("rewrite", "--jobs", "2", "--url", "http://h/", "-o", "out", "site"),
    "check": ("check", "--jobs", "2", "--orphans", "--site-url", "http://h/", "site"),
}


def interrupted(after: int, command: str, folder: Path, more: str = "") -> subprocess.CompletedProcess[bytes]:
    """The program, interrupted at a call of a function. Ends only when no process has its standard output any more."""
    arguments = [sys.executable, "-c", PROGRAM.replace("{more}", more), str(after), *COMMANDS[command]]
    return subprocess.run(
        arguments, cwd=folder, capture_output=True, timeout=PATIENCE, check=False, start_new_session=True
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a site."""
    (tmp_path / "site").mkdir()
    for number in range(PAGES):
        (tmp_path / "site" / f"{number}.html").write_text('<a href="x.html">' * 20, encoding="utf-8")
    return tmp_path


def temporary(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".rehref-*")]


@pytest.mark.parametrize("after", [100, 3000, 9000])
def test_an_interrupt_at_some_moments(folder: Path, after: int) -> None:
    ran = interrupted(after, "rewrite", folder)
    assert (ran.returncode, ran.stderr.strip(), temporary(folder)) == (130, b"", [])


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_at_any_moment(folder: Path, command: str) -> None:
    """At calls further and further on, until there are no more: each time twice as far, and some in between."""
    after, ended = 2, 0  # the first call is that of `main`
    while ended == 0:
        for moment in (after, after + after // 3, after + after * 2 // 3):
            ran = interrupted(moment, command, folder)
            ended = ran.returncode != 130
            assert ran.stderr.strip() == b"" or ended, (moment, ran.stderr)
            assert temporary(folder) == [], moment
            if ended:
                assert ran.returncode == (1 if command == "check" else 0), (moment, ran.returncode, ran.stderr)
                break
        after *= 2
    assert after > 2000  # it has been interrupted in earnest


@pytest.mark.parametrize("after", [50, 3000, 10_000])
def test_a_second_interrupt_at_once(folder: Path, after: int) -> None:
    ran = interrupted(after, "links", folder, more="os.killpg(0, signal.SIGINT)")
    assert (ran.returncode, ran.stderr.strip()) == (130, b"")


def test_an_interrupt_in_code_that_is_made_of_text(folder: Path) -> None:
    """CPython remembers that, and would die of the signal at its end, though it was treated."""
    program = PROGRAM.split("left =")[0] + (
        "import rehref.cli\n"
        "rehref.cli._run = lambda _: exec('import os, signal; os.kill(os.getpid(), signal.SIGINT); [0 for _ in [0]]')\n"
        "main()\n"
    )
    (folder / "program.py").write_text(program, encoding="utf-8")
    arguments = [sys.executable, "-m", "program"]
    ran = subprocess.run(arguments, cwd=folder, capture_output=True, timeout=PATIENCE, check=False)
    assert (ran.returncode, ran.stderr) == (130, b"")


def test_an_interrupt_where_nothing_can_be_raised(folder: Path) -> None:
    ran = interrupted(5000, "here", folder, more="raise SystemError")
    assert (ran.returncode, ran.stderr.strip()) == (130, b"")
    program = PROGRAM + (
        "\nclass Finalized:\n"
        "    def __del__(self): os.kill(os.getpid(), signal.SIGINT); sum(range(9)); [each for each in 'abc']\n"
        "from rehref.cli import _interrupts as interrupts\n"
        "interrupts.listen()\nFinalized()\nprint('lost')\n"
    )
    program = program.replace("main(sys.argv[1:])", "").replace("{more}", "pass")
    ran = subprocess.run([sys.executable, "-c", program, "0"], capture_output=True, timeout=PATIENCE, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


def test_who_has_it_ignored_has_it_ignored_here(folder: Path) -> None:
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from rehref.cli import _interrupts as interrupts\n"
        "interrupts.listen()\nsignal.raise_signal(signal.SIGINT)\nprint('on')"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"on\n"


def test_a_reader_that_does_not_read_does_not_hold_up_an_interrupt(folder: Path) -> None:
    """Standard output is a full pipe: what is in the buffer could never be written."""
    for number in range(PAGES):
        (folder / "site" / f"{number}.html").write_text('<a href="x.html">' * 2000, encoding="utf-8")
    arguments = [sys.executable, "-c", PROGRAM.replace("{more}", "pass"), "0", *COMMANDS["links"]]
    reader, writer = os.pipe()
    main = subprocess.Popen(arguments, cwd=folder, stdout=writer, stderr=subprocess.PIPE, start_new_session=True)
    os.close(writer)
    os.read(reader, 1)  # it writes, and the pipe holds less than there is
    os.killpg(main.pid, signal.SIGINT)
    _, told = main.communicate(timeout=PATIENCE)
    os.close(reader)
    assert (main.returncode, told.strip()) == (130, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes need a second to see it")
def test_what_a_killed_run_left_is_cleared_by_the_next(folder: Path) -> None:
    program = (
        "import os\n"
        "from pathlib import Path\n"
        "from rehref.cli import main\n"
        "Path.replace = lambda *_: os.kill(os.getppid(), 9) or __import__('time').sleep(100)\n"
        "main(['rewrite', '--jobs', '2', '--url', 'http://h/', 'site', '--in-place', '--quiet'])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], cwd=folder, stderr=subprocess.PIPE)
    process.communicate(timeout=PATIENCE)  # until nobody has its standard error any more
    assert process.returncode == -signal.SIGKILL
    assert temporary(folder) != []
    again = [sys.executable, "-m", "rehref", "rewrite", "--url", "http://h/", "site", "--in-place", "--quiet"]
    assert subprocess.run(again, cwd=folder, capture_output=True, check=True).stderr == b""
    assert temporary(folder) == []


def test_an_interrupt_says_how_much_was_rewritten(folder: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from rehref.archives import rewriting_files\n"
        "from rehref.cli import main\n"
        "from rehref.cli._commands.rewrite import command\n"
        "whole = command.rewrite_many\n"
        "def some(*arguments, **options):\n"
        "    for number, each in enumerate(whole(*arguments, **options)):\n"
        "        if number > 1:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "        yield each\n"
        "command.rewrite_many = some\n"
        "main(['rewrite', '--in-place', '--jobs', '1', '--url', 'http://h/', 'site'])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, timeout=PATIENCE, check=False
    )
    assert ran.returncode == 130
    said = ran.stderr.decode()
    assert said.startswith("rehref: interrupted: at least ")
    assert said.endswith(f" of {PAGES:,} files are rewritten; run it again for the rest\n\n")
    assert temporary(folder) == []
