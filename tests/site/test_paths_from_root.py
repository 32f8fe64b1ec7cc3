"""Paths from the root, cut where a file of the folder is left."""

from __future__ import annotations

from functools import partial

from rehref.site._placing.paths_from_root import Cut, FilePaths


def test_a_path_is_cut_where_a_file_is_left() -> None:
    files = FilePaths({"index.html", "a/index.html", "a/b.html", "c.txt"})
    home = partial(Cut, file="index.html", is_index=True, is_home=True)
    page = partial(Cut, is_index=False, is_home=False)
    assert list(files.cuts("/x/a/b")) == [page("/x/", "a/b.html"), home("/x/a/b/")]
    assert list(files.cuts("/x/a/")) == [Cut("/x/", "a/index.html", is_index=True, is_home=False), home("/x/a/")]
    assert list(files.cuts("/c.txt")) == [page("/", "c.txt"), home("/c.txt/")]
    assert list(files.cuts("/" + "x/" * 1000)) == []
    assert [files.file_of(path) for path in ("", "a", "a/", "a/b/", "d", "b.html")] == [
        "index.html",
        "a/index.html",
        "a/index.html",
        "a/b.html",
        None,
        None,
    ]
