"""The man pages that `scripts/man` writes: complete, readable without a warning, and the same each time."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from modules import module_at
from patience import PATIENCE
from rehref.cli.program import command_names, import_command, option_groups

COMMANDS = command_names(installed=False)

ROOT = Path(__file__).resolve().parents[1]
man = module_at(ROOT / "scripts" / "man.py", "man")
NAMES = ["rehref.1", *(f"rehref-{name}.1" for name in COMMANDS)]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages") / "man"
    man.main(str(folder))
    return folder


def plain(page: Path) -> str:
    """A page as a reader sees it, in one line: escapes resolved, fonts and requests gone."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^\.\w+ ?", "", text, flags=re.MULTILINE).replace("\\&", "").replace("\\-", "-")
    for escape, sign in (("\\(aq", "'"), ("\\(ga", "`"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\(sc", "§")):
        text = text.replace(escape, sign)
    return " ".join(re.sub(r"\\f[BR]", "", text).replace("\\e", "\\").split())


def test_there_is_a_page_for_the_program_and_for_each_command(written: Path) -> None:
    assert sorted(path.name for path in written.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_has_the_help_of_its_command(written: Path, name: str) -> None:
    text, command = plain(written / f"rehref-{name}.1"), import_command(name)
    assert f"NAME rehref-{name} - " in text
    assert f"SYNOPSIS rehref {name} [OPTIONS]" in text
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.opts[-1] in text
            assert " ".join((option.help or "").split()).replace("…", "...") in text
    assert "-h, --help" in text
    context = click.Context(command, click.Context(man.program))
    headings = re.findall(r"^\.SS (.*)$", (written / f"rehref-{name}.1").read_text("utf-8"), re.MULTILINE)
    groups = option_groups(command, context)
    assert headings == ([man.roff(group) for group in groups] if len(groups) > 1 else [])
    for line in re.findall(r"^ +rehref .*$", command.epilog or "", re.MULTILINE):
        assert " ".join(line.split()) in text


def test_the_page_of_the_program_names_commands_and_exit_codes(written: Path) -> None:
    text = plain(written / "rehref.1")
    for name in COMMANDS:
        assert f"rehref-{name}(1) {import_command(name).get_short_help_str(500)}" in text
    assert "EXIT STATUS 0, nothing wrong; 1, broken links found" in text
    assert 'eval "$(_REHREF_COMPLETE=bash_source rehref)"' in text


def test_a_date_that_is_given_makes_the_same_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    pages = dict(man.pages())
    assert pages == dict(man.pages())
    assert all('1 1970-01-02 "rehref ' in text for text in pages.values())


def test_no_text_is_taken_for_a_request() -> None:
    assert man.roff(".rehref.toml\n'quoted' \\ -x") == "\\&.rehref.toml\n\\(aqquoted\\(aq \\e \\-x"


def warned(*command: str | Path) -> tuple[int, str]:
    """What a reader of man pages says of a page, and its exit code."""
    environment = os.environ | {"MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MANROFFSEQ": ""}
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False, env=environment)
    return ran.returncode, ran.stderr


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man here")
@pytest.mark.parametrize("name", NAMES)
def test_man_reads_it_without_a_warning(written: Path, name: str) -> None:
    assert warned("man", "--warnings", "-E", "UTF-8", "-l", written / name) == (0, "")


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
@pytest.mark.parametrize("name", NAMES)
def test_groff_reads_it_without_a_warning(written: Path, name: str) -> None:
    assert warned("groff", "-man", "-Tutf8", "-ww", written / name) == (0, "")


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="there is no mandoc here")
@pytest.mark.parametrize("name", NAMES)
def test_mandoc_reads_it_without_a_warning(written: Path, name: str) -> None:
    assert warned("mandoc", "-T", "lint", "-W", "warning", written / name) == (0, "")
