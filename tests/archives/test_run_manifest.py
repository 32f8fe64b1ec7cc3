"""What is unfinished belongs to one run."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from crawl import crawl, response
from rehref.archives import _run_manifest as manifest
from rehref.archives._run_manifest import Manifest
from rehref.archives.links_of_many import file_at
from rehref.archives.many_files import UNFINISHED, rewrite_many
from rehref.archives.pieces import PieceOutcome
from rehref.archives.rewriting_files import RewriteOptions, rewrite_file
from rehref.archives.targets_of_rewriting import FileTarget, FileToRewrite
from rehref.documents.options import SourceOptions
from rehref.files.file_errors import FileError

HOW = SourceOptions()


def rewritten(archive: Path, folder: Path, **more: Any) -> dict[str, bytes]:
    """What is in the folder when an archive has been rewritten into it, in pieces."""
    files = [FileToRewrite(file_at(str(archive), HOW), FileTarget(folder / archive.name, folder))]
    assert [*rewrite_many(files, RewriteOptions(), HOW, unfinished=folder / UNFINISHED, size=20_000, **more)]
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    noise = random.Random(1)
    pages = (f"<a href=a{number}>{noise.randbytes(900).hex()}</a>" for number in range(100))
    archive = tmp_path / "one.warc.gz"
    archive.write_bytes(crawl(response(f"https://h.example/{n}", page, number=n) for n, page in enumerate(pages)))
    return archive


@pytest.fixture
def expected(archive: Path, tmp_path: Path) -> dict[str, bytes]:
    """What one process writes."""
    rewrite_file(str(archive), tmp_path / "expected" / archive.name)
    return {archive.name: (tmp_path / "expected" / archive.name).read_bytes()}


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_two_runs_do_not_share_what_is_unfinished(archive: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    other = Manifest(folder / UNFINISHED, "other", resume=False)
    other.add(0, PieceOutcome())
    with pytest.raises(FileError, match="is being written by another run; wait until it ends"):
        rewritten(archive, folder, resume=True)
    found = rewritten(archive, folder)
    assert found.pop(f"{UNFINISHED}/{manifest.NAME}").count(b"\n") == 2
    assert found == expected
    other.close(complete=False)


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_the_folder_is_removed_before_another_run_can_lock_it(
    archive: Path, expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    let_go = manifest._let_go
    there: list[bool] = []

    def looking(descriptor: int) -> None:
        there.append((folder / UNFINISHED).exists())
        let_go(descriptor)

    monkeypatch.setattr(manifest, "_let_go", looking)
    assert rewritten(archive, folder) == expected
    assert there == [False]


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_a_folder_that_was_removed_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    folder, flock = tmp_path / "out", fcntl.flock

    def removing(descriptor: int, operation: int) -> None:
        if operation != fcntl.LOCK_UN and not (tmp_path / "removed").exists():
            (tmp_path / "removed").touch()
            folder.rmdir()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", removing)
    first = Manifest(folder, "work", resume=False)
    first.add(0, PieceOutcome())
    with pytest.raises(manifest.OtherRunError):
        Manifest(folder, "work", resume=True)
    first.close(complete=False)
    second = Manifest(folder, "work", resume=True)
    second.close(complete=False)
    assert second.done == {0: PieceOutcome()}
