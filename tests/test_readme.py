"""What the README and the pages of `docs` show is what comes out.

- Every command of the README, the session in Python included, runs as it stands, in a copy of the project's examples
  and fixtures, one after the other; what it prints, on standard error too, is what the README shows. Those of
  `## Install` apart, which `scripts/setup.sh` does.
- Of the other pages every block that shows output runs.
- How long something took is not compared.
- A reader of the first screens finds how to install rehref, and then the command they need.
- What the README says of the program, of other checkers and of files is so.
"""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import click
import pytest

import modules
import sessions
from rehref.cli.program import program

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = (
    "docs/archives.md",
    "docs/checking.md",
    "docs/checking-where.md",
    "docs/command-line.md",
    "docs/containers.md",
    "docs/external.md",
    "docs/integrations.md",
    "docs/inventory.md",
    "docs/links.md",
    "docs/mirrors.md",
    "docs/rewriting.md",
    "docs/uris.md",
)
SCREEN = 40

comparison = modules.module_at(ROOT / "scripts/comparison.py", "comparison")

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are for a shell")


def shown(text: str) -> sessions.Step:
    """A console block as one script; its last command is left out if it shows no output."""
    done = sessions.steps(text)
    kept = done if done[-1].output else done[:-1]
    return sessions.Step("".join(step.command for step in kept), "".join(step.output for step in kept))


def section(page: str, heading: str) -> str:
    """A section, with its heading."""
    found = re.search(rf"^## {heading}\n.*?(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[0]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The folders that the README speaks of."""
    for name in ("examples", "fixtures"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def try_python(text: str) -> None:
    example = doctest.DocTestParser().get_doctest(text, {}, "README", "README.md", 0)
    assert len(example.examples) > 5
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.slow  # scripts/check runs it, too
def test_every_command_of_the_readme_runs_as_it_stands(copy, monkeypatch):
    monkeypatch.chdir(copy)
    found = sessions.blocks(README.replace(section(README, "Install"), ""))
    assert {block.language for block in found} == {"console", "pycon"}
    for block in found:
        if block.language == "console":
            sessions.try_console(block.text, copy)
        else:
            try_python(block.text)


def commands_in_text(page: str) -> list[str]:
    """The commands that stand in a sentence, ready to run: those with arguments, and no placeholder."""
    prose = re.sub(r"^```.*?^```", "", page, flags=re.DOTALL | re.MULTILINE)
    return [command for command in re.findall(r"`(rehref [^`]+ [^`]+)`", prose) if not re.search(r"[A-Z]{3}", command)]


@pytest.mark.slow
def test_commands_within_a_sentence_run_too(copy):
    found = commands_in_text(README)
    assert found
    sessions.shell("rehref rewrite -q fixtures/containers/crawl.warc.gz -o absolute.warc.gz", copy)
    # the step that the first screen speaks of
    for path in ("published/docs/wind.html", "public/weather/wind.html", "published/index.html", "public/index.html"):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(f"<h1>{path.rpartition('/')[2]}</h1>")
    for command in found:
        done = sessions.shell(command, copy)
        assert done.returncode in (0, 1), command
        if "compare" in command:
            assert "docs/wind.html  gone; now weather/wind.html (same bytes)" in README
            assert "docs/wind.html  gone; now weather/wind.html (same bytes)" in done.stdout


@pytest.mark.sampled(14)
@pytest.mark.parametrize(
    "block",
    [
        block
        for page in PAGES
        for block in sessions.blocks((ROOT / page).read_text(encoding="utf-8"))
        if block.language == "console"
    ],
    ids=lambda block: block.text.splitlines()[0][:60],
)
def test_the_pages_show_what_comes_out(block):
    commands, output = shown(block.text)
    if not output:
        return
    done = sessions.shell(f"set -e\n{commands}", ROOT)
    assert done.stdout == output
    assert done.returncode == 0


@pytest.mark.parametrize(
    "command", [r"\$ rehref check ", r"\$ rehref (links|rewrite) .*\.warc\.gz", ">>> import rehref$"]
)
def test_the_first_two_screens_show_the_command_of_each_reader_and_before_it_how_to_install(command):
    lines = README.splitlines()
    screens = [lines[start : start + SCREEN] for start in range(0, 3 * SCREEN, SCREEN)]
    (screen, line) = next(
        (screen, line) for screen, text in enumerate(screens) for line in text if re.match(command, line)
    )
    assert screen < 2
    assert next(at for at, text in enumerate(lines) if text.startswith("$ pip install")) < lines.index(line)


def test_the_first_paragraph_is_one_sentence_that_says_what_it_is():
    paragraph = README.split("\n\n")[1]
    assert paragraph.startswith("rehref ")
    assert paragraph.count(".") == 1


def test_every_command_of_the_program_is_in_its_table():
    cells = re.findall(r"^\| (`rehref [^|]+) \|", section(README, "The commands"), re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`rehref (\w+)`", cell)]
    assert sorted(named) == sorted(program.list_commands(click.Context(program)))


def test_what_it_says_of_other_checkers_is_what_was_found():
    row = comparison.correctness((ROOT / "docs/checkers.md").read_text(encoding="utf-8"))
    assert f"| {' | '.join(row)} |" in README


def test_every_file_that_it_names_is_there():
    named = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)
    assert "docs/report-small.png" in named
    assert [name for name in named if not (ROOT / name).exists()] == []
