"""Sessions in pages: fenced blocks of commands and of Python with the output beneath; and running them.

- A command is a line that begins with `$ `; a line that begins with `> ` goes on with it. The output is what a
  terminal shows: standard output and standard error, in the order in which they are written.
- The commands of a block run in one shell. A command ends with 0; `diff` with 1, and so does `rehref check` where it
  shows errors, or repairs that it would make, and `rehref compare` where something is lost.
- A page shows port 8000, and the folder as `/home/you`; what is there when it runs takes their place. Times are not
  compared.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

PORT = "8000"
HOME = "/home/you"
_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ .*\n(?:> .*\n)*", re.MULTILINE)
_ERRORS = re.compile(r"^\d+ errors? ", re.MULTILINE)
_LOST = re.compile(r"^(?:[0-9,]+ (?:URL|id)s? .*gone|nothing gone.*newly broken;).* kept$", re.MULTILINE).search
_TIME = re.compile(r"\d+\.\d+ s\b")
_END = "\x1e"


class Block(NamedTuple):
    """A fenced block: its language, and what is in it."""

    language: str
    text: str


class Step(NamedTuple):
    """A command, and the output that a page shows."""

    command: str
    output: str

    @property
    def exit_code(self) -> int:
        """What it ends with."""
        finds = "rehref check" in self.command and ("--diff" in self.command or _ERRORS.search(self.output))
        finds = finds or ("rehref compare" in self.command and "--exit-zero" not in self.command and _LOST(self.output))
        return 1 if finds or self.command.startswith("diff ") else 0


class Result(NamedTuple):
    """What a command printed when it ran, and its exit code."""

    output: str
    exit_code: int


def blocks(page: str) -> list[Block]:
    """The sessions of a page, in order."""
    return [Block(*found) for found in _BLOCK.findall(page)]


def steps(text: str) -> list[Step]:
    """The commands of a console block, each with the output beneath."""
    commands = list(_COMMAND.finditer(text))
    ends = [found.start() for found in commands[1:]] + [len(text)]
    return [
        Step(re.sub(r"^[$>] ", "", found[0], flags=re.MULTILINE), text[found.end() : end])
        for found, end in zip(commands, ends, strict=True)
    ]


def shell(script: str, folder: Path, *, merged: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder; `merged`: standard error is where standard output is."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-uc", script],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )


def results(commands: Sequence[str], folder: Path) -> Iterator[Result]:
    """Run commands in one shell: what each printed, as a page shows it."""
    port = str(_free_port())
    script = "".join(f"{command}printf '{_END}%s{_END}' $?\n" for command in commands).replace(PORT, port)
    done = shell(script, folder, merged=True)
    printed = done.stdout.replace(port, PORT).replace(str(folder), HOME).split(_END)
    for output, code in zip(printed[:-1:2], printed[1::2], strict=True):
        yield Result(output, int(code))


def try_console(text: str, folder: Path) -> None:
    """Run a console block, and compare."""
    shown = steps(text)
    for step, result in zip(shown, results([step.command for step in shown], folder), strict=True):
        assert without_times(result.output) == without_times(step.output), step.command
        assert result.exit_code == step.exit_code, step.command


def without_times(output: str) -> str:
    """An output in which all times are the same."""
    return _TIME.sub("0.0 s", output)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
