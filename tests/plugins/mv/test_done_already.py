"""What has moved already: a second run changes nothing, and a move by hand is finished."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from checked.contexts import written
from plugins.mv.test_carrying_out import content, planned
from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.plugins.mv.moving import Move, move

FILES = {
    "index.html": '<a href="guide/wind.html#gale"><a href="nope.html"><a href="guide/">',
    "guide/index.html": "<a href=wind.html><a href=../index.html>",
    "guide/wind.html": '<p id=gale><a href="../index.html"><a href="index.html"><a href="gone.html">',
}


def moved(folder: Path, old: str, new: str) -> Move:
    return move(f"{folder}/{old}", f"{folder}/{new}", folder=folder)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("guide/wind.html", "storm.html"),
        ("guide/wind.html", "a/b/"),
        ("guide", "a/handbook"),
        ("guide", "a/handbook/"),
        ("guide", "b/"),
        ("guide/wind.html#gale", "guide/wind.html#storm"),
    ],
)
def test_a_second_run_changes_nothing(tmp_path: Path, old: str, new: str) -> None:
    folder = written(tmp_path, FILES)
    if new == "a/b/":
        (folder / new).mkdir(parents=True)
    first = moved(folder, old, new)
    after = content(folder)
    second = moved(folder, old, new)
    assert (first.references > 0, second.references, second.documents, second.is_done) == (True, 0, (), True)
    assert content(folder) == after


@pytest.mark.parametrize("old", ["a.b", "winds.com", "v1.2", "winds.org", "x"])
def test_a_folder_whose_name_has_a_dot_has_moved(tmp_path: Path, old: str) -> None:
    folder = written(tmp_path, {"index.html": f"<a href={old}/w.html>", f"{old}/w.html": ""})
    moved(folder, old, "to")
    second = planned(folder, old, "to")
    assert (second.move.is_done, second.documents) == (True, ())


@pytest.mark.parametrize(("old", "new"), [("guide/wind.html", "a/storm.html"), ("guide", "a/handbook")])
def test_a_move_by_hand_is_finished_as_rehref_would_have_made_it(tmp_path: Path, old: str, new: str) -> None:
    folder, other = written(tmp_path / "x", FILES), written(tmp_path / "y", FILES)
    moved(folder, old, new)
    (other / "a").mkdir()
    shutil.move(other / old, other / new)
    made = moved(other, old, new)
    assert content(other) == content(folder)
    assert (made.files, made.within > 0) == ((), True)


def test_an_id_that_was_renamed_by_hand(tmp_path: Path) -> None:
    folder = written(tmp_path, {**FILES, "guide/wind.html": "<p id=storm><label for=gale>"})
    moved(folder, "guide/wind.html#gale", "guide/wind.html#storm")
    assert content(folder)["index.html"] == FILES["index.html"].replace("#gale", "#storm")
    assert content(folder)["guide/wind.html"] == "<p id=storm><label for=gale>"


def test_what_leads_somewhere_stays(tmp_path: Path) -> None:
    files = {"index.html": "", "a/index.html": "", "a/b/c.html": "<a href=../index.html><a href=../../index.html>"}
    folder = written(tmp_path, {**files, "d/c.html": "<a href=../index.html>"})
    assert planned(folder, "a/c.html", "d/c.html").documents == ()


@pytest.mark.parametrize(("old", "new"), [("wnid.html", "guide"), ("wnid.html", "guide/"), ("x", "y"), ("x", "empty")])
def test_what_is_at_neither_place_is_an_error(tmp_path: Path, old: str, new: str) -> None:
    folder = written(tmp_path, FILES)
    (folder / "empty").mkdir()
    with pytest.raises((FileError, OptionError)):
        planned(folder, old, new)
