"""When a folder is one of sources, and what a run says of documents that it does not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from checked.contexts import written
from rehref.cli.program import program

pytest.importorskip("pyromark", reason="needs the package pyromark")

BROKEN = "[x](none.md)"
SOURCES = {"README.md": BROKEN, "a/b.md": BROKEN, "c.md": ""}
OF_SOURCES = {
    "a demonstration": {"demo.html": "<p>"},
    "a theme of VitePress": {".vitepress/config.ts": "", "public/pure.html": "<p>"},
    "the root of mdBook": {"book.toml": "", "theme/template.html": "<p>", "d.html": "<p>"},
    "Docsify": {"index.html": "<p>"},
    "a theme of Hugo": {
        "hugo.toml": "",
        "content/a.md": BROKEN,
        "content/b.md": BROKEN,
        **{f"themes/t/layouts/{number}.html": "<p>" for number in range(9)},
    },
    "a theme of Jekyll": {"_config.yml": "", **{f"_layouts/{number}.html": "<p>" for number in range(9)}},
}
"""Files beside sources."""
PAGES = {f"{name}.html": "<a href=a.html>" for name in "abcdefg"}
BUILT = {
    "a README": {"README.md": BROKEN, **PAGES},
    "as many pages": {"x.md": BROKEN, "y.md": BROKEN, "a.html": "<p>", "b.html": "<p>"},
    "copies": {"a.html": "", "a.md": BROKEN, "b/index.html": "", "b.md": BROKEN, "b/index.md": BROKEN, "c.md": BROKEN},
    "a leftover of Jekyll": {"_config.yml": "", "README.md": BROKEN, **PAGES},
    "what MkDocs built": {"../mkdocs.yml": "", "notes.md": BROKEN, **PAGES},
}


def test_what_is_more_than_the_pages_is_read(tmp_path: Path) -> None:
    for name, files in OF_SOURCES.items():
        folder = written(tmp_path / name, SOURCES | files)
        result = rehref.check(folder)
        assert {one.reference for one in result.findings} == {"none.md"}, name
        assert result.hints == (), name


def test_a_built_site_is_not_read_as_sources_and_one_line_says_so(tmp_path: Path) -> None:
    for name, files in BUILT.items():
        folder = written(tmp_path / name / "site", files)
        result = rehref.check(folder)
        assert result.findings == (), name
        assert len([hint for hint in result.hints if "not read" in hint]) == 1, name


@pytest.mark.parametrize(("sign", "dialect"), [(".github/x", "github"), ("mkdocs.yml", "mkdocs"), ("x.css", "github")])
def test_the_line_names_the_option_that_reads_them(tmp_path: Path, sign: str, dialect: str) -> None:
    written(tmp_path, {sign: "", "site/README.md": BROKEN, "site/x/CHANGES.md": BROKEN})
    folder = written(tmp_path / "site", PAGES | {"node_modules/a/README.md": BROKEN, "x.txt": "", ".b.md": BROKEN})
    run = CliRunner().invoke(program, ["check", str(folder)])
    assert run.exit_code == 0
    assert run.stderr.count("\n") == 1
    assert (
        f"hint: 2 Markdown files in {folder} are not read, such as README.md: it counts as a built site; "
        f"--dialect {dialect} reads Markdown, too\n"
    ) in run.stderr
    asked = CliRunner().invoke(program, ["check", str(folder), "--dialect", dialect])
    assert (asked.exit_code, "not read" in asked.stderr) == (1, False)


def test_what_is_not_asked_for_is_not_said(tmp_path: Path) -> None:
    folder = written(tmp_path, PAGES | {"README.md": BROKEN})
    assert rehref.check(folder, files=["a.html"]).hints == ()
    assert rehref.check(folder, exclude_path=["*.md"]).hints == ()
    assert "1 Markdown file" in (hint := " ".join(rehref.check(folder).hints))
    assert "is not read, README.md" in hint
    written(tmp_path, {"a.ipynb": '{"cells": []}'})
    hint = " ".join(rehref.check(folder).hints)
    assert "2 files in" in hint
    assert "reads Markdown and notebooks, too" in hint


def test_asciidoc_is_never_read_and_one_line_says_so(tmp_path: Path) -> None:
    folder = written(tmp_path, {"antora.yml": "", "docs/a.adoc": "link:gone[x]", "docs/b.asciidoc": ""})
    says = f"2 AsciiDoc files in {tmp_path} are not read, such as docs/a.adoc: rehref does not read AsciiDoc; check the"
    assert rehref.check(folder).hints == (f"{says} site that Antora makes",)
    written(tmp_path, {"README.md": "[x](docs/a.adoc)"})
    assert rehref.check(folder).hints == (f"{says} site that Antora makes",)
    (folder / "antora.yml").unlink()
    assert rehref.check(folder).hints == (f"{says} site that its generator makes",)
    assert "AsciiDoc" not in " ".join(rehref.check(written(folder, PAGES)).hints)


UNSENT = ("page.html.src", "a.pwp", "b/c.tmpl", "X.TMPL", "d.html.in")
SENT = ("a.html", "LICENSE", "x.php", "y.cfm", "z.do", "i.php@p=1", "index.html?q=1", "a.html.1", "Mr._Smith")


def test_what_no_host_sends_as_a_page_is_not_read_as_one(tmp_path: Path) -> None:
    """Because of its content; if it is named, it is."""
    page = "<!doctype html><a href=none.html>x</a>"
    written(tmp_path, dict.fromkeys(UNSENT + SENT, page))
    written(tmp_path, {"feed.pwp": "<feed xmlns='http://www.w3.org/2005/Atom'><link href='none.xml'/></feed>"})
    result = rehref.check(tmp_path)
    assert {one.document for one in result.findings} == {*SENT, "feed.pwp"}
    (hint,) = [hint for hint in result.hints if "not read" in hint]
    assert hint == (
        f"5 files in {tmp_path} look like pages, and are not read, such as X.TMPL: no host sends such files as pages; "
        "--document-extensions TMPL,in,pwp reads them"
    )
    for name in UNSENT:
        assert {one.document for one in rehref.check(tmp_path, files=[name]).findings} == {name}
    asked = rehref.check(tmp_path, document_extensions=["tmpl", "src", "pwp", "in"])
    assert {one.document for one in asked.findings} == {*SENT, *UNSENT, "feed.pwp"}
    assert [hint for hint in asked.hints if "not read" in hint] == []


def test_in_a_whole_repository_paths_from_the_root_lead_below_it(tmp_path: Path) -> None:
    """As far as what they begin with is there: others may be for a generator that is not known."""
    git = {".git/config": '[remote "origin"]\n\turl = https://github.com/a/b.git\n'}
    links = "[1](/docs/b.md#b) [2](/docs/gone.md) [3](/docs/b.md#gone) [4](/other/x) [5](/docs/)"
    written(tmp_path, {"docs/a.md": links, "docs/b.md": "# B", **git})
    result = rehref.check(tmp_path)
    assert [each.reference for each in result.findings] == ["/docs/gone.md", "/docs/b.md#gone"]
    assert result.summary.skipped == 1
    assert rehref.check(tmp_path / "docs").findings == ()
