"""The files of a site (site/_grounds/files.py)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import rehref
from checked.contexts import written
from documents.test_manifest import MANIFESTS, OTHERS
from rehref.files.file_errors import FileError
from rehref.site._grounds.files import LinkState, Types, is_other_json, list_files


def make(folder: Path, *paths: str) -> Path:
    return written(folder, dict.fromkeys(paths, ""))


def test_files_and_folders_as_the_disk_spells_them(tmp_path: Path) -> None:
    names = ["index.html", "a/B.html", "a/b/c.css", ".well-known/security.txt", "a/.htaccess", "a b%20é.html"]
    files = list_files(make(tmp_path, *names))
    assert files.paths == set(names)
    assert files.folders == {"", "a", "a/b", ".well-known"}
    assert (files.links, files.errors) == ({}, ())


def test_a_folder_that_is_not_needed_is_recorded_without_its_content(tmp_path: Path) -> None:
    counts: list[int] = []
    files = list_files(make(tmp_path, "x", "A/x", "A/b/x", "c/x"), listed=counts.append, needed={"a"})
    assert (files.paths, files.folders, files.unlisted) == ({"x", "A/x"}, {"", "A"}, {"A/b", "c"})
    assert counts == [0, 1]


def test_an_empty_folder_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert list_files(tmp_path).folders == {"", "empty"}


def test_git_is_not_part_of_a_site(tmp_path: Path) -> None:
    files = list_files(make(tmp_path, ".git/config", "a/.git/HEAD", ".gitignore"))
    assert files.paths == {".gitignore"}
    assert files.folders == {"", "a"}


def test_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.html")
    assert list_files(make(tmp_path, name)).paths == {name}


def test_symbolic_links(tmp_path: Path) -> None:
    site = make(tmp_path / "site", "1.2/a.html")
    make(tmp_path, "outside/x.css", "site-2/y.css")
    for link, to in {
        "page.html": "1.2/a.html",
        "latest": "1.2",
        "1.2/up": "..",
        "x.css": "../outside/x.css",
        "y.css": "../site-2/y.css",  # which begins like the folder, and is not in it
        "out": "../outside",
        "gone.html": "nothing.html",
        "round": "round",
    }.items():
        (site / link).symlink_to(to)
    files = list_files(site)
    assert files.paths == {"1.2/a.html", "page.html", "x.css", "y.css"}
    assert files.folders == {"", "1.2"}
    assert files.links == {
        "latest": LinkState("", "1.2"),
        "1.2/up": LinkState("", ""),
        "x.css": LinkState("leaves-folder"),
        "y.css": LinkState("leaves-folder"),
        "out": LinkState("leaves-folder"),
        "gone.html": LinkState("dangling-link"),
        "round": LinkState("dangling-link"),
    }


def test_a_link_to_the_folder_is_followed(tmp_path: Path) -> None:
    make(tmp_path / "site", "a/b.html")
    (tmp_path / "site/latest").symlink_to("a")
    (tmp_path / "public").symlink_to("site")
    files = list_files(tmp_path / "public")
    assert files.paths == {"a/b.html"}
    assert files.links == {"latest": LinkState("", "a")}


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nothing: the folder cannot be read"):
        list_files(tmp_path / "nothing")


def test_a_subfolder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/x.html", "b/y.html")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("/a"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    files = list_files(tmp_path)
    assert files.paths == {"b/y.html"}
    assert [error.file for error in files.errors] == ["a"]


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("index.html", True),
        ("a/b.HTM", True),
        ("x.css", True),
        (".well-known/x.html", True),
        ("a/.well-known/x.html", True),
        ("a/feed.xml", True),
        ("robots.txt", False),
        ("a.png", False),
        ("html", False),
        (".html", False),
        (".git/x.html", False),
        ("a/.x/b.html", False),
        ("a.b/c", False),
    ],
)
def test_documents_are_reported_by_their_names(path: str, is_one: bool) -> None:
    assert Types().is_document(path) is is_one


@pytest.mark.parametrize(
    ("path", "has"), [("a.html", True), ("a.svg", True), ("a.xhtml", True), ("a.css", False), ("a.xml", False)]
)
def test_fragments_are_looked_for_in_what_browsers_show(path: str, has: bool) -> None:
    assert Types().has_names(path) is has


@pytest.mark.parametrize("value", MANIFESTS)
def test_what_looks_like_a_manifest_is_one(tmp_path: Path, value: object) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(value))
    assert not is_other_json(tmp_path, "manifest.json")


@pytest.mark.parametrize("value", OTHERS)
def test_anything_else_is_none(tmp_path: Path, value: object) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "manifest.json").write_text(json.dumps(value))
    assert is_other_json(tmp_path, "a/manifest.json")


@pytest.mark.parametrize("text", ["", "{", "<html>", '{"scope": "/",}', "[" * 100_000])
def test_what_is_no_json_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    assert is_other_json(tmp_path, "manifest.json")


def test_a_byte_order_mark_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(b'\xef\xbb\xbf{"scope": "/"}')
    assert not is_other_json(tmp_path, "manifest.json")


@pytest.mark.parametrize("path", ["x-manifest.json", "Manifest.json", "manifest.json/a.html", "site.webmanifest"])
def test_files_of_other_names_are_not_looked_at(tmp_path: Path, path: str) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("[]")
    assert not is_other_json(tmp_path, path)


def test_what_cannot_be_read_is_left_to_others(tmp_path: Path) -> None:
    assert not is_other_json(tmp_path, "manifest.json")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_says_how_json_is_read(tmp_path: Path, encoding: str) -> None:
    data = '{"start_url": "a"}'.encode(encoding)
    (tmp_path / "manifest.json").write_bytes(data)
    assert not is_other_json(tmp_path, "manifest.json")
    assert [link.reference for link in rehref.links(data, media_type="application/json")] == ["a"]
