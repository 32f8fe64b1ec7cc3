"""What a package index shows of rehref, and what the source distribution holds.

- Where the address of the repository is known, the page has no relative link and no relative picture.
- The source distribution is the whole project.
- The workflows and forms in `.github` are what GitHub reads.
- Links between the project's pages lead to a file, and to a heading where they have a fragment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

import rehref
from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
"""Those that are read as files. The rest of `docs` lead to pages that are made with the documentation site."""
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


@pytest.mark.slow  # it builds; one such test below is not slow
def test_links_and_pictures_of_the_page_lead_to_the_repository(tmp_path: Path) -> None:
    made = metadata(tmp_path, REHREF_REPOSITORY=ADDRESS + "/")
    found = [reference for reference in links_of(made.page) if not reference.startswith("#")]
    assert found
    assert [reference for reference in found if rehref.split(reference).scheme is None] == []
    beginning = re.compile(rf"{re.escape(ADDRESS)}/(?:blob|raw)/v{re.escape(rehref.__version__)}/")
    files = [beginning.sub("", reference).partition("#")[0] for reference in found if ADDRESS in reference]
    assert files
    assert [name for name in files if not (ROOT / name).is_file()] == []
    urls = [url.partition(", ")[2] for url in made.fields.get_all("Project-URL", [])]
    assert urls
    assert all(url.startswith(ADDRESS) for url in urls)


@pytest.mark.slow
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


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", ".github/workflows/*.yml"),
        ("github-actions", "action.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
    ],
)
def test_what_github_reads_follows_its_schema(schema: str, pattern: str) -> None:
    files = sorted(ROOT.glob(pattern))
    assert files
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def headings(page: Path) -> set[str]:
    """The fragments that lead to the headings of a page, as GitHub makes them."""
    text = re.sub(r"^(```+).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found: Counter[str] = Counter()
    fragments = set()
    for title in re.findall(r"^#+ +(.*?)(?: #+)?$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        fragments.add(f"{slug}-{found[slug]}" if found[slug] else slug)
        found[slug] += 1
    return fragments


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for reference in links_of(page.read_text(encoding="utf-8")):
        parts = rehref.split(reference)
        if parts.scheme is not None or parts.authority is not None:
            continue
        target = page.parent / unquote(parts.path) if parts.path else page
        if target.parent == ROOT / "docs" / "reference":
            continue  # made with the documentation site
        assert target.exists(), reference
        if parts.fragment and target.suffix == ".md":
            assert unquote(parts.fragment) in headings(target), reference


def test_the_scripts_that_contributors_are_to_run_are_there() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    scripts = set(re.findall(r"`((?:scripts|\.ci)/[\w-]+)", page))
    assert "scripts/test" in scripts
    assert [name for name in scripts if not os.access(ROOT / name, os.X_OK)] == []


def test_the_changelog_has_the_version_and_what_is_to_come() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, second, *_ = re.findall(r"^## (.*)", page, re.MULTILINE)
    assert first == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(rehref.__version__)}\] - \d{{4}}-\d\d-\d\d", second)
