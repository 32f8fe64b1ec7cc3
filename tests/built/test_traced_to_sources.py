"""`rehref check SITE --sources DIR` on sites that Hugo and Eleventy build from sources with mistakes (made_sources.py).

- What they built is kept (`fixtures/traced`), and is checked everywhere. Where they are installed, it is built anew.
- Every finding at a source is at a mistake. Not every mistake has to be found, but most are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rehref
from built.building import SECONDS, cache
from built.made_sources import TRACED, Mistake, write_sources

pytest.importorskip("pyromark")

FOLDERS = {"hugo": "public", "eleventy": "_site"}
"""The folders that they write."""


def command_of(name: str) -> list[str]:
    """What builds a site; skips where it is not installed."""
    if name == "hugo":
        found = shutil.which("hugo")
        return [found, "--quiet"] if found else pytest.skip("apt-get install --no-install-recommends hugo")
    local = next(cache().glob("npm/*/node_modules/.bin/eleventy"), None)
    return [str(local), "--quiet"] if local else pytest.skip("scripts/generators eleventy installs Eleventy")


def build(project: Path, name: str) -> None:
    command = command_of(name)
    shutil.rmtree(project / FOLDERS[name], ignore_errors=True)
    environment = {**os.environ, "CI": "1", "TZ": "UTC"}
    subprocess.run(command, cwd=project, check=True, capture_output=True, timeout=SECONDS, env=environment)


def made(project: Path, name: str) -> list[Mistake]:
    """The sources, and what was built of them."""
    mistakes = write_sources(name, project)
    shutil.copytree(TRACED / name / "built", project / FOLDERS[name])
    return mistakes


def right_and_wrong(project: Path, name: str, mistakes: list[Mistake], sources: str) -> tuple[set[Mistake], list[str]]:
    """The mistakes that are reported where they stand, and the findings at other places of sources."""
    places = {(each.path, each.line, each.reference): each for each in mistakes}
    result = rehref.check(project / FOLDERS[name], sources=project / sources)
    right, wrong = set(), []
    for one in result.findings:
        path = (Path(result.folder) / one.document).relative_to(project).as_posix()
        if not path.startswith(FOLDERS[name]):
            place = places.get((path, one.line or 0, one.reference))
            right |= {place} if place else set()
            wrong += [] if place else [f"{path}:{one.line} {one.reference}"]
    return right, wrong


@pytest.mark.parametrize(
    ("name", "sources", "least"),
    [
        ("hugo", ".", 25),
        ("hugo", "content", 15),
        ("eleventy", ".", 25),
        ("eleventy", "src", 22),
        ("hugo", "layouts", 4),
    ],
)
def test_mistakes_are_reported_at_their_sources(tmp_path: Path, name: str, sources: str, least: int) -> None:
    mistakes = made(tmp_path, name)
    assert len(mistakes) == 25
    right, wrong = right_and_wrong(tmp_path, name, mistakes, sources)
    assert wrong == []
    assert len(right) >= least, {each.kind for each in mistakes} - {each.kind for each in right}


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_a_site_that_is_built_now(tmp_path: Path, name: str) -> None:
    mistakes = write_sources(name, tmp_path)
    build(tmp_path, name)
    right, wrong = right_and_wrong(tmp_path, name, mistakes, ".")
    assert wrong == []
    assert len(right) == len(mistakes) == 25
    site = tmp_path / FOLDERS[name]
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    words = [sys.executable, "-m", "rehref", "check", str(site), "--sources", str(tmp_path), "--fix-unsure"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 1
    assert before == {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    build(tmp_path, name)
    left, wrong = right_and_wrong(tmp_path, name, mistakes, ".")
    assert wrong == []
    corrected = {each.kind for each in right - left}
    assert {"relative", "rooted", "rooted image", "fragment here", "output of a shortcode"} - corrected <= (
        {"output of a shortcode"} if name == "eleventy" else set()
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_what_is_kept_is_what_is_built(tmp_path: Path, name: str) -> None:
    """As far as findings depend on it: the pages and their references."""
    write_sources(name, tmp_path)
    build(tmp_path, name)
    for path in sorted((TRACED / name / "built").rglob("*.html")):
        kept, now = (
            [link.reference for link in rehref.links(file)]
            for file in (path, tmp_path / FOLDERS[name] / path.relative_to(TRACED / name / "built"))
        )
        assert kept == now, path


def test_a_link_that_a_layout_has_too_is_not_reported_at_the_page(tmp_path: Path) -> None:
    mistakes = made(tmp_path, "hugo")
    page = tmp_path / "content/guide/charts.md"
    page.write_text(page.read_text() + "\n[Imprint](/imprnt/)\n")
    html = tmp_path / "public/guide/charts/index.html"
    html.write_text(html.read_text().replace("<footer>", '<p><a href="/imprnt/">Imprint</a></p><footer>'))
    right, wrong = right_and_wrong(tmp_path, "hugo", mistakes, ".")
    assert wrong == []
    assert "partial" not in {each.kind for each in right}
