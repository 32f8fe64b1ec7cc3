"""What a killed run left is cleared, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rehref.files import writing as leftovers
from rehref.files.writing import clear_leftovers, temporary_name

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it cannot be told there who is gone")


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def named(process: object, machine: str | None = None) -> str:
    """A temporary name of another process."""
    _, _, mine, token = temporary_name().split("-")
    return f".rehref-{process}-{machine or mine}-{token}"


def test_only_what_is_surely_left_is_cleared(tmp_path: Path, gone: int) -> None:
    (tmp_path / "deep").mkdir()
    left, deep = named(gone), f"deep/{named(gone)}"
    kept = [
        temporary_name(),  # ours, at work
        named(os.getppid()),
        named(gone, "00000000"),  # another machine's
        f".rehref-{gone}.tmp",
        named(gone) + ".html",
        "x" + named(gone),
        named(99999999999),
        ".rehref-0123456789abcdef.tmp",
    ]
    for name in (left, deep, *kept):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / named(gone)).mkdir()
    (tmp_path / named(gone)).symlink_to("deep")
    clear_leftovers(tmp_path)
    assert not (tmp_path / left).exists()
    assert (tmp_path / deep).exists()
    clear_leftovers(tmp_path, below=True)
    assert not (tmp_path / deep).exists()
    names = [path.name for path in tmp_path.iterdir()]
    assert {*kept, "deep"} < set(names)
    assert len(names) == len(kept) + 3  # a folder and a link of such names stay


def test_what_is_somebody_elses_stays(tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / named(gone)).write_bytes(b"")
    monkeypatch.setattr(leftovers.os, "geteuid", lambda: os.getuid() + 1)
    clear_leftovers(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    clear_leftovers(tmp_path / "x")
    clear_leftovers(tmp_path / "x", below=True)
