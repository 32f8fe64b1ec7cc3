"""Completion of values, as functions of shells ask for it; `test_cli_completion_shells.py` asks the shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from patience import PATIENCE
from rehref.cli.program import program
from rehref.reports.formats import OF_FINDINGS
from rehref.site.check_options import ROWS
from rehref.site.codes import CODES, GROUPS


def answer(instruction: str, words: str = "", word: str = "") -> str:
    """What the program answers the function of a shell."""
    environment = {"_REHREF_COMPLETE": instruction, "COMP_WORDS": words, "COMP_CWORD": word}
    ran = CliRunner().invoke(program, env=environment, prog_name="rehref", catch_exceptions=False)
    assert (ran.exit_code, ran.stderr) == (0, "")
    return ran.stdout


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
def test_values_in_bash(line: str, completed: list[str]) -> None:
    words = [*line.split(), ""] if line.endswith(" ") else line.split()
    answered = answer("bash_complete", line, str(len(words) - 1)).split()
    assert sorted(each.removeprefix("plain,") for each in answered) == sorted(completed)


@pytest.mark.parametrize(("shell", "words", "word"), [
    ("zsh", "rehref check --host n", "3"),
    ("fish", "rehref check --host", "n"),
])  # fmt: skip
def test_other_shells_ask_for_the_same(shell: str, words: str, word: str) -> None:
    out = answer(f"{shell}_complete", words, word)
    assert [name for name in ROWS["host"].choices if name in out.split()] == [
        name for name in ROWS["host"].choices if name.startswith("n")
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_take_their_functions(shell: str) -> None:
    source = answer(f"{shell}_source")
    assert f"_REHREF_COMPLETE={shell}_complete" in source
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    ran = subprocess.run([shell, "-n"], input=source.encode(), capture_output=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0, ran.stderr


_ALL = """
from click import Context
from rehref.cli.program import program
for name in program.list_commands(None):
    command = program.get_command(None, name)
    for each in command.params:
        values = each.type.shell_complete(Context(command), each, "")
        print(name, each.name, [value.value for value in values])
"""


def test_values_have_one_order() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", _ALL],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert "media_type" in answers.pop()
