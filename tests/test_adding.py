"""What docs/adding*.md say about adding works: the modules and rows, put into a copy of the package, and used.

- A block that begins with `# src/…` is a new module; one with `# in NAME of …` is a row for that table, one with
  `# import in …` a line among the imports of a module, and one with `# before "TEXT" in …` goes before the only line
  (or class) that begins so.
- For each of them at most one table changes, or two if there is a public name (docs/adding.md, the list).
"""

from __future__ import annotations

import json
import os
import plistlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
PAGES = "\n".join((ROOT / "docs" / name).read_text("utf-8") for name in ("adding.md", "adding-checks.md"))
_BLOCK = re.compile(
    r"^```python\n# (?:(?P<how>in (?P<table>\w+) of|import in|before \"(?P<before>[^\n]*)\" in) )?"
    r"(?P<file>(?:src|tests)/\S+)\n(?P<code>.*?)^```",
    re.DOTALL | re.MULTILINE,
)
_IMPORT = re.compile(r"^ *from rehref\S* import .*\n", re.MULTILINE)
_HEADINGS = re.findall(r"^## (.*)", PAGES, re.MULTILINE)


class Block(NamedTuple):
    """A block of the page: the table that it is a row for, "" if there is none; the file; what it holds."""

    table: str
    file: str
    code: str
    is_import: bool
    before: str


def blocks(heading: str) -> list[Block]:
    """The blocks of the section with that heading."""
    section = PAGES.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [
        Block(found["table"] or "", found["file"], found["code"], found["how"] == "import in", found["before"] or "")
        for found in _BLOCK.finditer(section)
    ]


def with_row(text: str, table: str, row: str) -> str:
    """A module with one more row at the end of a table."""
    start = re.search(rf"^(?:{table}\b.*= .*[\[({{]|class {table}\(.*)\n", text, re.MULTILINE)
    assert start is not None
    end = re.compile(r"^(?:    [)}]\n)?[\])}]$|^\n\n(?=\S)", re.MULTILINE).search(text, start.end())
    assert end is not None
    return text[: end.start()] + row + text[end.start() :]


def with_import(text: str, line: str) -> str:
    """A module with one more import at the end of those that it begins with."""
    *_, last = _IMPORT.finditer(text[: re.search(r"^(?:def|class|\w+\b.* = )", text, re.MULTILINE).start()])  # type: ignore[union-attr]
    return text[: last.end()] + line + text[last.end() :]


def with_line(text: str, before: str, line: str) -> str:
    """A module with a line before the only one that begins with a text; with a class, before another one."""
    line += "\n\n" if before.startswith("class ") else ""
    (found,) = re.finditer(rf"^ *{re.escape(before)}", text, re.MULTILINE)
    return text[: found.start()] + line + text[found.start() :]


def follow(heading: str, folder: Path) -> list[str]:
    """Do in a copy of the package what a section says: the files that were there before, and are changed."""
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, folder / part)
    changed = []
    for block in blocks(heading):
        path = folder / block.file
        if block.table == block.before == "" and not block.is_import:
            assert not path.exists()
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.code, encoding="utf-8")
            continue
        text = path.read_text(encoding="utf-8")
        if block.is_import:
            changes = with_import(text, block.code)
        elif block.before:
            changes = with_line(text, block.before, block.code)
        else:
            changes = with_row(text, block.table, block.code)
        path.write_text(changes, encoding="utf-8")
        changed.append(block.file)
    return changed


def run(folder: Path, *command: str) -> str:
    """What the copy of the package prints."""
    result = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONUTF8": "1", "REHREF_NATIVE": "no"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


