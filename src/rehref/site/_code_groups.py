"""Groups of codes: a name for several codes of problems and findings.

1. The table, the name and the severity of a code decide its groups; no group lists codes one by one.
2. `default` is what is reported if nothing is selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from rehref.site.codes import CODES, COMPARED, LINT, PROBLEMS, WEB, Code, Severity


class Group(NamedTuple):
    """Several codes under one name. `broad`: they are not about one subject."""

    name: str
    summary: str
    codes: tuple[str, ...]
    broad: bool = False


def _group(name: str, summary: str, rows: Iterable[Code], *, broad: bool = False) -> Group:
    return Group(name, summary, tuple(row.name for row in rows), broad)


COMPARE: Final = "compare"
"""The group of what `rehref compare` finds, and no check."""


def _default() -> Iterator[Code]:
    return (row for row in CODES.values() if not row.on_request and row not in COMPARED)


def _of_severity(severity: Severity) -> Iterator[Code]:
    return (row for row in _default() if row.severity == severity)


GROUPS: Final[Mapping[str, Group]] = MappingProxyType(
    {
        group.name: group
        for group in (
            _group(
                "default",
                "what is reported if nothing is selected",
                _default(),
                broad=True,
            ),
            _group("all", "all codes", CODES.values(), broad=True),
            _group("errors", "the codes of `default` with severity `error`", _of_severity("error"), broad=True),
            _group("warnings", "the codes of `default` with severity `warning`", _of_severity("warning"), broad=True),
            _group("notes", "the codes of `default` with severity `info`", _of_severity("info"), broad=True),
            _group("problems", "what is unusual about a link or a base", PROBLEMS),
            _group("base", "about `base` elements", (row for row in PROBLEMS if row.name.startswith("base-"))),
            _group("lint", "what is not wrong, but worth a look", LINT),
            _group("web", "what servers answer to requests (`--external`)", WEB),
            _group(COMPARE, "what `rehref compare` finds", COMPARED),
        )
    }
)
"""Every group, by its name."""


def members(name: str) -> tuple[str, ...]:
    """The codes that `name`, of a code or of a group, stands for. Raises `KeyError` for other names."""
    return (name,) if name in CODES else GROUPS[name].codes
