"""`scripts/suites`: a suite is fetched at its commit, as a whole or not at all, and once."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "suites.py"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("fetching_suites", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=x", "-c", "user.email=x@h.example", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(folder), *who, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path, **files: str) -> str:
    """A new commit with these files; its name."""
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


def test_a_suite_is_fetched_at_its_commit(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    origin = tmp_path / "mirror" / "someone" / "suite"
    origin.mkdir(parents=True)
    git(origin, "init", "--quiet")
    old = commit(origin, LICENSE="free", cases__one="1", cases__math="aside", data__deep__two="2")
    (origin / "cases" / "math").rename(origin / "cases" / "math.dat")
    first = commit(origin, other="not asked for")
    second = commit(origin, cases__one="changed")

    def run(name: str, *paths: str) -> int:
        suite = script.Suite("s", "someone/suite", name, paths, "free")
        into = ["--from", (tmp_path / "mirror").as_uri(), "--into", str(tmp_path / "suites")]
        code: int = script.main(into, [suite])
        return code

    def there() -> dict[str, str]:
        folder = tmp_path / "suites" / "s"
        return {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8").strip()
            for path in folder.rglob("*")
            if path.is_file()
        }

    assert run(first, "LICENSE", "cases/", "data") == 0
    assert there() == {"LICENSE": "free", "one": "1", "data/deep/two": "2", "commit.txt": first}
    shutil.rmtree(origin.parent / "suite" / "data")
    assert run(first, "LICENSE", "cases/", "data") == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()] == ["s: fetched", "s: there already"]

    assert run(second, "cases/", "missing") == 1
    assert capsys.readouterr().err == "suites: s: the commit has no missing\n"
    assert there()["commit.txt"] == first
    assert run(second, "cases/") == 0
    assert there() == {"one": "changed", "commit.txt": second}
    assert run(old[::-1], "cases/") == 1
    assert capsys.readouterr().err.startswith("suites: s: ")
    assert [path.name for path in (tmp_path / "suites").iterdir()] == ["s"]
    shutil.rmtree(tmp_path / "suites")
    assert run(old[::-1], "cases/") == 1
    assert not (tmp_path / "suites").exists()


def test_every_commit_is_named_in_full(script: ModuleType) -> None:
    for suite in script.SUITES:
        assert len(bytes.fromhex(suite.commit)) == 20
        assert suite.licence
