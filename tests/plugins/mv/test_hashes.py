"""The hashes of what a move changes (plugins/mv/_hashes_of_move.py)."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import rehref
from hashed_site import hashed, site
from plugins.mv.test_carrying_out import content


def mismatches(folder: Path) -> list[str]:
    """The findings about a folder."""
    return [f"{each.code}: {each.message}" for each in rehref.check(folder).findings if each.severity == "error"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("img/a.svg", "b.svg"), ("img", "a/b"), ("css", "deep/er"), ("css/a.css", "a.css"), ("m.js", "n.js")],
)
def test_what_a_browser_accepted_it_accepts_afterwards(tmp_path: Path, old: str, new: str) -> None:
    site(tmp_path)
    assert mismatches(tmp_path) == []
    moved = rehref.move(tmp_path / old, tmp_path / new, folder=tmp_path)
    assert "index.html" in moved.documents
    assert mismatches(tmp_path) == []
    before = content(tmp_path)
    assert rehref.move(tmp_path / old, tmp_path / new, folder=tmp_path).documents == ()
    assert content(tmp_path) == before


def test_a_move_by_hand_is_finished(tmp_path: Path) -> None:
    site(tmp_path)
    (tmp_path / "img").rename(tmp_path / "pictures")
    rehref.move(tmp_path / "img", tmp_path / "pictures", folder=tmp_path)
    assert mismatches(tmp_path) == []


def test_policies_of_the_host_follow(tmp_path: Path) -> None:
    site(tmp_path)
    rehref.move(tmp_path / "img/a.svg", tmp_path / "b.svg", folder=tmp_path)
    headers = (tmp_path / "_headers").read_text()
    assert headers.count("sha256-") == 2
    assert f"'{hashed('#inline { background: url(b.svg) }')}'" in headers


def test_a_wrong_hash_stays_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a { background: url(x.svg) }")
    (tmp_path / "x.svg").write_text("<svg/>")
    page = f"<link rel=stylesheet href=a.css integrity={hashed('other')}>"
    (tmp_path / "index.html").write_text(page)
    moved = rehref.move(tmp_path / "x.svg", tmp_path / "y.svg", folder=tmp_path)
    assert moved.documents == ("a.css",)
    assert (tmp_path / "index.html").read_text() == page


@pytest.mark.parametrize("names", [("a.html.gz",), ("a.html", "a.html.gz")])
@pytest.mark.parametrize("more", ["", "<img src=x.svg>"])
def test_gzipped_pages_stay_gzipped(tmp_path: Path, names: tuple[str, ...], more: str) -> None:
    css = "a { background: url(x.svg) }"
    page = f"<link rel=stylesheet href=a.css integrity={hashed(css)}>{more}"
    (tmp_path / "a.css").write_text(css)
    (tmp_path / "x.svg").write_text("<svg/>")
    for name in names:
        (tmp_path / name).write_bytes(gzip.compress(page.encode()) if name.endswith(".gz") else page.encode())
    rehref.move(tmp_path / "x.svg", tmp_path / "d/y.svg", folder=tmp_path)
    new = page.replace(hashed(css), hashed("a { background: url(d/y.svg) }")).replace("x.svg", "d/y.svg")
    assert gzip.decompress((tmp_path / "a.html.gz").read_bytes()).decode() == new
    assert names[0] == "a.html.gz" or (tmp_path / "a.html").read_text() == new


def test_header_files_that_are_links_are_not_read(tmp_path: Path) -> None:
    folder, outside = tmp_path / "site", tmp_path / "outside"
    folder.mkdir()
    site(folder)
    (folder / "_headers").rename(outside)
    (folder / "_headers").symlink_to(outside)
    before = outside.read_bytes()
    moved = rehref.move(folder / "img/a.svg", folder / "b.svg", folder=folder)
    assert "index.html" in moved.documents
    assert outside.read_bytes() == before
