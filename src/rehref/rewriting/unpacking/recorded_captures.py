"""`_captures.jsonl` at the top of an unpacked web archive: which URI each file was saved from, for `rehref serve`.

1. Each line is a JSON object with `uri`, `date` and `status`; of a saved capture also `path` (below the folder) and
   `type` (the media type, with the charset of the file as it was written), and of a page with a `base` element `base`
   (absolute); of a redirect `location` (absolute).
2. Nothing in it is trusted. A line is skipped if it is longer than `_LONGEST` bytes, is not such an object, or has a
   path or media type that rehref would not write, or a URI that browsers reject. At most `_MOST` lines are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from rehref.files.inside_folder import real_path_within
from rehref.files.writing import write_atomically
from rehref.rewriting.unpacking.capture_plan import CAPTURES, Plan, Saved
from rehref.uri.whatwg import parse_or_none

_LONGEST: Final = 1 << 16
_MOST: Final = 1_000_000
_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"  # `rehref.files.file_names`, rule 1
_IS_PATH = re.compile(rf"{_NAME}(?:/{_NAME}){{0,31}}").fullmatch
_IS_TYPE = re.compile(r"[ -~]{0,200}").fullmatch


def write_captures(folder: Path, plan: Plan) -> None:
    """Write the file for a plan whose files are written. Raises `FileError`."""

    def write(file: BinaryIO) -> None:
        for each in plan.entries:
            row = {"uri": each.uri, "date": each.date, "status": each.status, "path": each.path}
            row |= {"type": plan.types.get(each.path), "location": each.location, "base": each.base}
            file.write(json.dumps({name: value for name, value in row.items() if value}).encode("ascii") + b"\n")

    write_atomically(folder / CAPTURES, write, within=folder)


def read_captures(folder: Path) -> Iterator[Saved]:
    """Yield the captures of an unpacked folder, with URIs as browsers write them. Raises `FileError` and `OSError`."""
    with real_path_within(folder, folder / CAPTURES, done="read").open("rb") as file:
        for line in islice(iter(partial(file.readline, _LONGEST), b""), _MOST):
            try:
                row = {"path": "", "type": "", "location": "about:blank", "base": "about:blank", **json.loads(line)}
                uri, location, base = (parse_or_none(row[name]) for name in ("uri", "location", "base"))
                entry = Saved(
                    0, uri or "", str(row["date"]), 0, row["type"], 0, location or "", row["path"], base or ""
                )
                is_sound = _IS_TYPE(entry.media_type) and (entry.path == "" or _IS_PATH(entry.path))
                if uri and location and base and is_sound:
                    yield entry
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                continue
