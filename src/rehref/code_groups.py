"""Groups of codes: a name for several codes of problems and findings.

1. A row of the tables of codes is in the groups that its table, its name and its severity say; nobody lists it here.
2. `default` is what is reported if nothing is selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from rehref.codes import CODES, LINT, PROBLEMS, WEB, Code, Severity


class Group(NamedTuple):
    """Several codes that go by one name. `broad`: they are not about one subject."""

    name: str
    summary: str
    codes: tuple[str, ...]
    broad: bool = False


def _group(name: str, summary: str, rows: Iterable[Code], *, broad: bool = False) -> Group:
    return Group(name, summary, tuple(row.name for row in rows), broad)


def _of_severity(severity: Severity) -> Iterator[Code]:
    return (row for row in CODES.values() if row.severity == severity and not row.on_request)


GROUPS: Final[Mapping[str, Group]] = MappingProxyType(
    {
        group.name: group
        for group in (
            _group(
                "default",
                "what is reported if nothing is selected",
                (row for row in CODES.values() if not row.on_request),
                broad=True,
            ),
            _group("all", "every code there is", CODES.values(), broad=True),
            _group("errors", "those of `default` with the severity `error`", _of_severity("error"), broad=True),
            _group("warnings", "those of `default` with the severity `warning`", _of_severity("warning"), broad=True),
            _group("notes", "those of `default` with the severity `info`", _of_severity("info"), broad=True),
            _group("problems", "what is odd about a link, or about a base", PROBLEMS),
            _group("base", "about `base` elements", (row for row in PROBLEMS if row.name.startswith("base-"))),
            _group("lint", "what is not wrong, but worth a look", LINT),
            _group("web", "what servers answer, if they are asked (`--external`)", WEB),
        )
    }
)
"""Every group, by its name."""


def members(name: str) -> tuple[str, ...]:
    """The codes that a name stands for, which is one itself or that of a group. Raises `KeyError`."""
    return (name,) if name in CODES else GROUPS[name].codes
