"""A move is carried out whole or not at all; what the places must be; and git."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from checked.contexts import written
from rehref.files.file_errors import FileError
from rehref.plugins.mv import _carrying_out as carrying_out
from rehref.plugins.mv._carrying_out import carry_out
from rehref.plugins.mv.move_plan import MovePlan
from rehref.plugins.mv.moving import planned as planned_move
from rehref.site.check_options import CheckOptions

FILES = {"a.html": "<a href=c/b.html>", "c/b.html": "<a href=../a.html><a href=d.html>", "c/d.html": "<a href=b.html>"}


def planned(folder: Path, old: str, new: str) -> MovePlan:
    return planned_move(f"{folder}/{old}", f"{folder}/{new}", folder, CheckOptions())


def content(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if ".git" not in file.parts)
    return {each.relative_to(folder).as_posix(): each.read_text() if each.is_file() else "" for each in files}


@pytest.mark.parametrize("failing", ["write_atomically", "_rename"])
@pytest.mark.parametrize("error", [FileError("a", "fails"), KeyboardInterrupt()])
def test_a_failure_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, error: BaseException
) -> None:
    plan = planned(written(tmp_path, FILES), "c/b.html", "e/f/b.html")
    before, function, calls = content(tmp_path), getattr(carrying_out, failing), 0

    def fails_once(*arguments: object, **options: object) -> object:
        nonlocal calls
        calls += 1
        if calls == (2 if failing == "write_atomically" else 1):
            raise error
        return function(*arguments, **options)

    monkeypatch.setattr(carrying_out, failing, fails_once)
    with pytest.raises(type(error)):
        carry_out(plan)
    assert calls > 0
    assert content(tmp_path) == before


def test_a_document_that_has_changed_is_an_error(tmp_path: Path) -> None:
    plan = planned(written(tmp_path, FILES), "c/b.html", "b.html")
    (tmp_path / "a.html").write_text("<a href=c/b.html>other")
    before = content(tmp_path)
    with pytest.raises(FileError, match="has changed meanwhile"):
        carry_out(plan)
    assert content(tmp_path) == before


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_moves_what_it_knows(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        named = ["git", "-c", "user.name=n", "-c", "user.email=n@h.example", *arguments]
        return subprocess.run(named, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    written(tmp_path, {**FILES, "c/untracked.html": "<a href=b.html>"})
    git("init", "-q")
    git("add", "a.html", "c/b.html", "c/d.html")
    git("commit", "-qm", "first")
    carry_out(planned(tmp_path, "c", "e/f"))
    assert git("status", "--short", "--untracked-files=all").splitlines() == [
        " M a.html",
        "RM c/b.html -> e/f/b.html",
        "R  c/d.html -> e/f/d.html",
        "?? e/f/untracked.html",
    ]
    carry_out(planned(tmp_path, "e/f/untracked.html", "u.html"))
    assert (tmp_path / "u.html").read_text() == "<a href=e/f/b.html>"


def test_a_folder_gets_the_name_that_ends_in_a_slash_or_goes_into_what_is_there(tmp_path: Path) -> None:
    carry_out(planned(written(tmp_path, FILES), "c/", "e/"))
    assert set(content(tmp_path)) == {"a.html", "e", "e/b.html", "e/d.html"}
    (tmp_path / "f").mkdir()
    carry_out(planned(tmp_path, "e", "f"))
    carry_out(planned(tmp_path, "a.html", "g/h/"))
    assert {"f/e/b.html", "g/h/a.html"} < set(content(tmp_path))


def test_another_case_of_the_same_name_is_a_new_name(tmp_path: Path) -> None:
    folder = written(tmp_path, FILES)
    (folder / "A.html").hardlink_to(folder / "a.html")  # as on a disk that ignores case
    assert planned(folder, "a.html", "A.html").references == 1
    with pytest.raises(FileError, match="is there already"):
        planned(folder, "a.html", "a.html")


def test_places_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "site", {**FILES, "x/y.html": ""})
    (folder / "empty").mkdir()
    (folder / "out").symlink_to(tmp_path)
    (folder / "link.html").symlink_to("a.html")
    (tmp_path / "o.html").touch()
    before = content(folder)
    for old, new, why in (
        ("nope.html", "z.html", "there is no such file"),
        ("a.html", "c/b.html", "is there already"),
        ("x/y.html", "x", "is there already"),
        ("a.html", "../a.html", "is not in"),
        ("../o.html", "o.html", "is not in"),
        ("a.html", "out/a.html", "leads out of the folder"),
        ("out/o.html", "o.html", "leads out of the folder"),
        (".", "c/z", "is the folder itself"),
        ("c", "c/z", "moved into itself"),
        ("x/y.html", "a.html/y.html", "a.html is a file"),
        ("empty", "full", "has no files"),
        ("link.html", "z.html", "is a symbolic link"),
        ("a.html", "z.html", "the move would break"),
    ):
        with pytest.raises(FileError, match=why):
            planned(folder, old, new)
    assert content(folder) == before


def test_symbolic_links_that_stay_right_move_along(tmp_path: Path) -> None:
    folder = written(tmp_path, {**FILES, "i.png": "", "c/i.png": ""})
    (folder / "c" / "link.png").symlink_to("i.png")
    carry_out(planned(folder, "c", "e"))
    assert (folder / "e" / "link.png").resolve() == folder.resolve() / "e" / "i.png"
    (folder / "e" / "up.png").symlink_to("../i.png")
    with pytest.raises(FileError, match="the move would break"):
        planned(folder, "e", "c/e")


def test_a_name_with_a_number_sign_is_a_file_if_there_is_one(tmp_path: Path) -> None:
    written(tmp_path, {"a#b.html": "", "c.html": "<a href='a%23b.html'>"})
    carry_out(planned(tmp_path, "a#b.html", "d.html"))
    assert content(tmp_path) == {"d.html": "", "c.html": "<a href='d.html'>"}
