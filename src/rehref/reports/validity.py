"""Whether a reference is valid, for people: what `rehref validate` prints.

1. A line says `valid` or `invalid`, and the reference; below it there is a line for each violation.
2. Characters are counted from 1 in the reference as it was given, even if its password is shown as ***.
"""

from __future__ import annotations

from collections.abc import Sequence

from rehref.reports.style import PLAIN, Style
from rehref.reports.text import shown
from rehref.uri.grammar.rfc3986 import Violation


def render(reference: str, found: Sequence[Violation], style: Style = PLAIN) -> str:
    """The lines about a reference."""
    verdict = style.alarm("invalid") if found else style.good("valid") + "  "
    lines = [f"{verdict}  {shown(reference)}", *map(_line, found)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _line(violation: Violation) -> str:
    where = f"character {violation.position + 1:,}, {violation.component}"
    return f"         {where}: {shown(violation.message)} (rule {violation.rule})"
