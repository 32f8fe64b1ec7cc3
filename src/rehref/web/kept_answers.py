"""Find answers of earlier runs, and keep those of this run.

An answer counts only for runs that ask in the same way (`cached_rows.asked_as`): a page that needs a password does not
exist for others. If anything is wrong with the file, the run goes on: one line reports it (`say`), and nothing is found
or kept any more. A damaged file is replaced by a new one.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Self

from rehref.files.file_errors import FileError
from rehref.web._cache import file
from rehref.web._cache.cached_rows import KEPT_FIELDS, CachedUrl, answer_of, asked_as, row_of
from rehref.web.answers import Answer, Question
from rehref.web.asking_options import WebOptions
from rehref.web.cache_ages import Ages

_MOST_WAITING = 200
_MOST_BYTES_WAITING = 1024 * 1024
_LONGEST_WAITING = 2.0
"""How many rows wait, of how many bytes, and for how many seconds, before they are written."""
_ATTEMPTS = 4
"""How often a file is opened again if it is damaged, or if another run replaces it at the same time."""
_MOST_BYTES_LOCKED = 32 * _MOST_BYTES_WAITING
"""How many bytes wait at most for another run that writes, before no more answers are kept."""
_FIND = "SELECT url, checked_at, said, extra FROM answers WHERE url = ? AND asked_as = ?"
_KEEP = "INSERT OR REPLACE INTO answers (url, asked_as, checked_at, said, extra) VALUES (?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer of an earlier run.

    `answer`: without its body, `from_cache`. `extra`: what was kept with it. `is_fresh`: whether it still counts, so
    that the server need not be asked.
    """

    answer: Answer
    extra: bytes | None
    is_fresh: bool

    @property
    def etag(self) -> str | None:
        """To ask with whether anything has changed."""
        return self._validator("etag")

    @property
    def last_modified(self) -> str | None:
        """To ask with whether anything has changed."""
        return self._validator("last-modified")

    def _validator(self, name: str) -> str | None:
        # an ETag belongs to the last URL, but the first is asked
        is_plain = self.answer.status == 200 and not self.answer.hops
        return self.answer.headers.get(name) if is_plain else None

    def asked_again(self, question: Question) -> Question:
        """Return the question whether anything has changed since; or the question itself, if that cannot be asked."""
        return replace(question, etag=self.etag, last_modified=self.last_modified)