_TRUNCATED = """
import io, rehref
data, tried = open({file!r}, "rb").read(), 0
for length in range(100, len(data)):
    found = []
    try:
        rehref.links(data[:length], media_type="application/x-webarchive", on_diagnostic=found.append)
    except rehref.ContainerError:
        tried += 1
    out = io.BytesIO()
    rehref.rewrite_into(data[:length], out, media_type="application/x-webarchive", on_diagnostic=found.append)
    assert found and out.getvalue() == data[:length]
print(tried)
"""
"""What is cut off is reported, and copied as it is."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, content in {
        "a.html": "<a href=gone>",
        "b.html": "<a href=gone>",
        "f/index.txt": "",
        "g.html": "",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    return folder


def test_an_attribute(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("An attribute", tmp_path))) == 1
    (site / "g.html").write_text("<a urn=x>")
    for parser in ("source", "lxml", "html5lib"):
        found = json.loads(
            run(tmp_path, "-m", "rehref", "links", str(site / "g.html"), "--format", "json", "--parser", parser)
        )
        assert [(link["reference"], link["attribute"], link["kind"]) for link in found] == [("x", "urn", "metadata")]


@pytest.mark.slow  # a copy of the package, and processes; test_an_attribute does the same by default
def test_a_micro_syntax(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A micro-syntax", tmp_path))) <= 2  # the table, and what the law expects
    (site / "g.html").write_text("<p data-gallery=' a.jpg| |b.jpg'>")
    options = ["--url", "http://h/", "--attribute", "p@data-gallery=bars", str(site / "g.html")]
    assert run(tmp_path, "-m", "rehref", "rewrite", "--quiet", *options) == (
        "<p data-gallery=' http://h/a.jpg| |http://h/b.jpg'>"
    )
    laws = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/uri/test_syntaxes_laws.py")
    assert " passed" in laws
    assert "failed" not in laws


@pytest.mark.slow  # a copy of the package, and processes; test_an_attribute does the same by default
def test_a_container(tmp_path: Path) -> None:
    assert len(set(follow("A container", tmp_path))) == 1
    page = {
        "WebResourceData": b"<a href=x>",
        "WebResourceMIMEType": "text/html",
        "WebResourceTextEncodingName": "UTF-8",
        "WebResourceURL": "https://kites.example/a/",
    }
    style = {
        "WebResourceData": b"p { background: url(b.png) }",
        "WebResourceMIMEType": "text/css",
        "WebResourceURL": "https://kites.example/s/c.css",
    }
    data = plistlib.dumps({"WebMainResource": page, "WebSubresources": [style]}, fmt=plistlib.FMT_BINARY)
    file = tmp_path / "archives" / "kites.webarchive"
    file.parent.mkdir()
    file.write_bytes(data)
    found = json.loads(run(tmp_path, "-m", "rehref", "links", str(file.parent), "--format", "json"))
    targets = ["https://kites.example/a/x", "https://kites.example/s/b.png"]
    assert [link["target"] for link in found] == targets
    copy = tmp_path / "copy.webarchive"
    run(tmp_path, "-m", "rehref", "rewrite", "--quiet", str(file), "-o", str(copy))
    rewritten = plistlib.loads(copy.read_bytes())
    assert rewritten["WebMainResource"] == page | {"WebResourceData": f"<a href={targets[0]}>".encode()}
    again = tmp_path / "again.webarchive"
    run(tmp_path, "-m", "rehref", "rewrite", "--quiet", str(copy), "-o", str(again))
    assert again.read_bytes() == copy.read_bytes()
    assert run(tmp_path, "-c", _TRUNCATED.format(file=str(file))) == f"{len(data) - 100}\n"


@pytest.mark.slow  # a copy of the package, and processes; test_an_attribute does the same by default
def test_a_rule(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A rule", tmp_path))) == 2
    (site / "g.html").write_text("<a href=x><a href=//i/><a href=ftp://h/><a href=#g>")
    result = "<a href=https://h/x><a href=https://i/><a href=ftp://h/><a href=#g>"
    command = ["rewrite", "--quiet", "--url", "http://h/", "--to", "https", str(site / "g.html")]
    assert run(tmp_path, "-m", "rehref", *command) == result
    python = "import rehref; print(rehref.rewrite('<a href=x>', rehref.Https(), url='http://h/'), rehref.Https())"
    assert run(tmp_path, "-c", python) == "<a href=https://h/x> Https()\n"
    assert "write http: targets with https:" in " ".join(run(tmp_path, "-m", "rehref", "rewrite", "--help").split())


@pytest.mark.slow  # a copy of the package, and processes; test_an_attribute does the same by default
def test_a_check(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A check", tmp_path))) == 1
    select = ("--select", "twin-page")
    report = run(tmp_path, "-m", "rehref", "check", str(site), *select, "--format", "json")
    found = [problem for problem in json.loads(report)["problems"] if problem["code"] == "twin-page"]
    assert [(one["document"], one["message"], one["severity"]) for one in found] == [
        ("b.html", "a.html has the same bytes", "warning")
    ]
    assert "Keep one, and redirect" in run(tmp_path, "-m", "rehref", "explain", "twin-page")
    python = f"import rehref; print(len(rehref.check({str(site)!r}, select=['twin-page']).findings))"
    assert run(tmp_path, "-c", python) == "1\n"
    only = run(tmp_path, "-m", "rehref", "check", "--root", str(site), str(site / "b.html"), *select, "--format", "csv")
    assert "twin-page" in only


@pytest.mark.slow  # a copy of the package, and processes; test_an_attribute does the same by default
def test_an_option_of_the_checker(tmp_path: Path, site: Path) -> None:
    assert len(follow("An option of the checker", tmp_path)) == 2  # the table, and the place that uses it
    (site / "a.html").write_text("<a href=gone><a href=lost>")
    for options in ([], ["--first-only"]):
        report = json.loads(run(tmp_path, "-m", "rehref", "check", str(site), *options, "--format", "json"))
        assert [found["reference"] for found in report["problems"]] == ["gone", "lost", "gone"][:: 2 if options else 1]
    python = "import rehref; print(len(rehref.check({!r}, first_only=True).findings)); print(rehref.check.__doc__)"
    found = run(tmp_path, "-c", python.format(str(site)))
    assert found.startswith("2\n")
    assert "`first_only`: Report only the first finding" in found
    (tmp_path / "rehref.toml").write_text("[check]\nfirst_only = true\n")
    assert "lost" not in run(tmp_path, "-m", "rehref", "check", str(site), "--format", "csv")
    python = "from rehref.plugins.sites._site_options import build_options as b; print(b({'first_only': True}).given)"
    assert run(tmp_path, "-c", python) == "{'first_only': True}\n"
    assert "--first-only" in run(tmp_path, "-m", "rehref", "check", "--help", "all")


@pytest.mark.slow  # a copy of the package, and processes; test_an_attribute does the same by default
def test_a_host(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A host", tmp_path))) <= 2
    (site / "index.html").write_text("<a href=f/>")
    reports = {
        host: run(tmp_path, "-m", "rehref", "check", str(site), "--host", host, "--format", "csv")
        for host in ("nginx", "caddy")
    }
    assert "missing-index" in reports["nginx"]
    assert "missing-index" not in reports["caddy"]


@pytest.mark.slow  # a copy of the package, and processes; test_an_attribute does the same by default
def test_a_command(tmp_path: Path, site: Path) -> None:
    assert follow("A command", tmp_path) == []
    assert run(tmp_path, "-m", "rehref", "count", str(site / "a.html")) == f"     1 {site / 'a.html'}\n"
    assert "\n  count      Count the references of documents.\n" in run(tmp_path, "-m", "rehref", "--help")


def test_a_report(tmp_path: Path, site: Path) -> None:
    assert len(set(follow("A report", tmp_path))) <= 2
    report = run(tmp_path, "-m", "rehref", "check", str(site), "--format", "references")
    assert report == "count\tcode\treference\n2\tmissing-file\tgone\n"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("heading", _HEADINGS)
def test_what_is_added_is_checked_by_the_linters(heading: str, tmp_path: Path) -> None:
    follow(heading, tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    files = [block.file for block in blocks(heading)]
    assert files
    pytest.importorskip("ruff", reason="ruff is not installed (extra dev)")
    for command in (["check", "--fix", "--select=I,RUF022"], ["check"], ["format", "--check"]):
        result = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *files],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
