"""A document at several places: one test for each rule of `checks.place_dependent` and `site.publishing`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rehref
from checked.contexts import written
from rehref.cli.program import program
from rehref.exceptions import OptionError

pytest.importorskip("pyromark", reason="needs the package pyromark")

PROJECT = '[project]\nname = "wind"\nreadme = "README.md"\nurls = { Source = "https://github.com/o/wind" }\n'
FILES = {"pyproject.toml": PROJECT, "docs/sail.md": "# Sail\n\n## Rig\n", "img/map.png": ""}
BLOB, RAW, TREE = (f"https://github.com/o/wind/{view}/HEAD" for view in ("blob", "raw", "tree"))


def found(folder: Path, readme: str, places: str = "github,pypi", **options: Any) -> dict[str, str | None]:
    """The references of a README that are place-dependent, each with its suggestion."""
    written(folder, {**FILES, "docs/a b.md": "", "docs/ü.md": "", "README.md": readme})
    result = rehref.check(folder, published_at=places, script_ids=["c d"], **options)
    assert all(one.sure for one in result.findings if one.code == "place-dependent")
    return {one.reference: one.suggestion for one in result.findings if one.code == "place-dependent"}


def messages(folder: Path, places: str, **options: Any) -> list[str]:
    return [one.message for one in rehref.check(folder, published_at=places, **options).findings]


@pytest.mark.parametrize(
    ("markdown", "reference", "suggestion"),
    [
        ("[a](docs/sail.md#rig)", "docs/sail.md#rig", f"{BLOB}/docs/sail.md#rig"),
        ("[a](./docs/../docs/sail.md?plain=1)", "./docs/../docs/sail.md?plain=1", f"{BLOB}/docs/sail.md?plain=1"),
        ("[a](/docs/sail.md)", "/docs/sail.md", f"{BLOB}/docs/sail.md"),
        ("[a](docs)", "docs", f"{TREE}/docs"),
        ("![a](img/map.png)", "img/map.png", f"{RAW}/img/map.png"),
        ("[a](img/map.png)", "img/map.png", f"{BLOB}/img/map.png"),
        ("[a][b]\n\n[b]: docs/sail.md", "docs/sail.md", f"{BLOB}/docs/sail.md"),
        ('<img src="img/map.png">', "img/map.png", f"{RAW}/img/map.png"),
        ("# Wind\n\n[a](README.md#wind)", "README.md#wind", "#wind"),
        ("[a](<docs/a b.md#c d>)", "docs/a b.md#c d", f"{BLOB}/docs/a%20b.md#c%20d"),
        ("[a](docs/%C3%BC.md)", "docs/%C3%BC.md", f"{BLOB}/docs/%C3%BC.md"),
        ("[a](docs/ü.md)", "docs/ü.md", f"{BLOB}/docs/%C3%BC.md"),
        ('<a href="docs/a b.md">', "docs/a b.md", f"{BLOB}/docs/a%20b.md"),
    ],
)
def test_what_only_the_forge_has_gets_its_whole_url(
    tmp_path: Path, markdown: str, reference: str, suggestion: str
) -> None:
    assert found(tmp_path, markdown) == {reference: suggestion}


@pytest.mark.parametrize(
    "markdown",
    [
        "[a](docs/none.md)",  # missing everywhere
        "[a](../../issues)",  # out of the folder: not looked up
        "# A\n\n[a](#a) [b](?q) [c](https://e.org/docs/sail.md) [d](//e.org/x) [e](mailto:a@e.org)",
        f"[a]({BLOB}/docs/sail.md)",
        '<picture><source srcset="img/map.png"></picture>',  # PyPI drops it
        "`[a](docs/sail.md)`",
    ],
)
def test_what_is_right_everywhere_or_nowhere_does_not_depend_on_the_place(tmp_path: Path, markdown: str) -> None:
    assert found(tmp_path, markdown) == {}


def test_a_target_that_is_not_in_the_working_tree_is_missing_as_ever(tmp_path: Path) -> None:
    written(tmp_path, {**FILES, "README.md": "[a](docs/none.md)"})
    assert [one.code for one in rehref.check(tmp_path, published_at="pypi").findings] == ["missing-file"]


@pytest.mark.parametrize("places", ["pypi", "npm", "https://e.org/wind"])
def test_a_path_from_the_root_that_leads_nowhere_is_missing_too(tmp_path: Path, places: str) -> None:
    written(tmp_path, {**FILES, "README.md": "[a](/docs/none.md)"})
    assert [one.code for one in rehref.check(tmp_path, published_at=places).findings] == ["missing-file"]


def test_what_lacks_its_heading_is_not_right_on_the_forge(tmp_path: Path) -> None:
    written(tmp_path, {**FILES, "README.md": "[a](docs/sail.md#nope) [b](docs/sail.md#rig) [c](docs/sail.md#L1)"})
    found = [(one.code, one.reference) for one in rehref.check(tmp_path, published_at="pypi").findings]
    dependent = [("place-dependent", f"docs/sail.md#{name}") for name in ("rig", "L1")]
    assert found == [("missing-fragment", "docs/sail.md#nope"), *dependent]
    only = rehref.check(tmp_path, published_at="pypi", select=["place-dependent"]).findings
    assert [(one.code, one.reference) for one in only] == dependent


def test_candidates_of_a_srcset_are_looked_up_by_no_index(tmp_path: Path) -> None:
    package = {"name": "wind", "repository": "o/wind"}
    written(tmp_path, {"package.json": json.dumps(package), "Cargo.toml": "[package]\nrepository = 'x'"})
    readme = '<picture><source srcset="i.png, j.png 2x"><img src="i.png"></picture>'
    written(tmp_path, {"README.md": readme, "i.png": "", "j.png": ""})
    dead = [f"{name}: right on GitHub, dead on {{}}" for name in ("i.png", "j.png")]
    for place, label in (("npm", "npm"), ("crates", "crates.io")):
        assert messages(tmp_path, place) == [one.format(label) for one in dead]
    url = "https://e.org/wind"
    assert messages(tmp_path, url) == [one.format(url) for one in (*dead, dead[0])]
    assert messages(tmp_path, "pypi") == [dead[0].format("PyPI")]  # of img alone: PyPI drops source
    assert rehref.check(tmp_path, published_at="npm").findings[1].suggestion == f"{RAW}/j.png"


def test_only_the_readme_is_at_an_index(tmp_path: Path) -> None:
    written(tmp_path, {"docs/other.md": "[a](sail.md)"})
    assert found(tmp_path, "") == {}
    written(tmp_path, {"pyproject.toml": PROJECT.replace("README.md", "docs/other.md")})
    assert messages(tmp_path, "pypi") == ["sail.md: right on GitHub, dead on PyPI"]


def test_npm_resolves_below_the_directory_that_the_manifest_names(tmp_path: Path) -> None:
    package = {"name": "wind", "repository": {"url": "git+https://github.com/o/wind.git"}}
    readme = "[a](LICENSE) [b](sail.md) [c](/packages/wind/sail.md)"
    written(tmp_path, {f"packages/wind/{name}": "" for name in ("LICENSE", "sail.md")})
    written(tmp_path, {"packages/wind/README.md": readme, "LICENSE": "", ".git/HEAD": ""})
    written(tmp_path, {"packages/wind/package.json": json.dumps(package)})
    named = {"files": ["packages/wind/README.md"], "own_repository": "https://github.com/o/wind"}
    assert messages(tmp_path, "npm", **named) == [
        "LICENSE: right on GitHub, leads to LICENSE on npm",
        "sail.md: right on GitHub, dead on npm",
    ]
    package["repository"] = {"url": "git+https://github.com/o/wind.git", "directory": "packages/wind"}
    written(tmp_path, {"packages/wind/package.json": json.dumps(package)})
    # npm looks up what begins with a slash below the directory, too
    assert messages(tmp_path, "npm", **named) == ["/packages/wind/sail.md: right on GitHub, dead on npm"]
    written(tmp_path, {"packages/wind/package.json": json.dumps({"name": "wind"})})
    assert len(messages(tmp_path, "npm", **named)) == 3


def test_the_manifest_may_be_above_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = PROJECT.replace('"README.md"', '"docs/index.md"')
    written(tmp_path, {".git/HEAD": "", "wind/pyproject.toml": project, "wind/docs/README.md": "[a](sail.md)"})
    written(tmp_path, {"wind/docs/index.md": "[a](sail.md)", "wind/docs/sail.md": "", "pyproject.toml": PROJECT})
    for folder, path in ((".", "wind/docs/"), ("wind", "docs/"), ("wind/docs", "")):
        monkeypatch.chdir(tmp_path / folder)
        args = ["check", f"{path}index.md", f"{path}README.md", "--published-at", "github,pypi"]
        result = CliRunner().invoke(program, args)
        dead = [line for line in result.stdout.splitlines() if "place-dependent" in line]
        assert [line.partition(":")[0] for line in dead] == [f"{path}index.md"], folder
    written(tmp_path, {"wind/package.json": "{}"})  # of wind/README.md
    with pytest.raises(OptionError, match="is known to be shown there"):
        rehref.check(tmp_path / "wind" / "docs", files=["README.md"], published_at="npm")


def test_crates_io_resolves_below_the_package_even_a_readme_from_above(tmp_path: Path) -> None:
    cargo = '[package]\nname = "wind"\nrepository = "https://github.com/o/wind"\n'
    written(tmp_path, {".git/HEAD": "", "a.md": "", "crate/b.md": "", "crate/Cargo.toml": cargo})
    url = "https://github.com/o/wind"
    written(tmp_path, {"crate/README.md": "[a](../a.md) [b](b.md) [c](/a.md)"})
    assert messages(tmp_path, "crates", files=["crate"], own_repository=url) == [
        "/a.md: right on GitHub, dead on crates.io"
    ]
    cargo += 'readme = "../README.md"\n'
    written(tmp_path, {"crate/Cargo.toml": cargo, "README.md": "[a](a.md) [b](crate/b.md)"})
    assert messages(tmp_path, "crates", files=["crate", "README.md"], own_repository=url) == [
        "a.md: right on GitHub, dead on crates.io",
        "crate/b.md: right on GitHub, dead on crates.io",
    ]


def test_gitlab_has_its_pages_behind_a_dash(tmp_path: Path) -> None:
    url = "https://gitlab.example.org/group/sub/wind"
    assert found(tmp_path, "[a](docs/sail.md) ![b](img/map.png)", "gitlab,pypi", own_repository=url) == {
        "docs/sail.md": f"{url}/-/blob/HEAD/docs/sail.md",
        "img/map.png": f"{url}/-/raw/HEAD/img/map.png",
    }
    with pytest.raises(
        OptionError, match=r"^published_at github: the repository is .*; name the one there with own_repository"
    ):
        rehref.check(tmp_path, published_at="github", own_repository=url)


def test_a_url_is_a_place_that_has_the_readme_and_nothing_else(tmp_path: Path) -> None:
    assert found(tmp_path, "[a](docs/sail.md)", "https://hub.example.org/r/wind") != {}
    assert messages(tmp_path, "https://hub.example.org/r/wind") == [
        "docs/sail.md: right on GitHub, dead on https://hub.example.org/r/wind"
    ]


@pytest.mark.parametrize(
    ("manifest", "is_known"),
    [
        ('[project]\nreadme = { file = "README.md", content-type = "text/markdown" }', True),
        ('[tool.poetry]\nreadme = "README.md"', True),
        ('[project]\ndynamic = ["readme"]\n[tool.setuptools.dynamic]\nreadme = { file = ["README.md"] }', True),
        ('[project]\ndynamic = ["readme"]\n[tool.setuptools.dynamic]\nreadme = { file = "README.md" }', True),
        ('[project]\ndynamic = ["readme"]\n[tool.setuptools.dynamic]\nreadme = { file = ["README.md", "b"] }', False),
        ('[project]\ndynamic = ["readme"]', False),  # setup.py may change it
        ("[project]\nreadme = 1\n[tool.setuptools.dynamic]\nreadme = { file = [1] }", False),
        ("[tool.black]", True),  # setup.py
        ("[project]", False),
        ('[project]\nreadme = "README.rst"', False),
        ('[project]\ndynamic = ["readme"]\n[tool.hatch.metadata.hooks.fancy-pypi-readme]', False),
    ],
)
def test_the_manifest_says_which_file_is_the_readme(tmp_path: Path, manifest: str, is_known: bool) -> None:
    written(tmp_path, {**FILES, "README.md": "[a](docs/sail.md)", "README.rst": "", "pyproject.toml": manifest})
    url = "https://github.com/o/wind"
    if is_known:
        assert len(messages(tmp_path, "pypi", own_repository=url)) == 1
    else:
        with pytest.raises(OptionError, match=r"^published_at pypi: no Markdown file of .* is known to be shown"):
            rehref.check(tmp_path, published_at="pypi", own_repository=url)


def test_fixed_with_fix_and_rendered_as_the_index_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("comrak", reason="needs the package readme-renderer[md]")
    from readme_renderer.markdown import render

    readme = "# Wind\n\n[a](docs/sail.md#rig) [b](#wind) ![c](img/map.png)\n\n<a href='docs/sail.md'>d</a>\n"
    written(tmp_path, {**FILES, "README.md": readme})
    monkeypatch.chdir(tmp_path)
    page = "https://pypi.org/project/wind/"
    assert dead_of(render(readme) or "", page) == ["docs/sail.md", "docs/sail.md#rig", "img/map.png"]
    arguments = ["check", "README.md", "--published-at", "github,pypi", "--no-progress"]
    result = CliRunner().invoke(program, arguments)
    assert result.exit_code == 1
    assert "README.md:3:5  error place-dependent" in result.output
    assert "docs/sail.md#rig: right on GitHub, dead on PyPI" in result.output
    assert CliRunner().invoke(program, [*arguments, "--fix"]).exit_code == 0
    fixed = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert dead_of(render(fixed) or "", page) == []
    assert f'<a href="{BLOB}/docs/sail.md#rig"' in (render(fixed) or "")


def dead_of(html: str, page: str) -> list[str]:
    """The references of a page of the index that lead to the index, fragments aside, where nothing is."""
    links = rehref.links(html, url=page)
    return sorted(link.reference for link in links if not link.same_document and "//pypi.org/" in (link.target or ""))


def test_the_option_of_the_configuration_and_the_baseline_do_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = 'published_at = "github,pypi"\n'
    written(tmp_path, {**FILES, "README.md": "[a](docs/sail.md)", "rehref.toml": f"[check]\n{config}"})
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(program, ["check", "README.md", "--format", "json"])
    assert json.loads(result.stdout)["problems"][0]["code"] == "place-dependent"
    assert CliRunner().invoke(program, ["check", ".", "--write-baseline", "known.json"]).exit_code == 0
    assert CliRunner().invoke(program, ["check", ".", "--baseline", "known.json"]).exit_code == 0
    assert CliRunner().invoke(program, ["check", ".", "--ignore", "place-dependent"]).exit_code == 0
    for wrong, what in (("pipy", "pipy: is not a place"), ("", '"": names no place'), (",", ",: names no place")):
        result = CliRunner().invoke(program, ["check", ".", "--published-at", wrong])
        assert result.exit_code == 2
        assert result.stderr == f"rehref: --published-at {what}; write github, gitlab, pypi, npm, crates, or a URL\n"
