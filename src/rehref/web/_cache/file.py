"""The file of the cache: where it is, what may be opened, and when it is replaced.

Anybody may have written it, and any byte may be wrong: only a regular file is opened, not through a symbolic link, and
the schema is compared exactly, so that a foreign file cannot make SQLite do anything. There is no protection against a
user who can write to the folder at the same time.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from rehref.exceptions import RehrefError
from rehref.files.file_errors import FileError
from rehref.web.cache_ages import DAY, LONGEST

APPLICATION = 0x72656872
"""SQLite's `application_id` of rehref's files ("rehr")."""
VERSION = 1
"""The version of the schema: SQLite's `user_version`."""
PATIENT = 5.0
"""Seconds that one run waits for another that writes, when it begins and when it ends."""
PATIENT_MEANWHILE = 0.5
"""The same while servers are asked: all current requests wait for it."""
LARGEST_VALUE = 4 * 1024 * 1024
"""The most bytes of a value that is read."""
MOST_BYTES = 64 * 1024 * 1024
_ENOUGH = 0.8
"""The part of `MOST_BYTES` that is kept when the file has become larger."""
NAME = "web.sqlite"
_SCHEMA = (
    "CREATE TABLE answers (url TEXT NOT NULL, asked_as BLOB NOT NULL, checked_at REAL NOT NULL, said TEXT NOT NULL, "
    "extra BLOB, PRIMARY KEY (url, asked_as))",
    "CREATE INDEX answers_by_time ON answers (checked_at)",
    "CREATE TABLE about (salt BLOB NOT NULL)",
)
_MAGIC = b"SQLite format 3\0"
_APPLICATION_AT = slice(68, 72)
DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError)  # the latter for text that is not UTF-8 in an error of SQLite
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_MOVED = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
_WHAT = {
    sqlite3.SQLITE_FULL: "there is no room on the disk",
    sqlite3.SQLITE_READONLY: "it may not be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened, or its folder not be written to",
    sqlite3.SQLITE_PERM: "it may not be opened",
    sqlite3.SQLITE_BUSY: "another program has locked it",
    sqlite3.SQLITE_IOERR: "reading or writing the disk fails",
}
DAMAGED, OLD = "is damaged", "is of an older version of rehref"


class ReplaceableError(RehrefError):
    """A file that must be replaced; the text says why: `DAMAGED` or `OLD`."""


def default_place() -> Path | None:
    """The default place of the cache; None if the user has no such folder.

    It is `web.sqlite` below `$XDG_CACHE_HOME`, else `~/.cache`, `~/Library/Caches` (macOS) or `%LOCALAPPDATA%`
    (Windows), in a folder that is created for the user alone.
    """
    try:
        given = os.environ.get("XDG_CACHE_HOME", "")
        if Path(given).is_absolute():  # the specification of that variable says that others do not count
            return Path(given, "rehref", NAME)
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA", "")
            return Path(local, "rehref", NAME) if Path(local).is_absolute() else None
        home = Path.home()
    except RuntimeError:
        return None
    if not home.is_absolute():
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "rehref" / NAME


def connected(path: Path) -> sqlite3.Connection:
    """Open the file, or create it. Raises `FileError`, `ReplaceableError`, `DATABASE_ERRORS`."""
    try:
        _prepare(path)
        uri = path.absolute().as_uri() + "?mode=rw"
    except OSError as error:
        raise FileError.of(str(path), "cannot be opened", error) from error
    # one thread after the other uses it
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENT, isolation_level=None, check_same_thread=False)
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")  # and so it is not valid
    try:
        _set_up(connection, path)
        wait_for_others(connection, PATIENT_MEANWHILE)
    except BaseException as error:
        connection.close()
        if is_damage(error):
            raise _not_read(path) from error
        raise
    return connection


def wait_for_others(connection: sqlite3.Connection, seconds: float) -> None:
    """Set how long a connection waits for another run that writes. Raises `DATABASE_ERRORS`."""
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def remove(path: Path, opened: int) -> None:
    """Remove a file that was opened, unless another run has put a new one there.

    Raises `FileError`. `opened`: its `number`.
    """
    try:
        if number(path) == opened:
            path.unlink()  # its journal stays: SQLite removes what is beside an empty file, with locks
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileError.of(str(path), "cannot be replaced", error) from error


def number(path: Path) -> int:
    """Return a number that distinguishes a file from one that replaces it; 0 if there is no file."""
    try:
        return path.lstat().st_ino
    except OSError:
        return 0


def is_locked(error: Exception) -> bool:
    """Return whether an error says that another run writes."""
    return _code(error) == sqlite3.SQLITE_BUSY


