"""`rehref check` without options on the sites that generators build (`fixtures/generators`), as they are and broken.

- Those from PyPI are built, where there is a package index, and those of Debian, where they are installed; of those
  from npm what `scripts/generators` has built is taken. The others are skipped, and say why.
- On a site as it was built, a first run finds no error.
- Of ten breakages it finds all, each at its place, and nothing else.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from built.building import SOURCES, Generator, NotInstalledError, build, generators, is_built
from built.planting import BuiltSite, plant

GENERATORS = generators()


@pytest.fixture
def site(request: pytest.FixtureRequest) -> tuple[Generator, Path]:
    """A generator and its site."""
    generator = GENERATORS[request.param]
    if generator.is_from_npm and not is_built(generator):
        pytest.skip(f"{generator.title} is not built; scripts/generators {generator.name} does that")
    try:
        return generator, build(generator)
    except NotInstalledError as error:
        pytest.skip(f"{generator.title} cannot be installed: {error}")


def errors_of(folder: Path) -> list[tuple[str, str, str]]:
    """The document, reference and code of what a first run calls broken."""
    words = [sys.executable, "-m", "rehref", "check", str(folder), "--format", "json", "--no-progress"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    problems = json.loads(done.stdout)["problems"]
    return [(one["document"], one["reference"], one["code"]) for one in problems if one["severity"] == "error"]


@pytest.mark.slow
@pytest.mark.parametrize("site", GENERATORS, indirect=True)
def test_a_first_run_finds_no_error(site: tuple[Generator, Path]) -> None:
    assert errors_of(site[1]) == []


@pytest.mark.slow
@pytest.mark.parametrize("site", GENERATORS, indirect=True)
def test_ten_breakages_are_found_and_nothing_else(site: tuple[Generator, Path], tmp_path: Path) -> None:
    generator, folder = site
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    planted = {(one.document, one.reference) for one in plant(copy, generator.url)}
    assert len(planted) == 10
    found = errors_of(copy)
    # a style sheet in which something was planted is not what its hash is of any more
    refused = {reference for _, reference, code in found if code == "integrity-mismatch"}
    assert all(any(each.endswith(document) for document, _ in planted) for each in refused)
    broken = [(document, reference) for document, reference, code in found if code != "integrity-mismatch"]
    assert set(broken) == planted
    assert len(broken) == 10


def test_every_source_has_a_generator_with_pinned_versions() -> None:
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}
    assert {generator.source for generator in GENERATORS.values()} == folders
    for generator in GENERATORS.values():
        assert all("==" in package for package in generator.packages)
        assert generator.debian or generator.version[0].isdigit()


def test_a_generator_of_debian_that_is_not_here_is_skipped_and_says_what_to_install() -> None:
    generator = replace(GENERATORS["yard"], debian=["yard", "yard-that-there-is-not"])
    with pytest.raises(NotInstalledError, match=r"not installed: apt-get install .* yard yard-that-there-is-not"):
        build(generator)


PAGE = """<!doctype html><link rel=stylesheet href="../style.css"><h1 id="heading">x</h1><a href="#heading">1</a>
<a href="../guide/">2</a> <a href="../guide/#chapter">3</a> <img src="../lamp.png"></body>"""


def test_breakages_lead_nowhere_and_change_nothing_else(tmp_path: Path) -> None:
    for number in range(6):
        page = tmp_path / f"page-{number}" / "index.html"
        page.parent.mkdir()
        page.write_text(PAGE)
    (tmp_path / "guide").mkdir()
    (tmp_path / "guide" / "index.html").write_text('<h2 id="chapter">x</h2></body>')
    (tmp_path / "style.css").write_text("p{}")
    (tmp_path / "lamp.png").write_bytes(b"\x89PNG")
    uri = "https://harbour.example/site/"
    before = {path: path.read_text() for path in tmp_path.rglob("*.html")}
    planted = plant(tmp_path, uri)
    assert len({one.kind for one in planted}) == len(planted) == 10
    files = BuiltSite(tmp_path, uri)
    for one in planted:
        assert one.reference in (tmp_path / one.document).read_text()
        if "fragment" in one.kind:
            named = one.reference.partition("#")[2]
            assert all(f'"{named}"' not in path.read_text() for path in tmp_path.rglob("*.html"))
        else:
            assert files.file_of(one.document, one.reference) is None
    for path, old in before.items():
        mine = [one for one in planted if tmp_path / one.document == path]
        assert (path.read_text() == old) is (mine == [])
        assert abs(len(path.read_text()) - len(old)) <= 60 * len(mine)
    assert plant(tmp_path, uri)[0] not in planted


def test_a_site_without_style_sheets_gets_the_picture_of_one_in_a_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><p>x</p></body>")
    last = plant(tmp_path, "https://harbour.example/")[-1]
    assert (last.document, last.reference) == ("index.html", "gone-picture.png")
    assert "<style>\n.gone{background:url(gone-picture.png)}\n</style>" in (tmp_path / "index.html").read_text()
