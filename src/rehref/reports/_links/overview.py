"""The summary of all documents of an inventory, for the page: charts, the picture of which documents link where, and
sentences about what the page does not show.

The charts are references by kind, bases by origin, hosts, problems, and the documents with the most references from
others. Each has the longest bars, and says how many are missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from rehref.reports._html.html_page import Bar, Chart
from rehref.reports._inventory.grouping import Drawing, drawing_of, not_referred_to, referred_to
from rehref.reports._inventory.picture import Picture, picture_of
from rehref.reports._inventory.totals import CountsByName, Totals
from rehref.reports.formats import InventoryLimits
from rehref.reports.terminal import count, readable, shown
from rehref.site.codes import CODES

_LONGEST: Final = 8  # bars of a chart
_ORIGINS: Final = {
    "embedded": "embedded in the document",
    "entity": "from the enclosing entity",
    "retrieval": "where it was retrieved",
    "default": "a default",
    "none": "no base",
}
_PLACES: Final = {"file:": "this disk"}


class Way(NamedTuple):
    """A row of the table: the two ends of a connection, and the number of references."""

    source: str
    target: str
    references: int


class Overview(NamedTuple):
    """The summary."""

    summary: str
    about: str
    charts: tuple[Chart, ...]
    picture: Picture | None
    ways: tuple[Way, ...]
    sentences: tuple[str, ...]
    left_out: str
    not_read: str
    errors: tuple[str, ...]


def overview_of(
    totals: Totals, documents: int, references: int, extent: InventoryLimits, errors: Sequence[str] = ()
) -> Overview:
    """The summary of all documents.

    `documents`, `references`: how many are shown. `errors`: messages about inputs that could not be read, at least
    some.
    """
    drawing = drawing_of(totals.structure)
    return Overview(
        summary=f"{count(totals.documents, 'document')}, {count(totals.references, 'reference')}",
        about=_about(totals),
        charts=tuple(chart for chart in _charts(totals) if chart.bars),
        picture=picture_of(drawing) if drawing.connections or len(drawing.nodes) > 1 else None,
        ways=tuple(_ways(drawing)),
        sentences=tuple(_sentences(totals, drawing)),
        left_out=_left_out(totals, documents, references, extent),
        not_read=_not_read(totals, len(errors)),
        errors=tuple(shown(error, 2000) for error in errors),
    )


def _about(totals: Totals) -> str:
    problems = totals.problems.total()
    hosts = sum(not name.endswith(":") for name in totals.hosts.counts)  # a scheme is not a host
    parts = [
        *([count(hosts, "host") + (" or more" if totals.hosts.others else "")] if hosts else []),
        f"{count(problems, 'problem')} in {count(totals.with_problems, 'document')}" if problems else "no problems",
    ]
    if totals.rejected:
        parts.append(f"{count(totals.rejected, 'base')} skipped")
    about = ", ".join(parts)
    return about[0].upper() + about[1:]


def _charts(totals: Totals) -> list[Chart]:
    origins = Counter({_ORIGINS[name]: number for name, number in totals.base_documents.items()})
    return [
        _chart("kinds", "What references are for", totals.kinds, "reference"),
        _chart("origins", "Where bases come from", origins, "document"),
        _tallied("hosts", "Where references lead", totals.hosts, "reference"),
        _tallied("embedded", "Bases that are not the document's own URI", totals.embedded, "reference"),
        _tallied("places", "Where references are", totals.places, "reference"),
        Chart(
            "problems",
            "Problems",
            [
                Bar(name, number, kind=severity_of(name), about=CODES[name].sentence if name in CODES else "")
                for name, number in totals.problems.most_common()
            ],
            "reference",
        ),
        _chart("popular", "Documents most referred to", _popular(totals), "reference"),
    ]


def _popular(totals: Totals) -> Counter[str]:
    """Documents by the number of references to them; none if each of them has only one."""
    found = referred_to(totals.structure)
    return found if max(found.values(), default=0) > 1 else Counter()


def severity_of(code: str) -> str:
    """The severity of a code; a warning if it is not one of ours."""
    return CODES[code].severity if code in CODES else "warning"


def _chart(name: str, heading: str, counts: Counter[str], unit: str) -> Chart:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    bars = [Bar(readable(name, 200), number) for name, number in ordered[:_LONGEST]]
    rest = len(counts) - _LONGEST
    return Chart(name, heading, bars, unit, f"{rest:,} more are not shown." if rest > 0 else "")


def _tallied(name: str, heading: str, tally: CountsByName, unit: str) -> Chart:
    bars = [Bar(_PLACES.get(each, shown(each, 200)), number) for each, number in tally.top(_LONGEST)]
    rest = tally.rest(_LONGEST)
    more = f"{count(len(tally.counts) - len(bars), 'other')}{' or more' if tally.others else ''}: {count(rest, unit)}."
    return Chart(name, heading, bars, unit, more if rest else "")


def _ways(drawing: Drawing) -> list[Way]:
    """The rows of the table, those with the most references first."""
    names = [readable(node.name, 200) for node in drawing.nodes]
    within = [Way(name, name, node.within) for name, node in zip(names, drawing.nodes, strict=True) if node.within]
    between = [Way(names[each.source], names[each.target], each.references) for each in drawing.connections]
    return sorted((*within, *between), key=lambda way: -way.references)


def _sentences(totals: Totals, drawing: Drawing) -> list[str]:
    """Sentences about the picture."""
    found = []
    structure = totals.structure
    if structure.depth is not None:
        found.append("There are so many documents that the picture shows only folders, or hosts.")
    if drawing.left_out:
        found.append(
            f"{count(drawing.left_out, 'connection')} with fewer references "
            f"({count(drawing.references_left_out, 'reference')}) are not drawn."
        )
    alone = not_referred_to(structure)
    if alone and totals.documents > 1:
        some = ", ".join(readable(name, 120) for name in alone[:10])
        more = f" and {len(alone) - 10:,} more" if len(alone) > 10 else ""
        are = "document is" if len(alone) == 1 else "documents are"
        found.append(f"{len(alone):,} {are} not referred to by any other one: {some}{more}.")
    return found


def _not_read(totals: Totals, errors: int) -> str:
    """A sentence about inputs that could not be read; "" if there are none."""
    if not totals.not_read:
        return ""
    first = f", the first {errors:,} of them" if errors < totals.not_read else ""
    return f"Not read: {totals.not_read:,}{first}"


def _left_out(totals: Totals, documents: int, references: int, extent: InventoryLimits) -> str:
    """A sentence about the documents that are not shown; "" if all are."""
    if documents == totals.documents and references == totals.references:
        return ""
    return (
        "The numbers above are for all documents. The page shows "
        f"{documents:,} of {count(totals.documents, 'document')}, and "
        f"{references:,} of {count(totals.references, 'reference')}: at most {count(extent.documents, 'document')} "
        f"(--max-documents) with {count(extent.references, 'reference')} (--max-references)."
    )
