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

from examples import examples
from rehref.web import kept_answers as cache_module
from rehref.web._cache import file as file_module
from rehref.web._cache.file import APPLICATION, MOST_BYTES, NAME, VERSION, default_place
from rehref.web.answers import Answer
from rehref.web.asking_options import WebOptions
from rehref.web.cache_ages import Ages
from rehref.web.kept_answers import Cache

URL = "https://example.org/"
NOW = 1_800_000_000.0
on_posix = pytest.mark.skipif(os.name != "posix", reason="modes and links are those of POSIX here")


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time at which rows leave."""
    monkeypatch.setattr(cache_module.time, "time", lambda: NOW)


class CacheFile:
    """The file of a cache at `path`, and what is `said` for people while it is used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.said: list[str] = []

    def opened(self) -> Cache:
        return Cache.open(self.path, Ages(), WebOptions(), self.said.append)

    def used(self, number: int = 1) -> bool:
        """Keep something, and say whether another one finds it."""
        with self.opened() as cache:
            for each in range(number):
                cache.keep(Answer(f"{URL}{each}", status=200, checked_at=NOW))
        return found(self.path)

    def says(self, what: str) -> bool:
        """Whether this is all that was said."""
        return self.said == [f"{self.path}: {what}"]


@pytest.fixture
def file(tmp_path: Path) -> CacheFile:
    return CacheFile(tmp_path / "c.sqlite")


@pytest.fixture
def default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default place, in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    place = default_place()
    assert place is not None
    return place


def found(path: Path) -> bool:
    with Cache.open(path, Ages(), WebOptions(), lambda _: None) as other:
        return other.find(URL + "0", NOW) is not None


def test_the_default_place_is_made(default: Path) -> None:
    file = CacheFile(default)
    assert file.used()
    assert file.said == []
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
def test_nobody_else_may_read_it(file: CacheFile) -> None:
    before = os.umask(0)
    try:
        assert file.used()
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    file.path.chmod(0o644)
    assert file.used()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


@on_posix
@pytest.mark.parametrize("leads_somewhere", [True, False])
def test_no_symbolic_link_is_followed(file: CacheFile, tmp_path: Path, leads_somewhere: bool) -> None:
    other = tmp_path / "precious"
    if leads_somewhere:
        other.write_bytes(b"")
    file.path.symlink_to(other)
    assert not file.used()
    assert file.says("is a symbolic link, which is not followed; going on without a cache")
    assert file.path.is_symlink()
    assert other.exists() == leads_somewhere
    assert not leads_somewhere or other.read_bytes() == b""


@on_posix
def test_a_link_in_place_of_the_journal_is_not_followed(file: CacheFile, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    assert file.used()
    file.path.with_name("c.sqlite-journal").symlink_to(precious)
    file.used()
    assert precious.read_bytes() == b"precious"


@on_posix
def test_a_pipe_is_not_waited_for(file: CacheFile) -> None:
    os.mkfifo(file.path)
    assert not file.used()
    assert file.says("is not an ordinary file; going on without a cache")


def test_a_folder_is_no_cache(file: CacheFile) -> None:
    file.path.mkdir()
    assert not file.used()
    assert file.says("is not an ordinary file; going on without a cache")


def test_a_folder_that_is_not_there_is_made_if_it_can_be(tmp_path: Path) -> None:
    file = CacheFile(tmp_path / "none" / "c.sqlite")
    assert file.used()
    assert file.said == []
    assert file.path.is_file()
    other = CacheFile(file.path / "below" / "c.sqlite")
    assert not other.used()
    assert len(other.said) == 1
    assert other.said[0].startswith(str(other.path))


def changed(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as other:
        for statement in statements:
            other.execute(statement)
        other.commit()


def of_others(file: CacheFile) -> None:
    changed(file.path, "CREATE TABLE bookmarks (url)")


def of_a_newer_version(file: CacheFile) -> None:
    assert file.used()
    changed(file.path, f"PRAGMA user_version = {VERSION + 1}", "ALTER TABLE about ADD COLUMN more")


def holding(data: bytes) -> Callable[[CacheFile], object]:
    return lambda file: file.path.write_bytes(data)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (holding(b"a letter to somebody\n" * 100), "is not a cache of rehref"),
        (holding(b"x"), "is not a cache of rehref"),
        (holding(bytes(8192)), "is not a cache of rehref"),
        (holding(b"SQLite format 3\0 or so"), "is not a cache of rehref"),
        (of_others, "is a database, but not a cache of rehref"),
        (of_a_newer_version, "is of a newer version of rehref"),
    ],
)
def test_what_is_not_ours_is_left_as_it_is(file: CacheFile, make: Callable[[CacheFile], object], what: str) -> None:
    make(file)
    data = file.path.read_bytes()
    assert not file.used()
    assert file.says(f"{what}, so it is left as it is; going on without a cache")
    assert file.path.read_bytes() == data


