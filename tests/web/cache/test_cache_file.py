"""What is wrong with the file: one line says it, and the run goes on."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from rehref.web.cache import cache as cache_module
from rehref.web.cache import file as file_module
from rehref.web.cache.ages import Ages
from rehref.web.cache.cache import Cache
from rehref.web.cache.file import APPLICATION, VERSION, default_place
from rehref.web.model import Answer
from rehref.web.options import WebOptions

URL = "https://example.org/"
NOW = 1_800_000_000.0
on_posix = pytest.mark.skipif(os.name != "posix", reason="modes and links are those of POSIX here")


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time at which rows leave."""
    monkeypatch.setattr(cache_module.time, "time", lambda: NOW)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of the cache."""
    return tmp_path / "c.sqlite"


@pytest.fixture
def said() -> list[str]:
    """What is said for people."""
    return []


@pytest.fixture
def opened(path: Path, said: list[str]) -> Callable[[], Cache]:
    """Open it."""
    return lambda: Cache.open(path, Ages(), WebOptions(), said.append)


@pytest.fixture
def default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default place, in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    place = default_place()
    assert place is not None
    return place


def used(cache: Cache, number: int = 1) -> bool:
    """Keep something, and say whether another one finds it."""
    with cache:
        for each in range(number):
            cache.keep(Answer(f"{URL}{each}", status=200, checked_at=NOW))
    return found(cache._path)


def found(path: Path) -> bool:
    with Cache.open(path, Ages(), WebOptions(), lambda _: None) as other:
        return other.find(URL + "0", NOW) is not None


@pytest.mark.usefixtures("default")
def test_the_default_place_is_made(default: Path, said: list[str]) -> None:
    assert used(Cache.open(default, Ages(), WebOptions(), said.append))
    assert said == []
    assert default.name == "web.sqlite"
    if os.name == "posix":
        assert stat.S_IMODE(default.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these have their own folders for caches")
def test_the_default_place_is_that_of_the_specification(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_place() == tmp_path / ".cache" / "rehref" / "web.sqlite"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert default_place() == tmp_path / "x" / "rehref" / "web.sqlite"


@on_posix
def test_nobody_else_may_read_it(path: Path, opened: Callable[[], Cache]) -> None:
    before = os.umask(0)
    try:
        assert used(opened())
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert used(opened())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@on_posix
@pytest.mark.parametrize("leads_somewhere", [True, False])
def test_no_symbolic_link_is_followed(
    path: Path, tmp_path: Path, opened: Callable[[], Cache], said: list[str], leads_somewhere: bool
) -> None:
    other = tmp_path / "precious"
    if leads_somewhere:
        other.write_bytes(b"")
    path.symlink_to(other)
    assert not used(opened())
    assert said == [f"{path}: is a symbolic link, which is not followed; going on without a cache"]
    assert path.is_symlink()
    assert other.exists() == leads_somewhere
    assert not leads_somewhere or other.read_bytes() == b""


@on_posix
def test_a_link_in_place_of_the_journal_is_not_followed(
    path: Path, tmp_path: Path, opened: Callable[[], Cache]
) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    assert used(opened())
    path.with_name("c.sqlite-journal").symlink_to(precious)
    used(opened())
    assert precious.read_bytes() == b"precious"


@on_posix
def test_a_pipe_is_not_waited_for(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    os.mkfifo(path)
    assert not used(opened())
    assert said == [f"{path}: is not an ordinary file; going on without a cache"]


def test_a_folder_is_no_cache(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    path.mkdir()
    assert not used(opened())
    assert said == [f"{path}: is not an ordinary file; going on without a cache"]


def test_a_folder_that_is_not_there_is_made_if_it_can_be(tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "none" / "c.sqlite"
    assert used(Cache.open(path, Ages(), WebOptions(), said.append))
    assert said == []
    assert path.is_file()
    other = path / "below" / "c.sqlite"
    assert not used(Cache.open(other, Ages(), WebOptions(), said.append))
    assert len(said) == 1
    assert said[0].startswith(str(other))


@pytest.mark.parametrize("data", [b"a letter to somebody\n" * 100, b"x", bytes(8192), b"SQLite format 3\0 or so"])
def test_what_is_no_database_is_left_as_it_is(
    path: Path, opened: Callable[[], Cache], said: list[str], data: bytes
) -> None:
    path.write_bytes(data)
    assert not used(opened())
    assert said == [f"{path}: is not a cache of rehref, so it is left as it is; going on without a cache"]
    assert path.read_bytes() == data


def test_in_the_default_place_it_is_replaced(default: Path, said: list[str]) -> None:
    default.parent.mkdir(parents=True)
    default.write_bytes(b"no database, and longer than the head of one" * 100)
    assert used(Cache.open(default, Ages(), WebOptions(), said.append))
    assert said == [f"{default}: is damaged; a new cache is begun"]


def test_a_database_of_others_is_left_as_it_is(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url)")
        other.commit()
    data = path.read_bytes()
    assert not used(opened())
    assert said == [
        f"{path}: is a database, but not a cache of rehref, so it is left as it is; going on without a cache"
    ]
    assert path.read_bytes() == data


def changed(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as other:
        for statement in statements:
            other.execute(statement)
        other.commit()


def test_what_a_newer_version_wrote_is_left_as_it_is(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    assert used(opened())
    changed(path, f"PRAGMA user_version = {VERSION + 1}", "ALTER TABLE about ADD COLUMN more")
    data = path.read_bytes()
    assert not used(opened())
    assert said == [f"{path}: is of a newer version of rehref, so it is left as it is; going on without a cache"]
    assert path.read_bytes() == data


def test_what_an_older_version_wrote_is_replaced(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    changed(path, f"PRAGMA application_id = {APPLICATION}", "CREATE TABLE old (url)")
    assert used(opened())
    assert said == [f"{path}: is of an older version of rehref; a new cache is begun"]


def test_tables_that_are_not_ours_are_replaced(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    assert used(opened())
    changed(path, "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM about; END")
    assert used(opened())
    assert said == [f"{path}: is damaged; a new cache is begun"]


def test_a_damaged_file_is_replaced(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    assert used(opened(), 500)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    assert used(opened())
    assert said == [f"{path}: is damaged; a new cache is begun"]
    assert used(opened())
    assert len(said) == 1


def test_a_file_that_was_cut_off_is_replaced(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    assert used(opened(), 500)
    with path.open("r+b") as file:
        file.truncate(5000)
    assert used(opened())
    assert said == [f"{path}: is damaged; a new cache is begun"]


def test_a_file_that_is_damaged_meanwhile_is_replaced(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    assert used(opened(), 2000)
    with opened() as cache:
        data = bytearray(path.read_bytes())
        data[4096:] = b"\xa5" * (len(data) - 4096)
        data[24:28] = b"\1\2\3\4"  # so that SQLite reads it again
        path.write_bytes(data)
        cache.keep(Answer(URL + "0", status=200, checked_at=NOW))
    assert said == [f"{path}: is damaged; a new cache is begun"]
    assert found(path)


@pytest.mark.parametrize("name", [b"answers", b"sqlite_autoindex_answers_1", b"TABLE", b"salt BLOB"])
def test_a_schema_that_is_not_utf_8_is_replaced(
    path: Path, opened: Callable[[], Cache], said: list[str], name: bytes
) -> None:
    """`sqlite3` raises UnicodeDecodeError for some of these."""
    assert used(opened())
    path.write_bytes(path.read_bytes().replace(name, b"\xff" + name[1:]))
    assert used(opened())
    assert said == [f"{path}: is damaged; a new cache is begun"]


@pytest.mark.parametrize("change", ["SET salt = 1099511627776", "SET salt = 'text'"])
def test_a_salt_that_is_not_one_is_replaced(
    path: Path, opened: Callable[[], Cache], said: list[str], change: str
) -> None:
    assert used(opened())
    changed(path, f"UPDATE about {change}")
    assert used(opened())
    assert said == [f"{path}: is damaged; a new cache is begun"]


def test_no_byte_that_is_flipped_ends_a_run(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    assert used(opened(), 20)
    whole = path.read_bytes()
    random = Random(1)
    for number in range(200):
        data = bytearray(whole)
        for _ in range(random.choice((1, 2, 20))):  # every other time in the page with the schema
            data[random.randrange(len(data) if number % 2 else 4096)] = random.choice((0, 0xFF, random.randrange(256)))
        path.write_bytes(data)
        with opened() as cache:
            for each in range(20):
                cache.find(f"{URL}{each}", NOW)
            cache.keep(Answer(URL + "new", status=200, checked_at=NOW))
    assert f"{path}: is damaged; a new cache is begun" in said
    assert all(each.startswith(f"{path}: ") and len(each) < 200 for each in said)


def test_a_file_that_goes_away_meanwhile_is_made_again(
    path: Path, opened: Callable[[], Cache], said: list[str]
) -> None:
    if os.name == "nt":
        pytest.skip("an open file cannot be removed there")
    with opened() as cache:
        path.unlink()
        cache.keep(Answer(URL + "0", status=200, checked_at=NOW))
    assert found(path)
    assert said == []


def test_a_full_disk_ends_keeping_and_not_finding(path: Path, opened: Callable[[], Cache], said: list[str]) -> None:
    assert used(opened())
    with opened() as cache:
        assert cache._connection is not None
        cache._connection.execute("PRAGMA max_page_count = 8")  # SQLite says then what it says of a full disk
        for number in range(1000):
            cache.keep(Answer(f"{URL}more/{number}", status=200, checked_at=NOW), bytes(4000))
        assert cache.find(URL + "0", NOW) is not None
    assert said == [f"{path}: there is no room on the disk; nothing more is kept in this cache"]
    assert found(path)


def test_a_row_larger_than_any_of_ours_ends_only_finding(
    path: Path, opened: Callable[[], Cache], said: list[str]
) -> None:
    assert used(opened())
    changed(path, f"UPDATE answers SET extra = zeroblob({file_module.LARGEST_VALUE + 1})")
    with opened() as cache:
        assert cache.find(URL + "0", NOW) is None
    assert len(said) == 1
    assert said[0].startswith(f"{path}: ")


def test_what_another_run_has_locked_is_written_later(
    path: Path, opened: Callable[[], Cache], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it for long, and neither finding nor keeping ends."""
    monkeypatch.setattr(file_module, "PATIENT_MEANWHILE", 0.01)
    monkeypatch.setattr(cache_module, "_LONGEST_WAITING", 0.0)
    assert used(opened())
    with opened() as cache, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache.keep(Answer(URL + "new", status=200, checked_at=NOW))
        assert cache.find(URL + "0", NOW) is None
        other.execute("COMMIT")
        assert cache.find(URL + "0", NOW) is not None
        cache.keep(Answer(URL + "newer", status=200, checked_at=NOW))
    with opened() as cache:
        assert cache.find(URL + "new", NOW) is not None
        assert cache.find(URL + "newer", NOW) is not None
    assert said == []


