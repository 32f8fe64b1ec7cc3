"""What docs/adding.md says of adding works: its modules and rows, put into a copy of the package, and used.

1. A block that begins with `# src/…` is a new module; one with `# in NAME of …` is a row for that table.
2. At most two files that are there already change for any of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
_BLOCK = re.compile(
    r"^```python\n# (?:in (?P<table>\w+) of )?(?P<file>(?:src|tests)/\S+)\n(?P<code>.*?)^```", re.DOTALL | re.MULTILINE
)


class Block(NamedTuple):
    """A block of the page: the table that it is a row for, "" if it is a module; the file; what it holds."""

    table: str
    file: str
    code: str


def blocks(heading: str) -> list[Block]:
    """The blocks of the section with that heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [Block(found["table"] or "", found["file"], found["code"]) for found in _BLOCK.finditer(section)]


def follow(heading: str, folder: Path) -> list[str]:
    """Do in a copy of the package what a section says: the files that were there before, and are changed."""
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, folder / part)
    changed = []
    for block in blocks(heading):
        path = folder / block.file
        if block.table == "":
            assert not path.exists()
            path.write_text(block.code, encoding="utf-8")
            continue
        text = path.read_text(encoding="utf-8")
        start = re.search(rf"^{block.table}\b.*= [({{]\n", text, re.MULTILINE)
        assert start is not None
        end = min(at for bracket in ")}" if (at := text.find(f"\n{bracket}\n", start.end())) != -1) + 1
        path.write_text(text[:end] + block.code + text[end:], encoding="utf-8")
        changed.append(block.file)
    return changed


def run(folder: Path, *command: str) -> str:
    """What the copy of the package prints."""
    result = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONUTF8": "1", "REHREF_NATIVE": "no"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, content in {
        "a.html": "<a href=gone>",
        "b.html": "<a href=gone>",
        "f/index.txt": "",
        "g.html": "",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    return folder


def test_a_check(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A check", tmp_path))) <= 2
    report = run(tmp_path, "-m", "rehref", "check", str(site), "--twin-pages", "--format", "json")
    found = [problem for problem in json.loads(report)["problems"] if problem["code"] == "twin-page"]
    assert [(one["document"], one["message"], one["severity"]) for one in found] == [
        ("b.html", "a.html has the same bytes", "warning")
    ]
    assert "--twin-pages" in run(tmp_path, "-m", "rehref", "check", "--help")
    assert "Keep one, and redirect" in run(tmp_path, "-m", "rehref", "explain", "twin-page")
    python = f"import rehref; print(len(rehref.check({str(site)!r}, twin_pages=True, select=['twin-page']).findings))"
    assert run(tmp_path, "-c", python) == "1\n"
    only = run(
        tmp_path, "-m", "rehref", "check", "--root", str(site), str(site / "b.html"), "--twin-pages", "--format", "csv"
    )
    assert "twin-page" in only


def test_a_host(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A host", tmp_path))) <= 2
    (site / "index.html").write_text("<a href=f/>")
    reports = {
        host: run(tmp_path, "-m", "rehref", "check", str(site), "--host", host, "--format", "csv")
        for host in ("nginx", "caddy")
    }
    assert "missing-index" in reports["nginx"]
    assert "missing-index" not in reports["caddy"]


def test_a_report(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A report", tmp_path))) <= 2
    report = run(tmp_path, "-m", "rehref", "check", str(site), "--format", "references")
    assert report == "count\tcode\treference\n2\tmissing-file\tgone\n"


@pytest.mark.parametrize("heading", ["A check", "A host", "A report"])
def test_what_is_added_is_checked_by_the_linters(heading: str, tmp_path: Path) -> None:
    follow(heading, tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    files = [block.file for block in blocks(heading)]
    assert files
    pytest.importorskip("ruff", reason="ruff is not installed (extra dev)")
    for command in (["check"], ["format", "--check"]):
        result = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *files],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
