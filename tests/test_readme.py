"""What the README and the pages about containers and checking show is what comes out: every such command is run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "docs/containers.md", "docs/checking.md")
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(
        r"^```console\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
]


def sessions() -> list[tuple[str, str]]:
    """Each console block that shows output: its commands as a script, and the output."""
    found = []
    for block in BLOCKS:
        commands = "".join(line[2:] + "\n" for line in block.splitlines() if line.startswith("$ "))
        output = "".join(line + "\n" for line in block.splitlines() if not line.startswith("$ "))
        if output:
            # a command whose output is not shown comes last in its block
            *shown, last = commands.splitlines()
            if block.rstrip().endswith(last):
                commands = "\n".join(shown)
            found.append((commands, output))
    return found


@pytest.mark.skipif(shutil.which("bash") is None, reason="the README's commands are for a shell")
@pytest.mark.parametrize(("commands", "output"), sessions())
def test_the_readme_shows_what_comes_out(commands, output):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", commands],
        cwd=ROOT,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == output
    assert done.returncode == 0


def test_there_is_something_to_run():
    assert len(sessions()) >= 3
