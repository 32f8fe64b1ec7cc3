"""Edits of the places of a document, as a rule wants them; a parser core splices them into the source.

1. Only references that a rule changes are edited. A new reference that equals the old one, as written, is not a change;
   nor is an empty one instead of white space: it means the same, and in CSS an empty URL is not a reference.
2. This module writes a new reference for its micro-syntax (`rehref.carriers`); the core writes it for the markup.
3. References of a document inside a document are edited there, and the result becomes edits of the outer document.
4. A rule that needs only a reference and its target is asked once for a text that is relative to the document's base.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import TypeAlias

from rehref.carriers.syntaxes import SYNTAXES
from rehref.documents.document import LOCAL_KINDS, Document, Reference, innermost
from rehref.documents.formats.html_carriers import siblings
from rehref.documents.link import Link
from rehref.parsers.contract import Edit, tells_byte_splices, tells_splices
from rehref.parsers.source.twin_exchange import ByteSplice
from rehref.rewriting.asked_rule import AskedRule
from rehref.rewriting.browser_differences import difference
from rehref.rewriting.contract import Drop, LinkNeeded
from rehref.rewriting.percent_encoding import write_valid
from rehref.text.ascii import WHITE_SPACE

_MOST_KNOWN = 100_000
_AT_ONCE = 5000  # how many places are edited at a time: edits take much more memory than splices


_Change: TypeAlias = "tuple[Reference, str | Drop]"  # a reference and its new text


class PlaceEdits:
    """Asks a rule about the references of places. `changed`: how many of them change.

    `leaves_metadata`: whether the rule is known to leave them all. Then JSON-LD, which takes long, is not read.
    """

    def __init__(self, document: Document, asked: AskedRule, *, leaves_metadata: bool = False) -> None:
        self._document = document
        self._asked = asked
        self._leaves_metadata = leaves_metadata
        self._known: dict[str, str | LinkNeeded | None] = {}  # the results of `plain` for texts (rule 4)
        self._unread: list[int] = []
        self._read = 0
        self.changed = 0

    def of_all(self) -> list[Edit]:
        """Return the edits of all places, in order."""
        places = list(self._document.parsed.places)  # made all at once, which takes less time than one by one
        return [edit for number in range(len(places)) for edit in self.of_place(number)]

    def of_place(self, number: int, answers: Sequence[str | Drop | None] | None = None) -> Sequence[Edit]:
        """Return the edits of one place. `answers`: of the rule, if it has been asked about its references."""
        document = self._document
        if (
            self._leaves_metadata
            and document.carriers is not None
            and document.carriers.is_metadata(document.parsed, number)
        ):
            self._unread.append(number)
            return ()
        references = document.found(number)
        news = map(self._new, references) if answers is None else answers
        changes: list[_Change] = []
        for reference, new in zip(references, news, strict=True):
            self._read += 1
            if new is not None and new != reference.text and (new != "" or reference.text.strip(WHITE_SPACE)):
                changes.append((reference, new))
        self.changed += len(changes)
        return _edits(changes) if changes else ()

    def references(self) -> int:
        """Return how many references there are; those of places that were not read are found for that."""
        return self._read + sum(len(self._document.found(number)) for number in self._unread)

    def splices(self, edits: Iterable[Sequence[Edit]]) -> list[ByteSplice]:
        """Return what edits of places replace in the bytes of the source, in order."""
        parsed = self._document.parsed
        assert tells_byte_splices(parsed)
        splices: list[ByteSplice] = []
        places = iter(edits)
        for some in iter(lambda: list(islice(places, _AT_ONCE)), []):
            found = parsed.byte_splices(list(chain.from_iterable(some)))
            assert found is not None, "the bytes that the twin scans are known"
            splices += found
        return sorted(splices, key=itemgetter(0))  # what a removed attribute takes along may be behind others

    def _new(self, reference: Reference) -> str | Drop | None:
        """Return the new text of a reference."""
        asked = self._asked
        if asked.valid:
            return write_valid(self._document, reference, lambda link: self._ask(link, reference))
        document, inmost = innermost(self._document, reference)
        if asked.plain is None:
            of_base = inmost.kind == "base"  # which may have problems of its own
            needs_all = of_base or asked.sees_positions
            return self._ask(self._document.link(reference) if needs_all else document.resolved(inmost), reference)
        if self._leaves_metadata and inmost.kind == "metadata":
            return None
        text, place = inmost.text, document.parsed.places[inmost.place]
        if asked.needs_link(inmost.kind, place.element, place.attribute):
            return self._ask(self._document.link(reference), reference)
        if text == "" or inmost.kind in LOCAL_KINDS:
            return self._ask(document.resolved(inmost), reference)
        resolver = document.resolver if inmost.base is None else inmost.base
        known = self._known if resolver is self._document.resolver else {}
        if text not in known:
            target, same, problems = resolver(text)
            if difference(problems) is not None:
                return self._ask(document.resolved(inmost), reference)
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known[text] = asked.plain(text, target, resolver.base, same_document=same)
        new = known[text]
        if isinstance(new, LinkNeeded):
            return self._ask(document.resolved(inmost), reference)
        if asked.note is not None and inmost.kind == "resource":
            asked.note(place.element, place.attribute, text if new is None else new, 1)
        return new

    def _ask(self, link: Link, reference: Reference) -> str | Drop | None:
        if self._asked.of_element is None:
            return self._asked(link)
        document, inmost = innermost(self._document, reference)
        return self._asked(link, siblings(document.parsed, inmost.place))


def _edits(changes: Sequence[_Change]) -> list[Edit]:
    """Return the edits of one place; those of a document inside it become edits of the place (rule 3)."""
    first, _ = changes[0]
    if first.inner is None:
        return [_edit(reference, new) for reference, new in changes]
    offset, parsed = first.inner.offset, first.inner.document.parsed
    assert tells_splices(parsed)
    within = [(each.inner.reference, new) for each, new in changes if each.inner is not None]
    places = groupby(within, key=lambda change: change[0].place)
    spliced = parsed.splices([edit for _, group in places for edit in _edits(list(group))])
    return [Edit(first.place, offset + start, offset + end, text) for start, end, text in spliced]


def _edit(reference: Reference, new: str | Drop) -> Edit:
    """Return the edit that turns one reference into another."""
    if isinstance(new, Drop):
        return Edit(reference.place, 0, 0, None)
    end, syntax, old = reference.end, reference.syntax, reference.text
    if syntax == "css" and old and new.endswith(old):
        end, new = reference.start, new[: -len(old)]  # the unchanged part keeps its escapes
    return Edit(reference.place, reference.start, end, SYNTAXES[syntax].write(new, reference.form))
