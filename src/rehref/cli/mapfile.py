"""`--map FILE`: what becomes of which target.

1. JSON: an object whose names are target URIs and whose values are what is to be written for them.
2. CSV: two columns, target and replacement. The first line is a header if its first cell is no URI. Empty lines do not
   count.
3. It is JSON if it begins with `{`. Either is UTF-8, with or without a byte order mark.
4. A target that ends in `*` is a prefix. Every other one must be a URI, for nothing else is ever looked up.
5. How targets are compared is in `rehref.rewriting.table`.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

from rehref.entities.files import FileError
from rehref.uri.components import split

_SHAPE = 'write a JSON object, {"https://old.example/*": "https://new.example/*"}, or CSV with two columns'


def read_map(path: str) -> dict[str, str]:
    """Read a map: target URI to replacement. Raises `FileError`."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise FileError.of(path, "cannot be read", error) from error
    except UnicodeDecodeError as error:
        raise FileError(path, f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    if text.lstrip()[:1] == "{":
        return _json(path, text)
    return _csv(path, text)


def _json(path: str, text: str) -> dict[str, str]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise FileError(
            path, f"is not JSON: {error.msg}, line {error.lineno}, column {error.colno}", "mend it"
        ) from error
    except RecursionError:
        raise FileError(path, "is no map: it is nested too deeply", _SHAPE) from None
    for target, new in found.items():
        if not isinstance(new, str):
            raise FileError(path, f"the value of {target!r} is no text", _SHAPE)
        if not _is_target(target):
            raise FileError(path, f"{target!r} is no URI", "write target URIs in full, or end them in *")
    return dict(found)


def _csv(path: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    rows = csv.reader(text.splitlines(keepends=True), strict=True)
    first = True
    try:
        for row in rows:
            if not row:
                continue
            if len(row) != 2:
                raise FileError(path, f"line {rows.line_num}: two columns are needed, not {len(row)}", _SHAPE)
            if _is_target(row[0]):
                found[row[0]] = row[1]
            elif not first:
                raise FileError(
                    path, f"line {rows.line_num}: {row[0]!r} is no URI", "write target URIs in full, or end them in *"
                )
            first = False
    except csv.Error as error:
        raise FileError(path, f"is not CSV: line {rows.line_num}: {error}", _SHAPE) from error
    if not found:
        raise FileError(path, "maps nothing", _SHAPE)
    return found


def _is_target(text: str) -> bool:
    return text.endswith("*") or split(text).scheme is not None
