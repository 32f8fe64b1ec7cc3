"""What parser cores disagree about, shown: one module for all formats, which are those of links with little added.

1. For programs, each finding is a link with one field more, `parsers`: the cores that have it. In JSON that is a list;
   in CSV a column, the last, with the names joined: `source; lxml`.
2. For people, a document has its name, how many references the cores disagree about, and its base: that of each core,
   if they differ. Then each reference: where it stands, and its target with the cores that have it, or each target with
   those that say so; and the cores that have none. A document without disagreements is not shown.
3. As everywhere: no passwords; nothing that commands a terminal; with a width, lines are folded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rehref.base import Base
from rehref.reports import csv_format
from rehref.reports.disagreement import Disagreement
from rehref.reports.json_format import base_object, link_object
from rehref.reports.style import PLAIN, Style
from rehref.reports.text import fold, shown, width, wrap

_NARROWEST = 20
_GAP = "  "


class DisagreementFormat(Protocol):
    """A way to show disagreements; the parts are those of `rehref.reports.Format`."""

    @property
    def head(self) -> str:
        """What comes before the first document."""

    @property
    def between(self) -> str:
        """What comes between two documents that have something to show."""

    @property
    def tail(self) -> str:
        """What comes after the last document."""

    def document(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The text for one document; `bases` has its base by each core's name."""


@dataclass(frozen=True, slots=True)
class DisagreementJson:
    """JSON: one array of findings, or one object a line."""

    lines: bool
    tail: str = ""
    head: str = ""
    between: str = ""

    def document(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The findings of one document, a line each."""
        lines = [
            json.dumps(
                {**link_object(name, finding.link, base_object(finding.link.base)), "parsers": list(finding.parsers)},
                ensure_ascii=False,
            )
            for each in found
            for finding in each.findings
        ]
        text = "".join(f"{line}\n" for line in lines) if self.lines else ",".join(f"\n{line}" for line in lines)
        return text.encode("utf-8", "backslashreplace").decode()


ARRAY = DisagreementJson(lines=False, head="[", between=",", tail="\n]\n")
LINES = DisagreementJson(lines=True)


@dataclass(frozen=True, slots=True)
class DisagreementCsv:
    """Comma-separated values. `raw`: cells as they are, be they formulas."""

    raw: bool = False
    head: str = ",".join((*csv_format.COLUMNS, "parsers")) + "\n"
    between: str = ""
    tail: str = ""

    def document(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The findings of one document, a line each."""
        rows = [
            (*csv_format.row(name, finding.link), "; ".join(finding.parsers))
            for each in found
            for finding in each.findings
        ]
        return csv_format.lines(rows, raw=self.raw)


@dataclass(frozen=True, slots=True)
class DisagreementTable:
    """The table; `columns`: the width to fold to, None for no folding."""

    columns: int | None = None
    style: Style = PLAIN
    head: str = ""
    between: str = "\n"
    tail: str = ""

    def document(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The table of one document; "" if all agree."""
        differing = len({base.uri for base in bases.values()}) > 1
        if not found and not differing:
            return ""
        count = "1 disagreement" if len(found) == 1 else f"{len(found):,} disagreements"
        among = self.style.faint(f"{count} among {', '.join(bases)}")
        lines = [f"{self.style.strong(shown(name))}  {among}"]
        lines.extend(self._bases(bases) if differing else self._base(next(iter(bases.values()))))
        if found:
            lines.append("")
            lines.extend(self._rows(found))
        return "\n".join(lines) + "\n"

    def _base(self, base: Base) -> Iterator[str]:
        yield from self._folded("  base  ", "none" if base.uri is None else f"{shown(base.uri)}  ({base.where})")

    def _bases(self, bases: Mapping[str, Base]) -> Iterator[str]:
        """The base of each core, of those that agree together."""
        having: dict[str | None, list[str]] = {}
        for parser, base in bases.items():
            having.setdefault(base.uri, []).append(parser)
        label = "  base  "
        for uri, parsers in having.items():
            text = "none" if uri is None else shown(uri)
            for line in self._folded(label, f"{text}  ({', '.join(parsers)})"):
                yield self.style.alarm(line)
            label = " " * len(label)

    def _folded(self, label: str, text: str) -> Iterator[str]:
        columns = None if self.columns is None else max(_NARROWEST, self.columns - width(label))
        for number, piece in enumerate(wrap(text, columns)):
            yield (label if number == 0 else " " * len(label)) + piece

    def _rows(self, found: Sequence[Disagreement]) -> Iterator[str]:
        rows = [_Row.of(each) for each in found]
        position = max(width(row.position) for row in rows)
        place = min(24, max(width(row.place) for row in rows))
        indent = len(_GAP) + position + len(_GAP) + place + len(_GAP)
        rest = None if self.columns is None else max(_NARROWEST, self.columns - indent)
        for row in rows:
            pad = " " * (place - width(row.place))
            start = f"{_GAP}{row.position:>{position}}{_GAP}{self.style.place(row.place)}{pad}{_GAP}"
            for line in fold(row.reference, rest):
                yield start + line
                start = " " * indent
            for target, parsers in row.targets:
                yield from (start + line for line in self._target(target, parsers, rest))
            if row.missing:
                yield from (start + self.style.alarm(line) for line in wrap(f"! not {row.missing}", rest))

    def _target(self, target: str, parsers: str, rest: int | None) -> Iterator[str]:
        """A target and the cores that say so: on one line if both fit, each on its own if not."""
        arrow = self.style.faint("→") + " "
        if rest is None or 2 + width(target) + 2 + len(parsers) + 2 <= rest:
            yield f"{arrow}{self.style.target(target)}  ({parsers})"
            return
        for piece in fold(target, rest - 2):
            yield arrow + self.style.target(piece)
            arrow = "  "
        yield from (arrow + line for line in wrap(f"({parsers})", rest - 2))


@dataclass(frozen=True, slots=True)
class _Row:
    """What is shown of one disagreement: `targets` with the cores that say so, `missing` the cores that have none."""

    position: str
    place: str
    reference: str
    targets: tuple[tuple[str, str], ...]
    missing: str

    @classmethod
    def of(cls, disagreement: Disagreement) -> _Row:
        """Make the row of a disagreement."""
        link = disagreement.findings[0].link
        position = "-" if link.line is None else f"{link.line}" if link.column is None else f"{link.line}:{link.column}"
        place = f"<{link.element}>" if link.attribute is None else f"{link.element}@{link.attribute}"
        targets = tuple(
            ("nowhere" if finding.link.target is None else shown(finding.link.target), ", ".join(finding.parsers))
            for finding in disagreement.findings
        )
        reference = shown(link.reference) or '""'
        return cls(position, shown(place, 80), reference, targets, ", ".join(disagreement.missing))


def make_format(name: str, columns: int | None, style: Style, *, raw_csv: bool = False) -> DisagreementFormat:
    """The format of that name: `table`, `json`, `jsonl` or `csv`."""
    if name == "table":
        return DisagreementTable(columns, style)
    if name == "csv":
        return DisagreementCsv(raw_csv)
    return ARRAY if name == "json" else LINES
