"""From a rule to the document's new source: edits are planned on decoded values, and a core splices them.

1. Only what a rule changes is edited; a new reference that equals the old one, as written, is no change.
2. A new reference is written for its micro-syntax here (`rehref.carriers`), and for the markup around it by the core.
3. One reference that a rule fails on does not end the rest: the rule's exception is the caller's own, and is raised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rehref.carriers.syntaxes import WRITE
from rehref.documents.html import HtmlDocument
from rehref.documents.link import Link
from rehref.parsers.contract import Edit
from rehref.rewriting.rules import DROP, DocumentRule, Rule


@dataclass(frozen=True, slots=True)
class Change:
    """A link and what it becomes; `new` None: its attribute is removed."""

    link: Link
    new: str | None
    edit: Edit


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A document's new source, of the same type as the old, and how many references were changed."""

    data: bytes | str
    changed: int


def changes(document: HtmlDocument, rule: Rule | DocumentRule) -> Iterator[Change]:
    """What a rule changes in a document, in document order."""
    if isinstance(rule, DocumentRule):
        rule = rule.for_document(document.own, document.base, document.profile)
    for reference in document.references:
        link = document.link(reference)
        new = rule(link)
        if new is None or new == link.reference:
            continue
        if new is DROP:
            yield Change(link, None, Edit(reference.place, 0, 0, None))
            continue
        written = WRITE[reference.syntax](new, reference.form)
        yield Change(link, new, Edit(reference.place, reference.start, reference.end, written))


def rewrite_document(document: HtmlDocument, rule: Rule | DocumentRule) -> Rewritten:
    """Apply a rule to a document."""
    edits = [change.edit for change in changes(document, rule)]
    return Rewritten(document.parsed.apply(edits), len(edits))
