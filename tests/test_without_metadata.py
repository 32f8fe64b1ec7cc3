"""rehref where nothing is installed: a bare copy of the source on the path, or a zip application.

The packages that it imports are there; its own metadata (version, entry points) are not.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipapp
from pathlib import Path

import pytest

import rehref
from patience import PATIENCE
from rehref._native import HOW

_SOURCE = Path(rehref.__file__).parent
_PAGE = Path(__file__).parents[1] / "docs" / "problems.md"
_RUN = """
import importlib.metadata as metadata, runpy, sys
sys.path[:0] = [sys.argv.pop(1)]
whole = metadata.Distribution.discover
metadata.Distribution.discover = classmethod(
    lambda cls, **about: (each for each in whole(**about) if (each.metadata["Name"] or "").lower() != "rehref"))
assert not [point for point in metadata.entry_points(group="rehref.parsers") if point.value.startswith("rehref.")]
import rehref
assert rehref.__file__.startswith(sys.path[0]), rehref.__file__
from rehref.cli import main
main(sys.argv[1:])
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds a bare copy of the source."""
    folder = tmp_path_factory.mktemp("bare") / "src"
    shutil.copytree(_SOURCE, folder / "rehref", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(_PAGE, folder / "rehref")  # as setup.py does
    return folder


@pytest.fixture(scope="module")
def packed(copied: Path) -> Path:
    """A zip application."""
    zipapp.create_archive(copied, copied.parent / "rehref.pyz", main="rehref.cli:main")
    return copied.parent / "rehref.pyz"


@pytest.fixture(params=["copied", "packed"])
def bare(request: pytest.FixtureRequest) -> Path:
    """What is put on the path."""
    found: Path = request.getfixturevalue(request.param)
    return found


def run(bare: Path, *arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _RUN, str(bare), *arguments],
        input=input,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        cwd=bare.parent,
        check=False,
    )


def test_the_version_is_known(bare: Path) -> None:
    # nothing compiled can be loaded out of a zip file
    how = HOW if bare.is_dir() else "not compiled"
    assert run(bare, "--version").stdout == f"rehref {rehref.__version__} ({how})\n"


def test_our_own_cores_are_listed(bare: Path) -> None:
    found = {each["name"]: each for each in json.loads(run(bare, "parsers", "--format", "json").stdout)}
    assert next(iter(found)) == "source"
    assert {"source", "lxml", "html5lib"} <= set(found)
    assert all(found[name]["error"] is None for name in ("source", "lxml", "html5lib"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("parser", ["source", "lxml", "html5lib"])
def test_our_own_cores_work(bare: Path, parser: str) -> None:
    done = run(bare, "links", "--parser", parser, "--url", "http://h/", "--format", "jsonl", "-", input="<a href=x>")
    assert done.stderr == ""
    assert json.loads(done.stdout)["target"] == "http://h/x"


@pytest.mark.sampled(2)
def test_a_report_with_files_of_its_own(bare: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html">')
    names = ("html", "sarif", "json")
    formats = (word for name in names for word in ("--format", f"{name}={tmp_path / name}"))
    done = run(bare, "check", "--quiet", *formats, str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "")
    assert all("b.html" in (tmp_path / name).read_text(encoding="utf-8") for name in names)


def test_what_the_page_of_problems_says_is_found(bare: Path) -> None:
    done = run(bare, "explain", "base-late")
    assert (done.returncode, done.stderr) == (0, "")
    (section,) = re.findall(r"^## `base-late`\n+(.*?)$", _PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert section in done.stdout


def test_a_zip_application_runs_as_it_is(packed: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html">')
    done = subprocess.run(
        [sys.executable, packed, "links", "--parser", "lxml", "--url", "http://h/", tmp_path / "a.html"],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "http://h/b.html" in done.stdout
