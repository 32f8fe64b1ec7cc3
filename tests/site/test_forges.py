"""Which ids headings of Markdown get where no configuration says it: those of a forge, or those of all dialects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from rehref.cli.program import program

pytest.importorskip("pyromark", reason="needs the package pyromark")

OF_GITHUB, OF_GITLAB = "a---b", "a-b"
"""The ids that two forges give the same heading."""
REMOTE = '[core]\n[remote "origin"]\n\turl = {}\n'


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {"README.md": f"# R\n\n## a - b\n\n[1](#{OF_GITHUB}) [2](#{OF_GITLAB})\n", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def missing(folder: Path) -> list[str]:
    return [one.reference for one in rehref.check(folder).findings if one.code == "missing-fragment"]


def why(folder: Path, url: str) -> str:
    return CliRunner().invoke(program, ["check", str(folder), "--why", url]).stdout


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("git@github.com:o/r.git", OF_GITLAB),
        ("https://github.com/o/r", OF_GITLAB),
        ("ssh://git@github.com/o/r.git", OF_GITLAB),
        ("https://gitlab.com/g/s/r.git", OF_GITHUB),
        ("git@gitlab.example.org:g/r.git", OF_GITHUB),
    ],
)
def test_a_remote_of_git_names_the_forge(tmp_path: Path, url: str, wrong: str) -> None:
    write(tmp_path, {".git/config": REMOTE.format(url), "docs/x.md": "## a - b\n\n[1](#a---b) [2](#a-b)\n"})
    assert missing(tmp_path) == [f"#{wrong}"] * 2
    assert missing(tmp_path / "docs") == [f"#{wrong}"]


@pytest.mark.parametrize(
    "file",
    [
        "eleventy.config.js",
        "docs/.vitepress/config.mts",
        "docs/book.toml",
        "conf.py",
        "docs/source/conf.py",
        "myst.yml",
    ],
)
def test_other_generators_give_ids_that_are_not_known(tmp_path: Path, file: str) -> None:
    write(tmp_path, {".git/config": REMOTE.format("https://github.com/o/r"), file: ""})
    assert missing(tmp_path) == []
    assert file.partition("/config")[0] in why(tmp_path, f"#{OF_GITLAB}")
    (tmp_path / ".github").mkdir()  # it decides, unless the whole folder is for the generator
    assert missing(tmp_path) == [f"#{OF_GITLAB}"] * file.startswith("docs/")


@pytest.mark.parametrize("git", ["w", "m"])
def test_a_file_of_git_names_the_folder_with_the_remote(tmp_path: Path, git: str) -> None:
    config = REMOTE.format("git@gitlab.com:g/r.git")
    write(tmp_path / "main", {".git/config": config, ".git/worktrees/w/commondir": "../..\n"})
    write(tmp_path / "main", {".git/modules/m/config": config})
    place = {"w": "worktrees/w", "m": "modules/m"}[git]
    folder = write(tmp_path / "x", {".git": f"gitdir: ../main/.git/{place}\n"})
    assert missing(folder) == [f"#{OF_GITHUB}"]


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("package.json", json.dumps({"repository": "o/r"}), OF_GITLAB),
        ("package.json", json.dumps({"repository": "github:o/r"}), OF_GITLAB),
        ("package.json", json.dumps({"repository": {"type": "git", "url": "git+https://gitlab.com/o/r"}}), OF_GITHUB),
        ("pyproject.toml", '[project.urls]\nHome = "https://x.example/"\nSource = "https://github.com/o/r"', OF_GITLAB),
        ("Cargo.toml", '[package]\nrepository = "https://gitlab.com/o/r"', OF_GITHUB),
    ],
)
def test_else_a_manifest_names_the_forge(tmp_path: Path, name: str, text: str, wrong: str) -> None:
    write(tmp_path, {name: text, ".git/config": REMOTE.format("/srv/git/r.git")})
    assert missing(tmp_path) == [f"#{wrong}"]
    assert f"{tmp_path / name} names" in why(tmp_path, "README.md#a-b")
    write(tmp_path, {".git/config": REMOTE.format("git@gitlab.com:g/r.git")})  # it counts before a manifest
    assert missing(tmp_path) == [f"#{OF_GITHUB}"]
    assert f"{tmp_path / '.git' / 'config'} names" in why(tmp_path, "README.md#a-b")


def test_a_configuration_of_a_generator_counts_before_a_forge(tmp_path: Path) -> None:
    write(tmp_path, {".git/config": REMOTE.format("git@gitlab.com:g/r.git"), ".github/x": ""})
    assert missing(tmp_path) == [f"#{OF_GITLAB}"]
    assert f"{tmp_path / '.github'} names" in why(tmp_path, "README.md#a-b")


@pytest.mark.parametrize(
    "files",
    [
        {},
        {".git/config": REMOTE.format("git@codeberg.org:o/r.git"), "package.json": '{"repository": "o/r"}'},
        {".git/config": '[remote "origin"\n\x00url = ]\n\\', "package.json": "{", "pyproject.toml": "["},
        {".git/config/x": "", "package.json/x": "", "Cargo.toml": "repository = 1"},
        {".git": "gitdir: \x00/../../..", "package.json": '{"repository": [{"url": 1}]}'},
        {".git": "gitdir: " + "x/" * 9000, "package.json": "[" * 100_000},
        {"package.json": '{"repository": "' + "x" * (1 << 20) + '"}', "Cargo.toml": "package = []"},
    ],
)
def test_without_a_forge_only_what_all_dialects_say_is_certain(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, {**files, "x.md": f"[1](README.md#{OF_GITLAB}) [2](README.md#none) [3](README.md#c)"})
    write(tmp_path, {"README.md": f"# R\n\n## a - b\n\n## c\n\n[1](#{OF_GITHUB}) [2](#none) [3](#c) [4](#c)\n"})
    result = rehref.check(tmp_path)
    assert [(one.document, one.reference) for one in result.findings] == [
        ("README.md", "#none"),
        ("x.md", "README.md#none"),
    ]
    sums = result.summary
    assert (sums.links, sums.checked, sums.skipped, sums.broken) == (7, 5, 2, 2)
    assert "counts as skipped" in why(tmp_path, f"README.md#{OF_GITHUB}")
    assert "no file names a generator or a forge" in why(tmp_path, "README.md#none")
    assert "exists" in why(tmp_path, "README.md#c")


def test_each_use_of_an_uncertain_id_counts_as_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": '## a - b\n\n[1](#a-b) [2](#a-b) <a href="#a-b">3</a> ![4](README.md#a---b)\n'})
    sums = rehref.check(tmp_path).summary
    assert (sums.links, sums.checked, sums.skipped) == (4, 0, 4)
    write(tmp_path, {"README.md": '## a - b\n\n<a id="a-b"></a>\n\n[1](#a-b)\n'})
    assert rehref.check(tmp_path).summary.skipped == 0


def test_an_id_in_a_list_of_attributes_is_uncertain(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "## Long {#short}\n\n[1](#short) [2](#long) [3](#long-short)\n"})
    sums = rehref.check(tmp_path).summary
    assert (sums.skipped, sums.broken) == (2, 1)


def test_a_page_with_more_than_its_text_may_have_any_id_in_some_dialect(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "## A\n\n--8<-- 'c.txt'\n\n[1](#b)\n"})
    assert missing(tmp_path) == []