def is_damage(error: BaseException) -> bool:
    """Return whether an error says that the file is damaged."""
    return isinstance(error, UnicodeDecodeError) or _code(error) in _DAMAGED


def may_be_replaced(error: Exception) -> bool:
    """Return whether an error can occur because another run replaces the file at the same time."""
    return isinstance(error.__cause__, FileNotFoundError) or _code(error) in _MOVED


def cause_of(error: Exception) -> str:
    """Return what an error says, for people."""
    return _WHAT.get(_code(error), str(error))


def _code(error: BaseException) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # the basic code, without its extension


def _prepare(path: Path) -> None:
    """Ensure that there is a regular file, for the user alone. Raises `FileError`, `OSError`.

    A new file has the mode 0600 before anything is written; one that others may read gets it. So does its journal.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, flags, 0o600))
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise FileError(str(path), "is a symbolic link, which is not followed")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(str(path), "is not an ordinary file")
    if status.st_size and not _head(path).startswith(_MAGIC):  # SQLite would take a very short file for a new one
        raise _not_read(path)
    if os.name == "posix" and status.st_mode & 0o077 and status.st_uid == os.geteuid():
        path.chmod(0o600)


def _set_up(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables of a new file, or check that they are rehref's."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {pragma}")
    if _is_new(connection):
        _make(connection)
    version = _pragma(connection, "user_version")
    if _pragma(connection, "application_id") != APPLICATION:
        raise FileError(str(path), "is a database, but not a cache of rehref, so it is left as it is")
    if version > VERSION:
        raise FileError(str(path), "is of a newer version of rehref, so it is left as it is")
    if version < VERSION:
        raise ReplaceableError(OLD)
    if _schema(connection) != list(_SCHEMA):
        raise ReplaceableError(DAMAGED)


def salt_of(connection: sqlite3.Connection) -> bytes:
    """Return the salt of a file, which was created with it. Raises `ReplaceableError`, `DATABASE_ERRORS`."""
    found = connection.execute("SELECT salt FROM about").fetchone()
    if found is None or not isinstance(found[0], bytes):
        raise ReplaceableError(DAMAGED)
    return found[0]


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction. Raises `DATABASE_ERRORS`."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(*DATABASE_ERRORS):
            connection.execute("ROLLBACK")
        raise


def drop_old(connection: sqlite3.Connection, now: float) -> None:
    """Remove the oldest rows: those beyond `MOST_BYTES`, and older than `ages.LONGEST`. Raises `DATABASE_ERRORS`."""
    connection.execute("DELETE FROM answers WHERE checked_at < ? OR checked_at > ?", (now - LONGEST, now + DAY))
    size = _size(connection)
    if size <= MOST_BYTES:
        return
    with transaction(connection):
        rows = int(connection.execute("SELECT count(*) FROM answers").fetchone()[0])
        least = int(rows * (1 - _ENOUGH * MOST_BYTES / size)) + 1
        connection.execute(
            "DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers ORDER BY checked_at LIMIT ?)", (least,)
        )
    connection.executescript("PRAGMA incremental_vacuum")  # `execute` would make one step only, for one page


def _size(connection: sqlite3.Connection) -> int:
    pages = _pragma(connection, "page_count") - _pragma(connection, "freelist_count")
    return pages * _pragma(connection, "page_size")


def _make(connection: sqlite3.Connection) -> None:
    """Create the tables, all or none, unless another run has created them meanwhile."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # so that deleting rows makes the file smaller
    with transaction(connection):
        if _is_new(connection):
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("INSERT INTO about VALUES (?)", (os.urandom(16),))
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _is_new(connection: sqlite3.Connection) -> bool:
    return not _schema(connection) and not _pragma(connection, "application_id")


def _schema(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid LIMIT 100")
    return [str(sql) for (sql,) in rows]


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _not_read(path: Path) -> Exception:
    """The error for a file that SQLite cannot read, by its place and its first bytes.

    A damaged file, or one of an older schema, is replaced. One of a newer rehref is left as it is, and so is a file
    that is not a cache, so that a typing error in `--cache` does no harm. In the default place every file is a cache of
    rehref.
    """
    head = _head(path)
    names_us = head.startswith(_MAGIC) and head[_APPLICATION_AT] == APPLICATION.to_bytes(4, "big")
    if names_us or path == default_place():
        return ReplaceableError(DAMAGED)
    return FileError(str(path), "is not a cache of rehref, so it is left as it is")


def _head(path: Path) -> bytes:
    with suppress(OSError), path.open("rb") as file:
        return file.read(_APPLICATION_AT.stop)
    return b""
