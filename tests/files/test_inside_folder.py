"""No symbolic link is followed out of a folder that is written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rehref.files.file_documents import real_path_within
from rehref.files.file_errors import FileError
from rehref.files.writing import copy, write_atomically, write_link

pytestmark = pytest.mark.skipif(os.name == "nt", reason="symbolic links need privileges there")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder with links that lead out of it, and some that do not; beside it what must stay as it is."""
    folder = tmp_path / "out"
    (folder / "deep").mkdir(parents=True)
    (folder / "file").write_bytes(b"old")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_bytes(b"precious")
    (tmp_path / "out-too").mkdir()
    links = {
        "to-folder": "../outside",
        "to-file": "../outside/file",
        "to-nothing": "../outside/new",
        "absolute": str(tmp_path / "outside"),
        "twice": "to-folder/file",
        "deep/up": "../..",
        "deep/beside": "../../out-too",
        "inside": "deep",
        "inside-file": "deep/../file",
        "circle": "circle",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    return folder


OUTSIDE = (
    *("to-folder/file", "to-folder/new/x", "to-file", "to-nothing", "absolute/x", "twice"),
    *("deep/up/outside/x", "deep/beside/x", "../outside/file"),
)
INSIDE = ("file", "new", "new/deep/x", "inside/x", "inside-file", "deep/up/out/file", "circle")


def everything(folder: Path) -> dict[str, bytes]:
    """All files below a folder; links are not followed."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_leads_out_is_refused_and_nothing_is_written(out: Path, name: str) -> None:
    before = everything(out.parent)
    told = "leads out of the folder .*/out through a symbolic link, and is not written; remove the link"
    with pytest.raises(FileError, match=told):
        write_atomically(out / name, b"new", within=out)
    (out.parent / "source").write_bytes(b"new")
    with pytest.raises(FileError, match=told):
        copy(out.parent / "source", out / name, within=out)
    (out.parent / "source").unlink()
    assert everything(out.parent) == before
    assert not (out.parent / "outside" / "new").exists()


@pytest.mark.parametrize("name", INSIDE)
def test_what_stays_within_is_written(out: Path, name: str) -> None:
    write_atomically(out / name, b"new", within=out)
    assert (out / name).read_bytes() == b"new"
    assert (out.parent / "outside" / "file").read_bytes() == b"precious"


def test_the_folder_itself_may_be_reached_through_a_link(out: Path) -> None:
    (out.parent / "link").symlink_to("out")
    write_atomically(out.parent / "link" / "file", b"new", within=out.parent / "link")
    assert (out / "file").read_bytes() == b"new"


def test_a_name_that_begins_like_the_folder_is_not_in_it(out: Path) -> None:
    with pytest.raises(FileError):
        real_path_within(out, out.parent / "out-too" / "x")


def test_a_link_is_written_into_no_folder_outside(out: Path) -> None:
    with pytest.raises(FileError, match="leads out of the folder"):
        write_link(out / "to-folder" / "x", "anywhere", within=out)
    assert not os.path.lexists(out.parent / "outside" / "x")
    write_link(out / "to-file", "anywhere", within=out)  # the link itself is replaced
    assert (out / "to-file").readlink() == Path("anywhere")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_below_a_folder_is_not_waited_for(out: Path) -> None:
    os.mkfifo(out / "pipe")
    with pytest.raises(FileError, match="is not an ordinary file, and is not written; remove it"):
        write_atomically(out / "pipe", b"new", within=out)