def test_in_the_default_place_it_is_replaced(default: Path) -> None:
    default.parent.mkdir(parents=True)
    default.write_bytes(b"no database, and longer than the head of one" * 100)
    file = CacheFile(default)
    assert file.used()
    assert file.says("is damaged; a new cache is begun")


def test_what_an_older_version_wrote_is_replaced(file: CacheFile) -> None:
    changed(file.path, f"PRAGMA application_id = {APPLICATION}", "CREATE TABLE old (url)")
    assert file.used()
    assert file.says("is of an older version of rehref; a new cache is begun")


def overwritten(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))


def renamed(name: bytes) -> Callable[[Path], object]:
    """A schema that is not UTF-8: `sqlite3` raises UnicodeDecodeError for some of these."""
    return lambda path: path.write_bytes(path.read_bytes().replace(name, b"\xff" + name[1:]))


@pytest.mark.parametrize(
    "damage",
    [
        overwritten,
        lambda path: os.truncate(path, 5000),
        *map(renamed, (b"answers", b"sqlite_autoindex_answers_1", b"TABLE", b"salt BLOB")),
        lambda path: changed(path, "UPDATE about SET salt = 1099511627776"),
        lambda path: changed(path, "UPDATE about SET salt = 'text'"),
        lambda path: changed(path, "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM about; END"),
    ],
)
def test_a_damaged_file_is_replaced(file: CacheFile, damage: Callable[[Path], object]) -> None:
    assert file.used(500)
    damage(file.path)
    assert file.used()
    assert file.says("is damaged; a new cache is begun")
    assert file.used()
    assert len(file.said) == 1


def test_a_file_that_is_damaged_meanwhile_is_replaced(file: CacheFile) -> None:
    assert file.used(2000)
    with file.opened() as cache:
        data = bytearray(file.path.read_bytes())
        data[4096:] = b"\xa5" * (len(data) - 4096)
        data[24:28] = b"\1\2\3\4"  # so that SQLite reads it again
        file.path.write_bytes(data)
        cache.keep(Answer(URL + "0", status=200, checked_at=NOW))
    assert file.says("is damaged; a new cache is begun")
    assert found(file.path)


def test_no_byte_that_is_flipped_ends_a_run(file: CacheFile) -> None:
    assert file.used(20)
    whole = file.path.read_bytes()
    random = Random(1)
    for number in range(examples(200)):
        data = bytearray(whole)
        for _ in range(random.choice((1, 2, 20))):  # every other time in the page with the schema
            data[random.randrange(len(data) if number % 2 else 4096)] = random.choice((0, 0xFF, random.randrange(256)))
        file.path.write_bytes(data)
        with file.opened() as cache:
            for each in range(20):
                cache.find(f"{URL}{each}", NOW)
            cache.keep(Answer(URL + "new", status=200, checked_at=NOW))
    assert f"{file.path}: is damaged; a new cache is begun" in file.said
    assert all(each.startswith(f"{file.path}: ") and len(each) < 200 for each in file.said)


def test_a_file_that_goes_away_meanwhile_is_made_again(file: CacheFile) -> None:
    if os.name == "nt":
        pytest.skip("an open file cannot be removed there")
    with file.opened() as cache:
        file.path.unlink()
        cache.keep(Answer(URL + "0", status=200, checked_at=NOW))
    assert found(file.path)
    assert file.said == []


