"""Files called `manifest.json` (site/files.py; formats/manifest.py, rule 6; types/media_types.py, rule 3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rehref
from documents.test_manifest import MANIFESTS, OTHERS
from rehref.documents.media_types import MediaType
from rehref.site._grounds.files import is_other_json


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


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("manifest.json", MediaType.MANIFEST),
        ("a/manifest.json", MediaType.MANIFEST),
        ("site.webmanifest", MediaType.MANIFEST),
        ("Manifest.json", None),
        ("a-manifest.json", None),
        ("manifest.json/a", None),
    ],
)
def test_the_name_tells_the_type(name: str, media_type: str | None) -> None:
    assert MediaType.by_extension(name) == media_type


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_says_how_json_is_read(tmp_path: Path, encoding: str) -> None:
    data = '{"start_url": "a"}'.encode(encoding)
    (tmp_path / "manifest.json").write_bytes(data)
    assert not is_other_json(tmp_path, "manifest.json")
    assert [link.reference for link in rehref.links(data, media_type="application/json")] == ["a"]
