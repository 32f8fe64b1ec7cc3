"""Commands with closed standard streams say so in one line, or do without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from checked.contexts import written
from patience import PATIENCE
from rehref.cli.program import command_names

COMMANDS = command_names(installed=False)

ARGUMENTS = {
    "links": ["site"],
    "rewrite": ["--url", "http://h/", "site/a.html"],
    "check": ["site"],
    "compare": ["site", "site"],
    "mv": ["--dry-run", "--folder", "site", "site/a.html", "site/b.html"],
    "serve": ["none"],
    "find": ["site/a.html"],
    "resolve": ["http://h/", "a"],
    "normalize": ["http://h/"],
    "validate": ["http://h/"],
    "explain": ["missing-file"],
}
FROM_STDIN = [
    ["links", "-"],
    ["rewrite", "-"],
    ["check", "--root", "site", "--files-from", "-"],
    ["find", "-"],
    ["resolve", "http://h/", "-"],
    ["normalize", "-"],
    ["validate", "-"],
    ["serve", "-"],
    ["lsp"],
]


def run(folder: Path, closed: str, *arguments: str) -> tuple[int, bytes]:
    """Run a command with a standard stream closed; return its exit code, and what it says about that."""
    written(folder, {"site/a.html": "<a href=a.html>"})
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "rehref", *arguments]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    return done.returncode, done.stderr


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


@pytest.mark.parametrize("arguments", FROM_STDIN, ids=" ".join)
def test_closed_standard_input_that_is_read(tmp_path: Path, arguments: list[str]) -> None:
    if arguments == ["lsp"]:
        pytest.importorskip("pygls")
    status, said = run(tmp_path, "<&-", *arguments)
    assert status == 2
    assert b"standard input" in said.splitlines()[0]
    assert b"should not happen" not in said


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "lsp"])
def test_other_closed_streams(tmp_path: Path, command: str, closed: str) -> None:
    usual, _ = run(tmp_path, "", command, *ARGUMENTS.get(command, []))
    status, said = run(tmp_path, closed, command, *ARGUMENTS.get(command, []))
    assert status in ((usual, 2) if ">&-" in closed.replace("2>&-", "") else (usual,)), said
    assert b"should not happen" not in said
    assert b"Traceback" not in said


def test_an_editor_that_cannot_be_answered(tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    status, said = run(tmp_path, ">&-", "lsp")
    assert (status, said) == (2, b"rehref: standard output: it is closed\n")
