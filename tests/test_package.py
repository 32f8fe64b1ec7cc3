"""What a package index shows of rehref, and what the source distribution holds.

1. Where the address of the repository is known, the page has no relative link and no relative picture.
2. The source distribution is the whole project.
3. The workflows and forms in `.github` are what GitHub reads.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt

import rehref
from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ADDRESS = "https://git.example/owner/rehref"
NEEDED = ("src", "setup.py", "pyproject.toml", "README.md", "LICENSE", "docs")


class Metadata(NamedTuple):
    """What an index knows of a package: its fields, and the page that it shows."""

    fields: Message
    page: str


def backend(folder: Path, call: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What the build backend does in a folder."""
    clean = {name: value for name, value in os.environ.items() if name not in ("REHREF_REPOSITORY", "PYTHONPATH")}
    return subprocess.run(
        [sys.executable, "-c", f"import setuptools.build_meta as backend; backend.{call}"],
        cwd=folder,
        env=clean | {"REHREF_NATIVE": "no"} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def metadata(folder: Path, readme: str | None = None, **environment: str) -> Metadata:
    """The metadata that a build in a copy of the project makes."""
    for part in NEEDED:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
        else:
            shutil.copy(ROOT / part, folder / part)
    if readme is not None:
        (folder / "README.md").write_text(readme, encoding="utf-8")
    (folder / "made").mkdir()
    ran = backend(folder, "prepare_metadata_for_build_wheel('made')", **environment)
    assert ran.returncode == 0, ran.stderr
    (file,) = (folder / "made").glob("*.dist-info/METADATA")
    head, _, page = file.read_text(encoding="utf-8").partition("\n\n")
    return Metadata(Parser().parsestr(head), page)


def links_of(page: str) -> list[str]:
    """The references on the page as an index renders it."""
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(page)
    return [link.reference for link in rehref.links(html)]


def test_links_and_pictures_of_the_page_lead_to_the_repository(tmp_path: Path) -> None:
    made = metadata(tmp_path, REHREF_REPOSITORY=ADDRESS + "/")
    found = [reference for reference in links_of(made.page) if not reference.startswith("#")]
    assert found
    assert [reference for reference in found if rehref.split(reference).scheme is None] == []
    pages = [ref.partition(f"{ADDRESS}/blob/v{rehref.__version__}/")[2] for ref in found if ref.startswith(ADDRESS)]
    assert pages
    assert [page for page in pages if not (ROOT / page.partition("#")[0]).is_file()] == []
    urls = [url.partition(", ")[2] for url in made.fields.get_all("Project-URL", [])]
    assert urls
    assert all(url.startswith(ADDRESS) for url in urls)


def test_each_way_to_write_a_link_is_made_absolute(tmp_path: Path) -> None:
    page = (
        "[a](docs/a.md#b) [c](#c) [d](https://d.example/) [e](mailto:e@e.example) ![f](docs/f.png)\n\n"
        '<a href="docs/g.md"><img src="docs/h.png"></a>\n\n```html\n<a href="i.html">[j](j)\n```\n\n[k](./docs/k.md)\n'
    )
    content = metadata(tmp_path, page, REHREF_REPOSITORY=ADDRESS).page
    blob, raw = f"{ADDRESS}/blob/v{rehref.__version__}", f"{ADDRESS}/raw/v{rehref.__version__}"
    assert links_of(content) == [
        f"{blob}/docs/a.md#b", "#c", "https://d.example/", "mailto:e@e.example", f"{raw}/docs/f.png",
        f"{blob}/docs/g.md", f"{raw}/docs/h.png", f"{blob}/docs/k.md",
    ]  # fmt: skip
    assert '<a href="i.html">[j](j)' in content


def test_without_an_address_nothing_is_invented(tmp_path: Path) -> None:
    made = metadata(tmp_path)
    assert made.page.strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()
    assert "Project-URL" not in made.fields
    assert made.fields["Version"] == rehref.__version__


@pytest.mark.slow
def test_the_source_distribution_is_the_whole_project_and_passes_twine(tmp_path: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if listed.returncode != 0:
        pytest.skip("this is not a clone")
    files = {name for name in listed.stdout.split("\0") if (ROOT / name).is_file()}
    project = tmp_path / "project"
    for name in files:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, project / name)
    ran = backend(project, f"build_sdist({str(tmp_path)!r})", REHREF_REPOSITORY=ADDRESS)
    assert ran.returncode == 0, ran.stderr
    (source,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert files - inside == set()
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", source],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_follows_the_schema(workflow: Path) -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", workflow],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
