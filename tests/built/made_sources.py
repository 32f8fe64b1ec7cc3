"""The sources of a site for Hugo and of one for Eleventy (`fixtures/traced`), with mistakes, and where each stands.

- `⟦kind|reference⟧` in a source is a mistake: the reference is written, and its place noted. So the truth does not
  come from rehref.
- Both have pages in nested folders, front matter, definitions, HTML in Markdown, shortcodes, layouts, data files, and
  lists that repeat pages. What the generators make of them is beside them (`built`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from built.building import ROOT

TRACED: Final = ROOT / "fixtures" / "traced"
_MISTAKE = re.compile("⟦([^|⟧]+)\\|([^⟧]+)⟧".encode())


class Mistake(NamedTuple):
    """A mistake: its kind, the source and the line in which it stands, the reference."""

    kind: str
    path: str
    line: int
    reference: str


def write_sources(name: str, folder: Path) -> list[Mistake]:
    """Write the sources for a generator into a folder, and return their mistakes."""
    mistakes = []
    sources = TRACED / name / "sources"
    for path in sorted(path for path in sources.rglob("*") if path.is_file()):
        below, data = path.relative_to(sources), path.read_bytes()
        for number, line in enumerate(data.split(b"\n"), 1):
            for kind, reference in _MISTAKE.findall(line):
                mistakes.append(Mistake(kind.decode(), below.as_posix(), number, reference.decode()))
        (folder / below).parent.mkdir(parents=True, exist_ok=True)
        (folder / below).write_bytes(_MISTAKE.sub(rb"\2", data))
    return mistakes
