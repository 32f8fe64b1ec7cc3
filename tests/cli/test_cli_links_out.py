"""Symbolic links that lead out of a folder, and the commands that write into it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="symbolic links need privileges there")

URL = ("--url", "http://h/")
PAGE = b"<a href=x>"
WRITTEN = b"<a href=http://h/x>"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that nobody named, with a file in it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "page.html").write_bytes(PAGE)
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with pages in two folders, and a file that is no document."""
    folder = tmp_path / "site"
    (folder / "a").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    (folder / "a" / "page.html").write_bytes(PAGE)
    (folder / "a" / "data.bin").write_bytes(b"\0data")
    return folder


def refused(result: Result, *names: str) -> bool:
    """Whether these paths, and no others, are reported as leading out of the folder, and the exit code says so."""
    told = [line for line in result.stderr.splitlines() if "leads out of the folder" in line]
    return result.exit_code == 2 and [line.split(":")[1].strip() for line in told] == list(names)


def test_rewritten_into_a_folder(run: Run, site: Path, outside: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "a").symlink_to(outside)
    assert refused(run("rewrite", *URL, site, "-o", out), f"{out}/a/page.html")
    assert (outside / "page.html").read_bytes() == PAGE
    assert (out / "index.html").read_bytes() == WRITTEN


def test_others_copied_into_a_folder(run: Run, site: Path, outside: Path, tmp_path: Path) -> None:
    (outside / "data.bin").write_bytes(b"precious")
    (tmp_path / "out" / "a").mkdir(parents=True)
    (tmp_path / "out" / "a" / "data.bin").symlink_to(outside / "data.bin")
    assert refused(run("rewrite", *URL, site, "-o", "out", "--copy-others"), "out/a/data.bin")
    assert (outside / "data.bin").read_bytes() == b"precious"
    assert (tmp_path / "out/a/page.html").is_file()


def test_a_link_that_the_first_run_copied_is_not_followed_by_the_second(
    run: Run, site: Path, outside: Path, tmp_path: Path
) -> None:
    (site / "link").symlink_to(outside)
    assert run("rewrite", *URL, site, "-o", "out", "--copy-others").exit_code == 0
    assert (tmp_path / "out" / "link").is_symlink()
    (site / "link").unlink()
    (site / "link").mkdir()
    (site / "link" / "page.html").write_bytes(PAGE)
    (site / "link" / "data.bin").write_bytes(b"\0data")
    second = run("rewrite", *URL, site, "-o", "out", "--copy-others")
    assert refused(second, "out/link/page.html", "out/link/data.bin")
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"page.html": PAGE}


def test_in_place(run: Run, site: Path, outside: Path) -> None:
    (site / "a" / "link.html").symlink_to(outside / "page.html")
    (site / "a" / "inside.html").symlink_to("../index.html")
    assert refused(run("rewrite", *URL, site, "--in-place", "--backup"), f"{site}/a/link.html")
    assert [path.name for path in outside.iterdir()] == ["page.html"]
    assert (outside / "page.html").read_bytes() == PAGE
    assert (site / "index.html").read_bytes() == WRITTEN


def test_a_link_that_is_named_itself_is_written_through(run: Run, site: Path, outside: Path) -> None:
    (site / "link.html").symlink_to(outside / "page.html")
    assert run("rewrite", *URL, site / "link.html", "--in-place").exit_code == 0
    assert (outside / "page.html").read_bytes() == WRITTEN


def test_fixed(run: Run, site: Path, outside: Path) -> None:
    (outside / "page.html").write_bytes(b"<a href=Index.html>")
    (site / "link.html").symlink_to(outside / "page.html")
    result = run("check", site, "--fix", "--root-dir", ".")
    assert refused(result, f"{site}/link.html")
    assert (outside / "page.html").read_bytes() == b"<a href=Index.html>"


def test_unpacked(run: Run, outside: Path, tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_bytes(
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n"
        b"--b\nContent-Type: text/html\n\n<p>\n--b\nContent-Type: text/plain; name=page.html\n\nx\n--b--\n"
    )
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.html").symlink_to(outside / "page.html")
    result = run("rewrite", "mail.eml", "--unpack", "out")
    assert result.exit_code == 2
    assert "is there already, and not empty" in result.stderr
    assert (outside / "page.html").read_bytes() == PAGE
