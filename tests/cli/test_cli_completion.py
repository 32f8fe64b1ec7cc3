"""Completion of values, as shells ask for it: bash runs its own function here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from patience import PATIENCE
from rehref.checking.hosting.hosts import HOSTS
from rehref.code_groups import GROUPS
from rehref.codes import CODES
from rehref.reports.formats import OF_FINDINGS

Complete = Callable[[str], list[str]]


@pytest.fixture
def program(tmp_path: Path) -> dict[str, str]:
    """An environment in which `rehref` is a program."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "rehref"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rehref "$@"\n')
    script.chmod(0o755)
    return {**os.environ, "PYTHONDEVMODE": "0", "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def in_bash(program: dict[str, str]) -> Complete:
    """What bash completes a line to, with the function that `rehref` gives it."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")

    def completing(line: str) -> list[str]:
        code = f"""
            eval "$(_REHREF_COMPLETE=bash_source rehref)"
            COMP_WORDS=({line} {"''" if line.endswith(" ") else ""})
            COMP_CWORD=$(({"${#COMP_WORDS[@]}"} - 1))
            _rehref_completion rehref
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        ran = subprocess.run(["bash", "-c", code], env=program, capture_output=True, timeout=PATIENCE, check=False)
        assert ran.stderr == b""
        return ran.stdout.decode().split()

    return completing


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script here")
@pytest.mark.sampled(4)  # each starts a shell
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("rehref che", ["check"]),
        ("rehref help exp", ["explain"]),
        ("rehref check --format gi", ["github"]),
        ("rehref check -f gi", ["github"]),
        ("rehref check --format = gi", ["github"]),  # bash takes --format=gi apart
        ("rehref check --format =", [row.name for row in OF_FINDINGS]),
        ("rehref check --host git", ["github-pages", "gitlab-pages"]),
        ("rehref check --select missing-fi", ["missing-file"]),
        ("rehref check --select orphan,missing-fi", ["orphan,missing-file"]),
        ("rehref check --ignore bas", [name for name in (*CODES, *GROUPS) if name.startswith("bas")]),
        ("rehref check --format zz", []),
        ("rehref check --per-path-ignores a.html : missing-fi", ["missing-file"]),  # bash takes it apart
        ("rehref check --per-path-ignores a.html :", [*CODES, *GROUPS]),
        ("rehref check --color ", ["auto", "always", "never"]),
        ("rehref explain missing-in", ["missing-index"]),
        ("rehref explain trunc", ["truncated"]),
        ("rehref links --format js", ["json", "jsonl"]),
        ("rehref links --parser html5", ["html5lib"]),
        ("rehref links --profile wh", ["whatwg"]),
        ("rehref links --encoding windows-125", [f"windows-125{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 0)]),
        ("rehref links --media-type text/h", ["text/html"]),
        ("rehref rewrite --to off", ["offline"]),
        ("rehref rewrite --base-element e", ["empty"]),
    ],
)
def test_bash_completes_values(in_bash: Complete, line: str, completed: list[str]) -> None:
    assert sorted(in_bash(line)) == sorted(completed)


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script here")
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_ask_for_the_same(program: dict[str, str], shell: str) -> None:
    """Their functions are made, and what these call gives the same values."""

    def run(**asked: str) -> str:
        environment = program | {name.upper(): value for name, value in asked.items()}
        ran = subprocess.run(["rehref"], env=environment, capture_output=True, timeout=PATIENCE, check=False)
        assert ran.returncode == 0
        return ran.stdout.decode()

    assert "_REHREF_COMPLETE" in run(_rehref_complete=f"{shell}_source")
    words = {"zsh": "rehref check --host n", "fish": "rehref check --host"}[shell]
    asked = {"comp_words": words, "comp_cword": "3" if shell == "zsh" else "n"}
    out = run(_rehref_complete=f"{shell}_complete", **asked)
    assert [name for name in HOSTS if name in out.replace(",", "\n").split()] == [n for n in HOSTS if n.startswith("n")]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_take_their_functions(program: dict[str, str], shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    source = subprocess.run(
        ["rehref"], env=program | {"_REHREF_COMPLETE": f"{shell}_source"}, capture_output=True, check=True
    ).stdout
    ran = subprocess.run([shell, "-n"], input=source, capture_output=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0, ran.stderr
