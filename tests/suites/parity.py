"""Whether the cores agree: the same links, in the same order, from each of them.

- Every fixture is read by every core, with the URL it is meant to have. Of a link everything is compared but where it
  stands, which a tree does not know: element, attribute, reference, target, kind, base, whether it is in the same
  document, and the codes of its problems.
- So is every document of html5lib's tree construction. These have few references, so they are also read with one
  put in every start tag: `style=url(1)`, and so on.
- Where a core differs from `source`, how it does is told by `Difference`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import TypeAlias

import rehref
from suites import TESTS
from suites.html5lib import numbered, tree_files

LIST = TESTS / "documents" / "core_differences.txt"
FIXTURES = TESTS.parent / "fixtures"
CORES = ("lxml", "html5lib")
"""The cores that are compared with `source`."""

Row: TypeAlias = tuple[object, ...]
Rows: TypeAlias = list[Row]


class Difference(Enum):
    """How the links of a core differ from those of `source`."""

    MOVED = "moved"
    """The same links in another order."""
    COPIED = "copied"
    """The same links, some of them more than once."""
    OTHER = "other"
    """Other links."""


def fixtures() -> Iterator[tuple[str, list[Rows]]]:
    """For each fixture its links: those of `source`, and those of each of `CORES`."""
    for path in sorted(FIXTURES.rglob("*.html")):
        name = path.relative_to(FIXTURES).as_posix()
        data, url = path.read_bytes(), f"https://www.example.org/fixtures/{name}"
        yield f"fixtures/{name}", [_links(data, url, core) for core in ("source", *CORES)]


def documents(suites: Path) -> Iterator[tuple[str, list[Rows]]]:
    """The same for each document of tree construction."""
    url = "http://h/d/document.html"
    for cases in tree_files(suites):
        for case in cases:
            marked = numbered(case.document, "style=url({})")
            yield (
                case.name,
                [_links(case.document, url, core) + _links(marked, url, core) for core in ("source", *CORES)],
            )


def differences(read: Iterable[tuple[str, list[Rows]]]) -> Mapping[str, Difference]:
    """The cases in which a core differs from `source`, each behind the core's name and a tab."""
    found = {}
    for name, (source, *others) in read:
        for core, rows in zip(CORES, others, strict=True):
            if rows != source:
                found[f"{core}\t{name}"] = _compare(source, rows)
    return found


def _links(data: bytes | str, url: str, core: str) -> Rows:
    return [
        (
            *(link.element, link.attribute, link.reference, link.target, link.kind),
            *(link.base.uri, link.same_document, *(problem.code for problem in link.problems)),
        )
        for link in rehref.links(data, url=url, parser=core)
    ]


def _compare(source: Rows, other: Rows) -> Difference:
    expected, found = Counter(source), Counter(other)
    if found == expected:
        return Difference.MOVED
    return Difference.COPIED if found >= expected and found.keys() == expected.keys() else Difference.OTHER
