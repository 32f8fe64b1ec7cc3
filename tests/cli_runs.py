"""What tests of the command line share beside the fixtures of `cli/conftest.py`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import Result

from patience import PATIENCE

Run: TypeAlias = Callable[..., Result]
RunProcess: TypeAlias = "Callable[..., subprocess.CompletedProcess[bytes]]"


def told(result: Result) -> str:
    """The one line that was said, where the exit code is 2, without what every one begins with."""
    assert result.exit_code == 2, result.output
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("rehref: ")
    return result.stderr.removeprefix("rehref: ").rstrip("\n")


def shell(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of the shell; `$REHREF` is the program."""
    environment = {**os.environ, "REHREF": f"{sys.executable} -m rehref"}
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    return subprocess.run([bash, "-c", command], env=environment, capture_output=True, timeout=PATIENCE, check=False)


def site_of(folder: Path, *names: str) -> Path:
    """A folder with pages of these names, each with one reference."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("<a href=x>")
    return folder
