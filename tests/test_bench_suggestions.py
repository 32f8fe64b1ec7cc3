"""The benchmark of suggestions counts a wrong one as wrong (benchmarks/suggestions.py)."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("suggestions_bench", ROOT / "benchmarks/suggestions.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["suggestions_bench"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def site(tmp_path: Path) -> Path:
    names = ("installation", "configuration", "glossary", "security")
    for name in names:
        links = "".join(f'<a href="{other}.html#part-of-{other}">{other}</a>' for other in names if other != name)
        (tmp_path / "docs" / "guide").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"docs/guide/{name}.html").write_text(f'<h1 id="part-of-{name}">x</h1>{links}')
    return tmp_path / "docs"


def test_what_was_meant_is_known(bench: ModuleType, site: Path) -> None:
    read = bench.read_site(site)
    assert len(read.pages) == 4
    assert len(read.references) == 12
    for kind in ("another case", "a folder gone", "pages moved"):
        row = bench.measured(read, kind, 8, random.Random(1))
        assert row.right == row.sure - len(row.wrong)
        assert row.wrong == []
    assert bench.measured(read, "another case", 8, random.Random(1)).sure == 8


def test_a_wrong_suggestion_is_counted(bench: ModuleType, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = bench._errors
    monkeypatch.setattr(
        bench, "_errors", lambda of: [each._replace(suggestion="glossary.html", sure=True) for each in errors(of)]
    )
    row = bench.measured(bench.read_site(site), "ids gone", 3, random.Random(1))
    assert row.sure > 0
    assert row.right == 0
