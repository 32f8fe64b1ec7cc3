"""The page of codes: each row of `rehref.site.codes`, and the groups that options take.

A code has an anchor: `reference/codes.html#missing-file`. A code in two tables has its anchor in the first.
"""

from __future__ import annotations

from collections.abc import Iterable

from docs_pages.markdown import code, plain, table
from rehref.site.codes import COMPARED, DIAGNOSTICS, FINDINGS, GROUPS, LINT, PROBLEMS, WEB, Code

_TOP = """# Codes

A code is the fixed name of something that rehref reports. Programs read it; people read the message beside it.
`rehref explain CODE` prints what this page says about it. A code marked “on request” is reported only if an option asks
for it.

"""
_TABLES = (
    (
        "Problems",
        "Problems of a reference or a base. They are in `Link.problems`, and `rehref check` reports them too. "
        "[Each has a section with an example](../problems.md).",
        PROBLEMS,
    ),
    ("Findings", "Mistakes that `rehref check` finds in the files of a site.", FINDINGS),
    ("Worth a look", "Reported if you select them: `rehref check --select lint`.", LINT),
    ("From servers", "Reported with `rehref check --external`, which asks the servers of other sites.", WEB),
    ("Of changes", "Reported by `rehref compare`: what a change of a site loses.", COMPARED),
    ("Diagnostics", "Parts of a container (an archive, a mail, a book) that cannot be read.", DIAGNOSTICS),
)


def _name(row: Code, seen: set[str], *, in_problems: bool) -> str:
    called = f"[{code(row.name)}](../problems.md#{row.name})" if in_problems else code(row.name)
    if row.name in seen:
        return called
    seen.add(row.name)
    return f'<span id="{row.name}"></span>{called}'


def _rows(rows: Iterable[Code], seen: set[str], *, in_problems: bool) -> Iterable[tuple[str, ...]]:
    for row in rows:
        severity = f"{row.severity}, on request" if row.on_request else row.severity
        yield _name(row, seen, in_problems=in_problems), severity, plain(row.sentence), plain(row.help)


def page() -> str:
    """The page, as Markdown."""
    seen: set[str] = set()
    parts = [_TOP]
    for heading, about, rows in _TABLES:
        cells = _rows(rows, seen, in_problems=rows is PROBLEMS)
        parts += [f"## {heading}\n\n{about}\n\n", table(("code", "severity", "what it means", "what to do"), cells)]
    groups = ((code(group.name), plain(group.summary)) for group in GROUPS.values())
    parts.append("## Groups\n\n`--select`, `--ignore`, `--error` and `--warn` take the name of a group as well.\n\n")
    return "".join([*parts, table(("group", "its codes"), groups)])
