"""What earlier runs learnt about URLs (`rehref.web.cache`), with the names in pages, whose bodies are not kept.

1. If fragments are looked for in a page, and it was not read before, it is requested again.
2. An answer that is no longer fresh is revalidated with what the server sent for that (`ETag`, `Last-Modified`); 304
   means that nothing has changed.
3. An entry of the file counts only if it is exactly as written here.
"""

from __future__ import annotations

import json
import time
from typing import Final, NamedTuple

from rehref.checking.external.references import url_asked
from rehref.checking.pages.fragments import Defined, LeadsOn, Scripts
from rehref.web.cache.cache import Cache, Kept
from rehref.web.model import Answer, Question

_NOT_MODIFIED: Final = 304
_LARGEST: Final = 256 * 1024  # bytes of names; a page with more is read again


class Recalled(NamedTuple):
    """An answer, and what fragments may lead to in the page; None: not known."""

    answer: Answer
    defined: Defined | None


class Remembered:
    """What earlier runs learnt about URLs; what this run learns is kept for the next one."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._stale: dict[str, Kept] = {}

    def recall(self, question: Question) -> Recalled | Question:
        """The answer that is known, if it is fresh; else the question to ask (rules 1, 2)."""
        kept = self._cache.find(question.url, time.time())
        if kept is None or (question.needs_body and kept.extra is None):
            return question
        if kept.is_fresh:
            return Recalled(kept.answer, _defined(kept.extra))
        self._stale[question.url] = kept
        return kept.asked_again(question)

    def take(self, answer: Answer, defined: Defined | None, *, has_body: bool) -> Recalled:
        """Keep an answer, and return what it means. `has_body`: whether the body was read, if it is a page."""
        kept = self._stale.pop(answer.url, None)
        if kept is not None and answer.status == _NOT_MODIFIED and answer.failure is None:
            return Recalled(self._cache.renew(kept, answer), _defined(kept.extra))
        self._cache.keep(answer, _written(defined) if has_body else None)
        return Recalled(answer, defined)

    def close(self) -> None:
        """Write what is not written yet."""
        self._cache.close()


def _written(defined: Defined | None) -> bytes | None:
    """What fragments may lead to, in the form in which it is kept; None if it is too large."""
    row = None if defined is None else [sorted(defined.names), defined.scripts, defined.sent_on]
    data = json.dumps(row, separators=(",", ":")).encode("ascii")
    return data if len(data) <= _LARGEST else None


def _defined(data: bytes | None) -> Defined | None:
    """Read what was kept (rule 3)."""
    try:
        row = None if data is None else json.loads(data)
        if row is None:
            return None
        names, (any_, lines, *numbered), sent_on = row  # older rows have two
        if sent_on is not None and sent_on[0] != "" and url_asked(sent_on[0]) != sent_on[0]:
            return None
        on = None if sent_on is None else LeadsOn(sent_on[0], bool(sent_on[1]), bool(sent_on[2]))
        return Defined(frozenset(map(str, names)), Scripts(bool(any_), bool(lines), *map(int, numbered)), on)
    except (ValueError, TypeError, IndexError, OverflowError, RecursionError):
        return None
