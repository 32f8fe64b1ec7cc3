"""`rehref mv` from end to end: the sum, the patch, options, and one line for what cannot be."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from checked.contexts import written
from cli_runs import Run, told

FILES = {
    "index.html": '<a href="guide/wind.html">w</a>\n',
    "guide/wind.html": '<a href="../index.html">i</a>\n<p id="gale">\n',
    "i.png": "",
}


def test_a_file_moves_with_its_references(run: Run, tmp_path: Path) -> None:
    written(tmp_path, FILES)
    result = run("mv", "guide/wind.html", "storm.html")
    assert result.exit_code == 0
    assert result.stderr == "rehref: 2 links corrected in 2 files, 1 of them within storm.html\n"
    assert result.stdout == ""
    assert (tmp_path / "index.html").read_text() == '<a href="storm.html">w</a>\n'
    assert run("check", ".").exit_code == 0
    again = run("mv", "guide/wind.html", "storm.html")
    there = "storm.html is there, guide/wind.html is not, and no link leads to it"
    assert (again.exit_code, again.stderr) == (0, f"rehref: nothing to do: {there}\n")
    assert told(run("mv", "guide/gale.html", "gale.html")).startswith("guide/gale.html: there is no such file")


def test_a_folder_and_its_url_are_named(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "public", {**FILES, "a.html": "<a href=https://h.example/d/guide/wind.html#gale>"})
    command = ("mv", "--folder", "public", "--site-url", "https://h.example/d/", "--host", "github-pages")
    said = run(*command, "public/guide/wind.html#gale", "#storm").stderr
    assert said == "rehref: 1 link corrected in 1 file\n"
    assert run(*command, "-q", "public/guide", "public/book").stderr == ""
    assert (tmp_path / "public/a.html").read_text() == "<a href=https://h.example/d/book/wind.html#storm>"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_dry_run_shows_a_patch_that_git_applies(run: Run, tmp_path: Path) -> None:
    written(tmp_path, {**FILES, "guide/a b.css": "a { b: url(../i.png) }\n"})
    before = {path: (tmp_path / path).read_bytes() for path in FILES}
    result = run("mv", "--dry-run", "guide", "a/ü b")
    assert result.stderr == "rehref: 3 links to correct in 3 files, 2 of them within ü b\n"
    assert {path: (tmp_path / path).read_bytes() for path in FILES} == before
    apply = ["git", "apply", "-p1"]
    done = subprocess.run(apply, input=result.stdout_bytes, cwd=tmp_path, capture_output=True, check=False)
    assert done.stderr == b""
    assert (tmp_path / "index.html").read_text() == '<a href="a/%C3%BC%20b/wind.html">w</a>\n'
    assert (tmp_path / "a/ü b/wind.html").read_text().startswith('<a href="../../index.html">')
    assert (tmp_path / "a/ü b/a b.css").read_text() == "a { b: url(../../i.png) }\n"
    assert run("check", ".").exit_code == 0


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_applies_the_patch_of_a_file_that_has_no_references(run: Run, tmp_path: Path) -> None:
    written(tmp_path, {"a.html": '<a href="i.png">', "b.html": '<a href="i.png">', "i.png": "x"})
    result = run("mv", "--dry-run", "i.png", "b.png")
    apply = ["git", "apply", "-p1"]
    done = subprocess.run(apply, input=result.stdout_bytes, cwd=tmp_path, capture_output=True, check=False)
    assert done.stderr == b""
    assert (tmp_path / "b.html").read_text() == '<a href="b.png">'
    assert (tmp_path / "b.png").read_text() == "x"


@pytest.mark.skipif(shutil.which("git") is None or shutil.which("patch") is None, reason="needs git and patch")
@pytest.mark.parametrize("apply", [["git", "apply"], ["patch", "-s", "-p1"]])
def test_a_patch_makes_files_that_are_new(run: Run, tmp_path: Path, apply: list[str]) -> None:
    written(tmp_path, {f"site/{path}": text for path, text in FILES.items()} | {"r.map": "# mine\n"})
    (tmp_path / "site" / "new").mkdir()
    options = ("--folder", "site", "--redirects")
    moves = [("guide/wind.html", "a b.html", "site/new/_redirects"), ("a b.html", "c.html", "r.map")]
    moves += [("c.html", "d.html", "site/new/_redirects"), ("d.html", "e.html", "pages")]
    for old, new, redirects in moves:
        result = run("mv", "--dry-run", *options, redirects, f"site/{old}", f"site/{new}")
        assert (b"--- /dev/null\n" in result.stdout_bytes) == (not (tmp_path / redirects).exists())
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        done = subprocess.run(apply, input=result.stdout_bytes, cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        patched = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        assert patched != before
        for path in patched:
            path.unlink()
        for path, data in before.items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        assert run("mv", *options, redirects, f"site/{old}", f"site/{new}").exit_code == 0
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == patched


def test_markdown_that_is_not_read_does_not_move(run: Run, tmp_path: Path) -> None:
    written(
        tmp_path, {"docs/a.md": "[b](b.md)\n", "docs/b.md": "# B\n", "site/a.html": "", "site/b.html": "<a href=x>"}
    )
    assert told(run("mv", "docs/b.md", "docs/c.md")).startswith(
        "docs/b.md: is Markdown, which is not read beside pages"
    )
    assert run("mv", "--folder", "docs", "docs/b.md", "docs/c.md").exit_code == 0
    assert (tmp_path / "docs/a.md").read_text() == "[b](c.md)\n"


def test_what_cannot_be_is_one_line(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "s", FILES)
    assert told(run("mv", "--folder", "s", "s/i.png", "i.png")) == (
        "i.png: is not in s; name a file or folder in it, or another --folder"
    )
    assert "is there already" in told(run("mv", "s/i.png", "s/index.html"))
    for names in (("s/i.png", ""), ("", "s/j.png")):
        assert told(run("mv", *names)) == "OLD NEW: one of them is empty; name two places"
    assert told(run("mv", "s/i.png", "#new")) == "#new: has an id, and s/i.png has none; name s/i.png#ID"
    assert "cannot be a base" in told(run("mv", "--site-url", "h.example", "s/i.png", "s/j.png"))
    assert told(run("mv", "--folder", "none", "s/i.png", "s/j.png")).startswith("none: ")