def test_a_full_disk_ends_keeping_and_not_finding(file: CacheFile) -> None:
    assert file.used()
    with file.opened() as cache:
        assert cache._connection is not None
        cache._connection.execute("PRAGMA max_page_count = 8")  # SQLite says then what it says of a full disk
        for number in range(1000):
            cache.keep(Answer(f"{URL}more/{number}", status=200, checked_at=NOW), bytes(4000))
        assert cache.find(URL + "0", NOW) is not None
    assert file.says("there is no room on the disk; nothing more is kept in this cache")
    assert found(file.path)


def test_a_row_larger_than_any_of_ours_ends_only_finding(file: CacheFile) -> None:
    assert file.used()
    changed(file.path, f"UPDATE answers SET extra = zeroblob({file_module.LARGEST_VALUE + 1})")
    with file.opened() as cache:
        assert cache.find(URL + "0", NOW) is None
    assert len(file.said) == 1
    assert file.said[0].startswith(f"{file.path}: ")


def test_what_another_run_has_locked_is_written_later(file: CacheFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for it for long, and neither finding nor keeping ends."""
    monkeypatch.setattr(file_module, "PATIENT_MEANWHILE", 0.01)
    monkeypatch.setattr(cache_module, "_LONGEST_WAITING", 0.0)
    assert file.used()
    with file.opened() as cache, closing(sqlite3.connect(file.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache.keep(Answer(URL + "new", status=200, checked_at=NOW))
        assert cache.find(URL + "0", NOW) is None
        other.execute("COMMIT")
        assert cache.find(URL + "0", NOW) is not None
        cache.keep(Answer(URL + "newer", status=200, checked_at=NOW))
    with file.opened() as cache:
        assert cache.find(URL + "new", NOW) is not None
        assert cache.find(URL + "newer", NOW) is not None
    assert file.said == []


def test_what_is_locked_for_ever_is_waited_for_at_the_end_alone(
    file: CacheFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many rows that wait do not mean that each one tries."""
    for name in ("PATIENT", "PATIENT_MEANWHILE"):
        monkeypatch.setattr(file_module, name, 0.01)
    monkeypatch.setattr(cache_module, "_MOST_WAITING", 1)
    monkeypatch.setattr(cache_module, "_LONGEST_WAITING", 3600.0)
    tries: list[str] = []
    with file.opened() as cache, closing(sqlite3.connect(file.path, isolation_level=None)) as other:
        assert cache._connection is not None
        cache._connection.set_trace_callback(tries.append)
        other.execute("BEGIN EXCLUSIVE")
        for number in range(100):
            cache.keep(Answer(f"{URL}{number}", status=200, checked_at=NOW))
        assert sum("BEGIN" in each for each in tries) <= 1
        cache.close()
    assert file.says("another program has locked it; nothing more is kept in this cache")


def test_a_locked_file_is_gone_on_without(file: CacheFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_module, "PATIENT", 0.01)
    assert file.used()
    with closing(sqlite3.connect(file.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with file.opened() as cache:
            assert cache.find(URL + "0", NOW) is None
    assert file.says("another program has locked it; going on without a cache")


def test_the_page_has_the_name_of_the_file_and_its_bound() -> None:
    page = (Path(__file__).parents[3] / "docs" / "external.md").read_text(encoding="utf-8")
    assert MOST_BYTES == 64 * 2**20
    assert "at most 64 MiB" in " ".join(page.split())
    assert f"`{NAME}`" in page


def test_the_file_is_bounded_and_the_oldest_leave(file: CacheFile, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 1024 * 1024
    monkeypatch.setattr(file_module, "MOST_BYTES", most)
    for run in range(4):
        with file.opened() as cache:
            for number in range(300):
                url = f"{URL}{run}-{number}"
                answer = Answer(url, status=200, final=url, checked_at=NOW - 10_000 + 300 * run + number)
                cache.keep(answer, bytes(4000))
        assert file.path.stat().st_size <= most + 4096
    with file.opened() as cache:
        kept = [cache.find(f"{URL}{run}-{number}", NOW) is not None for run in range(4) for number in range(300)]
    first = kept.index(True)
    assert all(kept[first:])
    assert 100 < 1200 - first < 260
