"""Targets of other schemes than http and https, and names like them, from archives and folders: none is made a link."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from checked.contexts import written
from plugins.compare.archives import SITE, answer
from rehref.cli.program import program

SCRIPT = "javascript:alert(1)"
NAMES = (SCRIPT, "data:text/html,x", "<script>alert(1)</script>")
LINK = re.compile(r"""(?:href|src|action|url)\s*=\s*["']?\s*(?:javascript|data|vbscript):""", re.IGNORECASE)


def unpacked(source: Path, folder: Path, *options: str) -> Path:
    result = CliRunner().invoke(program, ["rewrite", "-q", "--unpack", str(folder), *options, str(source)])
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with URIs and header fields of other schemes."""
    page = "<title>P</title><a href=/r>r</a><iframe src=/r></iframe><a href=/f>f</a>"
    records = [answer(SITE, page), answer(SITE + "r", "", 301, {"Location": SCRIPT})]
    records += [
        answer(f"{SITE}f{number}", "<title>F</title>f", fields={"Refresh": f"0; url={uri}"})
        for number, uri in enumerate(NAMES)
    ]
    records += [
        answer(uri, "<title>S</title>s") for uri in (*NAMES[:2], f"{SITE}{SCRIPT}.html", "http://javascript:80/")
    ]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    return tmp_path / "a.warc"


def test_unpacked_archives_have_no_such_links(archive: Path, tmp_path: Path) -> None:
    for options in ((), ("--all-captures",), ("--no-inline",)):
        folder = unpacked(archive, tmp_path / f"out{len(options)}{''.join(options)}", *options)
        pages = [each.read_text() for each in folder.rglob("*.html")]
        assert len(pages) > 5
        assert [page for page in pages if LINK.search(page)] == []


def test_an_unpacked_mailbox_has_no_such_links(tmp_path: Path) -> None:
    messages = "".join(
        f"From a@b Mon Jan  1 00:00:00 2024\nSubject: {name}\nFrom: {name}\nMIME-Version: 1.0\n"
        f'Content-Location: {name}\nContent-Type: text/html; name="{name}"\n\n<a href=x>x</a>\n\n'
        for name in NAMES
    )
    (tmp_path / "m.mbox").write_text(messages)
    folder = unpacked(tmp_path / "m.mbox", tmp_path / "out")
    index = (folder / "index.html").read_text()
    assert re.findall(r'href="([^"]*)"', index) == ["1/index.html", "2/index.html", "3/index.html"]
    assert "<script" not in index


@pytest.mark.parametrize("form", ["html", "markdown", "sarif", "github", "junit"])
def test_reports_have_no_such_links(tmp_path: Path, form: str) -> None:
    page = f'<a href="gone.html">x</a><a href="{SCRIPT}/../y">y</a><a href="HTTP://x:{SCRIPT}@h:99999/">z</a>'
    folder = written(tmp_path / "site", {f"{SCRIPT}.html": page, "[a](javascript:alert(2)).html": page})
    out = tmp_path / "report"
    CliRunner().invoke(program, ["check", "-q", str(folder), "--format", form, "-o", str(out), "--all-places"])
    report = out.read_text()
    assert "gone.html" in report
    assert LINK.search(report) is None
    assert form != "markdown" or re.search(r"\]\(", re.sub("`[^`]*`", "", report)) is None
    assert '"uri": "javascript:' not in report


def test_no_site_url_is_taken_from_such_claims(tmp_path: Path) -> None:
    files = {
        f"{number}.html": f"<link rel=canonical href='{SCRIPT}//x/{number}.html'><a href='{SCRIPT}//x/2.htm'>x</a>"
        for number in range(4)
    }
    folder = written(tmp_path, {**files, "mkdocs.yml": f"site_url: {SCRIPT}//x/\n", "CNAME": SCRIPT})
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    result = rehref.check(folder)
    assert [site.url for site in result.sites if "alert" in site.url] == []
    CliRunner().invoke(program, ["check", "-q", str(folder), "--fix"])
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


def test_no_repository_is_one_of_such_a_scheme(tmp_path: Path) -> None:
    pytest.importorskip("pyromark")
    manifest = {"name": "x", "repository": f"{SCRIPT}//github.com/a/b", "homepage": SCRIPT}
    folder = written(
        tmp_path, {"package.json": json.dumps(manifest), "README.md": "[a](docs/a.md)\n", "docs/a.md": "a"}
    )
    readme = folder / "README.md"
    result = CliRunner().invoke(program, ["check", str(readme), "--published-at", "npm,github", "--fix"])
    assert result.exit_code == 2
    assert readme.read_text() == "[a](docs/a.md)\n"