class Cache:
    """What is known about URLs from earlier runs. Used by one thread at a time; `close` writes what is left."""

    def __init__(self, ages: Ages, options: WebOptions, say: Callable[[str], None]) -> None:
        self._ages, self._options, self._say = ages, options, say
        self._path = Path()
        self._connection: sqlite3.Connection | None = None
        self._number = 0
        self._asked_as = b""
        self._is_written = True
        self._is_closing = False
        self._is_locked = False  # when it was last written to
        self._waiting: dict[str, CachedUrl] = {}
        self._bytes_waiting = 0
        self._written = time.monotonic()

    @classmethod
    def open(cls, path: Path, ages: Ages, options: WebOptions, say: Callable[[str], None]) -> Self:
        """Open the cache in a file, which is created if it does not exist. Raises nothing.

        `say`: called with one line for people for each error.
        """
        cache = cls(ages, options, say)
        cache._path = path
        cache._open(path)
        return cache

    @staticmethod
    def usual_place() -> Path | None:
        """The file where it is by default; None if the user has no folder for that."""
        return file.default_place()

    @classmethod
    def none(cls) -> Self:
        """Return a cache that has nothing and keeps nothing."""
        return cls(Ages(), WebOptions(), lambda _: None)

    def find(self, url: str, now: float) -> Kept | None:
        """Return the kept answer for a URL, fresh or not; None if there is none. `now`: seconds since 1970."""
        row = self._waiting.get(url)
        if row is None and self._connection is not None:
            try:
                found = self._connection.execute(_FIND, (url, self._asked_as)).fetchone()
            except UnicodeEncodeError:  # half a character: never in a URL that was kept
                return None
            except file.DATABASE_ERRORS as error:
                if not file.is_locked(error):
                    self._fail(error)
                return None
            row = None if found is None else CachedUrl(*found)
        answer = None if row is None else answer_of(row)
        if row is None or answer is None or len(answer.hops) > self._options.max_redirects:
            return None
        return Kept(answer, row.extra, is_fresh=0 <= now - answer.checked_at < self._ages.of(answer))

    def keep(self, answer: Answer, extra: bytes | None = None) -> None:
        """Keep an answer, with the caller's `extra`, if it is useful in another run."""
        if self._connection is None or not self._is_written:
            return
        kept = Kept(answer, extra, is_fresh=False)
        can_be_asked = kept.etag is not None or kept.last_modified is not None
        row = row_of(answer, extra) if can_be_asked or self._ages.of(answer) > 0 else None
        if row is None:
            return
        self._waiting[answer.url] = row
        self._bytes_waiting += row.size
        has_waited = time.monotonic() - self._written >= _LONGEST_WAITING
        are_many = len(self._waiting) >= _MOST_WAITING or self._bytes_waiting >= _MOST_BYTES_WAITING
        if has_waited or (are_many and not self._is_locked):
            self._write()

    def renew(self, kept: Kept, answer: Answer) -> Answer:
        """Return what a server means by 304: its earlier answer, which counts from now on (RFC 9111 §4.3.4).

        `answer`: the answer to a question with the validators of `kept`.
        """
        newer = {name: text for name, text in answer.headers.items() if name in KEPT_FIELDS - {"content-length"}}
        meant = replace(
            kept.answer,
            headers=MappingProxyType({**kept.answer.headers, **newer}),
            attempts=answer.attempts,
            checked_at=answer.checked_at,
            from_cache=False,
        )
        self.keep(meant, kept.extra)
        return meant

    def close(self) -> None:
        """Write waiting rows, and close the file. Raises nothing."""
        self._is_closing = True
        for _ in range(2):  # a damaged file may have been replaced
            if self._connection is not None:
                self._write()
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, path: Path, wrong: str = "", attempts: int = _ATTEMPTS) -> None:
        """Open the file, for the first time or again. `wrong`: why the one that there is must be replaced."""
        if os.name == "nt" or not wrong:  # Windows does not remove open files
            self._close()
        try:
            if wrong:
                file.remove(path, self._number)  # still open, so that no new file can have its number
        except FileError as error:
            self._end(f"{error}; going on without a cache")
        else:
            self._close()
            self._connect(path, wrong, attempts)

    def _connect(self, path: Path, wrong: str, attempts: int) -> None:
        """Open the present file, and try again if another run replaces it at the same time."""
        try:
            self._number = file.number(path)
            self._connection = file.connected(path)
            self._number = file.number(path)
            self._asked_as = asked_as(self._options, file.salt_of(self._connection))
        except (FileError, file.ReplaceableError, *file.DATABASE_ERRORS) as error:
            is_wrong = isinstance(error, file.ReplaceableError) or file.is_damage(error)
            if attempts and is_wrong:
                why = str(error) if isinstance(error, file.ReplaceableError) else file.DAMAGED
                self._open(path, why, attempts - 1)
            elif attempts and file.may_be_replaced(error):
                self._close()
                self._connect(path, wrong, attempts - 1)
            else:
                reason = str(error) if isinstance(error, FileError) else f"{path}: {file.cause_of(error)}"
                self._end(f"{reason}; going on without a cache")
        else:
            if wrong:
                self._say(f"{path}: {wrong}; a new cache is begun")

    def _write(self) -> None:
        """Write waiting rows, and remove the oldest.

        Transactions are short, so that a run never waits long for another. A run that is killed loses the last rows
        (`_MOST_WAITING`, `_LONGEST_WAITING`), as if they had never come.
        """
        self._written = time.monotonic()
        if file.number(self._path) != self._number:  # another run has replaced it
            self._open(self._path)
        if self._connection is None or not self._waiting or not self._is_written:
            return
        rows = [(row.url, self._asked_as, *row[1:]) for row in self._waiting.values()]
        try:
            if self._is_closing:
                file.wait_for_others(self._connection, file.PATIENT)
            with file.transaction(self._connection):
                self._connection.executemany(_KEEP, rows)
            self._waiting.clear()
            self._bytes_waiting = 0
            self._is_locked = False
            file.drop_old(self._connection, time.time())
        except file.DATABASE_ERRORS as error:
            self._is_locked = file.is_locked(error)
            if file.number(self._path) != self._number and not file.is_damage(error):  # replaced just now: rows wait
                self._open(self._path)
            elif not self._is_locked or self._is_closing or self._bytes_waiting >= _MOST_BYTES_LOCKED:
                self._fail(error, writing=True)

    def _fail(self, error: Exception, *, writing: bool = False) -> None:
        """Go on without what does not work; a file that can be read, but not written, is read."""
        if file.is_damage(error):
            self._open(self._path, file.DAMAGED)
        elif writing:
            self._is_written = False
            self._say(f"{self._path}: {file.cause_of(error)}; nothing more is kept in this cache")
        else:
            self._end(f"{self._path}: {file.cause_of(error)}; going on without this cache")

    def _end(self, line: str) -> None:
        """Say why nothing is found or kept from now on."""
        self._close()
        self._waiting.clear()
        self._say(line)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
