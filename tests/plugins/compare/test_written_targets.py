"""Where redirects that are written may lead: only to paths of the site and to http(s) URLs, whatever states say."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

import rehref
from checked.contexts import written
from plugins.compare.archives import archive
from plugins.compare.sites import page, site, text

FILES = ("_redirects", ".htaccess", "netlify.toml", "vercel.json", "moved.map", "pages")
HOSTILE = {
    "script.html": "javascript:alert(1)",
    "upper.html": "JavaScript://mill.example/%0aalert(2)",
    "data.html": "data:text/html,<script>alert(3)</script>",
    "file.html": "file:///etc/passwd",
    "vb.html": "vbscript:alert(4)",
    "view.html": "view-source:http://mill.example/",
    "odd.html": "http:evil",
}


def place_of(folder: Path, name: str, new: Path) -> Path:
    """Where redirects of a format are written: in the new site, or beside it."""
    if name != "pages":
        return (folder if name == "moved.map" else new) / name
    (folder / "pages").mkdir()
    return folder / "pages"


def written_for(folder: Path, name: str) -> tuple[str, rehref.Comparison]:
    """What is written for redirects of an archive, and the comparison."""
    redirects = {**HOSTILE, "other.html": "https://other.example/q", "odd-other.html": "https://other.example/a b\\c"}
    old = archive(folder / "old.warc", {}, redirects)
    new = site(folder / "new", {})
    file = place_of(folder, name, new)
    comparison = rehref.compare(old, new, write_redirects=file)
    files = [each for each in file.rglob("*") if each.is_file()] if file.is_dir() else [file]
    return "".join(each.read_text() for each in files), comparison


@pytest.mark.parametrize("name", FILES)
def test_only_web_targets_of_an_archive_are_written(tmp_path: Path, name: str) -> None:
    content, comparison = written_for(tmp_path, name)
    assert [scheme for scheme in ("script:", "data:", "file:", "view-source:", "evil") if scheme in content] == []
    assert "https://other.example/q" in content
    assert any(each in content for each in ("https://other.example/a%20b%5Cc", '"https://other.example/a b'))
    assert comparison.summary.redirects == (4 if name in ("_redirects", "netlify.toml") else 2)  # pretty URLs, too
    assert {each.url for each in comparison.unwritten} == HOSTILE.keys()
    assert {"neither a path of the site nor an http(s) URL" in each.reason for each in comparison.unwritten} == {True}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_called_like_a_scheme_is_a_path(tmp_path: Path, name: str) -> None:
    old = site(tmp_path / "old", {"storm.html": page("Storm")})
    new = site(tmp_path / "new", {"javascript:alert(1).html": page("Storm", f"<p>{text('Storm')} .")})
    file = place_of(tmp_path, name, new)
    comparison = rehref.compare(old, new, write_redirects=file)
    assert (comparison.summary.redirects >= 1, comparison.unwritten) == (True, ())
    content = (file / "storm.html" if file.is_dir() else file).read_text()
    assert "/javascript:alert(1).html" in unquote(content)
    assert '"javascript:' not in content


@pytest.mark.parametrize("name", FILES)
def test_a_moved_file_that_is_called_like_a_scheme_is_a_path(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path / "s", {"storm.html": "x", "index.html": "y"})
    file = place_of(tmp_path, name, folder)
    assert rehref.move(folder / "storm.html", folder / "data:x,y.html", folder=folder, redirects=file).redirects
    content = (file / "storm.html" if file.is_dir() else file).read_text()
    assert "/data:x,y.html" in unquote(content)
    assert '"data:' not in content


def test_a_contract_cannot_write_lines(tmp_path: Path) -> None:
    new = site(tmp_path / "new", {})
    contract = tmp_path / "c.jsonl"
    rehref.compare(new, new, save=contract)
    rows = [
        {"url": "x https://evil.example/ 301\n/* https://evil.example/ 302", "status": 301, "to": "news.html"},
        {"url": "y.html", "status": 301, "to": "news.html\n/* https://evil.example/ 302"},
        {"url": "z.html", "status": 301, "to": "//evil.example/"},
        {"url": "k/../news.html", "status": 301, "to": "https://evil.example/"},
        {"url": 'q".html', "status": 301, "to": 'news.html" "'},
    ]
    contract.write_text(contract.read_text() + "".join(json.dumps(row) + "\n" for row in rows))
    for name in FILES[:-1]:
        rehref.compare(contract, new, write_redirects=new / name)
        lines = (new / name).read_text().splitlines() if (new / name).exists() else []
        assert [line for line in lines if "evil" in line] == []
        assert sum("news.html" in line for line in lines) <= 2
        (new / name).unlink(missing_ok=True)


@pytest.mark.parametrize("name", FILES)
def test_one_that_is_refused_keeps_back_no_other(tmp_path: Path, name: str) -> None:
    redirects = {"a%00b.html": "/news.html", "a%2Fb.html": "/news.html", "c.html": "/news.html"}
    old, new = archive(tmp_path / "old.warc", {}, redirects), site(tmp_path / "new", {})
    file = place_of(tmp_path, name, new)
    comparison = rehref.compare(old, new, write_redirects=file)
    assert {each.url for each in comparison.unwritten} == redirects.keys() - {"c.html"}
    assert comparison.summary.redirects == (2 if name in ("_redirects", "netlify.toml") else 1)
