"""The methods of requests that indexes say, for archives without request records.

pywb and its relatives write `__wb_method=post` into the key of a line of CDXJ or CDX; others have the members `method`
or `http.method` in its object, as have lines of the lists of pages in a WACZ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

_IN_KEY = re.compile(rb"[?&]__wb_method=([a-z]{1,32})(?=[&\s])", re.IGNORECASE).search
_MEMBERS: Final = ("method", "http.method")
_MOST: Final = 1_000_000


class IndexedMethod(NamedTuple):
    """A line with a method: the name and the offset of the record, "" and -1 if it says neither; URI and date."""

    filename: str
    offset: int
    uri: str
    date: str
    method: str


def methods_in(lines: Iterable[bytes]) -> Iterator[IndexedMethod]:
    """Yield the methods other than GET that lines of CDXJ, or of a list of pages, say. Raises nothing."""
    for _, line in zip(range(_MOST), lines, strict=False):
        key, mark, rest = line.partition(b"{")
        if not mark or (b"__wb_method" not in key and b"method" not in rest):
            continue
        try:
            row = json.loads(mark + rest)
            in_key = _IN_KEY(key)
            method = in_key[1].decode("ascii") if in_key else _member(row)
            if method.upper() != "GET" and method.isascii() and 0 < len(method) <= 32:
                offset = int(str(row.get("offset", -1))[:18])
                name = str(row.get("filename", "")).rpartition("/")[2]
                yield IndexedMethod(name, offset, str(row.get("url", "")), str(row.get("ts", "")), method.upper())
        except (ValueError, AttributeError, RecursionError):
            continue


def _member(row: Any) -> str:
    found = next((row[name] for name in _MEMBERS if name in row), "")
    return found if isinstance(found, str) else ""
