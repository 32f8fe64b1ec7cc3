"""The templates of a page whose content is not part of it: those that do not become shadow roots.

HTML Standard, "the template element"; "A start tag whose tag name is template".
"""

from __future__ import annotations

from rehref.markup._source.construction.construct import steps
from rehref.markup._source.construction.stack import Ended, Started
from rehref.text.source_text import SourceText


def inert_stretches(units: SourceText) -> list[tuple[int, int]]:
    """Return where the outermost of these begin and end, in order."""
    found: list[tuple[int, int]] = []
    begin, depth = 0, 0
    for step in steps(units):
        for event in step.events:
            if not event.element.is_html("template") or event.element.is_shadow_root:
                continue
            if isinstance(event, Started):
                begin = begin if depth else step.start
                depth += 1
            elif isinstance(event, Ended):
                depth -= 1
                found += () if depth else ((begin, step.start),)
    return [*found, (begin, len(units.text))] if depth else found