def test_what_is_locked_for_ever_is_waited_for_at_the_end_alone(
    path: Path, opened: Callable[[], Cache], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many rows that wait do not mean that each one tries."""
    for name in ("PATIENT", "PATIENT_MEANWHILE"):
        monkeypatch.setattr(file_module, name, 0.01)
    monkeypatch.setattr(cache_module, "_MOST_WAITING", 1)
    monkeypatch.setattr(cache_module, "_LONGEST_WAITING", 3600.0)
    tries: list[str] = []
    with opened() as cache, closing(sqlite3.connect(path, isolation_level=None)) as other:
        assert cache._connection is not None
        cache._connection.set_trace_callback(tries.append)
        other.execute("BEGIN EXCLUSIVE")
        for number in range(100):
            cache.keep(Answer(f"{URL}{number}", status=200, checked_at=NOW))
        assert sum("BEGIN" in each for each in tries) <= 1
        cache.close()
    assert said == [f"{path}: another program has locked it; nothing more is kept in this cache"]


def test_a_locked_file_is_gone_on_without(
    path: Path, opened: Callable[[], Cache], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_module, "PATIENT", 0.01)
    assert used(opened())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with opened() as cache:
            assert cache.find(URL + "0", NOW) is None
    assert said == [f"{path}: another program has locked it; going on without a cache"]
