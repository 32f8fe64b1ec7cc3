"""JSON objects, for programs: one array of them, or one a line.

1. The array, too, has one object on each line. Without objects it is an empty array.
2. Objects are written as they come: there may be millions. If their source raises an exception, the array is ended
   first, so that what was written is JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rehref.reports.text import json_text

TEXT: Final = "text"
"""The name, in commands that print objects, of the format for people, which is not made here."""
ARRAY: Final = "json"
LINES: Final = "jsonl"
FORMATS: Final = (TEXT, ARRAY, LINES)
"""The formats of a command that prints objects; the first is the default."""

_encode = json.JSONEncoder(ensure_ascii=False).encode


def written(objects: Iterable[Mapping[str, Any]], format: str) -> Iterator[str]:
    """The text in pieces, as `ARRAY` or in `LINES`."""
    is_array = format == ARRAY
    before = "[\n" if is_array else ""
    problem: Exception | None = None
    try:
        for each in objects:
            text = json_text(_encode(each))
            yield f"{before}{text}" if is_array else f"{text}\n"
            before = ",\n"
    except Exception as error:
        problem = error
    if is_array:
        yield "[\n]\n" if before == "[\n" else "\n]\n"
    if problem is not None:
        raise problem
