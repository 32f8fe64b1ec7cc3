"""Links for people: for each document its base and why, then every reference, where it stands and where it leads.

1. A document begins with its name and the number of its references; then comes its base, with where that stands, and
   each candidate that was skipped, with the reason.
2. A line for each reference: line and column, element and attribute, the reference as written, an arrow, the target. A
   reference that is its own target has no arrow. One that means this document says so.
3. Below it, indented: the part of the same container that it leads to; the base, if it is another one than the
   document's; and every problem.
4. With a width, lines are folded so that the columns stay; without one nothing is folded. Where a reference and its
   target do not fit side by side, the arrow is on the next line. What is longer than some lines is shortened in the
   middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rehref.base import Base
from rehref.containers.parts import PartWord
from rehref.documents.link import Link
from rehref.reports.style import PLAIN, Style
from rehref.reports.text import fold, shown, width, wrap

_GAP = "  "
_WIDEST_REFERENCE = 60
_NARROWEST = 20


@dataclass(frozen=True, slots=True)
class Table:
    """The table; `columns`: the width to fold to, None for no folding."""

    columns: int | None = None
    style: Style = PLAIN
    head: str = ""
    between: str = "\n"
    tail: str = ""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The table of one document."""
        rows = [_Row.of(link, base) for link in links]
        lines = [*self._heading(name, base, len(rows))]
        if rows:
            lines.append("")
            lines.extend(self._table(rows))
        return "\n".join(lines) + "\n"

    def _heading(self, name: str, base: Base, count: int) -> Iterator[str]:
        style = self.style
        yield f"{style.strong(shown(name))}  {style.faint('1 reference' if count == 1 else f'{count:,} references')}"
        if base.uri is None:
            yield from self._folded(
                "  base  ", "none: relative references lead nowhere; --url URI gives one", style.alarm
            )
        else:
            yield from self._folded("  base  ", f"{shown(base.uri)}  ({base.where})", style.good)
        for passed in base.rejected:
            text = f"{shown(passed.reference)}  ({passed.where}): {passed.reason}"
            yield from self._folded("  skipped  ", shown(text, 2000), style.alarm)

    def _folded(self, label: str, text: str, style: Callable[[str], str]) -> Iterator[str]:
        columns = None if self.columns is None else max(_NARROWEST, self.columns - len(label))
        for number, piece in enumerate(wrap(text, columns)):
            yield (label if number == 0 else " " * len(label)) + style(piece)

    def _table(self, rows: list[_Row]) -> Iterator[str]:
        style = self.style
        position = max(width(row.position) for row in rows)
        place = min(24, max(width(row.place) for row in rows))
        indent = len(_GAP) + position + len(_GAP) + place + len(_GAP)
        rest = None if self.columns is None else max(_NARROWEST, self.columns - indent)
        column = _reference_column(rows, rest)
        for row in rows:
            start = f"{_GAP}{row.position:>{position}}{_GAP}{style.place(row.place)}{_pad(row.place, place)}{_GAP}"
            for line in _reference_and_target(row, column, rest, style):
                yield start + line
                start = " " * indent
            for note in row.notes:
                for line in wrap(note, rest):
                    yield start + style.alarm(line)


def _reference_column(rows: list[_Row], rest: int | None) -> int:
    """How wide the column of references is: such that most targets fit beside them, and no wider than needed."""
    widths = [(width(row.reference), width(row.target)) for row in rows if row.target is not None]
    if rest is None:
        return min(_WIDEST_REFERENCE, max((reference for reference, _ in widths), default=0))
    # a row fits if the column is at least as wide as its reference, and leaves room for the arrow and its target
    change = [0] * (rest + 2)
    for reference, target in widths:
        most = rest - 3 - target
        if reference <= most:
            change[reference] += 1
            change[most + 1] -= 1
    best = fitting = most_fitting = 0
    for column, difference in enumerate(change):
        fitting += difference
        if fitting > most_fitting:
            best, most_fitting = column, fitting
    return best


def _reference_and_target(row: _Row, column: int, rest: int | None, style: Style) -> Iterator[str]:
    """The lines of a reference and its target, side by side where they fit."""
    if row.target is None:
        yield from fold(row.reference, rest)
        return
    if width(row.reference) <= column and (rest is None or width(row.target) <= rest - column - 3):
        yield f"{row.reference}{_pad(row.reference, column)} {style.faint('→')} {style.target(row.target)}"
        return
    yield from fold(row.reference, rest)
    mark = style.faint("→") + " "
    for piece in fold(row.target, None if rest is None else rest - 2):
        yield mark + style.target(piece)
        mark = "  "


def _pad(text: str, columns: int) -> str:
    return " " * (columns - width(text))


@dataclass(frozen=True, slots=True)
class _Row:
    """What is shown of one link; `target` None: nothing besides the reference."""

    position: str
    place: str
    reference: str
    target: str | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, link: Link, base: Base) -> _Row:
        """Make the row of a link in a document with that base."""
        line, column = link.line, link.column
        position = "-" if line is None else f"{line}" if column is None else f"{line}:{column}"
        place = f"{link.element}@{link.attribute}" if link.attribute is not None else f"<{link.element or link.kind}>"
        notes = [shown(f"! {problem.code}: {problem.message}") for problem in link.problems]
        if link.kind != "base" and link.base.uri is not None and link.base.uri != base.uri:
            notes.insert(0, shown(f"relative to {link.base.uri}  ({link.base.where})"))
        if link.inside is not None:
            notes.insert(0, shown(f"= {link.inside} of this container"))
        target: str | None
        if link.same_document:
            target = "this document"
        elif link.target is None:
            target = "nowhere"
        elif link.target == link.reference:
            target = None
        else:
            target = shown(link.target)
        reference = shown(link.reference)
        return cls(position, shown(place, 80), reference if reference else '""', target, tuple(notes))
