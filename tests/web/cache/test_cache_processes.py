"""Several runs with one cache, runs that are killed, and disks that cannot be written to."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from patience import PATIENCE
from rehref.web._cache.file import remove
from rehref.web.answers import Answer
from rehref.web.asking_options import WebOptions
from rehref.web.cache_ages import Ages
from rehref.web.kept_answers import Cache

KEEPING = Path(__file__).with_name("keeping.py")
NOBODY = 65534
URL = "https://example.org/1"
NOW = datetime.now(tz=UTC).timestamp()
on_posix = pytest.mark.skipif(os.name != "posix", reason="processes, limits and modes are those of POSIX here")


@contextmanager
def keeping(path: Path, name: str, number: int, most: int = 0, user: int = 0) -> Iterator[subprocess.Popen[str]]:
    """A run; what it writes is in `stdout`."""
    with subprocess.Popen(
        [sys.executable, KEEPING, *map(str, (path, name, number, most, user))],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONDEVMODE": "0"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> list[str]:
    out, _ = process.communicate(timeout=PATIENCE)
    return out.splitlines()


def found(path: Path, name: str, number: int) -> list[bool]:
    """Which of the answers of a run there are, with what was kept beside them."""
    said: list[str] = []
    with Cache.open(path, Ages(), WebOptions(), said.append) as cache:
        kept = [cache.find(f"https://example.org/{name}/{each}", 0.0) for each in range(number)]
    assert said == []
    assert all(each is None or each.extra == b"%d" % number * 100 for number, each in enumerate(kept))
    return [each is not None for each in kept]


def is_whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_runs_at_once_all_keep_what_they_learn(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    names = ("a", "b", "c")
    with keeping(path, "a", 2000) as a, keeping(path, "b", 2000) as b, keeping(path, "c", 2000) as c:
        assert [ended(process) for process in (a, b, c)] == [["kept", "done"]] * 3
    assert all(all(found(path, name, 2000)) for name in names)
    assert is_whole(path)


def test_runs_at_once_may_keep_the_same(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with keeping(path, "a", 2000) as one, keeping(path, "a", 2000) as other:
        assert [ended(process) for process in (one, other)] == [["kept", "done"]] * 2
    assert all(found(path, "a", 2000))
    assert is_whole(path)


def test_runs_at_once_all_go_on_after_damage(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with keeping(path, "old", 2000) as process:
        assert ended(process) == ["kept", "done"]
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    with keeping(path, "a", 4000) as a, keeping(path, "b", 4000) as b:
        lines = [ended(process) for process in (a, b)]
    assert [each[-1] for each in lines] == ["done", "done"]
    assert f"{path}: is damaged; a new cache is begun" in lines[0] + lines[1]
    with keeping(path, "later", 2000) as process:
        assert ended(process)[-1] == "done"
    assert is_whole(path)
    assert all(found(path, "later", 2000))


@on_posix
def test_a_file_that_another_run_has_just_begun_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.sqlite"
    with keeping(path, "old", 2000) as process:
        assert ended(process) == ["kept", "done"]
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))

    def late(file: Path, opened: int) -> None:
        monkeypatch.undo()
        with keeping(path, "other", 10) as process:
            assert ended(process) == [f"{path}: is damaged; a new cache is begun", "done"]
        remove(file, opened)

    monkeypatch.setattr("rehref.web._cache.file.remove", late)
    said: list[str] = []
    Cache.open(path, Ages(), WebOptions(), said.append).close()
    assert all(found(path, "other", 10))


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN])
def test_a_file_that_is_replaced_while_it_is_opened_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def moved(_: Path) -> sqlite3.Connection:
        monkeypatch.undo()
        error = sqlite3.OperationalError("moved")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr("rehref.web._cache.file.connected", moved)
    said: list[str] = []
    with Cache.open(tmp_path / "c.sqlite", Ages(), WebOptions(), said.append) as cache:
        cache.keep(Answer(URL, status=200, final=URL, checked_at=NOW))
    assert said == []
    with Cache.open(tmp_path / "c.sqlite", Ages(), WebOptions(), said.append) as cache:
        assert cache.find(URL, NOW) is not None


@pytest.mark.sampled(3)
@on_posix
@pytest.mark.parametrize("attempt", range(5))
def test_a_run_that_is_killed_leaves_a_whole_file(tmp_path: Path, attempt: int) -> None:
    path = tmp_path / "c.sqlite"
    with keeping(path, "a", 1_000_000) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        journal = path.with_name("c.sqlite-journal")
        while attempt and process.poll() is None and not journal.exists():  # in the middle of a write, mostly
            pass
        process.kill()
        process.wait(PATIENCE)
    assert all(found(path, "a", 800))  # two hundred at most wait
    assert is_whole(path)
    with keeping(path, "b", 2000) as process:
        assert ended(process) == ["kept", "done"]
    assert all(found(path, "b", 2000))


@on_posix
def test_a_run_that_is_killed_at_its_beginning_leaves_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with keeping(path, "a", 1_000_000) as process:
        while not path.exists() and process.poll() is None:
            pass
        process.kill()
        process.wait(PATIENCE)
    with keeping(path, "b", 2000) as process:
        assert ended(process) == ["kept", "done"]
    assert all(found(path, "b", 2000))


@on_posix
def test_what_cannot_be_written_ends_keeping(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with keeping(path, "a", 20_000, 300_000) as process:
        lines = ended(process)
    assert [line for line in lines if line != "kept"] == [
        f"{path}: reading or writing the disk fails; nothing more is kept in this cache",
        "done",
    ]
    kept = found(path, "a", 2000)
    assert kept[0]
    assert not kept[-1]
    assert is_whole(path)


@on_posix
def test_a_disk_without_room_from_the_beginning_is_gone_on_without(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with keeping(path, "a", 2000, 1000) as process:
        lines = ended(process)
    assert lines == [f"{path}: reading or writing the disk fails; going on without a cache", "kept", "done"]


@pytest.fixture
def by_nobody() -> int:
    """As whom a run must go on, so that modes of files count: nobody, for those who may do anything; else 0."""
    if os.name != "posix":
        pytest.skip("modes are those of POSIX here")
    return 0 if os.geteuid() else NOBODY


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may read and nobody may write, but for those who may do anything."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        inner = Path(name, "folder")
        inner.mkdir()
        yield inner
        inner.chmod(0o755)


def test_in_a_folder_that_may_not_be_written_there_is_none(folder: Path, by_nobody: int) -> None:
    folder.chmod(0o555)
    with keeping(folder / "c.sqlite", "a", 10, user=by_nobody) as process:
        lines = ended(process)
    assert len(lines) == 2
    assert lines[0].startswith(f"{folder / 'c.sqlite'}: cannot be opened: permission denied")
    assert lines[1] == "done"
    assert list(folder.iterdir()) == []


def test_a_file_that_may_not_be_written_is_read(folder: Path, by_nobody: int) -> None:
    path = folder / "c.sqlite"
    with keeping(path, "a", 10) as process:
        assert ended(process) == ["done"]
    path.chmod(0o444)
    if by_nobody:
        os.chown(path, by_nobody, by_nobody)
    folder.chmod(0o555)
    with keeping(path, "b", 10, user=by_nobody) as process:
        lines = ended(process)
    folder.chmod(0o755)
    assert lines == [f"{path}: it may not be written; nothing more is kept in this cache", "done"]
    assert all(found(path, "a", 10))
