"""Every file in `fixtures/`, whatever it is: it is read, and a rule that changes nothing gives it back."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
# `sites` are for the checker; what is no document: notes, the scripts that make fixtures
FILES = sorted(
    path
    for path in FIXTURES.rglob("*")
    if path.is_file() and path.suffix not in (".md", ".py", ".pyc", ".json") and "sites" not in path.parts
)

UNREADABLE = {"bad-no-boundary.mht", "mill.png"}
"""A container of which nothing can be read, and an image; they are given back as they are."""


def test_there_are_many() -> None:
    assert len(FILES) > 150


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_reading_and_writing_back(path: Path) -> None:
    if path.name in UNREADABLE:
        with pytest.raises(rehref.ContainerError, match="nothing could be read"):
            rehref.links(path)
    else:
        assert all(link.target is not None or link.problems for link in rehref.links(path))
    assert rehref.rewrite(path.read_bytes(), rehref.Mapping({})) == path.read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_absolute_twice_is_absolute_once(path: Path) -> None:
    once = rehref.rewrite(path.read_bytes(), url="https://example.org/a/b/c")
    assert rehref.rewrite(once, url="https://example.org/a/b/c") == once
