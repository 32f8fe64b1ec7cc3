"""Symbolic links that lead out of a folder, and the commands that write into it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import Result

from cli_runs import Run, told

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


def test_a_link_to_a_file_outside_is_not_copied(run: Run, site: Path, outside: Path, tmp_path: Path) -> None:
    (outside / "img.png").write_bytes(b"b")
    (site / "a" / "img.png").symlink_to("../../outside/img.png")
    (tmp_path / "else" / "a").mkdir(parents=True)
    assert told(run("rewrite", "-q", *URL, "site", "-o", "else/a/d3", "--copy-others")) == (
        "site/a/img.png: is a symbolic link out of the folder site, so it is not copied; "
        "move its target into the folder"
    )
    assert not os.path.lexists(tmp_path / "else/a/d3/a/img.png")
    assert (tmp_path / "else/a/d3/a/data.bin").read_bytes() == b"\0data"


@pytest.mark.parametrize("leads_to", ["nowhere", "../outside/none.png"])
def test_a_link_that_leads_nowhere_is_not_copied(
    run: Run, site: Path, outside: Path, tmp_path: Path, leads_to: str
) -> None:
    (site / "img.png").symlink_to(leads_to)
    assert told(run("rewrite", "-q", *URL, "site", "-o", "out", "--copy-others")) == (
        "site/img.png: is a symbolic link to nothing, so it is not copied; correct it, or remove it"
    )
    assert not os.path.lexists(tmp_path / "out/img.png")


def test_a_link_in_a_circle_is_not_copied(run: Run, site: Path) -> None:
    (site / "img.png").symlink_to("img.png")
    assert told(run("rewrite", "-q", *URL, "site", "-o", "out", "--copy-others")).startswith(
        "site/img.png: cannot be copied: too many levels of symbolic links; "
    )


def test_links_within_the_folder_work_in_the_copy(run: Run, site: Path, tmp_path: Path) -> None:
    (site / "latest").symlink_to("a")
    (site / ".self").symlink_to(".")
    (site / "a" / "round.bin").symlink_to("../../site/a/data.bin")
    (site / "a" / "full.bin").symlink_to(site / "a" / "data.bin")
    (site / "a" / "again.bin").symlink_to("full.bin")
    (site / "page.txt").symlink_to("index.html")
    (tmp_path / "deep").mkdir()
    result = run("rewrite", "-q", *URL, "site", "-o", "deep/out", "--copy-others")
    assert (result.exit_code, result.stderr) == (0, "")
    out = tmp_path / "deep" / "out"
    site.rename(tmp_path / "gone")
    assert {str(path.relative_to(out)): str(path.readlink()) for path in out.rglob("*") if path.is_symlink()} == {
        "latest": "a",
        ".self": ".",
        "a/round.bin": "data.bin",
        "a/full.bin": "data.bin",
        "a/again.bin": "data.bin",
        "page.txt": "index.html",
    }
    assert (out / "page.txt").read_bytes() == WRITTEN
    assert (out / "a" / "again.bin").read_bytes() == b"\0data"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_link_to_what_is_not_copied_is_not_copied(run: Run, site: Path, tmp_path: Path) -> None:
    os.mkfifo(site / "pipe")
    (site / "link").symlink_to("pipe")
    assert told(run("rewrite", "-q", *URL, "site", "-o", "out", "--copy-others")) == (
        "site/link: is a symbolic link to site/pipe, which is not copied, so the link is not copied either; "
        "copy both, or remove it"
    )
    assert not os.path.lexists(tmp_path / "out/link")


def test_the_same_with_several_sources(run: Run, site: Path, outside: Path, tmp_path: Path) -> None:
    (site / "other").symlink_to(outside)
    result = run("rewrite", "-q", "--file-urls", "site", "outside", "-o", "out", "--copy-others")
    assert told(result).startswith("site/other: is a symbolic link out of the folder site, ")


def test_a_link_in_the_copy_is_not_followed_by_the_next(run: Run, site: Path, outside: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link").symlink_to(outside)
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
    assert "exists and is not empty" in result.stderr
    assert (outside / "page.html").read_bytes() == PAGE
