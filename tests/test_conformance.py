"""What the documentation says of suites, of options and of benchmarks is so."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest

from rehref.cli.program import program
from rehref.site.codes import CODES, GROUPS

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture
def conformance(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, with a copy of the page, for it may write it."""
    spec = importlib.util.spec_from_file_location("conformance", SCRIPTS / "conformance.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    (tmp_path / "docs").mkdir()
    shutil.copy(module.PAGE, tmp_path / "docs")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "PAGE", tmp_path / "docs" / "conformance.md")
    return module


@pytest.mark.slow
def test_the_page_is_up_to_date(conformance: ModuleType, suites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (conformance.main(["--check"]), capsys.readouterr().err) == (0, "")


def test_the_page_is_written_and_checked(
    conformance: ModuleType, suites: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(conformance, "tables", lambda _: "| new |")
    before = conformance.PAGE.read_text(encoding="utf-8")
    assert conformance.main(["--check"]) == 1
    assert "docs/conformance.md is not up to date" in capsys.readouterr().err
    assert conformance.PAGE.read_text(encoding="utf-8") == before
    assert conformance.main([]) == 0
    assert conformance.main(["--check"]) == 0
    after = conformance.PAGE.read_text(encoding="utf-8")
    assert "| new |" in after
    assert after.partition(conformance.BEGIN)[0] == before.partition(conformance.BEGIN)[0]
    assert after.partition(conformance.END)[2] == before.partition(conformance.END)[2]


def test_what_fails_unlisted_is_named_and_nothing_is_written(
    conformance: ModuleType, suites: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = conformance.Result(2, frozenset({"a/1"}))
    monkeypatch.setattr(conformance, "tables", lambda _: conformance.row("a", "b", result))
    before = conformance.PAGE.read_text(encoding="utf-8")
    assert conformance.main([]) == 1
    assert capsys.readouterr().err == "conformance: these cases fail, and are not listed:\na/1\n"
    assert conformance.PAGE.read_text(encoding="utf-8") == before


def test_without_the_suites_it_says_so(
    conformance: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REHREF_SUITES", str(tmp_path / "none"))
    assert conformance.main(["--check"]) == 2
    assert "none does not exist; REHREF_SUITES names another folder" in capsys.readouterr().err


DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "coming-from.md").read_text(encoding="utf-8")
CHECKERS = (DOCS / "checkers.md").read_text(encoding="utf-8")
OURS = [row.removesuffix(" |").rsplit(" | ", 1)[1] for row in PAGE.splitlines() if row.startswith(("| `", "| plugin"))]


def options(command: str) -> set[str]:
    """The names of a command's options."""
    found = program.get_command(click.Context(program), command)
    assert found is not None
    return {name for parameter in found.params for name in parameter.opts}


def test_options_are_called_so() -> None:
    of_check = options("check")
    of_links = of_check | options("links")
    assert OURS
    for cell in OURS:
        named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", " ".join(re.findall(r"`([^`]+)`", cell))))
        assert named <= (of_links if "rehref links" in cell else of_check), cell


def test_codes_are_called_so() -> None:
    named = re.findall(r"--(?:select|ignore|error|warn) ([a-z-]+)", PAGE)
    assert named
    assert set(named) <= {*CODES, *GROUPS}


def test_the_figures_of_lychee_are_those_of_the_comparison() -> None:
    row = re.search(
        r"^\| \*\*all\*\* \| \*\*(\d+)\*\* \| [^|]+ \| \*\*\d+ / (\d+) / (\d+)\*\* \|", CHECKERS, re.MULTILINE
    )
    assert row is not None
    broken, missed, false = row.groups()
    said = f"with {broken} broken links, lychee 0.24.2 misses {missed}, and reports {false} links that are not broken"
    assert said in PAGE
