"""Nothing that a repository says is run when files in it move, and its index is right afterwards."""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from checked.contexts import written
from plugins.mv.test_carrying_out import FILES
from rehref.cli.program import program
from rehref.plugins.mv._git_index import renamed_in_index, repository_of

PACKAGE = Path(__file__).parents[3] / "src" / "rehref"
HOOKS = (
    "post-index-change",
    "pre-commit",
    "post-checkout",
    "fsmonitor-watchman",
    "reference-transaction",
    "post-rewrite",
)
CONFIG = """
[core]
    fsmonitor = {run}
    hooksPath = {hooks}
    sshCommand = {run}
    pager = {run}
    editor = {run}
    askPass = {run}
    gitProxy = {run}
    alternateRefsCommand = {run}
    attributesFile = {attributes}
[alias]
    ls-files = !{run}
    mv = !{run}
    update-index = !{run}
[filter "f"]
    clean = {run}
    smudge = {run}
    process = {run}
    required = true
[diff]
    external = {run}
[diff "f"]
    textconv = {run}
    command = {run}
[merge "f"]
    driver = {run}
[gpg]
    program = {run}
[credential]
    helper = !{run}
[uploadpack]
    packObjectsHook = {run}
[remote "origin"]
    url = ext::{run}
    promisor = true
[extensions]
    partialClone = origin
[protocol]
    allow = always
[trace2]
    eventTarget = {marker}
[include]
    path = {included}
"""

pytestmark = pytest.mark.skipif(shutil.which("git") is None or os.name != "posix", reason="needs git and a shell")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=n", "-c", "user.email=n@h.example", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def moved(folder: Path, old: str, new: str) -> str:
    """Move something, and return what is said of it."""
    done = CliRunner().invoke(program, ["mv", f"{folder}/{old}", f"{folder}/{new}", "--folder", str(folder)])
    assert done.exit_code == 0, done.stderr
    return done.stderr.replace(str(folder), "")


def hostile(tmp_path: Path) -> tuple[Path, Path]:
    """Return a repository whose every command writes a file, and the folder for these."""
    folder = written(tmp_path / "site", {**FILES, ".gitattributes": "* filter=f diff=f merge=f\n"})
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    ran, hooks = tmp_path / "ran", folder / ".git" / "evil"
    ran.mkdir()
    hooks.mkdir()
    for name in ("run", *HOOKS):
        (hooks / name).write_text(f'#!/bin/sh\necho "$0 $*" >> {ran}/{name}\ncat\n')
        (hooks / name).chmod(0o755)
    included = tmp_path / "included"
    included.write_text(f"[core]\n fsmonitor = {hooks}/run\n")
    names = {"run": hooks / "run", "hooks": hooks, "attributes": folder / ".gitattributes", "included": included}
    (folder / ".git" / "config").write_text(CONFIG.format(marker=ran / "trace", **names))
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "attributes").write_text("* filter=f diff=f\n")
    return folder, ran


def test_nothing_that_a_repository_names_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, ran = hostile(tmp_path)
    git(folder, "--version")
    subprocess.run(["git", "status"], cwd=folder, check=False, capture_output=True)
    assert any(ran.iterdir())  # the trap works
    shutil.rmtree(ran)
    ran.mkdir()
    for name in ("GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_PAGER", "GIT_EDITOR", "GIT_ASKPASS"):
        monkeypatch.setenv(name, f"{folder}/.git/evil/run")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"{folder}/.git/evil/run")
    monkeypatch.setenv("GIT_DIR", f"{tmp_path}/elsewhere")
    assert "git" not in moved(folder, "c", "e/f")
    assert list(ran.iterdir()) == []
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    (folder / ".git" / "config").unlink()
    assert "c/b.html -> e/f/b.html" in git(folder, "status", "--short")


def test_a_worktree_elsewhere_is_not_believed(tmp_path: Path) -> None:
    other, folder = written(tmp_path / "other", FILES), written(tmp_path / "site", FILES)
    for each in (other, folder):
        git(each, "init", "-q")
        git(each, "add", ".")
    (folder / ".git" / "config").write_text(f"[core]\n worktree = {other}\n")
    assert "git" not in moved(folder, "c", "e")
    assert (other / "c").exists()
    assert not (other / "e").exists()
    shutil.rmtree(folder / ".git")
    (folder / ".git").write_text(f"gitdir: {other}/.git\n")
    before = (other / ".git" / "index").read_bytes()
    assert "git's index does not have the new paths: git add -A stages them\n" in moved(folder, "e", "c")
    assert (other / ".git" / "index").read_bytes() == before


def test_an_index_that_is_not_an_ordinary_file_is_left_alone(tmp_path: Path) -> None:
    other, folder = written(tmp_path / "other", FILES), written(tmp_path / "site", FILES)
    for each in (other, folder):
        git(each, "init", "-q")
        git(each, "add", ".")
    before = (other / ".git" / "index").read_bytes()
    (folder / ".git" / "index").unlink()
    (folder / ".git" / "index").symlink_to(other / ".git" / "index")
    assert not renamed_in_index(folder, folder / "c", folder / "e")
    assert (other / ".git" / "index").read_bytes() == before
    shutil.rmtree(folder / ".git")
    (folder / ".git").symlink_to(other / ".git")
    assert not renamed_in_index(folder, folder / "c", folder / "e")
    assert (other / ".git" / "index").read_bytes() == before


def test_a_git_in_the_working_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, marker = written(tmp_path / "site", FILES), tmp_path / "ran"
    git(folder, "init", "-q")
    (folder / "git").write_text(f"#!/bin/sh\ntouch {marker}\n")
    (folder / "git").chmod((folder / "git").stat().st_mode | stat.S_IXUSR)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    assert repository_of(Path("c")) == folder
    renamed_in_index(folder, folder / "c", folder / "e")
    assert not marker.exists()


def test_one_module_alone_starts_programs() -> None:
    starts = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if (
            isinstance(node, ast.Import)
            and any(each.name in ("subprocess", "pty", "webbrowser") for each in node.names)
        )
        or (
            isinstance(node, ast.ImportFrom)
            and node.module in ("subprocess", "pty", "webbrowser", "asyncio.subprocess")
        )
        or (isinstance(node, ast.Attribute) and node.attr in ("Popen", "popen", "system", "startfile", "posix_spawn"))
        or (
            isinstance(node, ast.Attribute)
            and node.attr.startswith(("exec", "spawn"))
            and ast.unparse(node.value) == "os"
        )
        or (isinstance(node, ast.Attribute) and node.attr.startswith("create_subprocess"))
    }
    assert starts == {"plugins/mv/_git_index.py"}
