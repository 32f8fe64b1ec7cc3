"""The file of a baseline: JSON, one finding a line, sorted, in ASCII, so that version control can store and compare it.

`{"format": "rehref-baseline", "version": 1, "problems": [{"document", "reference", "code", "count"}]}`. Unknown keys
are skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from rehref.files.file_errors import FileError
from rehref.files.reading_files import whole_number

_FORMAT: Final = "rehref-baseline"
_VERSION: Final = 1
_WRITE_AGAIN: Final = "write it again with --write-baseline"


class KnownProblem(NamedTuple):
    """What identifies a finding of a baseline; its line does not, since changes move it."""

    document: str
    reference: str
    code: str


def read_known(data: bytes, name: str) -> Counter[KnownProblem]:
    """Return the findings in a file called `name`, and how often each occurs. Raises `FileError`."""
    import json  # most checks have no baseline

    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FileError(name, "is not a baseline: it is not JSON", _WRITE_AGAIN) from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise FileError(name, "is not a baseline", _WRITE_AGAIN)
    if content.get("version") != _VERSION:
        raise FileError(name, f"is a baseline of another version, not {_VERSION}", _WRITE_AGAIN)
    problems, known = content.get("problems"), Counter[KnownProblem]()
    for number, problem in enumerate(problems if isinstance(problems, list) else [None], 1):
        listed = _listed(problem)
        if listed is None:
            what = f"is not a baseline: its problem {number} has no document, reference, code and count"
            raise FileError(name, what)
        known[listed[0]] += listed[1]
    return known


def _listed(problem: object) -> tuple[KnownProblem, int] | None:
    """Return a problem of a baseline, and how often it occurs; None if it is not a valid one."""
    if not isinstance(problem, dict):
        return None
    texts = [text for name in KnownProblem._fields if isinstance(text := problem.get(name), str)]
    if len(texts) < len(KnownProblem._fields):
        return None
    try:
        return KnownProblem._make(texts), whole_number(problem.get("count"))
    except ValueError:
        return None


def written_known(known: Mapping[KnownProblem, int]) -> bytes:
    """Return the content of a file."""
    import json

    rows = [json.dumps({**key._asdict(), "count": count}) for key, count in sorted(known.items()) if count > 0]
    head = f'{{"format": "{_FORMAT}", "version": {_VERSION}, "problems": ['
    return "{}\n{}\n]}}\n".format(head, ",\n".join(rows)).encode("ascii")
