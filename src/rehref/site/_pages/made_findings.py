"""How checks make findings: of a link, of a place, of facts that are findings already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

from rehref.site._found.repeated import Repeated
from rehref.site.findings import Finding

if TYPE_CHECKING:
    from rehref.documents.document import Document
    from rehref.documents.integrity import GuardedPage
    from rehref.documents.link import Link


def finding_of(path: str, link: Link, code: str, message: str) -> Finding:
    """Return a finding about a link of the document at a path."""
    return Finding(
        document=path,
        code=code,
        message=message,
        line=link.line,
        column=link.column,
        span=link.span,
        element=link.element,
        attribute=link.attribute,
        reference=link.reference,
        target=link.target,
        base=link.base,
    )


def finding_at(path: str, document: Document | GuardedPage, number: int, code: str, message: str) -> Finding:
    """Return a finding about the whole value of the place of that number, in the document at a path."""
    parsed = document.parsed
    place = parsed.places[number]
    line, column = parsed.locate(number, 0)
    return Finding(
        document=path,
        code=code,
        message=message,
        line=line,
        column=column,
        span=parsed.span(number, 0, len(place.value)),
        element=place.element,
        attribute=place.attribute,
        reference=place.value,
    )


def sent(rows: Iterable[Repeated]) -> list[tuple[Any, ...]]:
    """Return rows as plain tuples, which are sent faster."""
    return [(tuple(row.finding), row.others) for row in rows]


def received(sent: Iterable[tuple[Any, ...]]) -> Iterator[Repeated]:
    """Yield the rows again."""
    return (Repeated(tuple.__new__(Finding, values), others) for values, others in sent)


def collected(facts: Mapping[str, Iterable[tuple[Any, ...]]]) -> Iterator[Finding]:
    """Yield the findings of a check whose facts of a page are its findings, as plain tuples."""
    return starmap(Finding, chain.from_iterable(facts.values()))
