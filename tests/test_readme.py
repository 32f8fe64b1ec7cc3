"""What the README and the pages of `docs` show is what comes out.

1. Every command of the README runs as it stands, in a copy of the project's examples and fixtures, one after the other;
   those of `## Install` apart, which `scripts/setup.sh` does.
2. Of the other pages every block that shows output runs.
3. How long something took is not compared.
4. Within the first screens everybody finds what they came for.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = ("docs/archives.md", "docs/containers.md", "docs/checking.md", "docs/integrations.md")
FIRST_SCREENS = 80
_SECONDS = re.compile(r"\d+\.\d+ s\b")

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are for a shell")


class Session(NamedTuple):
    """Commands, and what they print."""

    commands: str
    output: str


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page that are in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def session(block: str) -> Session:
    """The commands of a console block as a script, and the output."""
    commands = "".join(line[2:] + "\n" for line in block.splitlines() if line.startswith("$ "))
    return Session(commands, "".join(line + "\n" for line in block.splitlines() if not line.startswith("$ ")))


def shown(block: str) -> Session:
    """A block whose last command may show no output: it is left out then."""
    whole = session(block)
    *first, last = whole.commands.splitlines()
    return Session("\n".join(first), whole.output) if block.rstrip().endswith(last) else whole


def install_aside(page: str) -> str:
    return re.sub(r"^## Install\n.*?(?=^## )", "", page, flags=re.DOTALL | re.MULTILINE)


def run(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euc", commands],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUTF8": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The folders that the README speaks of."""
    for name in ("examples", "fixtures"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.slow
def test_every_command_of_the_readme_runs_as_it_stands(copy):
    sessions = [session(block) for block in blocks(install_aside(README), "console")]
    assert len(sessions) > 8
    for commands, output in sessions:
        done = run(commands, copy)
        if output:
            assert _SECONDS.sub("N s", done.stdout) == _SECONDS.sub("N s", output)
        # `check` ends with 1 where it shows errors
        assert done.returncode == (1 if "rehref check" in commands and " error" in output else 0), done.stderr


def test_the_python_of_the_readme_runs_as_it_stands(copy, monkeypatch):
    monkeypatch.chdir(copy)
    (block,) = blocks(README, "pycon")
    example = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert len(example.examples) > 5
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize(
    "block", [block for page in PAGES for block in blocks((ROOT / page).read_text(encoding="utf-8"), "console")]
)
def test_the_pages_show_what_comes_out(block):
    commands, output = shown(block)
    if not output:
        return
    done = run(commands, ROOT)
    assert done.stdout == output
    assert done.returncode == 0


@pytest.mark.parametrize(
    "wanted",
    ["$ rehref check examples/", "$ rehref rewrite -q fixtures/containers/pages.warc.gz", "import pathlib, rehref"],
)
def test_the_first_screens_show_the_job_of_each_reader(wanted):
    first = README.splitlines()[:FIRST_SCREENS]
    assert any(wanted in line for line in first)


def test_install_stands_before_the_first_command():
    lines = README.splitlines()
    assert lines.index("## Install") < next(number for number, line in enumerate(lines) if line.startswith("$ "))
