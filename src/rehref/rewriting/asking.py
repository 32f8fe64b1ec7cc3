"""Asking a rule about the references of one document, and editing the places of these as it wants.

1. A rule that needs only a reference and its target (`plain`) is asked for texts, unless browsers read one
   differently; any other for links. For a text that is relative to the document's base it is asked once.
2. References that a built-in rule would write differently if browsers read them like the RFC are counted
   (`rehref.rewriting.link_properties`).
3. If a rule raises an exception, it is raised here, since the rule is the caller's.
4. Only references that a rule changes are edited. A new reference that equals the old one, as written, is not a change;
   nor is an empty one instead of white space: it means the same, and in CSS an empty URL is not a reference.
5. This module writes a new reference for its micro-syntax (`rehref.carriers`); the core writes it for the markup, and
   splices it into the source.
6. References of a document inside a document are edited there, and the result becomes edits of the outer document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain
from typing import Any, cast

from rehref.base import Base
from rehref.documents.link import Link
from rehref.documents.table.complete_table import Table
from rehref.documents.table.reference import LOCAL_KINDS
from rehref.parsers.source.reference_table import Answer, ReferenceRow, Use
from rehref.rewriting.contract import DROP, Drop, LinkNeeded, NewBeginning, Offer, Rule, offered_by
from rehref.rewriting.link_properties import difference
from rehref.rewriting.percent_encoding import write_valid
from rehref.uri.grammar.rfc3986 import is_valid

_USUAL = frozenset({str, type(None), Drop})
"""The types of nearly all answers."""


class AskedRule:
    """`rule`: that of the document. `outer`: what the rule offers that it comes from (`rule_for`).

    `base`: the base of the document's references. `valid`: every reference is written as a valid URI.
    """

    def __init__(self, rule: Rule, outer: Offer, base: Base, *, valid: bool) -> None:
        self.rule = rule
        self.valid = valid
        self.otherwise = 0
        """How many references count by rule 2."""
        self.offer = outer if outer.for_document is None else offered_by(rule)
        """What the rule of the document offers; `plain` and `begins` say what of that may be used."""
        self._careful = outer.careful
        # below a valid base the targets of ordinary references are valid, too
        of_texts = not outer.per_link and not (valid and not is_valid(base.uri or ""))
        self.plain = self.offer.plain if of_texts else None
        """That of the rule, if it has it and it may be called."""
        self.begins = self.offer.by_beginning(base) if of_texts and self.offer.by_beginning is not None else None
        """What `by_beginning` of the rule says, if it has that."""
        self.by_row = not outer.per_link and (self._careful or self.plain is not None)
        """Whether it may be asked once for a row of a table."""

    @cached_property
    def needs_link(self) -> Callable[[str, str, str | None], bool]:
        """Whether the rule needs the place of a kind of reference, on an element, in an attribute."""
        return cache(self.offer.needs_link or _never)

    def __call__(self, link: Link, attributes: Mapping[str, str] | None = None) -> str | Drop | None:
        """Return the new text for a link. `attributes`: those of its element, if they are known."""
        rule = self.rule
        if self.offer.of_element is not None and attributes is not None:
            rule = partial(self.offer.of_element, attributes=attributes)
        new = rule(link)
        if not (new is None or isinstance(new, str | Drop)):
            raise _wrong(link, new)
        if self._careful and link.problems and difference(link.problems) is not None:
            self.otherwise += rule(link._replace(problems=())) != new
        return new

    def of_all(self, links: Sequence[Link]) -> list[str | Drop | None]:
        """Return the new texts for links, whose elements are not known."""
        if self._careful:
            return [self(link) for link in links]
        news = list(map(self.rule, links))
        if not _USUAL.issuperset(map(type, news)):
            for link, new in zip(links, news, strict=True):
                if not (new is None or isinstance(new, str | Drop)):
                    raise _wrong(link, new)
        return news

    def of_beginning(self, beginning: str, *of: Any) -> NewBeginning | None:
        """Return what `of_beginning` of the rule says; None also if it may write what is invalid."""
        assert self.begins is not None
        new = self.begins.of_beginning(beginning, *of)
        return None if new is not None and self.valid and not is_valid(f"{new.text or ''}x") else new


def _never(kind: str, element: str, attribute: str | None) -> bool:
    return False


def _wrong(link: Link, new: object) -> TypeError:
    return TypeError(
        "a rule returns the new reference as a str, None for one that stays as it is, or rehref.DROP, "
        f"not {type(new).__name__} (for {link.reference!r})"
    )


def ask(asked: AskedRule, table: Table) -> None:
    """Ask a rule about the references of a table: once for a row, if it may be; else for each, in document order."""
    if not asked.by_row:
        _by_use(asked, table)
        return
    begins, numbers = asked.begins, None
    if begins is not None:
        numbers = table.decide(
            asked.of_beginning if asked.valid else begins.of_beginning,
            of_class=begins.of_class,
            fragments=begins.fragments,
            metadata=begins.metadata,
            valid=asked.valid,
        )
    rows = table.rows(numbers) if numbers != [] else []
    answers = [_of_row(asked, table, row, link) for row, link in zip(rows, table.row_links(rows), strict=True)]
    table.write([row.number for row in rows], answers)
    each_use = {row.number: row for row, answer in zip(rows, answers, strict=True) if answer is True}
    if each_use:
        uses = list(table.uses(list(each_use)))
        table.write([use.number for use in uses], [_of_use(asked, table, each_use[use.row], use) for use in uses])


def _of_row(asked: AskedRule, table: Table, row: ReferenceRow, link: Link) -> Answer:
    """The answer for a row; True: each of its references needs one of its own."""
    if asked.needs_link(row.kind, row.element, row.attribute):
        return True
    note, is_resource = asked.offer.note, row.kind == "resource"
    is_usual = row.text != "" and row.kind not in LOCAL_KINDS and difference(link.problems) is None
    may_be_valid = not asked.valid or (row.target is not None and row.text.isascii())
    if asked.plain is not None and is_usual and may_be_valid:
        new = asked.plain(row.text, link.target, link.base, same_document=link.same_document)
        if not isinstance(new, LinkNeeded) and not (asked.valid and isinstance(new, str) and not is_valid(new)):
            if note is not None and is_resource:
                note(row.element, row.attribute, row.text if new is None else new, row.uses)
            return new
    if asked.offer.of_element is not None or (note is not None and is_resource):
        return True
    before = asked.otherwise
    answer = _answer(asked, table, row, link)
    asked.otherwise = before + (asked.otherwise - before) * row.uses
    return answer


def _answer(
    asked: AskedRule, table: Table, row: ReferenceRow, link: Link, attributes: Mapping[str, str] | None = None
) -> Answer:
    """What the rule answers for a link of a row."""

    def rule(link: Link) -> str | Drop | None:
        return asked(link, attributes)

    answer = write_valid(link, partial(table.link, row), table.setting(row), rule) if asked.valid else rule(link)
    return False if isinstance(answer, Drop) else answer


def _of_use(asked: AskedRule, table: Table, row: ReferenceRow, use: Use) -> Answer:
    """The answer for a reference that may depend on the other attributes of its element."""
    attributes = None if asked.offer.of_element is None else table.attributes(use)
    return _answer(asked, table, row, table.link(row), attributes)


def _by_use(asked: AskedRule, table: Table) -> None:
    """Ask a rule about each link, in document order."""
    answers: list[Answer] = []
    if asked.valid or asked.offer.of_element is not None:
        rows = {row.number: row for row in table.rows()}
        for link, use in zip(chain.from_iterable(table.links()), table.uses(), strict=True):
            attributes = None if asked.offer.of_element is None else table.attributes(use)
            answers.append(_answer(asked, table, rows[use.row], link, attributes))
    else:
        for links in table.links():
            news = asked.of_all(links)
            answers += (
                [False if isinstance(new, Drop) else new for new in news] if DROP in news else cast(list[Answer], news)
            )
    table.write(None, answers)


def _as_answers(news: list[str | Drop | None]) -> list[Answer]:
    if DROP not in news:
        return cast("list[Answer]", news)
    return [False if isinstance(new, Drop) else new for new in news]
