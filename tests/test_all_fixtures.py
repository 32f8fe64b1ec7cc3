"""Every file in `fixtures/`, whatever it is: it is read, and a rule that changes nothing gives it back."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
# `sites` and `traced` are for the checker, `generators` hold sources of sites; what is no document: notes, and scripts
FILES = sorted(
    path
    for path in FIXTURES.rglob("*")
    if path.is_file()
    and path.suffix not in (".md", ".py", ".pyc", ".json")
    and path.name != ".gitattributes"
    and not {"sites", "traced", "generators"} & set(path.relative_to(FIXTURES).parts)
)

UNREADABLE = {"bad-no-boundary.mht", "mill.png"}
"""A container of which nothing can be read, and an image; they are given back as they are."""
WITHOUT_LINKS = {"bad-no-header-fields.mht"}
"""Its only part is no document, since its header fields do not end."""


def test_there_are_many() -> None:
    assert len(FILES) > 150


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_reading_and_writing_back(path: Path) -> None:
    if path.name in UNREADABLE:
        with pytest.raises(rehref.ContainerError, match="nothing could be read"):
            rehref.links(path)
    else:
        links = rehref.links(path)
        assert (len(links) == 0) is (path.name in WITHOUT_LINKS)
        for link in links:
            unknown = [problem for problem in link.problems if problem.code in ("uncertain-base", "unknown-entity")]
            assert (link.target is None) is (len(unknown) == 1), link
            assert (link.base.uri is None) is (link.base.origin == "none"), link
    assert rehref.rewrite(path.read_bytes(), rehref.Mapping({})) == path.read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_absolute_twice_is_absolute_once(path: Path) -> None:
    once = rehref.rewrite(path.read_bytes(), url="https://example.org/a/b/c")
    assert rehref.rewrite(once, url="https://example.org/a/b/c") == once
