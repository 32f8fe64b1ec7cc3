"""Which captures of an archive may be pages, by the methods of their requests.

A request and a capture belong together if one names the other in `WARC-Concurrent-To`, or, where neither names a
record, if the capture follows the request of the same target URI, or comes before it with the same date. An index may
know the method, too (`Capture.method`). A capture answers a GET unless one of these says otherwise. HEAD and the like
never give a page; other methods do if no capture of the URI answers a GET.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from rehref.archives.saved_captures import Saved, loose_key
from rehref.containers.parts import Capture, Request
from rehref.rewriting.offline_rule import comparable

GET: Final = "GET"
_NEVER: Final = ("HEAD", "OPTIONS", "CONNECT", "TRACE")  # RFC 9110 §9.3: they give no representation of the resource


class Exchanges:
    """The requests and captures of an archive, added in its order. Of requests by GET nothing is kept."""

    def __init__(self) -> None:
        self._alone: Request | Capture | None = None
        self._known: dict[int, str] = {}
        self._beside: dict[int, str] = {}
        self._requests: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)
        self._naming: dict[int, tuple[str, ...]] = {}

    def add(self, one: Request | Capture) -> None:
        """Add a request or a capture."""
        before, self._alone = self._alone, None if one.concurrent else one
        if isinstance(one, Capture):
            if one.method:
                self._known[one.number] = one.method
            if one.id:
                self._numbers[one.id].append(one.number)
            if one.concurrent:
                self._naming[one.number] = one.concurrent
        elif one.method != GET:
            self._requests[one.id] = one.method
            self._named.update(dict.fromkeys(one.concurrent, one.method))
        if self._alone is None or before is None or before.uri != one.uri:
            return
        if isinstance(before, Request) and isinstance(one, Capture):
            self._beside[one.number], self._alone = before.method, None
        elif isinstance(before, Capture) and isinstance(one, Request) and before.date == one.date:
            self._beside[before.number], self._alone = one.method, None

    def methods(self) -> Mapping[int, str]:
        """Return the methods of captures by their numbers, when all are added; a number is missing for GET."""
        found = self._known | self._beside
        for number, ids in self._naming.items():
            found.update((number, self._requests[id_]) for id_ in ids if id_ in self._requests)
        for id_, method in self._named.items():
            found.update(dict.fromkeys(self._numbers.get(id_, ()), method))
        return {number: method for number, method in found.items() if method != GET}


def pages_among(entries: Iterable[Saved], methods: Mapping[int, str]) -> list[Saved]:
    """Return the captures that may be pages, in the same order. `methods`: see `Exchanges`."""
    found = [entry for entry in entries if methods.get(entry.order) not in _NEVER]
    if not methods:
        return found
    got = {loose_key(comparable(entry.uri)) for entry in found if entry.order not in methods}
    return [entry for entry in found if entry.order not in methods or loose_key(comparable(entry.uri)) not in got]
