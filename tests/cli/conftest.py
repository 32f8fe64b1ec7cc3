"""What the tests of the command line share: a way to run it in this process, one to run it as people do, and a site."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli_runs import Run, RunProcess
from patience import PATIENCE
from rehref.cli.program import program


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in a folder of its own, where no configuration is found but its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture(scope="session")
def run() -> Run:
    """Run the program in this process: `run("links", path, input=b"…")`."""

    def running(*arguments: object, input: bytes | None = None) -> Result:
        return CliRunner().invoke(program, [str(each) for each in arguments], input=input, catch_exceptions=False)

    return running


@pytest.fixture(scope="session")
def run_process() -> RunProcess:
    """Run the program as a process."""

    def running(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "PYTHONDEVMODE": "0", **options.pop("env", {})}
        return subprocess.run(
            [sys.executable, "-m", "rehref", *(str(each) for each in arguments)],
            capture_output="stdout" not in options,
            timeout=PATIENCE,
            check=False,
            env=environment,
            **options,
        )

    return running


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with two documents that change, one that does not, and what is no document."""
    folder = tmp_path / "site"
    (folder / "deep").mkdir(parents=True)
    (folder / "index.html").write_bytes(b'<a href="deep/page.html">page</a>\n<a href="#top">top</a>\n')
    (folder / "deep" / "page.html").write_bytes(b'<base href="../">\n<a href="index.html">home</a>\n')
    (folder / "deep" / "plain.HTM").write_bytes(b"<p>nothing</p>\n")
    (folder / "data.bin").write_bytes(b"\0\1\n")
    return folder


@pytest.fixture
def ignoring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are the same in upper and lower case."""
    monkeypatch.setattr("rehref.files.file_documents.ignores_case", lambda folder: True)
