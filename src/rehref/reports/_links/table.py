"""Links for people: for each document its base, with the reason, then every reference, its place and its target.

A reference that is its own target has no arrow; one that means this document says so. With a width, lines are folded so
that the columns stay; without one nothing is folded. A text that would need too many lines is shortened in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rehref.reports.terminal import PLAIN, Style, fold, shown, width, wrap

if TYPE_CHECKING:
    from rehref.containers.parts import PartWord
    from rehref.documents.base import Base
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.reports.disagreement import Disagreement
    from rehref.reports.formats import Presentation

_GAP = "  "
_WIDEST_REFERENCE = 60
_NARROWEST = 20


class _Row(NamedTuple):
    """The shown texts of one link; `target` None: only the reference."""

    position: str
    place: str
    reference: str
    target: str | None


class TableOfLinks(NamedTuple):
    """The table; `columns`: the width to fold to, None for no folding."""

    columns: int | None = None
    style: Style = PLAIN
    head: str = ""
    between: str = "\n"
    tail: str = ""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The table of one document."""
        links = list(links)
        count = "1 reference" if len(links) == 1 else f"{len(links):,} references"
        lines = [self._title(name, count), *self._base(base)]
        if links:
            rows = [_row(link) for link in links]
            position, place, rest = self._widths(rows)
            column = _reference_column(rows, rest)
            bodies = (self._link(row, _notes(link, base), column, rest) for link, row in zip(links, rows, strict=True))
            lines += ["", *self._lines(rows, position, place, bodies)]
        return "\n".join(lines) + "\n"

    def written(self, name: str, document: Document, where: PartWord = "part") -> None:
        """None: this format makes each link."""

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The table of disagreements of cores about one document; "" if all agree.

        It shows the common base, or that of each core; then each reference: its target with the cores that have it, or
        each target with its cores; and the cores without the reference.
        """
        differing = len({base.uri for base in bases.values()}) > 1
        if not found and not differing:
            return ""
        count = "1 disagreement" if len(found) == 1 else f"{len(found):,} disagreements"
        lines = [self._title(name, f"{count} among {', '.join(bases)}"), *self._bases(bases, differing=differing)]
        if found:
            rows = [_row(each.links[0].link) for each in found]
            position, place, rest = self._widths(rows)
            bodies = (self._disagreement(each, row.reference, rest) for each, row in zip(found, rows, strict=True))
            lines += ["", *self._lines(rows, position, place, bodies)]
        return "\n".join(lines) + "\n"

    def _title(self, name: str, count: str) -> str:
        return f"{self.style.strong(shown(name))}  {self.style.faint(count)}"

    def _base(self, base: Base) -> Iterator[str]:
        style = self.style
        if base.uri is None:
            yield from self._folded(
                "  base  ", "none: relative references lead nowhere; --url URI gives one", style.alarm
            )
        else:
            yield from self._folded("  base  ", f"{shown(base.uri)}  ({base.where})", style.good)
        for rejected in base.rejected:
            text = f"{shown(rejected.reference)}  ({rejected.where}): {rejected.reason}"
            yield from self._folded("  skipped  ", shown(text, 2000), style.alarm)

    def _bases(self, bases: Mapping[str, Base], *, differing: bool) -> Iterator[str]:
        """The base; or, if they differ, that of each core; cores that agree share a line."""
        having: dict[str | None, list[str]] = {}
        for parser, base in bases.items():
            having.setdefault(base.uri, []).append(parser)
        label = "  base  "
        for uri, parsers in having.items():
            about = ", ".join(parsers) if differing else bases[parsers[0]].where
            text = "none" if uri is None else shown(uri)
            text = text if uri is None and not differing else f"{text}  ({about})"
            yield from self._folded(label, text, self.style.alarm if differing else str)
            label = " " * len(label)

    def _folded(self, label: str, text: str, style: Callable[[str], str]) -> Iterator[str]:
        columns = None if self.columns is None else max(_NARROWEST, self.columns - len(label))
        for number, piece in enumerate(wrap(text, columns)):
            yield (label if number == 0 else " " * len(label)) + style(piece)

    def _widths(self, rows: Sequence[_Row]) -> tuple[int, int, int | None]:
        """The widths of the columns: positions, places, and the last one, None for no folding."""
        position = max(width(row.position) for row in rows)
        place = min(24, max(width(row.place) for row in rows))
        indent = len(_GAP) + position + len(_GAP) + place + len(_GAP)
        return position, place, None if self.columns is None else max(_NARROWEST, self.columns - indent)

    def _lines(self, rows: Sequence[_Row], position: int, place: int, bodies: Iterable[Iterable[str]]) -> Iterator[str]:
        """The rows: the place of each, and beside that the lines of its body."""
        indent = " " * (len(_GAP) + position + len(_GAP) + place + len(_GAP))
        for row, body in zip(rows, bodies, strict=True):
            padded = f"{self.style.place(row.place)}{_pad(row.place, place)}"
            start = f"{_GAP}{row.position:>{position}}{_GAP}{padded}{_GAP}"
            for line in body:
                yield start + line
                start = indent

    def _link(self, row: _Row, notes: Iterable[str], column: int, rest: int | None) -> Iterator[str]:
        """A reference and its target, side by side if they fit, and notes about them.

        If not, the arrow is on the next line.
        """
        reference, target, style = row.reference, row.target, self.style
        if target is None:
            yield from fold(reference, rest)
        elif width(reference) <= column and (rest is None or width(target) <= rest - column - 3):
            yield f"{reference}{_pad(reference, column)} {style.faint('→')} {style.target(target)}"
        else:
            yield from fold(reference, rest)
            yield from self._arrow(target, rest)
        for note in notes:
            yield from map(style.alarm, wrap(note, rest))

    def _disagreement(self, found: Disagreement, reference: str, rest: int | None) -> Iterator[str]:
        """A reference, each target with its cores, and the cores without the reference."""
        yield from fold(reference, rest)
        for each in found.links:
            target = "nowhere" if each.link.target is None else shown(each.link.target)
            parsers = f"({', '.join(each.parsers)})"
            if rest is None or 2 + width(target) + 2 + len(parsers) <= rest:
                yield f"{self.style.faint('→')} {self.style.target(target)}  {parsers}"
            else:
                yield from self._arrow(target, rest)
                yield from (f"  {line}" for line in wrap(parsers, rest - 2))
        if found.missing:
            yield from map(self.style.alarm, wrap(f"! not {', '.join(found.missing)}", rest))

    def _arrow(self, target: str, rest: int | None) -> Iterator[str]:
        """A target on lines of its own."""
        mark = self.style.faint("→") + " "
        for piece in fold(target, None if rest is None else rest - 2):
            yield mark + self.style.target(piece)
            mark = "  "


def table(presentation: Presentation) -> TableOfLinks:
    """The format, from a presentation."""
    return TableOfLinks(presentation.columns, presentation.style)


def _reference_column(rows: Sequence[_Row], rest: int | None) -> int:
    """The width of the column of references: most targets fit beside them, and no space is wasted."""
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


def _pad(text: str, columns: int) -> str:
    return " " * (columns - width(text))


def _row(link: Link) -> _Row:
    line, column = link.line, link.column
    position = "-" if line is None else f"{line}" if column is None else f"{line}:{column}"
    place = f"{link.element}@{link.attribute}" if link.attribute is not None else f"<{link.element or link.kind}>"
    return _Row(position, shown(place, 80), shown(link.reference) or '""', _target(link))


def _target(link: Link) -> str | None:
    """The text beside the reference; None: nothing."""
    if link.same_document:
        return "this document"
    if link.target is None:
        return "nowhere"
    return None if link.target == link.reference else shown(link.target)


def _notes(link: Link, base: Base) -> Iterator[str]:
    """The lines below a link in a document with that base.

    The text of the hyperlink, if it was asked for; the part of the same container that it leads to; the base, if it
    differs from the document's; and every problem.
    """
    if link.text is not None:
        yield shown(f'text: "{link.text}"')
    if link.inside is not None:
        yield shown(f"= {link.inside} of this container")
    if link.kind != "base" and link.base.uri is not None and link.base.uri != base.uri:
        yield shown(f"relative to {link.base.uri}  ({link.base.where})")
    yield from (shown(f"! {problem.code}: {problem.message}") for problem in link.problems)
