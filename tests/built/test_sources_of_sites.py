"""Sources of the sites that generators build (`fixtures/generators`), beside what was built: pages, ids of headings.

What `rehref check` assumes of a source is held by the page that the generator made of it. Sites are taken as in
test_generators.py.
"""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import rehref
from built.building import SOURCES, NotInstalledError, build, generators, is_built
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

pytest.importorskip("pyromark", reason="needs the package pyromark")

GENERATORS = generators()
CONTENTS = {"mkdocs": "docs", "vitepress": ".", "starlight": "src/content/docs", "mdbook": "src", "hugo": "content"}
CONTENTS |= {"eleventy": ".", "book": ".", "honkit": "docs"}
"""The folders with sources, by generator."""
_WITHOUT_IDS = {
    "eleventy": {"gone.md", "../gone/", "/posts/gone/"},
    "book": {"gone.md", "/gone.md", "gone.png", "/voyages/gone.txt"},
}
"""The generators of which ids of headings are not known, with mistakes."""
_ID = re.compile(r"<h[1-6][^>]*\sid=\"?([^\" >]*)").findall


@pytest.fixture
def made(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path, Path]:
    """A generator, a copy of its project, and its site."""
    generator = GENERATORS[request.param]
    if generator.is_from_npm and not is_built(generator):
        pytest.skip(f"{generator.title} is not built; scripts/generators {generator.name} does that")
    try:
        site = build(generator)
    except NotInstalledError as error:
        pytest.skip(f"{generator.title} cannot be installed: {error}")
    return generator.name, shutil.copytree(SOURCES / generator.source, tmp_path / "project"), site


@pytest.mark.slow
@pytest.mark.parametrize("made", CONTENTS, indirect=True)
def test_pages_and_ids_are_those_that_were_built(made: tuple[str, Path, Path]) -> None:
    name, project, built = made
    folder = project / CONTENTS[name]
    site = Site.of(folder, CheckOptions(infer=False))
    pages = {path: site.files.page_of(path) for path in site.files.paths if path.endswith((".md", ".mdx"))}
    known = {path: page for path, page in pages.items() if page}
    assert known
    assert {page for page in known.values() if not (built / page).is_file()} == set()
    names = 0
    for path, page in known.items():
        document = site.document_of(path, (folder / path).read_bytes(), names=True)
        ids = {place.value for place in document.parsed.places if re.fullmatch("h[1-6]", place.element or "")}
        if site.files.types.has_names(path) and ids:
            there = set(map(unescape, _ID((built / page).read_text("utf-8"))))
            assert ids & there, path
            assert {id for id in there if id in ids} == ids or len(ids) > len(ids & there), path
            names += len(ids & there)
    assert names > 0 or name in _WITHOUT_IDS


@pytest.mark.slow
@pytest.mark.parametrize("made", [name for name in CONTENTS if name != "hugo"], indirect=True)
def test_sources_have_no_errors_and_what_is_broken_is_found(made: tuple[str, Path, Path]) -> None:
    name, project, _ = made
    folder = project / CONTENTS[name]
    for place in (project, folder):
        assert [one for one in rehref.check(place).findings if one.severity == "error"] == []
    path = next(path for path in sorted(folder.rglob("*.md")) if path.stem in ("tides", "fog", "north"))
    broken = _WITHOUT_IDS.get(name, {"gone.md", "#gone", "gone.png"})
    root = urlsplit(GENERATORS[name].url).path if name == "starlight" else "/"
    broken |= {f"{root}gone.png"} if name in ("vitepress", "starlight") else set()
    path.write_text(path.read_text("utf-8") + "".join(f"\n[x]({each})\n" for each in broken), "utf-8")
    assert {one.reference for one in rehref.check(project).findings if one.severity == "error"} == broken
