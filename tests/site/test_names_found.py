"""What is found for a name: extensions that are missing or misspelt."""

from __future__ import annotations

import pytest

from rehref.site._repair.names_found import has_extension, is_misspelt, may_be_added, named_literally


def test_extensions_there_and_missing() -> None:
    assert list(map(has_extension, ["", ".", ".6", ".2-3", ".css", ".7z", ".2rc1"])) == [False] * 4 + [True] * 3
    assert list(map(may_be_added, [".png", ".js", ".html", ".map", ".GZ", ".zip", ".md~"])) == [True] * 2 + [False] * 5


@pytest.mark.parametrize(
    ("wanted", "extension", "expected"),
    [
        *[(".hmtl", ".html", True), (".htl", ".html", True), (".htm", ".html", True), (".JPG", ".jpeg", True)],
        *[(".css", ".scss", False), (".mp3", ".mp4", False), (".js", ".ts", False), (".abx", ".abc", False)],
        *[(".png", ".jpeg", False), (".HTM", ".html", True), (".CSS", ".scss", False)],
    ],
)
def test_misspelt_extensions(wanted: str, extension: str, expected: bool) -> None:
    assert is_misspelt(wanted, extension, {".abx", ".html"}) is expected


def test_a_file_that_is_there_is_no_other() -> None:
    assert named_literally("a.html#x", {"a.html"}) is None
    assert named_literally("a?b", {"a"}) is None
    assert named_literally("a", {"a"}) is None
    assert named_literally("a?b", {"a?b"}) == ("a?b", "a?b", "")
