"""`rehref check --fix` and `rehref rewrite` keep the hashes of a site right."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rehref
from hashed_site import hashed, site
from rehref.cli.program import program

HOST = "https://e.example/"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(program, list(map(str, arguments)), catch_exceptions=False)


def mismatches(folder: Path) -> list[str]:
    found = rehref.check(folder, site_url=HOST).findings
    return [each.message for each in found if each.code == "integrity-mismatch"]


def test_fixes(tmp_path: Path) -> None:
    site(tmp_path, page_refers_to="img/A.svg", sheet_refers_to="../img/A.svg")
    shown = run("check", "--fix", "--diff", tmp_path)
    assert "+++ b" in shown.stdout
    assert hashed("#sheet { background: url(../img/a.svg) }", "sha512") in shown.stdout
    result = run("check", "--fix", tmp_path)
    assert "3 references corrected in 2 documents" in result.stderr
    assert mismatches(tmp_path) == []


def test_only_the_style_sheet_is_corrected(tmp_path: Path) -> None:
    site(tmp_path, sheet_refers_to="../img/A.svg")
    result = run("check", "--fix", tmp_path)
    assert "1 reference corrected in 1 document" in result.stderr
    assert "hashes written anew in 1 file" in result.stderr
    assert mismatches(tmp_path) == []


def test_a_wrong_hash_stays_and_is_named(tmp_path: Path) -> None:
    site(tmp_path, sheet_refers_to="../img/A.svg")
    page = (tmp_path / "index.html").read_text()
    (tmp_path / "index.html").write_text(page.replace('integrity="sha256-', 'integrity="sha512-AAAA sha256-'))
    (tmp_path / "css/a.css").write_text("#sheet { background: url(../img/A.svg)}")
    result = run("check", "--fix", tmp_path)
    assert "index.html: the integrity of css/a.css did not match before, and stays" in result.stderr
    assert 'integrity="sha512-AAAA sha256-' in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_in_place_with_backups_of_what_was_there(tmp_path: Path, jobs: str) -> None:
    site(tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in ("index.html", "css/a.css", "_headers")}
    result = run("rewrite", "--in-place", "--backup", "--jobs", jobs, "--url", HOST, tmp_path)
    assert result.exit_code == 0
    assert {name: (tmp_path / f"{name}.bak").read_bytes() for name in before} == before
    assert mismatches(tmp_path) == []
    assert hashed(f"#inline {{ background: url({HOST}img/a.svg) }}") in (tmp_path / "_headers").read_text()
    assert not list(tmp_path.rglob("*.bak.*"))
    assert "hashes written anew in 2 files" in result.stderr


def test_a_copy(tmp_path: Path) -> None:
    site(tmp_path / "site")
    before = (tmp_path / "site/_headers").read_bytes()
    result = run("rewrite", "--url", HOST, tmp_path / "site", "-o", tmp_path / "copy", "--copy-others")
    assert result.exit_code == 0
    assert mismatches(tmp_path / "copy") == []
    assert hashed(f"#inline {{ background: url({HOST}img/a.svg) }}") in (tmp_path / "copy/_headers").read_text()
    assert (tmp_path / "site/_headers").read_bytes() == before
    assert mismatches(tmp_path / "site") == []


@pytest.mark.parametrize("spelling", ["%61.css", "HTTPS://E.EXAMPLE:443/a.css?v=%31#x", "//e.example/d/../a.css"])
def test_other_spellings_of_a_style_sheet(tmp_path: Path, spelling: str) -> None:
    css = "a { background: url(x.svg) }"
    page = f"<link rel=stylesheet href='{spelling}' integrity={hashed(css)}>"
    for name, text in (("a.css", css), ("index.html", page)):
        (tmp_path / name).write_text(text)
    run("rewrite", "--in-place", "--url", HOST, tmp_path)
    assert hashed(f"a {{ background: url({HOST}x.svg) }}") in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize("command", [("check", "--fix"), ("rewrite", "--in-place", "--url", HOST)])
@pytest.mark.parametrize("names", [("a.html.gz",), ("a.html", "a.html.gz")])
def test_gzipped_pages(tmp_path: Path, command: tuple[str, ...], names: tuple[str, ...]) -> None:
    css = "a { background: url(X.svg) }"
    page = f"<link rel=stylesheet href={HOST}a.css integrity={hashed(css)}>"
    (tmp_path / "a.css").write_text(css)
    (tmp_path / "x.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    for name in names:
        (tmp_path / name).write_bytes(gzip.compress(page.encode()) if name.endswith(".gz") else page.encode())
    result = run(*command, *(("--site-url", HOST) if "check" in command else ()), tmp_path)
    assert result.exit_code == 0
    assert (tmp_path / "a.css").read_text() != css
    new = page.replace(hashed(css), hashed((tmp_path / "a.css").read_text()))
    assert gzip.decompress((tmp_path / "a.html.gz").read_bytes()).decode() == new
    assert names[0] == "a.html.gz" or (tmp_path / "a.html").read_text() == new


def test_a_wrong_hash_in_a_folder_stays_and_is_named(tmp_path: Path) -> None:
    site(tmp_path)
    (tmp_path / "css/a.css").write_text("#sheet { background: url(../img/a.svg)}")
    result = run("rewrite", "--in-place", "--url", HOST, tmp_path)
    assert "the integrity of css/a.css did not match before, and stays" in result.stderr


def test_a_move_says_how_many_files_have_new_hashes(tmp_path: Path) -> None:
    site(tmp_path)
    arguments = ("mv", tmp_path / "img/a.svg", tmp_path / "b.svg", "--folder", tmp_path)
    assert "hashes" not in run(*arguments, "--dry-run").stderr
    assert "hashes written anew in 2 files" in run(*arguments).stderr
