"""Asks a rule about the references of one document, by its table.

A built-in rule (`RowRule`) is asked once for a row; any other may see where a link is, and is asked for each, in
document order. If a rule raises an exception, it is raised here, since the rule is the caller's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import cast

from rehref.documents.document import Document
from rehref.documents.link import Answer, Link, ReferenceRow
from rehref.exceptions import RehrefError
from rehref.rewriting._percent_encoded import write_valid
from rehref.rewriting.link_properties import difference
from rehref.rewriting.rule import Attributes, Drop, NewBeginning, RowRule, Rule
from rehref.uri.validation import is_valid

_ARE_ANSWERS = frozenset({str, type(None)})  # types of what a rule returns that are answers as they are


class Asked:
    """A rule, asked about one document.

    `table`: of its references, with the answers. `otherwise`: how many references it would write differently if
    browsers read them like the RFC.
    """

    def __init__(self, document: Document, rule: Rule, *, valid: bool) -> None:
        """Ask. `valid`: every reference is written as a valid URI."""
        self._rule = rule
        self._valid = valid
        self._row_rule = rule if isinstance(rule, RowRule) else None
        self._beginnings = None if self._row_rule is None else self._row_rule.beginnings
        self.otherwise = 0
        self.table = document.table(metadata=self._beginnings is None or self._beginnings.metadata)
        if self._row_rule is None or self._row_rule.for_each:
            self._of_uses()
        else:
            self._of_rows()

    def _of_rows(self) -> None:
        table, numbers = self.table, None
        if self._beginnings is not None:
            begins = self._beginnings
            numbers, stayed = table.decide(
                self._of_beginning if self._valid else begins.of_beginning,
                of_class=begins.of_class,
                fragments=begins.fragments,
                metadata=begins.metadata,
                codebases=begins.codebases,
                valid=self._valid,
                only_relative=begins.only_relative,
            )
            self.otherwise += stayed
        rows = table.rows(numbers) if numbers != [] else []
        if not rows:
            return
        answers = [self._of_row(row, link) for row, link in zip(rows, table.row_links(rows), strict=True)]
        table.write([row.number for row in rows], answers)
        for_each = {row.number: row for row, answer in zip(rows, answers, strict=True) if answer is True}
        if for_each:
            uses = list(table.uses(list(for_each)))
            links = {number: table.link(row) for number, row in for_each.items()}
            of_uses = [self._of_link(for_each[use.row], links[use.row], partial(table.attributes, use)) for use in uses]
            table.write([use.number for use in uses], of_uses)

    def _of_beginning(self, beginning: str, *of: str | None) -> NewBeginning | None:
        """What the rule says of a beginning; None also if a target, or what it writes, may be invalid."""
        assert self._beginnings is not None
        if not is_valid(f"{beginning}x"):
            return None
        new = self._beginnings.of_beginning(beginning, *of)
        return None if new is not None and not is_valid(f"{new.text or ''}x") else new

    def _of_row(self, row: ReferenceRow, link: Link) -> Answer:
        """The answer for a row; True: each of its references needs one of its own."""
        before = self.otherwise
        try:
            answer = self._of_link(row, link, _unknown)
        except _ElementNeededError:
            self.otherwise = before
            return True
        self.otherwise = before + (self.otherwise - before) * row.uses
        return answer

    def _of_uses(self) -> None:
        """Ask about each link, in document order."""
        table, answers = self.table, list[Answer]()
        if self._row_rule is None and not self._valid:
            for links in table.links():
                news = list(map(self._rule, links))
                if _ARE_ANSWERS.issuperset(map(type, news)):
                    answers += cast("list[Answer]", news)
                else:
                    answers += map(_answer, links, news)
        else:
            rows = {row.number: row for row in table.rows()}
            for link, use in zip(chain.from_iterable(table.links()), table.uses(), strict=True):
                answers.append(self._of_link(rows[use.row], link, partial(table.attributes, use)))
        table.write(None, answers)

    def _of_link(self, row: ReferenceRow, link: Link, attributes: Attributes) -> Answer:
        if not self._valid:
            return _answer(link, self._ask(link, attributes))
        ask = partial(self._ask, attributes=attributes)
        return _answer(link, write_valid(link, partial(self.table.link, row), self.table.setting(row), ask))

    def _ask(self, link: Link, attributes: Attributes) -> str | Drop | None:
        if self._row_rule is None:
            return self._rule(link)
        write = self._row_rule.write
        new = write(link, attributes)
        if self._row_rule.is_careful and link.problems and difference(link.problems) is not None:
            self.otherwise += write(link._replace(problems=()), attributes) != new
        return new


class _ElementNeededError(RehrefError):
    """A rule has asked for the attributes of an element, where there may be many."""


def _unknown() -> Mapping[str, str]:
    raise _ElementNeededError


def _answer(link: Link, new: str | Drop | None) -> Answer:
    """What a rule returned, as an answer of the table."""
    if new is None or isinstance(new, str):
        return new
    if isinstance(new, Drop):
        return False
    raise TypeError(
        "a rule returns the new reference as a str, None for one that stays as it is, or rehref.DROP, "
        f"not {type(new).__name__} (for {link.reference!r})"
    )
