"""What `docs/conformance.md` says is what comes of the suites."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

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
