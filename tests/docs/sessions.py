"""Sessions in pages: fenced blocks of commands and of Python with the output beneath; and running them.

1. The blocks of a page run one after the other, in one folder; each `console` block is a shell of its own, all `pycon`
   blocks are one Python.
2. A command is a line that begins with `$ `; a line that begins with `> ` goes on with it. The output is what a
   terminal shows: standard output and standard error, in that order of writing.
3. A page shows port 8000, and the folder as `/home/you`; what is there when it runs takes their place.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PORT = "8000"
HOME = "/home/you"
_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ .*\n(?:> .*\n)*", re.MULTILINE)
_END = "\x1e"
_TIME = re.compile(r"\d+\.\d+ s\b")


class Block(NamedTuple):
    """A fenced block: its language, and what is in it."""

    language: str
    text: str


class Step(NamedTuple):
    """A command, and its output; `exit_code` where it has run."""

    command: str
    output: str
    exit_code: int | None = None


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


def run(commands: list[str], folder: Path) -> Iterator[Step]:
    """Run commands in one shell, in a folder (rule 2)."""
    port = str(_free_port())
    script = "".join(f"{command}printf '{_END}%s{_END}' $?\n" for command in commands).replace(PORT, port)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1", "NO_COLOR": "1", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    printed = done.stdout.replace(port, PORT).replace(str(folder), HOME).split(_END)
    for command, output, code in zip(commands, printed[::2], printed[1::2], strict=False):
        yield Step(command, output, int(code))


def without_times(output: str) -> str:
    """An output in which all times are the same."""
    return _TIME.sub("0.0 s", output)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
