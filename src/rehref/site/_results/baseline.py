"""A baseline: known findings, so that only new ones count.

1. A finding is identified by its document, its reference as written, and its code; not by its line, which changes move.
2. A baseline has the number of each finding. If there are more, the last ones in the document are new.
3. The file is JSON, one finding a line, sorted, in ASCII, so that version control can store and compare it.
   `{"format": "rehref-baseline", "version": 1, "problems": [{"document", "reference", "code", "count"}]}`
4. A file that is not a baseline, or of another version, is a `FileError`. Unknown keys are skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file, whole_number
from rehref.files.writing import write_atomically
from rehref.site.findings import Finding

FORMAT: Final = "rehref-baseline"
VERSION: Final = 1
_REMEDY = "write it again with --write-baseline"

_Found = TypeVar("_Found")
_Known = TypeVar("_Known", bound=Hashable)


class KnownProblem(NamedTuple):
    """What identifies a problem (rule 1)."""

    document: str
    reference: str
    code: str


def baseline_of(findings: Iterable[Finding]) -> Counter[KnownProblem]:
    """How often each problem occurs."""
    return Counter(map(_key, findings))


def new_ones(findings: Iterable[Finding], baseline: Counter[KnownProblem]) -> Iterator[Finding]:
    """The new findings (rule 2), in the order of their places."""
    return beyond(findings, baseline, _key)


def beyond(found: Iterable[_Found], known: Mapping[_Known, int], key: Callable[[_Found], _Known]) -> Iterator[_Found]:
    """What is found, in order, but not what is known, as often as that is."""
    left = Counter(known)
    for each in found:
        left[key(each)] -= 1
        if left[key(each)] < 0:
            yield each


def write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    """Write a file with the present problems. Raises `FileError`."""
    write_atomically(path, dump(baseline_of(findings)))


def read_baseline(path: Path) -> Counter[KnownProblem]:
    """Read a baseline. Raises `FileError`."""
    return read_known(read_file(path), str(path))


def dump(baseline: Counter[KnownProblem]) -> bytes:
    """A baseline as the content of a file (rule 3)."""
    problems = [json.dumps({**key._asdict(), "count": count}) for key, count in sorted(baseline.items()) if count > 0]
    lines = ",\n".join(problems)
    head = f'{{"format": "{FORMAT}", "version": {VERSION}, "problems": ['
    return f"{head}\n{lines}\n]}}\n".encode("ascii")


def read_known(data: bytes, name: str) -> Counter[KnownProblem]:
    """A baseline from the content of a file, which is called `name`. Raises `FileError` (rule 4)."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FileError(name, "is not a baseline: it is not JSON", _REMEDY) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileError(name, "is not a baseline", _REMEDY)
    if content.get("version") != VERSION:
        raise FileError(name, f"is a baseline of another version, not {VERSION}", _REMEDY)
    problems = content.get("problems")
    baseline: Counter[KnownProblem] = Counter()
    for number, problem in enumerate(problems if isinstance(problems, list) else [None], 1):
        known = _known(problem)
        if known is None:
            raise FileError(name, f"is not a baseline: its problem {number} has no document, reference, code and count")
        baseline[known[0]] += known[1]
    return baseline


def _key(finding: Finding) -> KnownProblem:
    return KnownProblem(finding.document, finding.reference, finding.code)


def _known(problem: object) -> tuple[KnownProblem, int] | None:
    """A problem of a baseline, and how often it occurs; None if it is not a valid one."""
    if not isinstance(problem, dict):
        return None
    texts = [text for name in KnownProblem._fields if isinstance(text := problem.get(name), str)]
    if len(texts) < len(KnownProblem._fields):
        return None
    try:
        return KnownProblem._make(texts), whole_number(problem.get("count"))
    except ValueError:
        return None
