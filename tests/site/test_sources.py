"""Folders of Markdown sources: one test for each rule of `rehref.site._grounds.source_files`, and the whole way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rehref
from rehref.cli.program import program

pytest.importorskip("pyromark", reason="needs the package pyromark")


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def found(folder: Path, **options: Any) -> list[tuple[str, str, str]]:
    result = rehref.check(folder, **options)
    return [(one.document, one.code, one.reference) for one in result.findings]


def test_markdown_beside_pages_is_read_only_if_it_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": "<a href=a.md>a</a>", "a.md": "[x](none.md)"})
    assert found(tmp_path) == []
    broken = [("a.md", "missing-file", "none.md")]
    assert found(tmp_path, files=["a.md"]) == broken
    assert found(tmp_path, dialect="github") == broken
    (tmp_path / "index.html").unlink()
    assert found(tmp_path) == broken


def test_sources_may_have_parts_of_a_theme_among_them(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"overrides/main.html": "<p>", "a.md": "[x](none.md)", "b.md": ""})
    assert found(docs) == [("a.md", "missing-file", "none.md")]
    write(docs, {"a/index.html": "<p>"})
    assert found(docs) == []


def test_jekyll_is_inferred_and_its_references_are_relative_to_its_pages(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"_layouts/a.html": "<a href=none.html>x</a>", "_config.yml": "collections:\n  g:\n    output: true\n"},
    )
    write(tmp_path, {"_g/a.md": "[1](../b.html) [2](c.html) [3](../_g/c.md) [x](../none/)", "_g/c.md": "", "b.md": ""})
    pretty = "---\npermalink: /x/p/\n---\n[1](../../b.html) [2](../q/) [3](r.md) [x](../b.html)"
    write(tmp_path, {"p.md": pretty, "q.html": "---\npermalink: /x/q/\n---\n", "r.md": ""})
    broken = [("_g/a.md", "missing-file", "../none/"), ("p.md", "missing-file", "../b.html")]
    assert found(tmp_path) == broken
    write(tmp_path, {"_posts/2020-01-02-x.md": "---\ndate: 2021-01-01\n---\n[1](y/) [2](z.png) [3](w.md)"})
    assert found(tmp_path) == [("_posts/2020-01-02-x.md", "missing-file", "w.md"), broken[1]]


@pytest.mark.parametrize("to", ["g", "g/#x", "../g/"])
def test_what_a_link_render_hook_decides_is_skipped(tmp_path: Path, to: str) -> None:
    write(tmp_path, {"hugo.toml": "", "content/_index.md": "", "content/s/a.md": f"[1]({to}) [2](w.md) [3](a.png)"})
    files = [("s/a.md", "missing-file", "w.md"), ("s/a.md", "missing-file", "a.png")]
    assert found(tmp_path / "content") == [("s/a.md", "missing-file", to), *files]
    for hook in (
        "layouts/_markup/render-link.html",
        "layouts/_default/_markup/render-link.rss.xml.html",
        "themes/t/layouts/_default/_markup/render-link.html",
    ):
        write(tmp_path, {hook: ""})
        assert found(tmp_path / "content") == files
        assert rehref.check(tmp_path / "content").summary.skipped == 1
        (tmp_path / hook).unlink()
    write(tmp_path, {"hugo.toml": "[languages.en]\n[languages.fr]\n"})
    assert found(tmp_path / "content") == files
    mounts = "[[module.mounts]]\nsource = 'content'\ntarget = 'content'\n"
    write(tmp_path, {"hugo.toml": mounts})
    assert len(found(tmp_path / "content")) == 3
    write(tmp_path, {"hugo.toml": mounts + "[[module.mounts]]\nsource = '../x'\ntarget = 'content/x'\n"})
    assert found(tmp_path / "content") == []


@pytest.mark.parametrize(
    "name", ["config.toml", "config.yaml", "config/_default/hugo.yaml", "config/_default/config.toml"]
)
def test_older_and_larger_sites_of_hugo_are_recognized(tmp_path: Path, name: str) -> None:
    write(
        tmp_path,
        {".git/HEAD": "", name: "[other]\n", "content/My A.md": "[1](../my-b/) [2](#none)", "content/My B.md": ""},
    )
    skipped = rehref.check(tmp_path / "content").summary.skipped
    assert skipped == (0 if "/" in name else 1)  # no dialect: what is above is not known
    write(tmp_path, {name: "title: x\nbaseURL: 'https://e.example/'\n"})
    assert found(tmp_path / "content") == [("My A.md", "missing-fragment", "#none")]


def test_docusaurus_looks_for_markdown_in_folders_above(tmp_path: Path) -> None:
    write(tmp_path, {"docusaurus.config.js": "", "README.md": "", "docs/api/Store.md": "", "docs/a/b/other.md": ""})
    references = "[1](api/Store.md) [2](other.md#x) [3](@site/docs/none.md) [4](README.md) [5](docs/api/Store.md)"
    broken = ["./api/Store.md", "../api/Store.md", "none/Store.md", "api/Store"]
    write(tmp_path, {"docs/a/b/c.md": references + " ".join(f"[x]({each})" for each in broken)})
    for folder in (tmp_path / "docs", tmp_path):
        wrong = [reference for _, code, reference in found(folder) if code == "missing-file"]
        assert wrong == broken


def test_html_in_markdown_is_relative_to_the_page(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"mkdocs.yml": "", "docs/img/a.png": "", "docs/s/g.md": "", "docs/s/index.md": "<img src='../img/a.png'>"},
    )
    html = "<img src='../../img/a.png'> <a href=g.md>g</a> <img src='../img/a.png'> <img src='/x.png'>"
    write(tmp_path, {"docs/s/a.md": html})
    assert found(tmp_path / "docs") == [("s/a.md", "missing-file", "../img/a.png")]
    assert rehref.check(tmp_path / "docs").summary.skipped == 1


def test_static_files_are_at_the_root_of_the_site(tmp_path: Path) -> None:
    write(tmp_path, {"docusaurus.config.js": "", "static/a.png": "", "docs/a.md": "", "docs/b.md": ""})
    write(tmp_path, {"src/x.css": "a { background: url(/a.png) url(/none.png) }"})
    assert found(tmp_path) == [("src/x.css", "missing-file", "/none.png")]


def test_templates_of_a_theme_of_mkdocs_are_not_checked(tmp_path: Path) -> None:
    write(tmp_path, {"docs/theme/main.html": "<a href=none.html>x</a>", "docs/a.md": "[x](none.md)", "docs/b.md": ""})
    write(tmp_path, {"mkdocs.yml": "theme:\n  name: x\n"})
    assert len(found(tmp_path / "docs")) == 2
    write(tmp_path, {"mkdocs.yml": "theme:\n  name: x\n  custom_dir: docs/theme\n"})
    assert found(tmp_path / "docs") == [("a.md", "missing-file", "none.md")]


def test_the_dialect_is_that_of_the_generator_beside_or_above(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a.md": "## A b\n\n[x](#a-b) [y](#none) [z](b.md#none)", "b.md": "# C"})
    write(tmp_path, {".git/HEAD": ""})
    assert [reference for *_, reference in found(docs)] == ["#none", "b.md#none"]  # no dialect gives these
    for name in ("mkdocs.yml", "docusaurus.config.js", "hugo.toml", "_config.yml", ".gitlab-ci.yml", ".github/x"):
        write(tmp_path, {name: ""})
        assert found(docs) == [("a.md", "missing-fragment", "#none"), ("a.md", "missing-fragment", "b.md#none")]
        (tmp_path / name).unlink()
    write(docs, {"a.md": "# A\n\n## A\n\n[x](#a) [y](#a-1)"})
    assert found(docs) == []
    write(tmp_path, {"website/docusaurus.config.js": ""})
    assert found(docs) == [("a.md", "missing-fragment", "#a")]
    assert found(docs, dialect="commonmark") == []


@pytest.mark.parametrize(
    ("name", "other", "default"),
    [
        (
            "mkdocs.yml",
            "markdown_extensions:\n  - toc:\n      permalink: true\n      slugify: !!python/name:x\n",
            "markdown_extensions:\n  - toc:\n      permalink: true\nplugins:\n  - search:\n      separator: '-'\n",
        ),
        ("hugo.toml", 'autoHeadingIDType = "blackfriday"\n', 'autoHeadingIDType = "github"\n'),
        ("_config.yml", "kramdown:\n  auto_ids: false\n", "markdown: kramdown\nkramdown:\n  input: GFM\n"),
        ("docusaurus.config.js", "anchors: {maintainCase: true}", "anchors: {maintainCase: false}"),
    ],
)
def test_ids_that_are_made_another_way_are_not_known(tmp_path: Path, name: str, other: str, default: str) -> None:
    docs = write(tmp_path / "docs", {"a.md": "# A\n\n[1](#none) [2](none.md)\n"})
    for text, references in ((other, ["none.md"]), (default, ["#none", "none.md"])):
        write(tmp_path, {name: text})
        assert [reference for _, _, reference in found(docs)] == references
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()  # it cannot be read
    assert [reference for _, _, reference in found(docs)] == ["none.md"]


def test_a_page_with_more_than_its_text_may_have_any_id(tmp_path: Path) -> None:
    write(
        tmp_path, {"a.md": "# A\n\n--8<-- 'c.txt'\n\n[1](#b) [2](b.md#c) [3](b.md#d)\n", "b.md": "# C\n\n[4](a.md#e)\n"}
    )
    assert [reference for _, _, reference in found(tmp_path, dialect="mkdocs")] == ["b.md#d"]
    assert [reference for _, _, reference in found(tmp_path, dialect="github")] == ["#b", "b.md#d", "a.md#e"]


def test_what_only_a_generator_knows_counts_as_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": '[s]({{< ref "b" >}}) [x](none.md)\n'})
    summary = rehref.check(tmp_path, dialect="hugo").summary
    assert (summary.links, summary.checked, summary.skipped, summary.broken) == (2, 1, 1, 1)


def test_each_dialect_has_its_own_ids(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# a - b\n\n# É\n\n[1](#a---b) [2](#a-b) [3](#%C3%A9) [4](#e)\n"})
    wrong = {
        dialect: [reference for _, _, reference in found(tmp_path, dialect=dialect)]
        for dialect in ("github", "gitlab", "mkdocs", "jekyll")
    }
    assert wrong == {
        "github": ["#a-b", "#e"],
        "gitlab": ["#a---b", "#e"],
        "mkdocs": ["#a---b", "#%C3%A9"],
        "jekyll": ["#a-b", "#e"],
    }


def test_paths_lead_to_sources_as_on_the_site(tmp_path: Path) -> None:
    write(tmp_path, {"mkdocs.yml": "", "docs/sub/index.md": "# I"})
    write(tmp_path / "docs", {"guide.md": "# G", "sub/a.md": "[1](../guide.md) [2](../../guide/) [3](../guide/)"})
    write(tmp_path / "docs", {"index.md": "[1](guide/#g) [2](guide) [3](guide.html) [4](sub/) [5](sub) [6](gide/)"})
    assert found(tmp_path / "docs") == [
        ("index.md", "missing-file", "gide/"),
        ("sub/a.md", "missing-file", "../guide/"),
    ]


def test_what_is_above_the_folder_of_a_repository_is_not_known(tmp_path: Path) -> None:
    write(tmp_path, {".github/x": "", "docs/a.md": "[r](../README.md) [c](/CHANGES.md)"})
    result = rehref.check(tmp_path / "docs")
    assert result.findings == ()
    assert (result.summary.links, result.summary.skipped) == (2, 2)
    assert found(tmp_path) == [("docs/a.md", "missing-file", "../README.md")]


@pytest.mark.parametrize("sign", [".git/HEAD", ".github/x", "package.json"])
def test_a_path_from_the_root_begins_at_that_of_the_repository(tmp_path: Path, sign: str) -> None:
    write(tmp_path, {sign: "{}", "a b/a.md": "[1](/a%20b/b.md) [2](/a%20b/none.md) [3](/b.md) [4](/x/b.md)"})
    write(tmp_path, {"a b/b.md": "", "x/b.md": ""})
    result = rehref.check(tmp_path / "a b", dialect="github")
    assert [one.reference for one in result.findings] == ["/a%20b/none.md"]
    assert (result.summary.checked, result.summary.skipped) == (2, 2)  # what is beside the folder is not known
    assert (result.sites[0].url, result.sites[0].sources) == ("https://site.invalid/a%20b/", ("repository",))
    assert [one.reference for one in rehref.check(tmp_path, dialect="github").findings] == ["/a%20b/none.md", "/b.md"]
    assert rehref.check(tmp_path, dialect="mkdocs").findings == ()
    assert rehref.check(tmp_path, dialect="github", site_url="https://e.org/a%20b/").summary.skipped == 0


def test_a_finding_has_its_place_and_a_suggestion_and_is_fixed(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "See [the *guide*](guid.md 'T').\n", "guide.md": "# G"})
    (one,) = rehref.check(tmp_path).findings
    assert (one.line, one.column, one.span) == (1, 19, (18, 25))
    assert one.suggestion == "guide.md"
    assert CliRunner().invoke(program, ["check", "--fix", str(tmp_path)]).exit_code == 0
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "See [the *guide*](guide.md 'T').\n"


def test_ids_in_lists_of_attributes_are_names(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "* **x**{ #y }\n\n[1](#y) [2](#z)\n"})
    assert [reference for _, _, reference in found(tmp_path, dialect="mkdocs")] == ["#z"]


def test_headings_in_html_have_ids_on_github(tmp_path: Path) -> None:
    html = '<h1 align="center">\n\n<b>F &amp; g</b></h1>'
    write(tmp_path, {"a.md": f"{html}\n\n## F & g\n\n[1](#f--g-1) [2](#f--g-2) [3](#f--g)"})
    assert [reference for _, _, reference in found(tmp_path, dialect="github")] == ["#f--g-2"]
    write(tmp_path, {"a.md": "<h1>F & g</h1>\n\n## F & g\n\n[1](#f--g-1) [2](#f--g)"})
    assert [reference for _, _, reference in found(tmp_path, dialect="docusaurus")] == ["#f--g-1"]


def test_expressions_of_jsx_are_no_references(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "<a href={useBaseUrl('/b')}>b</a> <img src=\"c.png\" />\n"})
    assert [reference for _, _, reference in found(tmp_path, dialect="docusaurus")] == ["c.png"]


def test_an_anchor_may_have_the_id_of_the_heading_beside_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": '## B\n<a id="b"></a>\n\n[1](#b)\n'})
    assert found(tmp_path, dialect="github") == []


def test_a_template_beside_sources_is_one_though_they_mention_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "The nav is [here](b.md).", "b.md": "", "x/nav.html": "{% if a %}<a href='{{ b }}'>c</a>"})
    assert found(tmp_path, dialect="mkdocs") == [("x/nav.html", "template-file", "")]


def test_what_templates_and_packages_have_is_not_of_the_sources(tmp_path: Path) -> None:
    broken = "<a href=none.html>x</a>"
    write(
        tmp_path, {"_layouts/a.html": broken, "b/_includes/a.html": broken, "node_modules/a/README.md": "[x](none.md)"}
    )
    write(tmp_path, {"a.md": "[x](_layouts/a.html)", "b.html": "<a href=\"{{ 'c' | relative_url }}\">x</a>" + broken})
    assert found(tmp_path, dialect="jekyll") == [("b.html", "missing-file", "none.html")]
    assert len(found(tmp_path, dialect="github")) == 4  # not those of packages


def test_static_files_of_hugo_are_there_for_pages(tmp_path: Path) -> None:
    write(tmp_path, {"hugo.toml": "", "static/p.png": "", "content/a/b.md": "![x](../../p.png) ![y](../../q.png)"})
    assert [one[2] for one in found(tmp_path / "content")] == ["../../q.png"]


def test_a_notebook_that_is_not_json_is_reported(tmp_path: Path) -> None:
    deep = "[" * 100_000
    write(tmp_path, {"a.ipynb": '{"cells": [\n{"source": "x"},]}', "b.ipynb": deep, "c.ipynb": '{"cells": []}'})
    result = rehref.check(tmp_path)
    assert [(one.document, one.code, one.line) for one in result.findings] == [
        ("a.ipynb", "not-well-formed", 2),
        ("b.ipynb", "not-well-formed", 1),
    ]
    assert "is not JSON" in result.findings[0].message


def test_without_pyromark_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rehref.site._grounds.source_files.find_spec", lambda name: None)
    write(tmp_path, {"a.md": "[x](b.md)"})
    result = CliRunner().invoke(program, ["check", str(tmp_path)])
    remedy = "install it: pip install 'rehref[markdown]'"
    assert result.exit_code == 2
    said = f"rehref: {tmp_path}: has Markdown, and reading that needs the package pyromark; {remedy}\n"
    assert result.stderr == said
    write(tmp_path, {"a.css": "a { background: url(none.png) }"})
    result = CliRunner().invoke(program, ["check", str(tmp_path)])
    assert result.exit_code == 1
    assert "none.png" in result.stdout
    assert f"Markdown in {tmp_path} is skipped: reading Markdown needs the package pyromark; {remedy}" in result.stderr
    for asked in ([str(tmp_path), "--dialect", "github"], ["--root", str(tmp_path), str(tmp_path / "a.md")]):
        result = CliRunner().invoke(program, ["check", *asked])
        assert (result.exit_code, result.stderr) == (2, said)
    write(tmp_path, {"a.html": "<p>"})  # beside pages, it is not read at all
    assert "package" not in CliRunner().invoke(program, ["check", str(tmp_path)]).stderr
