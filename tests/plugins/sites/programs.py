"""Runs the programs that rehref is built into, on a copy of an example: as people do, in another process, or in this
one, where a program is imported once.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from unittest import mock

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
_PLAIN: Final = {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "COLUMNS": "500"}


class Ran(NamedTuple):
    """How a program ended, and all that it said."""

    status: int
    said: str

    @property
    def messages(self) -> list[str]:
        """The lines about references, without what a program writes before and behind them."""
        return [line for line in self.said.splitlines() if re.search(r"\([^()]*[a-z]+-[a-z-]+\)", line)]


def copied(example: str, to: Path) -> Path:
    """A copy of an example that may be changed."""
    shutil.copytree(EXAMPLES / example, to / example, ignore=shutil.ignore_patterns("site", "_build"))
    return to / example


def copied_project(to: Path) -> Path:
    """What an installation of this project needs, in a folder of its own: nothing is built beside the source."""
    unwanted = shutil.ignore_patterns("*.so", "*.pyd", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "src", to / "src", ignore=unwanted)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "docs/problems.md", ".pre-commit-hooks.yaml"):
        (to / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, to / name)
    return to


def pasted(beginning: str, end: str) -> str:
    """What `docs/integrations.md` shows of an output: the block that begins so."""
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^```text\n({re.escape(beginning)}.*?{end})```$", page, re.DOTALL | re.MULTILINE)
    return str(found)


def run(folder: Path, *words: str, **environment: str) -> Ran:
    """Run a module of Python in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=os.environ | _PLAIN | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout + done.stderr)


def run_here(folder: Path, main: Callable[[], object]) -> Ran:
    """Run a program in a folder, in this process. `main`: returns its status, or ends it with `SystemExit`."""
    said = io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        mock.patch.dict(os.environ, _PLAIN),
    ):
        try:
            status = main()
        except SystemExit as ended:
            status = ended.code
    assert isinstance(status, int | None)
    return Ran(status or 0, said.getvalue())


def replace(file: Path, old: str, new: str) -> None:
    """Change a file; what is to be changed has to be there."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
