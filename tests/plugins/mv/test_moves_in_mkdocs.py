"""Random moves in a MkDocs project: the sources and the built site have no new findings after each."""

from __future__ import annotations

import random
import re
from os.path import relpath
from pathlib import Path

import pytest

import rehref

pytest.importorskip("pyromark", reason="needs the package pyromark")
build = pytest.importorskip("mkdocs.commands.build", reason="needs MkDocs")

URL = "https://winds.example/docs/"
CONFIGURATION = f"site_name: W\nsite_url: {URL}\nmarkdown_extensions: [attr_list, admonition, md_in_html]\n"
IDS = ("section-0", "own-1", "raw")


def write_site(root: Path, chance: random.Random) -> Path:
    """A project of 24 pages with links of all forms."""
    docs = root / "docs"
    (root / "mkdocs.yml").write_text(CONFIGURATION)
    names = [f"{folder}{name}.md" for folder in ("", "a/", "a/b/", "c/") for name in ("index", *"vwxyz")]
    for name in names:

        def link(name: str = name) -> str:
            return relpath(chance.choice(names), Path(name).parent) + chance.choice(["", f"#{chance.choice(IDS)}"])

        url = chance.choice(names).removesuffix(".md").removesuffix("index")
        file = docs / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"# Page\n\n## Section 0\n\n[1]({link()}) [2][r] [3](#section-0)\n\n## Other {{#own-1}}\n\n"
            f'<p id="raw"><a href="{URL}{url}{"/" if url and not url.endswith("/") else ""}">4</a></p>\n\n'
            f"!!! note\n\n    [5]({link()})\n\n[r]: <{link()}> 'T'\n"
        )
    return docs


def found(root: Path) -> list[tuple[str, str, str]]:
    """What is wrong in the sources and in the site that MkDocs builds of them."""
    from mkdocs.config import load_config

    build.build(load_config(str(root / "mkdocs.yml"), site_dir=str(root / "site")))
    results = rehref.check(root / "docs", site_url=URL), rehref.check(root / "site")
    assert all(result.summary.links > 100 for result in results)
    return [(each.document, each.code, each.reference) for result in results for each in result.findings]


@pytest.mark.slow
def test_random_moves_break_nothing(tmp_path: Path) -> None:
    chance = random.Random(33)
    docs = write_site(tmp_path, chance)
    assert found(tmp_path) == []
    for number in range(12):
        files = sorted(file for file in docs.rglob("*.md"))
        folders = sorted(folder for folder in docs.rglob("*") if folder.is_dir() and any(folder.rglob("*.md")))
        old, new = chance.choice(files[1:]), chance.choice([docs, *folders]) / f"moved {number}é.md"
        if number % 3 == 1:
            old, new = chance.choice(folders), docs / f"folder-{number}"
        if number % 3 == 2:
            text = old.read_text()
            ids = [*re.findall(r"\{#(.+?)\}", text), "raw"] + ["section-0"] * ("## Section 0\n" in text)
            chosen = chance.choice([each for each in ids if each != "raw" or 'id="raw"' in text])
            old, new = Path(f"{old}#{chosen}"), Path(f"{old}#renamed-{number}")
        result = rehref.move(old, new, folder=docs, site_url=URL)
        again = rehref.move(old, new, folder=docs, site_url=URL)
        assert (result.is_done, again.is_done, again.documents) == (False, True, ())
        assert found(tmp_path) == [], (old, new)


def test_links_in_html_keep_their_form_in_the_whole_project(tmp_path: Path) -> None:
    (tmp_path / "docs" / "a").mkdir(parents=True)
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION)
    (tmp_path / "docs" / "index.md").write_text('<a href="a/b/">works</a>\n')
    (tmp_path / "docs" / "a" / "b.md").write_text("# B\n")
    rehref.move(tmp_path / "docs" / "a", tmp_path / "docs" / "c", folder=tmp_path)
    assert (tmp_path / "docs" / "index.md").read_text() == '<a href="c/b/">works</a>\n'
